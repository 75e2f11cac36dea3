"""Blocks: a sampled neighbourhood of some target nodes, layer by layer, and its sampler."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from infomotif._core.extras import needed_for
from infomotif._core.seeds import check_seed
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.select import node_numbers
from infomotif.nn import kernels
from infomotif.nn.propagation.adjacency import Adjacency, MessageWeights
from infomotif.nn.propagation.relations import Relations
from infomotif.nn.propagation.sparse import run
from infomotif.typing import Array

_SLACK = 1.02
"""Buffers are this much larger than needed, so that the next neighbourhood fits too."""
_MARK_SHARE = 8
"""If more than the n-th part of all nodes is drawn, marking and scanning all nodes is cheaper than sorting."""


class Buffers:
    """Memory that is passed on from step to step, as fresh pages cost as much as what is written to them.

    Example:
        >>> buffers = Buffers()
        >>> first = buffers.take((3, 2))
        >>> buffers.give(first)
        >>> buffers.take((2, 2)).base is first.base
        True
    """

    def __init__(self) -> None:
        self._free: list[Array] = []

    def take(self, shape: Sequence[int]) -> Array:
        """Return an uninitialised array of float32; it belongs to the caller until :meth:`give`."""
        size = int(np.prod(shape))
        fitting = [i for i, buffer in enumerate(self._free) if len(buffer) >= size]
        if fitting:
            buffer = self._free.pop(min(fitting, key=lambda i: len(self._free[i])))
        else:
            if self._free:
                # Replaced rather than kept beside the new one, which fits whatever it would have fitted.
                self._free.pop(max(range(len(self._free)), key=lambda i: len(self._free[i])))
            buffer = np.empty(int(size * _SLACK), np.float32)
        return buffer[:size].reshape(shape)

    def give(self, array: Array) -> None:
        """Let later steps have the memory of an array from :meth:`take`."""
        whole = array
        while isinstance(whole.base, np.ndarray):
            whole = whole.base
        self._free.append(whole)


class Blocks:
    """The nodes within k sampled hops of the targets, nearest first, and the sampled edges between them.

    Layer i of k has rows only for the nodes within k - 1 - i hops, which come first, so that every layer computes no
    more than the targets need.

    Args:
        nodes: Node numbers in the whole graph, [m]: the targets, then each hop's new nodes.
        sizes: How many nodes are within 0, 1, ..., k hops, [k + 1].
        indptr: Row pointers of the nodes within k - 1 hops.
        indices: Sampled neighbours as positions in ``nodes``.
        degrees: Number of neighbours in the whole graph of each of ``nodes``, [m].
        weights: Weight of the message of each neighbour, in the order of ``indices``; all 1 by default.
        totals: Sum of the weights in the whole graph of each of ``nodes``, [m], with ``weights``.
        relations: What kind of message each neighbour sends, likewise; all alike by default.
        exact: Whether all neighbours are there; then dropout drops the same entries as on the whole graph.
        buffers: Memory that passes over this neighbourhood may use, and leave to the next.
    """

    def __init__(
        self,
        nodes: Array,
        sizes: Array,
        indptr: Array,
        indices: Array,
        degrees: Array,
        *,
        weights: Array | None = None,
        totals: Array | None = None,
        relations: Relations | None = None,
        exact: bool = False,
        buffers: Buffers | None = None,
    ) -> None:
        self.nodes, self.sizes, self.degrees, self.weights, self.totals = nodes, sizes, degrees, weights, totals
        self.buffers, self.relations = buffers or Buffers(), relations
        self.indptr, self.indices, self.exact = indptr, indices, exact
        self._layers: dict[int, Adjacency] = {}
        self._device = torch.device("cpu")

    @property
    def device(self) -> torch.device:
        """Where the adjacencies of the layers are made."""
        return self._device

    def to(self, device: torch.device) -> Blocks:
        """Let the adjacencies of the layers be made on ``device``."""
        self._device = device
        return self

    @property
    def num_targets(self) -> int:
        """Number of targets."""
        return int(self.sizes[0])

    def target_rows(self, x: Tensor) -> Tensor:
        """Return the targets' rows of ``x`` [m, ...]."""
        return x[: self.num_targets]

    def layer(self, number: int, layers: int) -> Adjacency:
        """Return the adjacency of layer ``number`` of ``layers``."""
        hops = layers - 1 - number
        if not 0 <= hops < len(self.sizes) - 1:
            raise InputError(f"blocks of {len(self.sizes) - 1} hops cannot serve {layers} layers")
        if hops not in self._layers:
            rows, columns = int(self.sizes[hops]), int(self.sizes[hops + 1])
            indptr = self.indptr[: rows + 1]
            self._layers[hops] = Adjacency(
                indptr,
                self.indices[: indptr[-1]],
                columns=columns,
                degrees=self.degrees[:columns],
                weights=None if self.weights is None else self.weights[: indptr[-1]],
                totals=None if self.totals is None else self.totals[:columns],
                numbers=self.nodes[:columns] if self.exact else None,
                relations=None
                if self.relations is None
                else self.relations.part(slice(int(indptr[-1])), slice(columns)),
            ).to(self._device)
        return self._layers[hops]

    @cached_property
    def edge_index(self) -> Tensor:
        """All sampled edges in PyG's form, [2, E], source to target, as positions in ``nodes``."""
        return self.layer(0, len(self.sizes) - 1).edge_index

    @property
    def typed_edges(self) -> tuple[Tensor, Tensor]:
        """The messages along the edges of :attr:`edge_index`, [2, M], and the relation of each, [M]."""
        return self.layer(0, len(self.sizes) - 1).typed_edges

    @property
    def edge_weight(self) -> Tensor | None:
        """The weight of each edge of :attr:`edge_index`, [E]; None without weights."""
        return self.layer(0, len(self.sizes) - 1).edge_weight

    def to_pyg(self, graph: Graph) -> Any:
        """Return a PyG ``Data`` of the sampled subgraph: x, y, edge_index, ``n_id`` and ``batch_size`` targets first.

        Example:
            >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], num_nodes=4, directed=False, y=[0, 1, 0, 1])
            >>> data = NeighbourSampler(ring, [1]).sample(np.array([2]), seed=0).to_pyg(ring)
            >>> int(data.n_id[0]), data.batch_size, data.edge_index.shape
            (2, 1, torch.Size([2, 1]))
        """
        from scipy import sparse

        with needed_for("to_pyg"):
            from torch_geometric.data import Data

        data = Data(edge_index=self.edge_index, num_nodes=len(self.nodes))
        data.n_id, data.batch_size = torch.from_numpy(self.nodes.astype(np.int64)), self.num_targets
        if self.edge_weight is not None:
            data.edge_weight = self.edge_weight
        if graph.x is not None:
            rows = graph.x[self.nodes]
            data.x = torch.from_numpy(np.asarray(rows.toarray() if sparse.issparse(rows) else rows, dtype=np.float32))
        if graph.y is not None:
            data.y = torch.from_numpy(np.asarray(graph.y[self.nodes], dtype=np.int64))
        return data


