"""Structural features against networkx."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infomotif.datasets import load_dataset
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.motifs.structural import core_numbers, page_rank, structural_columns


def as_networkx(graph: Graph) -> nx.Graph:
    rows = np.repeat(np.arange(graph.num_nodes), np.diff(graph.undirected.indptr))
    plain = nx.Graph()
    plain.add_nodes_from(range(graph.num_nodes))
    plain.add_edges_from(zip(rows.tolist(), graph.undirected.indices.tolist(), strict=True))
    return plain


def random_graph(seed: int, directed: bool) -> Graph:
    rng = np.random.default_rng(seed)
    return Graph.from_edges(rng.integers(0, 60, 200), rng.integers(0, 60, 200), num_nodes=62, directed=directed)


GRAPHS = [load_dataset("karate"), random_graph(0, False), random_graph(1, True)]


@pytest.mark.parametrize("graph", GRAPHS, ids=["karate", "undirected", "directed"])
def test_core_numbers_are_networkxs(graph):
    expected = nx.core_number(as_networkx(graph))
    assert core_numbers(graph).tolist() == [expected[v] for v in range(graph.num_nodes)]


@pytest.mark.parametrize("graph", GRAPHS, ids=["karate", "undirected", "directed"])
def test_page_rank_is_networkxs(graph):
    expected = nx.pagerank(as_networkx(graph), tol=1e-12)
    np.testing.assert_allclose(page_rank(graph), [expected[v] for v in range(graph.num_nodes)], atol=1e-8)
    assert page_rank(graph).sum() == pytest.approx(1)


@pytest.mark.parametrize("graph", GRAPHS, ids=["karate", "undirected", "directed"])
def test_clustering_is_networkxs(graph):
    expected = nx.clustering(as_networkx(graph))
    np.testing.assert_allclose(structural_columns(graph).values[:, -2], [expected[v] for v in range(graph.num_nodes)])


def test_features_are_finite_also_for_isolated_nodes():
    assert np.isfinite(structural_columns(random_graph(2, True)).values).all()


def test_features_do_not_depend_on_labels_or_attributes():
    graph = load_dataset("karate")
    other = graph.replace(y=1 - graph.y, x=np.ones((34, 2)))
    np.testing.assert_array_equal(structural_columns(other).values, structural_columns(graph).values)


def test_counts_alone_are_log_degree_and_log_motif_counts():
    graph = load_dataset("karate")
    index = MotifIndex(graph)
    names, values = structural_columns(graph, index, centralities=False)
    assert names == ("log degree", "log count of M6", "log count of M7")
    np.testing.assert_allclose(values[:, 0], np.log1p(np.asarray(graph.degrees)))
    np.testing.assert_allclose(values[:, 1:], np.log1p(index.counts))


def test_triangles_are_counted_whatever_the_motifs():
    graph = load_dataset("karate")
    stars = structural_columns(graph, MotifIndex(graph, ["star4"]))
    np.testing.assert_array_equal(stars.values[:, -2], structural_columns(graph).values[:, -2])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), min_size=1, max_size=60))
def test_core_numbers_are_networkxs_on_any_graph(edges):
    source, target = np.array(edges).T
    graph = Graph.from_edges(source, target, num_nodes=15, directed=False)
    expected = nx.core_number(as_networkx(graph))
    assert core_numbers(graph).tolist() == [expected[v] for v in range(15)]
