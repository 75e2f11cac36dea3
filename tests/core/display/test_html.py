"""Tables for notebooks hold text, never markup of names."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from infomotif._core.display.html import Markup, bar, block, details, escape, heading, table

HOSTILE = "<script>alert('x')</script> \"&\x1b[31m\ud800"


@pytest.mark.parametrize("part", [escape, heading, lambda t: table([[t, 1]], (t, t)), lambda t: details(t, t)])
def test_names_come_out_escaped(part):
    page = block(part(HOSTILE))
    assert "<script" not in page
    assert "&lt;script&gt;" in page
    assert "\x1b" not in page
    page.encode("utf-8")
    ElementTree.fromstring(page)


def test_long_names_are_cut():
    assert len(escape("x" * 10_000)) == 200


def test_colours_are_those_of_the_notebook():
    page = block(heading("a", "b"), table([[1, bar(0.5)]]))
    assert "currentColor" in page
    assert "#" not in page


def test_bars_stay_within_their_width():
    assert [bar(share).split("width:")[-1].split("px")[0] for share in (-1, 0, 2)] == ["0.0", "0.0", "120.0"]


def test_markup_is_not_escaped_again():
    assert escape(Markup("<b>")) == "<b>"
