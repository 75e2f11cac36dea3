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
        ("a->b, b->c, c->d, d->e, e->f, f->g", "7 nodes; a motif has 3 to 6"),
        ("a->a, a->b", "with itself"),
        ("a->b, b-c", "mixes"),
        ("a=>b, b->c", "not an edge"),
        ("", "not an edge"),
    ],
)
def test_a_bad_pattern_is_explained(text, message):
    with pytest.raises(InputError, match=message):
        parse_pattern(text)


@pytest.mark.parametrize(
    ("text", "orbits"),
    [
        ("p-q, q-r, r-s, s-t", 3),
        ("p-q, q-r, r-s, s-t, t-p", 1),
        ("p-q, p-r, p-s, p-t, p-u", 2),
        ("p->q, q->r, r->s, s->t, t->u, u->p", 1),
        ("p->q, q->r, r->s, s->t, t->u", 6),
    ],
)
def test_positions_of_five_and_six_nodes_are_the_orbits_of_the_automorphisms(text, orbits):
    motif = parse_pattern(text)
    assert len(motif.orbits) == orbits
    assert sorted(position for orbit in motif.orbits for position in orbit) == list(range(motif.size))
