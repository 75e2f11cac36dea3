"""Cycles equal their NumPy twin."""

from __future__ import annotations

import numpy as np

from infomotif.motifs.kernels import graphlets


def test_four_cycles_equal_common_neighbours(view, codes):
    joined = (codes > 0).astype(np.int64)
    common = joined @ joined
    np.fill_diagonal(common, 0)
    f = view.forward
    counts = graphlets.node_four_cycles(0, 60, view.indptr, view.indices, f.order, f.rank)
    np.testing.assert_array_equal(counts, (common * (common - 1) // 2).sum(axis=1))
