"""Opposite nodes and common neighbours equal those of the adjacency matrix."""

from __future__ import annotations

import numpy as np

from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels import cycles
from tests.motifs.brute_force import closed_hub_graph, code_matrix


def test_opposite_nodes_share_two_neighbours(view, codes):
    joined = (codes > 0).astype(np.int64)
    shared = joined @ joined
    mark, paths = np.zeros(60, np.uint8), np.zeros(60, np.int64)
    opposite, cumulated = np.empty(60, np.int64), np.empty(60, np.int64)
    base = 1
    for v in range(60):
        cycles.mark_row(v, view.indptr, view.indices, mark, 1)
        found = cycles.opposite_nodes(v, base, view.indptr, view.indices, mark, paths, opposite, cumulated)
        cycles.mark_row(v, view.indptr, view.indices, mark, 0)
        base += int(joined[v].sum()) + 1
        expected = [w for w in range(60) if w != v and not joined[v, w] and shared[v, w] > 1]
        assert sorted(opposite[:found].tolist()) == expected
        pairs = shared[v, opposite[:found]] * (shared[v, opposite[:found]] - 1) // 2
        np.testing.assert_array_equal(cumulated[:found], np.cumsum(pairs))


def test_common_neighbours_are_found_from_either_row():
    graph = closed_hub_graph(False)
    view, n = DyadGraph(graph, directed=False), graph.num_nodes
    joined = code_matrix(graph, False) > 0
    mark, common = np.zeros(n, np.uint8), np.empty(n, np.int64)
    for v in range(n):
        cycles.mark_row(v, view.indptr, view.indices, mark, 1)
        mark[v] = 0
        for w in set(range(n)) - {v}:
            found = cycles.shared_neighbours(v, w, view.indptr, view.indices, mark, common)
            assert common[:found].tolist() == np.flatnonzero(joined[v] & joined[w]).tolist()
        cycles.mark_row(v, view.indptr, view.indices, mark, 0)
