"""Codes of pairs equal those of the matrix and of patterns."""

from __future__ import annotations

import pytest

from infomotif.motifs.kernels import dyads
from infomotif.motifs.pattern import flip


@pytest.mark.parametrize("code", [1, 2, 3])
def test_a_flipped_code_is_that_of_the_pattern(code):
    assert dyads.flipped(code) == flip(code)


def test_bisection_finds_every_code(view, codes):
    for x in range(0, 60, 7):
        for y in range(60):
            if x != y:
                assert dyads.code_between(view.indptr, view.indices, view.codes, x, y) == codes[x, y]
