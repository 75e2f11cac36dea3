"""Patterns are read from text, and bad ones are explained."""

from __future__ import annotations

import pytest

from infomotif.errors import InputError
from infomotif.motifs import parse_pattern


def test_a_custom_pattern_has_one_name_whatever_its_letters():
    first, second = parse_pattern("a->b, b->c, c<->d"), parse_pattern("x<->q, p->x, y->p")
    assert first == second
    assert (first.name, first.codes) == (second.name, second.codes)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a->b, c->d", "not connected"),
        ("a->b", "2 nodes"),
        ("a->b, b->c, c->d, d->e", "5 nodes"),
        ("a->a, a->b", "with itself"),
        ("a->b, b-c", "mixes"),
        ("a=>b, b->c", "not an edge"),
        ("", "not an edge"),
    ],
)
def test_a_bad_pattern_is_explained(text, message):
    with pytest.raises(InputError, match=message):
        parse_pattern(text)
