"""Orbit counts of up to five nodes equal brute force, the 4-node engine and ORCA."""

from __future__ import annotations

from itertools import combinations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from infomotif.datasets import load_dataset
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.motifs.counting.five_nodes import GRAPHLETS, orbit_counts5
from tests.motifs import brute_force


def as_networkx(edges: str) -> nx.Graph:
    return nx.Graph([tuple("abcde".index(letter) for letter in pair) for pair in edges.split()])


KNOWN = [(as_networkx(edges), orbits) for edges, orbits in GRAPHLETS]


def orbits_by_enumeration(graph: Graph) -> np.ndarray:
    """Match every connected set of two to five nodes with the graphlets by networkx."""
    whole = nx.Graph()
    whole.add_nodes_from(range(graph.num_nodes))
    whole.add_edges_from(zip(*(part.tolist() for part in graph.edges()), strict=True))
    counts = np.zeros((graph.num_nodes, 73), np.int64)
    for size in range(2, 6):
        for nodes in combinations(range(graph.num_nodes), size):
            part = whole.subgraph(nodes)
            if not nx.is_connected(part):
                continue
            for graphlet, orbits in KNOWN:
                same = nx.isomorphism.GraphMatcher(part, graphlet)
                if graphlet.number_of_edges() == part.number_of_edges() and same.is_isomorphic():
                    for node, position in same.mapping.items():
                        counts[node, orbits[position]] += 1
    return counts


def test_the_graphlets_are_all_connected_graphs_of_two_to_five_nodes():
    atlas = [g for g in nx.graph_atlas_g() if 2 <= len(g) <= 5 and nx.is_connected(g)]
    assert len(atlas) == len(KNOWN) == 30
    assert all(sum(nx.is_isomorphic(g, graphlet) for graphlet, _ in KNOWN) == 1 for g in atlas)


def test_orbits_are_those_of_the_automorphisms():
    for graphlet, orbits in KNOWN:
        maps = list(nx.isomorphism.GraphMatcher(graphlet, graphlet).isomorphisms_iter())
        for i, j in combinations(range(len(orbits)), 2):
            assert (orbits[i] == orbits[j]) == any(m[i] == j for m in maps)
    assert sorted({orbit for _, orbits in KNOWN for orbit in orbits}) == list(range(73))


@given(brute_force.graphs(directed=False, most=8))
@settings(max_examples=25, deadline=None)
def test_counts_equal_enumeration(graph):
    np.testing.assert_array_equal(orbit_counts5(graph), orbits_by_enumeration(graph))


@pytest.mark.parametrize("density", [0.3, 0.6, 0.9])
def test_counts_of_dense_graphs_equal_enumeration(density):
    rows, cols = np.triu_indices(9, 1)
    keep = np.random.default_rng(1).random(len(rows)) < density
    graph = Graph.from_edges(rows[keep], cols[keep], num_nodes=9, directed=False)
    np.testing.assert_array_equal(orbit_counts5(graph), orbits_by_enumeration(graph))


@pytest.mark.parametrize("name", ["cora", "brazil"])
def test_orbits_up_to_four_nodes_equal_those_of_the_index(name):
    graph = load_dataset(name)
    index = MotifIndex(graph, ["M6", "M7", "graphlets4"])
    named = dict(zip(index.orbit_names, index.orbit_counts.T, strict=True))
    # ORCA numbers the leaves of a graphlet first.
    names = ["M6:bc", "M6:a", "M7:abc", "path4:ad", "path4:bc", "star4:bcd", "star4:a", "cycle4:abcd"]
    names += ["paw:d", "paw:bc", "paw:a", "diamond:cd", "diamond:ab", "clique4:abcd"]
    ours = orbit_counts5(graph)
    np.testing.assert_array_equal(ours[:, 0], np.diff(graph.undirected.indptr))
    for column, orbit in enumerate(names, start=1):
        np.testing.assert_array_equal(ours[:, column], named[orbit], orbit)


@pytest.mark.parametrize("name", ["brazil", "europe", "barabasi-albert", "clustered"])
def test_counts_equal_orca(name):
    orca = pytest.importorskip("orbit_count")
    if name in ("brazil", "europe"):
        graph = load_dataset(name)
    else:
        made = nx.barabasi_albert_graph(400, 6, seed=2)
        if name == "clustered":
            made = nx.powerlaw_cluster_graph(400, 8, 0.9, seed=2)
        graph = Graph.from_edges(*np.array(made.edges).T, num_nodes=400, directed=False)
    whole = nx.Graph(list(zip(*(part.tolist() for part in graph.edges()), strict=True)))
    theirs = orca.node_orbit_counts(whole, 5, node_list=sorted(whole))
    np.testing.assert_array_equal(orbit_counts5(graph)[sorted(whole)], theirs)


def test_threads_and_wide_indices_do_not_change_the_counts(monkeypatch):
    graph = brute_force.random_graph(2000, 12_000, directed=True)
    wide = Graph(graph.csr.indptr.astype(np.int64), graph.csr.indices.astype(np.int64), directed=True)
    counts = []
    for threads, given_graph in (("1", graph), ("3", graph), ("2", wide)):
        monkeypatch.setenv("INFOMOTIF_THREADS", threads)
        counts.append(orbit_counts5(given_graph))
    np.testing.assert_array_equal(counts[0], counts[1])
    np.testing.assert_array_equal(counts[0], counts[2])


def test_counts_of_a_large_star_are_binomial():
    leaves = 3_000
    star = Graph.from_edges([0] * leaves, range(1, leaves + 1), num_nodes=leaves + 1, directed=False)
    counts = orbit_counts5(star)
    assert counts[0, 23] == leaves * (leaves - 1) * (leaves - 2) * (leaves - 3) // 24
    assert counts[1, 22] == (leaves - 1) * (leaves - 2) * (leaves - 3) // 6
    assert np.count_nonzero(counts[0]) == 4


def test_a_hub_beyond_64_bits_is_refused():
    leaves = 60_000
    star = Graph.from_edges([0] * leaves, range(1, leaves + 1), num_nodes=leaves + 1, directed=False)
    with pytest.raises(InputError, match="60,000 neighbours"):
        orbit_counts5(star)


def test_a_graph_without_edges_has_no_graphlets():
    assert not orbit_counts5(Graph.from_edges([], [], num_nodes=3, directed=False)).any()
