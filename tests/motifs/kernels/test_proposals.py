"""Numbers of proposals equal their NumPy twins."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.motifs.counting.graphlets import PAW, further_neighbours, proposal_weights
from infomotif.motifs.kernels import proposals


@pytest.mark.parametrize("stars", [True, False])
def test_tree_counts_equal_walks(view, codes, stars):
    joined = (codes > 0).astype(np.int64)
    degree = joined.sum(axis=1)
    counts = np.empty(60, np.int64)
    proposals.count_trees(0, 60, view.indptr, view.indices, further_neighbours(view), stars, counts)
    further = joined @ (degree - 1)
    if stars:
        expected = degree * (degree - 1) * (degree - 2) // 6 + joined @ ((degree - 1) * (degree - 2) // 2)
    else:
        expected = joined @ further - degree * (degree - 1) + (degree - 1) * further
    np.testing.assert_array_equal(counts, expected)


def test_tail_counts_equal_triangles(view, codes):
    joined = (codes > 0).astype(np.int64)
    degree, shared = joined.sum(axis=1), joined * (joined @ joined)
    triangles_of = shared.sum(axis=1) // 2
    counts = np.empty(60, np.int64)
    proposals.count_tails(0, 60, view.indptr, view.indices, proposal_weights(view, PAW), counts)
    np.testing.assert_array_equal(counts, triangles_of * (degree - 2) + joined @ triangles_of + shared @ (degree - 2))
