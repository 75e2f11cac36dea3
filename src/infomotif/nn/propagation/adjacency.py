"""Adjacency: which nodes pass messages to which, with the normalisations that encoders need."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import closure_weights
from infomotif.nn import kernels
from infomotif.nn.propagation.relations import Relations
from infomotif.nn.propagation.sparse import Pattern, SparseMatrix, run
from infomotif.typing import Array

MIN_CLOSURE = 0.05
"""Added to the closure of each edge, so that edges without triangles still carry messages."""


class Adjacency:
    """The neighbours that each node gets messages from, in compressed rows, without self loops.

    Rows may be a part of the columns: the inner nodes of a sampled neighbourhood, or a range of nodes.

    Args:
        indptr: Row pointers, [rows + 1].
        indices: Neighbours of each row, [E].
        columns: Number of nodes that send messages; as many as rows by default.
        start: Row v is column ``start + v``.
        degrees: Number of neighbours in the whole graph of each column, if the rows may hold a sample of them.
        weights: Weight of the message of each neighbour, [E]; all 1 by default.
        totals: Sum of the weights in the whole graph of each column; needed where ``degrees`` is.
        numbers: Number in the whole graph of each column, if dropout is to drop the same entries as there.
        relations: What kind of message each neighbour sends; all alike by default.

    Example:
        >>> adjacency = Adjacency.from_edge_index(torch.tensor([[0, 1], [1, 0]]), 2)
        >>> adjacency.gcn.to_dense()
        tensor([[0.5000, 0.5000],
                [0.5000, 0.5000]])
    """

    def __init__(
        self,
        indptr: Array,
        indices: Array,
        *,
        columns: int | None = None,
        start: int = 0,
        degrees: Array | None = None,
        weights: Array | None = None,
        totals: Array | None = None,
        numbers: Array | None = None,
        relations: Relations | None = None,
    ) -> None:
        self.neighbours = Pattern(indptr, indices, len(indptr) - 1 if columns is None else columns)
        self.start, self.degrees, self.weights, self._totals = start, degrees, weights, totals
        self.numbers, self.relations = numbers, relations

    @classmethod
    def from_graph(
        cls, graph: Graph, *, weighted: bool = False, closure: int = 0, relations: Relations | None = None
    ) -> Adjacency:
        """Take the graph without directions, as message passing does; for its weights see :meth:`MessageWeights.of`.

        Raises:
            InputError: If it should be weighted and has no weights, or one below 0.
        """
        made = MessageWeights.of(graph, weighted=weighted, closure=closure, relations=relations)
        weights, totals = (None, None) if made is None else (made.values, made.totals)
        indptr, indices = graph.undirected[:2]
        return cls(indptr, indices, weights=weights, totals=totals, relations=relations)

    @classmethod
    def from_edge_index(cls, edge_index: Tensor, num_nodes: int, edge_weight: Tensor | None = None) -> Adjacency:
        """Take a PyG ``edge_index`` [2, E], source to target, and ``edge_weight`` [E].

        Self loops are left out and repeats are one edge, whose weight is the sum.
        """
        if edge_index.dim() != 2 or edge_index.shape[0] != 2:
            raise InputError(f"edge_index must have shape [2, E] (got {list(edge_index.shape)})")
        source, target = edge_index.detach().cpu().numpy()
        keep = source != target
        weights = np.ones(len(source), np.float32) if edge_weight is None else edge_weight.detach().cpu().numpy()
        if weights.shape != source.shape:
            raise InputError(f"edge_weight must have shape [{len(source)}] (got {list(weights.shape)})")
        if not ((weights >= 0) & np.isfinite(weights)).all():
            raise InputError("edge_weight must hold finite numbers of 0 or more")
        matrix = sp.csr_array((weights[keep], (target[keep], source[keep])), shape=(num_nodes, num_nodes))
        matrix.sum_duplicates()
        return cls(matrix.indptr, matrix.indices, weights=None if edge_weight is None else matrix.data)

    @property
    def num_nodes(self) -> int:
        """Number of nodes that get messages."""
        return self.neighbours.num_rows

    def layer(self, number: int, layers: int) -> Adjacency:
        """Return the adjacency of layer ``number``: the same for all."""
        return self

    def target_rows(self, x: Tensor) -> Tensor:
        """Return the rows of ``x`` [columns, ...] that belong to the nodes that get messages."""
        if len(x) == self.num_nodes:
            return x
        return x[self.start : self.start + self.num_nodes]

    @cached_property
    def with_loops(self) -> Pattern:
        """The neighbours and the node itself."""
        rows = self.neighbours
        indptr = np.empty_like(rows.indptr)
        indices = np.empty(len(rows.indices) + self.num_nodes, dtype=rows.indices.dtype)
        kernels.add_loops(rows.indptr, rows.indices, self.start, indptr, indices)
        return Pattern(indptr, indices, rows.num_cols)

    @cached_property
    def gcn(self) -> SparseMatrix:
        """D^-1/2 (A + I) D^-1/2, the normalisation of GCN; of a sample, its unbiased estimate."""
        pattern = self.with_loops
        lengths = np.diff(pattern.indptr)
        if self.weights is not None:
            total = self.totals + 1.0
            of_row = np.repeat(total[self.start : self.start + self.num_nodes], lengths)
            weights = self._with_loop_weights(self._scaled_weights) / np.sqrt(of_row * total[pattern.indices])
            return SparseMatrix(pattern, torch.from_numpy(weights.astype(np.float32)))
        if self.degrees is None:
            inverse = 1.0 / np.sqrt(lengths.astype(np.float64))
            rows = np.repeat(inverse, lengths)
            return SparseMatrix(pattern, torch.from_numpy((rows * inverse[pattern.indices]).astype(np.float32)))
        values = np.empty(len(pattern.indices), dtype=np.float32)
        run(kernels.gcn_weights, pattern.indptr, pattern.indptr, pattern.indices, self.start, self.degrees, values)
        return SparseMatrix(pattern, torch.from_numpy(values))

    @cached_property
    def mean(self) -> SparseMatrix:
        """D^-1 A: the mean over neighbours, 0 without any."""
        degrees = np.diff(self.neighbours.indptr)
        if self.weights is not None:
            total = weight_totals(self.neighbours.indptr, self.weights)
            shares = self.weights / np.repeat(np.where(total > 0, total, 1.0), degrees)
            return SparseMatrix(self.neighbours, torch.from_numpy(shares.astype(np.float32)))
        values = np.repeat(1.0 / np.maximum(degrees, 1), degrees).astype(np.float32)
        return SparseMatrix(self.neighbours, torch.from_numpy(values))

    @cached_property
    def total(self) -> SparseMatrix:
        """A: the sum over neighbours; of a sample, its unbiased estimate."""
        if self.weights is not None:
            return SparseMatrix(self.neighbours, torch.from_numpy(self._scaled_weights.astype(np.float32)))
        if self.degrees is None:
            return SparseMatrix(self.neighbours, torch.ones(len(self.neighbours.indices)))
        values = np.repeat(self._scale, np.diff(self.neighbours.indptr)).astype(np.float32)
        return SparseMatrix(self.neighbours, torch.from_numpy(values))

    @cached_property
    def relational(self) -> SparseMatrix:
        """The mean over the neighbours of each of R relations, and the node itself: [rows, columns * (1 + R)].

        Column ``(1 + R) u`` is node u itself, column ``(1 + R) u + 1 + r`` is u as a neighbour by relation r.
        """
        pattern, rows = self.neighbours, np.arange(self.num_nodes)
        if self.relations is None:
            count, receiver, sender = 1, np.repeat(rows, np.diff(pattern.indptr)), pattern.indices.astype(np.int64)
            relation, entry = np.zeros(len(sender), np.int64), np.arange(len(sender))
        else:
            count = self.relations.num_relations
            receiver, sender, relation, entry = self.relations.messages(pattern.indptr, pattern.indices)
        weights = np.ones(len(entry)) if self.weights is None else self.weights[entry].astype(np.float64)
        group = receiver * count + relation
        total = np.bincount(group, weights=weights, minlength=self.num_nodes * count)
        shares = weights / np.where(total > 0, total, 1.0)[group]
        values = np.concatenate([np.ones(len(rows)), shares]).astype(np.float32)
        columns = np.concatenate([(1 + count) * (self.start + rows), (1 + count) * sender + 1 + relation])
        shape = (len(rows), (1 + count) * pattern.num_cols)
        return SparseMatrix.from_scipy(sp.csr_array((values, (np.concatenate([rows, receiver]), columns)), shape=shape))

    @cached_property
    def typed_edges(self) -> tuple[Tensor, Tensor]:
        """The messages in PyG's form: edges [2, M], source to target, and the relation of each, [M]."""
        if self.relations is None:
            return self.edge_index, torch.zeros(self.edge_index.shape[1], dtype=torch.long)
        pattern = self.neighbours
        receiver, sender, relation, _ = self.relations.messages(pattern.indptr, pattern.indices)
        return torch.from_numpy(np.stack([sender, receiver])), torch.from_numpy(relation)

    @cached_property
    def edge_index(self) -> Tensor:
        """The edges in PyG's form, [2, E], source to target."""
        rows, cols = self.neighbours.rows_and_columns(torch.device("cpu"))
        return torch.stack([cols, rows])

    @cached_property
    def edge_weight(self) -> Tensor | None:
        """The weight of each edge of :attr:`edge_index`, [E]; None without weights."""
        return None if self.weights is None else torch.from_numpy(np.array(self.weights, dtype=np.float32))

    @cached_property
    def log_weights(self) -> Tensor | None:
        """The logarithm of each weight of :attr:`with_loops`, 0 for a loop; None without weights."""
        if self.weights is None:
            return None
        with np.errstate(divide="ignore"):
            return torch.from_numpy(np.log(self._with_loop_weights(self.weights)).astype(np.float32))

    @cached_property
    def totals(self) -> Array:
        """Sum of the weights in the whole graph of each column."""
        if self._totals is not None:
            return self._totals
        if self.weights is None or self.degrees is not None or self.neighbours.num_cols != self.num_nodes:
            raise TypeError("the weights of a part of a graph need their totals")
        return weight_totals(self.neighbours.indptr, self.weights)

    def to(self, device: torch.device) -> Adjacency:
        """Return an adjacency with its values on ``device``; ``self`` for the CPU."""
        if device.type == "cpu":
            return self
        pattern = self.neighbours
        moved = Adjacency(
            pattern.indptr, pattern.indices, columns=pattern.num_cols, start=self.start, degrees=self.degrees,
            weights=self.weights, totals=self._totals, numbers=self.numbers, relations=self.relations,
        )  # fmt: skip
        for name in ("gcn", "mean", "total", "edge_index", "edge_weight", "log_weights"):
            value = getattr(self, name)
            moved.__dict__[name] = None if value is None else value.to(device)
        if self.relations is not None:
            moved.__dict__["relational"] = self.relational.to(device)
            edges, kinds = self.typed_edges
            moved.__dict__["typed_edges"] = edges.to(device), kinds.to(device)
        return moved

    def _with_loop_weights(self, weights: Array) -> Array:
        """Return weights in the order of :attr:`with_loops`, where loops weigh 1."""
        pattern = self.with_loops
        rows = np.repeat(np.arange(self.start, self.start + self.num_nodes), np.diff(pattern.indptr))
        values = np.ones(len(rows))
        values[rows != pattern.indices] = weights
        return values

    @property
    def _scaled_weights(self) -> Array:
        """The weights, times how many neighbours each sampled one stands for."""
        if self.weights is None:
            raise TypeError("this adjacency has no weights")
        if self.degrees is None:
            return self.weights
        return np.asarray(np.repeat(self._scale, np.diff(self.neighbours.indptr)) * self.weights)

    @property
    def _scale(self) -> Array:
        """How many neighbours each sampled one stands for, [rows]."""
        sampled = np.diff(self.neighbours.indptr)
        if self.degrees is None:
            return np.ones(len(sampled))
        return self.degrees[self.start : self.start + self.num_nodes] / np.maximum(sampled, 1)


