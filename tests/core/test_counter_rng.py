"""Random numbers equal their twins in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif._core import counter_rng

MASK = 2**64 - 1


def mixed(value: int) -> int:
    value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & MASK
    return value ^ (value >> 31)


@pytest.mark.parametrize("value", [0, 1, 12345, MASK])
def test_random_bits_equal_splitmix64(value):
    assert int(counter_rng.mixed(np.uint64(value))) == mixed(value)
    stream = mixed((value + 0x9E3779B97F4A7C15 * 8) & MASK)
    assert int(counter_rng.stream_of(np.uint64(value), 7)) == stream
    assert counter_rng.below(np.uint64(stream), 3, 1000) == mixed((stream + 0x9E3779B97F4A7C15 * 3) & MASK) % 1000


def test_first_above_equals_searchsorted():
    weights = np.cumsum(np.random.default_rng(0).integers(0, 3, 50))
    for value in range(int(weights[-1])):
        assert counter_rng.first_above(weights, 50, value) == np.searchsorted(weights, value, side="right")
