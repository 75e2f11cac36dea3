"""Random numbers as a hash of (seed, node, draw), so that results do not depend on threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.parallel import inlined

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)


@inlined
def mixed(value: Any) -> Any:
    """Scramble 64 bits (the finaliser of splitmix64)."""
    value = (value ^ (value >> np.uint64(30))) * _MIX_1
    value = (value ^ (value >> np.uint64(27))) * _MIX_2
    return value ^ (value >> np.uint64(31))


@inlined
def stream_of(seed: Any, node: Any) -> Any:
    """Return the start of the node's stream of random numbers."""
    return mixed(seed + GOLDEN * (np.uint64(node) + np.uint64(1)))


@inlined
def below(stream: Any, draw: Any, bound: Any) -> Any:
    """Return number ``draw`` of the stream, uniform in 0..bound - 1."""
    return np.int64(mixed(stream + GOLDEN * np.uint64(draw)) % np.uint64(bound))


@inlined
def first_above(prefix: Any, size: Any, value: Any) -> Any:
    """Return the first position whose cumulative weight exceeds ``value``: a draw by weight."""
    low = 0
    high = size
    while low < high:
        middle = (low + high) >> 1
        if prefix[middle] <= value:
            low = middle + 1
        else:
            high = middle
    return low