class MessageWeights(NamedTuple):
    """Weights of messages along the edges of a graph.

    Attributes:
        values: Weight of each entry of ``graph.undirected``, the mean where an edge has two directions, [E].
        totals: Their sum at each node, [n].
        relations: What kind of message each is, where the encoder keeps these apart.
    """

    values: Array
    totals: Array
    relations: Relations | None = None

    @classmethod
    def of(
        cls, graph: Graph, *, weighted: bool = True, closure: int = 0, relations: Relations | None = None
    ) -> MessageWeights | None:
        """Return the weights of a graph's messages; None if all count alike and are of one kind.

        Args:
            graph: The graph.
            weighted: Whether the weights of the edges count.
            closure: Power of the closure of each edge, of which :data:`MIN_CLOSURE` is the smallest; 0 leaves it out.
            relations: The kinds of the messages, which the result carries along.

        Raises:
            InputError: If the edges should count and have no weights, or one below 0.
        """
        if not weighted and not closure and relations is None:
            return None
        weights = cls._of_edges(graph) if weighted else np.ones(len(graph.undirected.indices), dtype=np.float32)
        if closure:
            closed = (MIN_CLOSURE + closure_weights(graph.replace(x=None)).data) ** closure
            # 1 on average, as much as the message that a node sends itself.
            weights = (weights * closed / (closed.mean() if len(closed) else 1.0)).astype(np.float32)
        return cls(weights, weight_totals(graph.undirected.indptr, weights), relations)

    @staticmethod
    def _of_edges(graph: Graph) -> Array:
        check_message_weights(graph)
        csr, both = graph.csr, graph.undirected
        weights = np.empty(0, dtype=np.float32) if csr.weights is None else csr.weights
        if graph.directed:
            mean = np.empty(len(both.indices), dtype=np.float32)
            run(kernels.mean_weights, both.indptr, both.indptr, both.indices, csr.indptr, csr.indices, weights, mean)
            weights = mean
        return weights


def check_message_weights(graph: Graph) -> None:
    """Refuse a graph whose edges have no weights, or one below 0.

    Raises:
        InputError: In both cases; the message names the edge and the remedy.
    """
    weights = graph.csr.weights
    if weights is None:
        raise InputError(
            f"edge_weights needs a graph with weights ({graph.name} has none); "
            "add a column of weights, or train with edge_weights=no"
        )
    if len(weights) and weights.min() < 0:
        entry = int(np.argmin(weights))
        node = int(np.searchsorted(graph.csr.indptr, entry, side="right")) - 1
        ends = graph.names_of([node, int(graph.csr.indices[entry])])
        raise InputError(
            f"edge_weights needs weights of 0 or more (the edge {ends[0]} - {ends[1]} has {weights[entry]:g}); "
            "shift them, or train with edge_weights=no"
        )


def weight_totals(indptr: Array, weights: Array) -> Array:
    """Return the sum of the weights of each row, [rows]."""
    rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
    return np.bincount(rows, weights=weights, minlength=len(indptr) - 1)
