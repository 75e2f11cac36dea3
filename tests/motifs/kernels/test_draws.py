"""Numbers of wedges are turned into wedges, each once."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from infomotif.motifs.kernels import draws


def test_every_pair_has_one_number():
    pairs = sorted(combinations(range(30), 2), key=lambda pair: pair[::-1])
    assert [tuple(map(int, draws.pair_number(number))) for number in range(len(pairs))] == pairs


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 2), (2, 3), (3, 3)])
def test_a_centre_has_each_of_its_wedges_once(view, codes, a, b):
    for v in range(0, 60, 13):
        ends_a, ends_b = (np.flatnonzero(codes[v] == code).tolist() for code in (a, b))
        expected = {(x, y) for x in ends_a for y in ends_b if a != b or x < y}
        drawn = [draws.centre_wedge(v, number, a, b, *view.groups) for number in range(len(expected))]
        assert {(int(x), int(y)) for x, y in drawn} == expected


@pytest.mark.parametrize(("code", "other"), [(1, 1), (1, 2), (2, 1), (3, 3)])
def test_an_end_has_each_of_its_wedges_once(view, codes, code, other):
    weights = np.empty(60, np.int64)
    for v in range(0, 60, 13):
        centres = np.flatnonzero(codes[:, v] == code).tolist()
        expected = {(c, y) for c in centres for y in np.flatnonzero(codes[c] == other).tolist() if y != v}
        total = draws.end_weights(v, code, other, *view.groups, weights)
        drawn = [draws.end_wedge(v, number, code, other, weights, *view.groups) for number in range(total)]
        assert len(drawn) == len(expected)
        assert {(int(c), int(y)) for c, y in drawn} == expected
