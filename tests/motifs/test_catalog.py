"""The catalog: names, sets, classes and orbits."""

from __future__ import annotations

import networkx as nx
import pytest

from infomotif.errors import InputError
from infomotif.motifs import SETS, Motif, MotifIndex, catalog, get_motif, parse_pattern, select_motifs
from infomotif.motifs.pattern import digraph_number
from tests.motifs import brute_force


@pytest.mark.parametrize("name", SETS["triads"])
def test_triads_have_the_names_of_networkx(name):
    graph = nx.DiGraph()
    codes = catalog()[name].codes
    graph.add_edges_from((i, j) for i in range(3) for j in range(3) if codes[i][j] & 1)
    assert nx.triadic_census(graph)[name] == 1


def test_triads_have_thirty_orbits_and_graphlets_eleven():
    assert sum(len(catalog()[name].orbits) for name in SETS["triads"]) == 30
    assert sum(len(catalog()[name].orbits) for name in SETS["graphlets4"]) == 11


def test_the_triads_are_all_different_and_the_five_motifs_are_among_them():
    triads = {catalog()[name] for name in SETS["triads"]}
    assert len(triads) == 13
    assert {catalog()[name] for name in SETS["directed"]} <= triads


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("z->x, x->y, z->y", "M4"),
        ("q-p, p-r", "M6"),
        ("b<-a, c<-b", "M1"),
        ("a<->b,b<->c", "201"),
        ("w-x,x-y,y-z", "path4"),
    ],
)
def test_a_pattern_under_other_letters_is_the_same_motif(text, name):
    assert get_motif(text).name == name


def test_directed_and_undirected_triangles_differ():
    assert catalog()["300"] != catalog()["M7"]


def test_an_unknown_name_lists_the_known():
    with pytest.raises(InputError, match="did you mean 'diamond'"):
        get_motif("diamnd")


def test_auto_follows_the_graph():
    assert [m.name for m in select_motifs("auto", directed=True)] == ["M1", "M2", "M3", "M4", "M5"]
    assert [m.name for m in select_motifs("auto", directed=False)] == ["M6", "M7"]


@pytest.mark.parametrize(
    ("motifs", "directed", "message"),
    [
        (["M4", "030T"], True, "twice"),
        (["M1"], False, "has directions"),
        ([], True, "at least one"),
        ([3], True, "got int"),
        ([Motif("mine", ((0, 3), (3, 0)), False)], True, "square matrix of 3 to 6 rows"),
        ([Motif("mine", ((0, 3, 0), (3, 0, 0), (0, 0, 0)), False)], True, "'mine' are not connected"),
        ([Motif("mine", ((0, 1, 0), (1, 0, 1), (0, 2, 0)), True)], True, "must agree for"),
        ([Motif("mine", ((0, 1, 0), (2, 0, 1), (0, 2, 0)), False)], True, "0 on the diagonal and one of"),
    ],
)
def test_a_bad_choice_is_explained(motifs, directed, message):
    with pytest.raises(InputError, match=message):
        select_motifs(motifs, directed=directed)


def test_a_motif_with_another_order_keeps_its_name_and_gets_the_catalog_order():
    codes = parse_pattern("c->b, b->a").codes
    mine = Motif("mine", tuple(tuple(row[::-1]) for row in codes[::-1]), True)
    (chosen,) = select_motifs([mine], directed=True)
    assert (chosen.name, chosen.codes) == ("mine", catalog()["M1"].codes)


def test_a_name_of_the_catalog_does_not_make_another_pattern_of_a_motif():
    graph = brute_force.random_graph(30, 200, directed=True)
    codes = parse_pattern("a->b, a->c, a->d, b->c").codes
    named, mine = (MotifIndex(graph, [Motif(name, codes, True)]).totals.tolist() for name in ("paw", "mine"))
    assert named == mine


def test_the_199_digraphs_are_all_that_are_connected_and_bear_their_numbers():
    motifs = [get_motif(name) for name in SETS["digraphs4"]]
    assert len(set(motifs)) == 199
    assert [f"D{digraph_number(motif.codes)}" for motif in motifs] == list(SETS["digraphs4"])


@pytest.mark.parametrize(
    ("pattern", "name"),
    [("a->c, a->d, b->c, b->d", "D204"), ("a->b, a->c, b->d, c->d", "D904"), ("a->b, b->c, c->d", "D328")],
)
def test_well_known_digraphs_have_the_numbers_of_mfinder(pattern, name):
    assert get_motif(pattern) == get_motif(name) == get_motif(name.lower())
