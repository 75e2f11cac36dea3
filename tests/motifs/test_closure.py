"""Closure is the share of triangles among the triples of an edge."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import infomotif as im
from infomotif.motifs import MotifIndex, closure_weights, edge_orbit_counts
from tests.motifs import brute_force

ANY_GRAPH = st.one_of(brute_force.graphs(directed=True), brute_force.graphs(directed=False))


@given(ANY_GRAPH)
@settings(max_examples=30, deadline=None)
def test_closure_is_that_of_the_motif_adjacency_matrices(graph):
    index = MotifIndex(graph, "undirected")
    wedges, triangles = (index.adjacency(name).toarray() for name in ("M6", "M7"))
    joined = brute_force.code_matrix(graph, False) > 0
    expected = np.where(joined, triangles / np.maximum(wedges + triangles, 1), 0)
    np.testing.assert_allclose(index.closure().toarray(), expected)
    assert index.closure().nnz == joined.sum()


@given(ANY_GRAPH)
@settings(max_examples=30, deadline=None)
def test_closure_is_the_jaccard_coefficient_of_the_other_neighbours(graph):
    joined = brute_force.code_matrix(graph, False) > 0
    closure = closure_weights(graph).toarray()
    for u, v in np.argwhere(joined).tolist():
        a, b = set(np.flatnonzero(joined[u]).tolist()) - {v}, set(np.flatnonzero(joined[v]).tolist()) - {u}
        assert closure[u, v] == pytest.approx(len(a & b) / len(a | b) if a | b else 0)


def test_edge_orbits_have_the_same_closure():
    graph = im.load_dataset("karate")
    (edges, counts), matrix = edge_orbit_counts(graph), closure_weights(graph)
    orbits = MotifIndex(graph, "M7").edge_orbits()
    np.testing.assert_array_equal(orbits.counts, counts)
    np.testing.assert_allclose(orbits.closure, matrix[edges[:, 0], edges[:, 1]])


def test_a_frame_has_a_row_per_edge_and_names_its_ends():
    graph = im.Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False, names=["a", "b", "c"])
    orbits = edge_orbit_counts(graph)
    numbered, named = orbits.to_frame(kind="arrow").to_pydict(), orbits.to_frame(graph, kind="arrow").to_pydict()
    assert (numbered["source"], named["source"], named["target"]) == ([0, 0, 1], ["a", "a", "b"], ["b", "c", "c"])
    assert named["triangle"] == [1, 1, 1]
    assert len(named) == 15


def test_graphs_of_other_libraries_are_taken():
    import networkx as nx

    assert closure_weights(nx.complete_graph(4)).toarray()[0, 1] == 1
    assert edge_orbit_counts(nx.complete_graph(4)).counts[:, 11].tolist() == [1] * 6