class NeighbourSampler:
    """Draws at most ``fanout`` neighbours of every node, hop by hop, uniformly and without repetition.

    The neighbours of a node depend on the seed and the node only, not on the batch it is in. Within a hop the nodes
    ascend, so that their features are read in the order of the file.

    Args:
        graph: The graph, taken without directions.
        fanout: How many neighbours of a node are drawn in each hop; 0 takes all.
        weights: Weights of messages, all 1 by default; they do not change the chance of a neighbour.

    Example:
        >>> ring = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], num_nodes=4, directed=False)
        >>> blocks = NeighbourSampler(ring, [0, 0]).sample(np.array([1]), seed=0)
        >>> blocks.nodes.tolist(), blocks.sizes.tolist()
        ([1, 0, 2, 3], [1, 3, 4])
    """

    def __init__(self, graph: Graph, fanout: Sequence[int], *, weights: MessageWeights | None = None) -> None:
        whole = isinstance(fanout, Sequence) and all(isinstance(count, int | np.integer) for count in fanout)
        if not whole or not fanout or min(fanout) < 0:
            raise InputError(f"fanout must hold a number of neighbours, 0 or more, for each layer (got {fanout})")
        self.indptr, self.indices = graph.undirected.indptr, graph.undirected.indices
        self.fanout = list(fanout)
        self.weights = weights
        # Row of each node in the current batch; -1 elsewhere.
        self._row_of = np.full(graph.num_nodes, -1, dtype=np.int32)
        self._buffers = Buffers()

    def sample(self, targets: Array, seed: int) -> Blocks:
        """Return the sampled neighbourhood of distinct ``targets`` [B].

        Raises:
            InputError: If targets are not distinct nodes of the graph, or the seed is none.
        """
        row_of = self._row_of
        check_seed(seed, "seed", bits=64)
        nodes = node_numbers(targets, len(row_of), "targets", repeats=True)
        order = np.arange(len(nodes), dtype=np.int32)
        row_of[nodes] = order
        if (row_of[nodes] != order).any():
            row_of[nodes] = -1
            raise InputError("targets names a node twice; leave out repeated nodes")
        arrays = (self.indptr, self.indices, nodes, self.fanout, seed, row_of, self.weights)
        return _expanded(*arrays, buffers=self._buffers)


