"""Drawings show every edge and every arrowhead."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from infomotif.motifs import catalog, parse_pattern


@pytest.mark.parametrize("motif", [*catalog().values(), parse_pattern("a->b, b<->c, d->b")], ids=lambda m: m.name)
def test_drawings_show_every_edge(motif):
    drawing = ElementTree.fromstring(motif.svg)
    edges = sum(map(bool, sum(motif.codes, ()))) // 2
    heads = sum(code & 1 for row in motif.codes for code in row) if motif.directed else 0
    assert len([part for part in drawing if part.tag.endswith("line")]) == edges
    assert len([part for part in drawing if part.tag.endswith("polygon")]) == heads
    assert sum(motif.ascii.count(head) for head in "<>^v") == heads


def test_five_and_six_nodes_are_drawn_with_all_their_edges():
    motif = parse_pattern("a->b, b<->c, c->d, d->e, e->f, f->a")
    assert motif.svg.count("<line") == 6
    assert motif.svg.count("<circle") == 6
    assert motif.ascii.splitlines()[0].startswith("a ")
    assert motif.ascii.count(">") == 6
