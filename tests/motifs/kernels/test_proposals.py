"""Numbers of proposals equal their NumPy twins."""

from __future__ import annotations

import numpy as np

from infomotif.motifs.counting.graphlets import further_neighbours, proposal_weights
from infomotif.motifs.kernels import proposals


def test_tree_counts_equal_walks(view, codes):
    joined = (codes > 0).astype(np.int64)
    degree = joined.sum(axis=1)
    counts = np.empty(60, np.int64)
    proposals.count_trees(0, 60, view.indptr, view.indices, further_neighbours(view), counts)
    further = joined @ (degree - 1)
    stars = degree * (degree - 1) * (degree - 2) // 6 + joined @ ((degree - 1) * (degree - 2) // 2)
    paths = joined @ further - degree * (degree - 1) + (degree - 1) * further
    np.testing.assert_array_equal(counts, stars + paths)


def test_tail_counts_equal_triangles(view, codes):
    joined = (codes > 0).astype(np.int64)
    degree, shared = joined.sum(axis=1), joined * (joined @ joined)
    triangles_of = shared.sum(axis=1) // 2
    counts = np.empty(60, np.int64)
    proposals.count_tails(0, 60, view.indptr, view.indices, proposal_weights(view, True), counts)
    np.testing.assert_array_equal(counts, triangles_of * (degree - 2) + joined @ triangles_of + shared @ (degree - 2))


def test_common_neighbours_come_in_order(view, codes):
    joined = codes > 0
    for x, y in ((0, 1), (3, 40), (17, 5)):
        for number, z in enumerate(np.flatnonzero(joined[x] & joined[y]).tolist()):
            assert proposals.common_neighbour(view.indptr, view.indices, view.codes, x, y, number) == z
