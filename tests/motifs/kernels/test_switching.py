"""The table of pairs equals a set."""

from __future__ import annotations

import numpy as np

from infomotif.motifs.kernels import switching


def test_the_table_of_pairs_forgets_what_is_removed():
    table = np.full(64, -1, np.int64)
    held: set[int] = set()
    for key in np.random.default_rng(1).integers(0, 60, 500).tolist():
        if key in held:
            switching.remove_key(table, key)
            held.remove(key)
        elif len(held) < 40:
            table[switching.find_slot(table, key)] = key
            held.add(key)
        assert sorted(table[table >= 0].tolist()) == sorted(held)
        assert all(table[switching.find_slot(table, k)] == k for k in held)
