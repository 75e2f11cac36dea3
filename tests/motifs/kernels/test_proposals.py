"""Numbers of proposals equal their NumPy twins."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.motifs.counting.graphlets import further_neighbours
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
