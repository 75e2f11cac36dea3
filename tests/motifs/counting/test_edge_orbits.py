"""Edge orbit counts equal enumeration and ORCA."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from infomotif.datasets import load_dataset
from infomotif.graph import Graph
from infomotif.motifs.counting.edge_orbits import EDGE_GRAPHLETS, edge_orbit_counts
from tests.motifs import brute_force

KNOWN = []
for text, orbits in EDGE_GRAPHLETS:
    graphlet = nx.Graph()
    for pair, number in zip(text.split(), orbits, strict=True):
        graphlet.add_edge(*pair, orbit=number)
    KNOWN.append(graphlet)


def as_networkx(graph: Graph) -> nx.Graph:
    return nx.Graph(list(zip(*(part.tolist() for part in graph.edges()), strict=True)))


def by_enumeration(graph: Graph) -> dict[tuple[int, int], np.ndarray]:
    whole = as_networkx(graph)
    counts = {tuple(sorted(edge)): np.zeros(12, np.int64) for edge in whole.edges}
    for size in (3, 4):
        for nodes in combinations(sorted(whole), size):
            part = whole.subgraph(nodes)
            for known in KNOWN:
                same = nx.isomorphism.GraphMatcher(part, known)
                if same.is_isomorphic():
                    for x, y in part.edges:
                        counts[tuple(sorted((x, y)))][known.edges[same.mapping[x], same.mapping[y]]["orbit"]] += 1
    return counts


def test_orbits_are_those_of_the_automorphisms():
    for known in KNOWN:
        maps = list(nx.isomorphism.GraphMatcher(known, known).isomorphisms_iter())
        for (a, b), (c, d) in combinations(known.edges, 2):
            alike = any({m[a], m[b]} == {c, d} for m in maps)
            assert alike == (known.edges[a, b]["orbit"] == known.edges[c, d]["orbit"])


@given(brute_force.graphs(directed=False, most=9))
@settings(max_examples=30, deadline=None)
def test_counts_equal_enumeration(graph):
    edges, counts = edge_orbit_counts(graph)
    expected = by_enumeration(graph)
    assert list(map(tuple, edges.tolist())) == sorted(expected)
    for edge, row in zip(edges.tolist(), counts, strict=True):
        np.testing.assert_array_equal(row, expected[tuple(edge)])


@pytest.mark.parametrize("name", ["cora", "europe"])
def test_counts_equal_orca(name):
    orca = pytest.importorskip("orbit_count")
    graph = load_dataset(name)
    edges, counts = edge_orbit_counts(graph)
    theirs = orca.edge_orbit_counts(as_networkx(graph), 4, edges.tolist())
    np.testing.assert_array_equal(counts, theirs)


def test_threads_do_not_change_the_counts(monkeypatch):
    graph = brute_force.random_graph(3000, 30_000, directed=True)
    counts = []
    for threads in ("1", "3"):
        monkeypatch.setenv("INFOMOTIF_THREADS", threads)
        counts.append(edge_orbit_counts(graph).counts)
    np.testing.assert_array_equal(*counts)
