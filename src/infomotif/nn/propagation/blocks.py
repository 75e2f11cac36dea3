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
from infomotif.typing import Array


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
        exact: Whether all neighbours are there; then dropout drops the same entries as on the whole graph.
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
        exact: bool = False,
    ) -> None:
        self.nodes, self.sizes, self.degrees, self.weights, self.totals = nodes, sizes, degrees, weights, totals
        self.indptr, self.indices, self.exact = indptr, indices, exact
        self._layers: dict[int, Adjacency] = {}
        self._device = torch.device("cpu")

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
            ).to(self._device)
        return self._layers[hops]

    @cached_property
    def edge_index(self) -> Tensor:
        """All sampled edges in PyG's form, [2, E], source to target, as positions in ``nodes``."""
        return self.layer(0, len(self.sizes) - 1).edge_index

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

    The neighbours of a node depend on the seed and the node only, not on the batch it is in.

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
        return _expanded(self.indptr, self.indices, nodes, self.fanout, seed, row_of, self.weights)


def neighbourhood(adjacency: Adjacency, targets: Array, hops: int) -> Blocks:
    """Return all nodes within ``hops`` hops of distinct ``targets`` [B], with all their edges.

    Example:
        >>> ring = Adjacency.from_edge_index(torch.tensor([[0, 1, 2, 3], [1, 2, 3, 0]]), 4)
        >>> neighbourhood(ring, np.array([2]), 1).nodes.tolist()
        [2, 1]
    """
    row_of = np.full(adjacency.neighbours.num_cols, -1, dtype=np.int32)
    row_of[targets] = np.arange(len(targets), dtype=np.int32)
    weights = None if adjacency.weights is None else MessageWeights(adjacency.weights, adjacency.totals)
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
) -> Blocks:
    """Draw neighbours hop by hop; ``row_of`` [n] has the rows of ``nodes``, -1 elsewhere, and in the end only -1."""
    pointers, columns, sizes = [np.zeros(1, dtype=np.int64)], [], [len(nodes)]
    entries: list[Array] = []
    done = total = 0
    try:
        for fanout in fanouts:
            fresh = nodes[done:]
            lengths = kernels.sampled_lengths(indptr, fresh, fanout)
            ends = np.cumsum(lengths)
            drawn = np.empty(int(ends[-1]) if len(ends) else 0, dtype=np.int64)
            at = np.empty(0 if weights is None else len(drawn), dtype=np.int64)
            kernels.sample_neighbours(indptr, indices, fresh, fanout, np.uint64(seed), ends, drawn, at)
            new_nodes = np.empty(len(drawn), dtype=np.int64)
            count = kernels.number_new(drawn, row_of, len(nodes), new_nodes)
            done, nodes = len(nodes), np.concatenate([nodes, new_nodes[:count]])
            pointers.append(total + ends)
            total += len(drawn)
            columns.append(drawn)
            entries.append(at)
            sizes.append(len(nodes))
    finally:
        row_of[nodes] = -1
    return Blocks(
        nodes,
        np.array(sizes),
        np.concatenate(pointers),
        np.concatenate(columns).astype(np.int32),
        np.asarray(indptr[nodes + 1] - indptr[nodes]),
        weights=None if weights is None else weights.values[np.concatenate(entries)],
        totals=None if weights is None else weights.totals[nodes],
    )
