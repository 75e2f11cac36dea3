"""The table of pairs equals a dictionary."""

from __future__ import annotations

import numpy as np

from infomotif.motifs.null_models import switching


def test_the_table_of_pairs_forgets_what_is_removed():
    table, values = np.full(64, -1, np.int64), np.empty(64, np.int64)
    held: set[int] = set()
    for key in np.random.default_rng(1).integers(0, 60, 500).tolist():
        if key in held:
            switching.remove_key(table, values, key)
            held.remove(key)
        elif len(held) < 40:
            slot = switching.find_slot(table, key)
            table[slot], values[slot] = key, 2 * key
            held.add(key)
        assert sorted(table[table >= 0].tolist()) == sorted(held)
        assert all(values[switching.find_slot(table, k)] == 2 * k for k in held)


def test_the_nodes_of_two_edges_come_once_and_ascending():
    nodes = np.empty(4, np.int64)
    for ends in ((5, 1, 3, 2), (5, 1, 1, 9), (2, 7, 7, 0), (4, 8, 8, 4)):
        size = switching.involved_nodes(*ends, nodes)
        assert nodes[:size].tolist() == sorted(set(ends))
