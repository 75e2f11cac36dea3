"""The kernels' set of whole numbers equals Python's."""

from __future__ import annotations

import numpy as np

from infomotif._core.hash_table import add_if_new, table_size


def test_the_table_is_a_set():
    keys, stamps = np.empty(64, np.int64), np.full(64, -1, np.int64)
    seen: set[int] = set()
    for key in np.random.default_rng(0).integers(0, 40, 300).tolist():
        assert add_if_new(keys, stamps, 5, key) == (key not in seen)
        seen.add(key)


def test_a_new_stamp_empties_the_table():
    keys, stamps = np.empty(4, np.int64), np.full(4, -1, np.int64)
    assert add_if_new(keys, stamps, 1, 7)
    assert not add_if_new(keys, stamps, 1, 7)
    assert add_if_new(keys, stamps, 2, 7)


def test_the_size_counts_the_nodes_of_one_route_only():
    route, indptr = np.array([0, 1, 0]), np.array([0, 5, 105, 108])
    assert table_size(0, 3, route, 0, indptr) == 32
    assert table_size(0, 3, route, 1, indptr) == 512
