"""Random numbers as a hash of (seed, node, draw), so that threads do not matter, and what every draw needs."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.parallel import kernel

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@kernel
def mixed(value: Any) -> Any:
    """Scramble 64 bits (the finaliser of splitmix64)."""
    value = (value ^ (value >> np.uint64(30))) * _MIX_1
    value = (value ^ (value >> np.uint64(27))) * _MIX_2
    return value ^ (value >> np.uint64(31))


@kernel
def stream_of(seed: Any, node: Any) -> Any:
    """Return the start of a node's own stream of random numbers."""
    return mixed(seed + GOLDEN * (np.uint64(node) + np.uint64(1)))


@kernel
def below(stream: Any, draw: Any, bound: Any) -> Any:
    """Return number ``draw`` of the stream, uniform in 0..bound - 1."""
    return np.int64(mixed(stream + GOLDEN * np.uint64(draw)) % np.uint64(bound))


@kernel
def first_above(prefix: Any, size: Any, value: Any) -> Any:
    """Return the first position whose cumulative weight exceeds ``value``."""
    low = 0
    high = size
    while low < high:
        middle = (low + high) >> 1
        if prefix[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def add_if_new(keys: Any, stamps: Any, stamp: Any, key: Any) -> Any:
    """Put a key into an open-addressing table; return whether it was not yet there under this stamp."""
    size = np.uint64(keys.shape[0] - 1)
    slot = np.int64(mixed(np.uint64(key)) & size)
    while stamps[slot] == stamp:
        if keys[slot] == key:
            return False
        slot = (slot + 1) & np.int64(size)
    stamps[slot] = stamp
    keys[slot] = key
    return True


@kernel
def table_size(start: Any, stop: Any, route: Any, mine: Any, indptr: Any) -> Any:
    """Return a power of two that holds any node's draws with room to spare."""
    most = 1
    for i in range(start, stop):
        if route[i] == mine:
            most = max(most, indptr[i + 1] - indptr[i])
    size = 4
    while size < 4 * most:
        size *= 2
    return size
