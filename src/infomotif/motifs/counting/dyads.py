"""DyadGraph: the neighbours of each node, each with a code for the direction of the edges between the two."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.graph import Graph
from infomotif.motifs.kernels import dyads as kernels
from infomotif.motifs.kernels.triangles import edge_triangles, spread_edge_counts
from infomotif.typing import Array


class Forward(NamedTuple):
    """The degree-ordered orientation: each edge once, from the node of lower rank; nodes are named by rank.

    Attributes:
        order: Node of each rank [n].
        rank: Rank of each node [n].
        indptr: Row pointers by rank [n + 1].
        indices: Ranks of the neighbours of higher rank [m].
        codes: Code of each of these edges [m].
        work: Cumulative number of lookups that finding the triangles takes [n + 1].
    """

    order: Array
    rank: Array
    indptr: Array
    indices: Array
    codes: Array
    work: Array


class DyadGraph:
    """Symmetric rows with codes: 1 for v -> x, 2 for x -> v, 3 for both or for an edge without direction.

    Args:
        graph: The graph.
        directed: Whether directions matter; if not, every code is 3.
    """

    def __init__(self, graph: Graph, *, directed: bool) -> None:
        """Compute the codes."""
        self.directed = directed and graph.directed
        self.indptr, self.indices, _ = graph.undirected
        self.num_nodes = graph.num_nodes
        self.codes = np.empty(len(self.indices), np.uint8)
        if self.directed:
            out, back = graph.csr[:2], graph.reverse[:2]
            parallel_ranges(kernels.mark_edges, self.indptr, self.indptr, self.indices, *out, *back, self.codes)
        else:
            self.codes.fill(3)

    @cached_property
    def degrees(self) -> Array:
        """Number of neighbours of each code [n, 3]."""
        degrees = np.zeros((self.num_nodes, 3), self.indices.dtype)
        if self.directed:
            parallel_ranges(kernels.dyad_degrees, self.indptr, self.indptr, self.codes, degrees)
        else:
            degrees[:, 2] = np.diff(self.indptr)
        return degrees

    @cached_property
    def groups(self) -> tuple[Array, Array]:
        """Where group (v, code) starts, offsets[3 v + code - 1], and the rows ordered by code."""
        offsets = np.zeros(3 * self.num_nodes + 1, self.indptr.dtype)
        np.cumsum(self.degrees.ravel(), out=offsets[1:])
        grouped = np.empty(len(self.indices), self.indices.dtype)
        if self.directed:
            parallel_ranges(kernels.group_rows, self.indptr, self.indptr, self.indices, self.codes, offsets, grouped)
        else:
            grouped[:] = self.indices
        return offsets, grouped

    @cached_property
    def forward(self) -> Forward:
        """The orientation in which every triangle is found once, at its node of lowest rank."""
        n, index = self.num_nodes, self.indices.dtype
        order, rank = np.empty(n, index), np.empty(n, index)
        kernels.degree_order(self.indptr, order, rank)
        degrees = np.empty(n, index)
        parallel_ranges(kernels.count_forward, self.indptr, self.indptr, self.indices, rank, degrees)
        indptr = np.zeros(n + 1, self.indptr.dtype)
        np.cumsum(degrees, out=indptr[1:])
        indices, codes = np.empty(len(self.indices) // 2, index), np.empty(len(self.indices) // 2, np.uint8)
        rows = (self.indptr, self.indices, self.codes)
        parallel_ranges(kernels.fill_forward, self.indptr, *rows, rank, indptr, indices, codes)
        work = np.zeros(n + 1, np.int64)
        kernels.forward_work(indptr, indices, work)
        return Forward(order, rank, indptr, indices, codes, work)

    def shared_triangles(self, column: Array, columns: int) -> list[Array]:
        """Count the triangles that contain both nodes of each entry of the rows, per wanted class.

        Args:
            column: Number of the wanted class of each of the 27 configurations, -1 if it is not wanted.
            columns: Number of wanted classes.

        Returns:
            For each wanted class, counts in the order of ``indices``.
        """
        forward, once = self.forward, self.forward_triangles(column, columns)
        entries = [np.empty(len(self.indices), np.int32) for _ in range(columns)]
        for counts, both in zip(once, entries, strict=True):
            spread_edge_counts(self.indptr, self.indices, forward.rank, forward.indptr, counts, both)
        return entries

    def forward_triangles(self, column: Array, columns: int) -> Array:
        """Count as :meth:`shared_triangles` does, but once per forward edge [columns, m]."""
        forward = self.forward
        once = np.zeros((columns, len(forward.indices)), np.int32)
        edge_triangles(forward.indptr, forward.indices, forward.codes, column, once)
        return once

    def sums(self, values: Array, start: int = 0, stop: int | None = None) -> Array:
        """Sum a value over the neighbours of each node of a range, by default of all nodes; int64."""
        last = self.num_nodes if stop is None else stop
        sums = np.empty(last - start, np.int64)
        rows = self.indptr[start : last + 1]
        parallel_ranges(kernels.neighbour_sums, rows, rows, self.indices, values.astype(np.int64, copy=False), sums)
        return sums
