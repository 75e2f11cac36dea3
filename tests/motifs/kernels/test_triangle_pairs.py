"""Weights of pairs of triangles equal those of the adjacency matrix, and every number has one edge."""

from __future__ import annotations

from collections import Counter

import numpy as np

from infomotif.motifs.counting.graphlets import edge_triangles, entry_triangles
from infomotif.motifs.kernels import triangle_pairs


def test_weights_count_pairs_of_triangles(view, codes):
    joined = (codes > 0).astype(np.int64)
    shared = joined * (joined @ joined)
    forward, along, weights = view.forward, edge_triangles(view), np.empty(60, np.int64)
    for v in range(60):
        near = np.flatnonzero(joined[v])
        chords = triangle_pairs.chord_weights(v, view.indptr, entry_triangles(view), weights)
        np.testing.assert_array_equal(weights[: len(near)], np.cumsum(shared[v, near] * (shared[v, near] - 1) // 2))
        assert chords == (weights[len(near) - 1] if len(near) else 0)
        mark = np.zeros(60, np.uint8)
        mark[forward.rank[near]] = 1
        rows = (forward.rank, forward.indptr, forward.indices, along, mark, weights)
        tips = triangle_pairs.tip_weights(v, view.indptr, view.indices, *rows)
        edges = [(x, y) for x in near for y in near if x < y and joined[x, y]]
        assert tips == sum(shared[x, y] - 1 for x, y in edges)


def test_an_edge_is_found_once_per_further_triangle(view, codes):
    joined = (codes > 0).astype(np.int64)
    shared = joined * (joined @ joined)
    forward, along = view.forward, edge_triangles(view)
    for v in (0, 7, 31):
        mark = np.zeros(60, np.uint8)
        mark[forward.rank[np.flatnonzero(joined[v])]] = 1
        for x in np.flatnonzero(mark).tolist():
            later = [y for y in np.flatnonzero(mark) if y > x and joined[forward.order[x], forward.order[y]]]
            expected = Counter({int(y): int(shared[forward.order[x], forward.order[y]]) - 1 for y in later})
            rows = (forward.indptr, forward.indices, along, mark)
            drawn = [triangle_pairs.opposite_edge(x, number, *rows) for number in range(expected.total())]
            assert Counter(map(int, drawn)) == +expected


def test_a_common_neighbour_is_any_of_them(view, codes):
    joined = codes > 0
    rows = (view.indptr, view.indices, view.codes)
    for x, y in ((0, 1), (3, 40), (17, 5)):
        both = np.flatnonzero(joined[x] & joined[y]).tolist()
        drawn = [triangle_pairs.draw_common(np.uint64(s), 0, *rows, x, y)[0] for s in range(400 if both else 0)]
        assert sorted(set(map(int, drawn))) == both
