"""The coded adjacency equals its matrix."""

from __future__ import annotations

import numpy as np

from infomotif.motifs.counting.dyads import DyadGraph


def rows(view: DyadGraph) -> np.ndarray:
    return np.repeat(np.arange(view.num_nodes), np.diff(view.indptr))


def test_codes_say_which_way_edges_run(view, codes):
    np.testing.assert_array_equal(view.codes, codes[rows(view), view.indices])


def test_degrees_count_neighbours_by_code(view, codes):
    np.testing.assert_array_equal(view.degrees, np.stack([(codes == c).sum(axis=1) for c in (1, 2, 3)], axis=1))


def test_groups_hold_neighbours_by_code_ascending(view, codes):
    offsets, grouped = view.groups
    for v in range(view.num_nodes):
        for c in (1, 2, 3):
            group = grouped[offsets[3 * v + c - 1] : offsets[3 * v + c]]
            np.testing.assert_array_equal(group, np.flatnonzero(codes[v] == c))


def test_the_orientation_has_each_edge_once_from_low_to_high_degree(view, codes):
    f = view.forward
    degree = np.diff(view.indptr)
    np.testing.assert_array_equal(f.order, np.argsort(degree, kind="stable"))
    low = f.order[np.repeat(np.arange(view.num_nodes), np.diff(f.indptr))]
    high = f.order[f.indices]
    assert (degree[low] <= degree[high]).all()
    np.testing.assert_array_equal(f.codes, codes[low, high])
    assert (
        len({tuple(sorted(pair)) for pair in zip(low.tolist(), high.tolist(), strict=True)}) == len(view.indices) // 2
    )


def test_shared_triangles_equal_the_square_on_the_edges(view, codes):
    joined = (codes > 0).astype(np.int64)
    (shared,) = view.shared_triangles(np.zeros(27, np.int64), 1)
    np.testing.assert_array_equal(shared, (joined @ joined)[rows(view), view.indices])


def test_neighbour_sums_equal_a_product(view, codes):
    values = np.arange(60)
    np.testing.assert_array_equal(view.sums(values), (codes > 0) @ values)
