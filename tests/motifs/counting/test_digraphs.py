"""Directed 4-node motifs counted by equations equal brute force, other tools, and the sums they must have."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import igraph
import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from networkx.algorithms.isomorphism import DiGraphMatcher

from infomotif.graph import Graph
from infomotif.motifs import SETS, Motif, MotifIndex, get_motif
from infomotif.motifs.counting.digraphs import digraph_orbits, rooted_classes
from infomotif.motifs.counting.dyads import DyadGraph
from tests.motifs import brute_force

MOTIFS = tuple(get_motif(name) for name in SETS["digraphs4"])


@cache
def positions(codes: tuple[tuple[int, ...], ...]) -> tuple[Motif, tuple[int, ...]] | None:
    """Return the motif of four nodes with these codes and the orbit of each node, or None if they are not connected."""
    found = Motif("", codes, True)
    motif = next((m for m in MOTIFS if m == found), None)
    if motif is None:
        return None
    order = next(p for p in permutations(range(4)) if all(codes[p[i]][p[j]] == motif.codes[i][j] for i, j in PAIRS))
    orbits = [0] * 4
    for o, orbit in enumerate(motif.orbits):
        for position in orbit:
            orbits[order[position]] = o
    return motif, tuple(orbits)


PAIRS = list(combinations(range(4), 2))


def every_count(graph: Graph) -> dict[Motif, np.ndarray]:
    codes = brute_force.code_matrix(graph, directed=True)
    counts = {motif: np.zeros((graph.num_nodes, len(motif.orbits)), np.int64) for motif in MOTIFS}
    for nodes in combinations(range(graph.num_nodes), 4):
        found = positions(tuple(tuple(row) for row in codes[np.ix_(nodes, nodes)].tolist()))
        if found is not None:
            for node, orbit in zip(nodes, found[1], strict=True):
                counts[found[0]][node, orbit] += 1
    return counts


def digraph_of(graph: Graph) -> nx.DiGraph:
    result = nx.DiGraph(list(zip(*map(np.ndarray.tolist, graph.edges()), strict=True)))
    result.add_nodes_from(range(graph.num_nodes))
    return result


@pytest.mark.parametrize(
    "graph",
    [brute_force.hub_graph(True), brute_force.hub_graph(True, seed=1), brute_force.random_graph(14, 120, True)],
    ids=["hubs", "other-hubs", "dense"],
)
def test_all_199_equal_brute_force_at_every_node_and_position(graph):
    found, expected = digraph_orbits(DyadGraph(graph, directed=True), MOTIFS), every_count(graph)
    for motif in MOTIFS:
        np.testing.assert_array_equal(found[motif][0], expected[motif], motif.name)


@given(graph=brute_force.graphs(directed=True, most=9))
@settings(max_examples=15, deadline=None)
def test_all_199_equal_brute_force_on_small_graphs(graph):
    found, expected = digraph_orbits(DyadGraph(graph, directed=True), MOTIFS), every_count(graph)
    assert all(np.array_equal(found[motif][0], expected[motif]) for motif in MOTIFS)


def test_one_motif_has_the_counts_it_has_among_all():
    view = DyadGraph(brute_force.hub_graph(True), directed=True)
    together = digraph_orbits(view, MOTIFS)
    for motif in MOTIFS[::7]:
        np.testing.assert_array_equal(digraph_orbits(view, [motif])[motif][0], together[motif][0], motif.name)


def test_threads_do_not_change_the_counts(monkeypatch):
    graph = brute_force.random_graph(1500, 30_000, directed=True)
    counts = []
    for threads in ("1", "3"):
        monkeypatch.setenv("INFOMOTIF_THREADS", threads)
        counts.append(MotifIndex(graph, "digraphs4").orbit_counts)
    np.testing.assert_array_equal(*counts)


def test_totals_equal_igraph_on_a_larger_graph():
    graph = brute_force.random_graph(120, 900, directed=True)
    other = igraph.Graph(n=120, edges=np.stack(graph.edges(), axis=1), directed=True)
    totals = MotifIndex(graph, "digraphs4").totals
    census = [int(count) for count in other.motifs_randesu(4) if count == count]
    assert sorted(filter(None, totals.tolist())) == sorted(filter(None, census))


@pytest.mark.parametrize("name", ["D204", "D904", "D4740", "D2510"])
def test_totals_equal_networkx_matching(name):
    graph = brute_force.random_graph(25, 150, directed=True)
    motif = get_motif(name)
    edges = [(i, j) for i, row in enumerate(motif.codes) for j, code in enumerate(row) if code & 1]
    matches = sum(1 for _ in DiGraphMatcher(digraph_of(graph), nx.DiGraph(edges)).subgraph_isomorphisms_iter())
    assert MotifIndex(graph, name).totals[0] == matches // len(motif.automorphisms)


def test_directions_refine_the_undirected_graphlets():
    graph = brute_force.random_graph(300, 2500, directed=True)
    directed, plain = MotifIndex(graph, "digraphs4"), MotifIndex(graph, "graphlets4")
    np.testing.assert_array_equal(directed.counts.sum(axis=1), plain.counts.sum(axis=1))


def test_there_are_697_positions():
    assert len(rooted_classes().example) == 697 == sum(len(motif.orbits) for motif in MOTIFS)
