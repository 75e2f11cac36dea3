"""A set of whole numbers for kernels: open addressing in two arrays that the caller allocates once."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.counter_rng import mixed
from infomotif._core.parallel import inlined


@inlined
def add_if_new(keys: Any, stamps: Any, stamp: Any, key: Any) -> Any:
    """Add a key to an open-addressing table; return whether it was new under this stamp.

    A new stamp empties the table without clearing it.
    """
    size = np.uint64(keys.shape[0] - 1)
    slot = np.int64(mixed(np.uint64(key)) & size)
    while stamps[slot] == stamp:
        if keys[slot] == key:
            return False
        slot = (slot + 1) & np.int64(size)
    stamps[slot] = stamp
    keys[slot] = key
    return True


@inlined
def table_size(start: Any, stop: Any, route: Any, mine: Any, indptr: Any) -> Any:
    """Return a table size, a power of two, that holds the draws of any node of this route at most a quarter full."""
    largest = 1
    for i in range(start, stop):
        if route[i] == mine:
            largest = max(largest, indptr[i + 1] - indptr[i])
    size = 4
    while size < 4 * largest:
        size *= 2
    return size