def neighbourhood(adjacency: Adjacency, targets: Array, hops: int) -> Blocks:
    """Return all nodes within ``hops`` hops of distinct ``targets`` [B], with all their edges.

    Example:
        >>> ring = Adjacency.from_edge_index(torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), 4)
        >>> neighbourhood(ring, np.array([2]), 1).nodes.tolist()
        [2, 1]
    """
    row_of = np.full(adjacency.neighbours.num_cols, -1, dtype=np.int32)
    row_of[targets] = np.arange(len(targets), dtype=np.int32)
    weights = None
    if adjacency.weights is not None:
        weights = MessageWeights(adjacency.weights, adjacency.totals, adjacency.relations)
    pattern = adjacency.neighbours
    blocks = _expanded(pattern.indptr, pattern.indices, targets, [0] * hops, 0, row_of, weights)
    blocks.exact = True
    return blocks


def _expanded(
    indptr: Array,
    indices: Array,
    nodes: Array,
    fanouts: Sequence[int],
    seed: int,
    row_of: Array,
    weights: MessageWeights | None,
    buffers: Buffers | None = None,
) -> Blocks:
    """Draw neighbours hop by hop; ``row_of`` [n] has the rows of ``nodes``, -1 elsewhere, and in the end only -1.

    New nodes are numbered in ascending order with ``buffers``, and in the order of their first occurrence without.
    """
    pointers, columns, sizes = [np.zeros(1, dtype=np.int64)], [], [len(nodes)]
    entries: list[Array] = []
    done = total = 0
    try:
        for fanout in fanouts:
            fresh = nodes[done:]
            lengths = np.empty(len(fresh), dtype=np.int64)
            run(kernels.sampled_lengths, len(fresh), indptr, fresh, fanout, lengths)
            ends = np.cumsum(lengths)
            drawn = np.empty(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
            at = np.empty(0 if weights is None else len(drawn), dtype=np.int64)
            rows = (indptr, indices, fresh, fanout, np.uint64(seed), ends, drawn, at)
            run(kernels.sample_neighbours, len(fresh), *rows)
            done = len(nodes)
            if buffers is None:
                new_nodes = np.empty(len(drawn), dtype=np.int64)
                nodes = np.concatenate([nodes, new_nodes[: kernels.number_new(drawn, row_of, done, new_nodes)]])
            else:
                nodes = np.concatenate([nodes, _new_nodes(drawn, row_of)])
                row_of[nodes[done:]] = np.arange(done, len(nodes), dtype=np.int32)
                run(kernels.take_rows, len(drawn), row_of, drawn)
            pointers.append(total + ends)
            total += len(drawn)
            columns.append(drawn)
            entries.append(at)
            sizes.append(len(nodes))
    finally:
        row_of[nodes] = -1
    relations = None if weights is None else weights.relations
    return Blocks(
        nodes,
        np.array(sizes),
        np.concatenate(pointers),
        np.concatenate(columns).astype(np.int32),
        np.asarray(indptr[nodes + 1] - indptr[nodes]),
        weights=None if weights is None else weights.values[np.concatenate(entries)],
        totals=None if weights is None else weights.totals[nodes],
        relations=None if relations is None else relations.part(np.concatenate(entries), nodes),
        buffers=buffers,
    )


def _new_nodes(drawn: Array, row_of: Array) -> Array:
    """Return the nodes in ``drawn`` that have no row yet, each once, ascending."""
    if len(drawn) * _MARK_SHARE <= len(row_of):
        return np.unique(drawn[row_of[drawn] < 0])
    mark = np.zeros(len(row_of), dtype=np.uint8)
    run(kernels.mark_new, len(drawn), drawn, row_of, mark)
    return np.flatnonzero(mark)
