"""Motifs of five and six nodes equal brute force and NetworkX; too costly searches are refused with an estimate."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from networkx.algorithms.isomorphism import DiGraphMatcher, GraphMatcher

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex, get_motif
from infomotif.motifs.counting import large
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.five_nodes import GRAPHLETS
from infomotif.motifs.counting.matching import count_by_search, search_cost
from tests.motifs import brute_force
from tests.motifs.counting.test_census import assert_equal_to_brute_force

UNDIRECTED = [
    "a-b, b-c, c-d, d-e",
    "a-b, b-c, c-d, d-e, e-a",
    "a-b, a-c, b-c, c-d, d-e",
    "a-b, a-c, a-d, a-e, a-f",
    "a-b, b-c, c-d, d-e, e-f, f-a",
    "a-b, a-c, b-c, c-d, d-e, d-f, e-f",
]
DIRECTED = [
    "a->b, b->c, c->d, d->e",
    "a->b, a->c, b->d, c->d, d->e",
    "a->b, b<->c, c->d, d->e, e->a",
    "a->b, a->c, a->d, a->e, e->f",
]


@pytest.mark.parametrize("pattern", UNDIRECTED)
@given(graph=brute_force.graphs(directed=False, most=9))
@settings(max_examples=8, deadline=None)
def test_undirected_patterns_equal_brute_force(graph, pattern):
    assert_equal_to_brute_force(graph, [pattern])


@pytest.mark.parametrize("pattern", DIRECTED)
@given(graph=brute_force.graphs(directed=True, most=8))
@settings(max_examples=8, deadline=None)
def test_directed_patterns_equal_brute_force(graph, pattern):
    assert_equal_to_brute_force(graph, [pattern])


def networkx_total(graph: Graph, pattern: str) -> int:
    motif = get_motif(pattern)
    kind, matcher = (nx.DiGraph, DiGraphMatcher) if motif.directed else (nx.Graph, GraphMatcher)
    host = kind(list(zip(*map(np.ndarray.tolist, graph.edges()), strict=True)))
    edges = [(i, j) for i, row in enumerate(motif.codes) for j, code in enumerate(row) if code & 1]
    matches = sum(1 for _ in matcher(host, kind(edges)).subgraph_isomorphisms_iter())
    return matches // len(motif.automorphisms)


@pytest.mark.parametrize("pattern", [*UNDIRECTED, *DIRECTED])
def test_totals_equal_networkx_matching(pattern):
    directed = get_motif(pattern).directed
    graph = brute_force.random_graph(22, 50, directed=directed, seed=2)
    assert MotifIndex(graph, pattern).totals[0] == networkx_total(graph, pattern)


def test_equations_and_search_agree_for_every_graphlet_of_five_nodes(monkeypatch):
    graph = brute_force.random_graph(40, 170, directed=False)
    texts = [edges for edges, orbits in GRAPHLETS if len(orbits) == 5]
    patterns = [", ".join(f"{edge[0]}-{edge[1]}" for edge in text.split()) for text in texts]
    counts = []
    for steps in (0.0, float("inf")):
        monkeypatch.setattr(large, "_STEPS_PER_PATH", steps)
        counts.append(MotifIndex(graph, patterns).orbit_counts)
    assert len(patterns) == 21
    np.testing.assert_array_equal(*counts)


def test_the_estimate_of_the_cost_is_close():
    graph = brute_force.random_graph(300, 1500, directed=False)
    view = DyadGraph(graph, directed=False)
    for pattern in UNDIRECTED[:3]:
        motif = get_motif(pattern)
        cost = search_cost(view, motif)
        instances = count_by_search(view, motif, cost, np.inf).sum() / motif.size
        assert 0.5 * instances < cost.instances < 2 * instances
        assert cost.steps >= 0.5 * instances


def test_a_costly_search_is_refused_with_its_estimate_and_the_remedy():
    graph = brute_force.random_graph(60, 600, directed=False)
    with pytest.raises(
        InputError, match=r"takes about .* steps of search, more than max_steps=1.0e\+03 .*raise max_steps"
    ):
        MotifIndex(graph, UNDIRECTED[4], max_steps=1000)


@pytest.mark.parametrize("value", [0, -1, True, "many", float("nan")])
def test_a_bad_limit_is_explained(value):
    with pytest.raises(InputError, match="max_steps must be a positive number"):
        MotifIndex(brute_force.hub_graph(False), max_steps=value)


@given(st.integers(0, 10))
@settings(max_examples=5, deadline=None)
def test_threads_do_not_change_the_counts(seed):
    graph = brute_force.random_graph(200, 600, directed=True, seed=seed)
    with pytest.MonkeyPatch.context() as patch:
        counts = []
        for threads in ("1", "3"):
            patch.setenv("INFOMOTIF_THREADS", threads)
            counts.append(MotifIndex(graph, DIRECTED[0]).orbit_counts)
    np.testing.assert_array_equal(*counts)


def test_an_empty_graph_has_no_instances():
    graph = Graph.from_edges([], [], num_nodes=0, directed=False)
    assert MotifIndex(graph, UNDIRECTED[3]).totals.tolist() == [0]
