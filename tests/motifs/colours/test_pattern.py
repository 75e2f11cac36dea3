"""Patterns that name types: read, written, compared and drawn."""

from __future__ import annotations

import pytest

from infomotif.errors import InputError
from infomotif.motifs import Motif, get_motif, parse_pattern
from infomotif.motifs.pattern import check_codes


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("x:author -> p:paper, y:author -> p", "a:author->c:paper, b:author->c"),
        ("a -[+]- b, b -[-]- c, a -[+]- c", "a-[+]-b, a-[+]-c, b-[-]-c"),
        ("a -[cites]-> b, b->c", "a-[cites]->b, b->c"),
        ("a <-[cites]- b, b->c", "a->b, a-[cites]->c"),
        ("a <-[k]-> b, b-[x]->c, c-[y]->b", "a<-[k]->b, a-[x]->c, c-[y]->a"),
        ("a -[x]-> b, b->a, b->c", "a->b, b-[x]->a, a->c"),
        ('x:"film director"-y, y:m-z', 'a:m-b, a-c:"film director"'),
        ("a-[x, y]->b, b->c", "a-[x, y]->b, b->c"),
        ("a-[]-b, b-c", "a-b, a-c"),
        ("a-[+&-]-b, b-[+]-c", "a-[+]-b, a-[+&-]-c"),
    ],
)
def test_a_pattern_is_named_by_its_canonical_text(text: str, pattern: str) -> None:
    motif = parse_pattern(text)
    assert motif.pattern == pattern
    assert parse_pattern(pattern) == motif
    assert parse_pattern(pattern).pattern == pattern


def test_types_make_patterns_different_and_letters_do_not() -> None:
    assert get_motif("a:x-b, b-c") == get_motif("u-v, w:x-u")
    assert get_motif("a:x-b, b-c") != get_motif("a:y-b, b-c")
    assert get_motif("a:x-b, b-c") != get_motif("a-b, b-c")
    assert get_motif("a:x-b, b-c").plain == get_motif("M6")
    assert len({get_motif("a:x-b, b-c"), get_motif("c:x-b, b-a"), get_motif("M6")}) == 2


def test_types_break_symmetries() -> None:
    assert get_motif("M7").orbits == ((0, 1, 2),)
    assert get_motif("a-[+]-b, b-[+]-c, a-[-]-c").orbits == ((0, 1), (2,)) or get_motif(
        "a-[+]-b, b-[+]-c, a-[-]-c"
    ).orbits == ((0,), (1, 2))
    assert len(get_motif("a:x-b:y, b-c:z, a-c").orbits) == 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a:x->b, a:y->c", "gives node 'a' the types 'x' and 'y'; name one"),
        ("a-[x]->b, a-[y]->b, b->c", "gives the edge from 'a' to 'b' the types 'x' and 'y'; name one"),
        ("a-[x-b, b-c", "is not an edge"),
        ("a:->b, b->c", "is not an edge"),
        ("a-[x]->b, b-[y]-c", "mixes directed and undirected edges"),
        ("a->b,, b->c", "'' in motif pattern"),
    ],
)
def test_a_bad_pattern_is_named(text: str, message: str) -> None:
    with pytest.raises(InputError, match=message):
        parse_pattern(text)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"node_types": ("x",)}, "one per position"),
        ({"edge_types": (("", "x", ""),)}, "must be a square matrix"),
        ({"edge_types": (("", "x", ""), ("", "", ""), ("", "", ""))}, "must agree for"),
        ({"edge_types": (("", "", ""), ("", "", "x"), ("", "x", ""))}, "an edge that it does not have"),
    ],
)
def test_types_of_a_custom_motif_are_checked(changes: dict[str, object], message: str) -> None:
    wedge = ((0, 3, 3), (3, 0, 0), (3, 0, 0))
    with pytest.raises(InputError, match=message):
        check_codes(Motif("mine", wedge, False, **changes))  # type: ignore[arg-type]


def test_drawings_show_types() -> None:
    motif = get_motif("a:author->p:paper, b:author-[wrote]->p")
    assert motif.ascii.splitlines()[-3:] == ["a b: author", "c: paper", "b->c: wrote"]
    assert motif.svg.count("#0072b2") == 2
    signed = get_motif("a-[+]-b, b-[-]-c")
    assert signed.svg.count("stroke-dasharray") == 1
    assert "stroke-dasharray" not in get_motif("M6").svg


def test_glyphs_show_types() -> None:
    from infomotif.motifs.glyphs import glyph

    children = glyph(get_motif("a:x-b:y, b-c:x"), 30, "black").get_children()
    assert len({str(child.get_facecolor()) for child in children if hasattr(child, "get_facecolor")}) == 2
