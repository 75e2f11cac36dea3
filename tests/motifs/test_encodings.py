"""Motif encodings against networkx and brute force."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infomotif.datasets import load_dataset
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.motifs.encodings import check_parts, core_numbers, motif_encodings, page_rank


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
    np.testing.assert_allclose(
        motif_encodings(graph, "centralities").values[:, -2], [expected[v] for v in range(graph.num_nodes)]
    )


def test_features_are_finite_also_for_isolated_nodes():
    assert np.isfinite(motif_encodings(random_graph(2, True), "centralities").values).all()


def test_features_do_not_depend_on_labels_or_attributes():
    graph = load_dataset("karate")
    other = graph.replace(y=1 - graph.y, x=np.ones((34, 2)))
    np.testing.assert_array_equal(
        motif_encodings(other, "centralities").values, motif_encodings(graph, "centralities").values
    )


def test_counts_alone_are_log_degree_and_log_motif_counts():
    graph = load_dataset("karate")
    index = MotifIndex(graph)
    names, values = motif_encodings(graph, "counts", index=index)
    assert names == ("log degree", "log count of M6", "log count of M7")
    np.testing.assert_allclose(values[:, 0], np.log1p(np.asarray(graph.degrees)))
    np.testing.assert_allclose(values[:, 1:], np.log1p(index.counts))


def test_triangles_are_counted_whatever_the_motifs():
    graph = load_dataset("karate")
    stars = motif_encodings(graph, "centralities", index=MotifIndex(graph, ["star4"]))
    np.testing.assert_array_equal(stars.values[:, -2], motif_encodings(graph, "centralities").values[:, -2])


@settings(max_examples=50, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 14), st.integers(0, 14)), min_size=1, max_size=60))
def test_core_numbers_are_networkxs_on_any_graph(edges):
    source, target = np.array(edges).T
    graph = Graph.from_edges(source, target, num_nodes=15, directed=False)
    expected = nx.core_number(as_networkx(graph))
    assert core_numbers(graph).tolist() == [expected[v] for v in range(15)]


@pytest.mark.parametrize("graph", GRAPHS, ids=["karate", "undirected", "directed"])
def test_orbits_are_the_logarithms_of_the_graphlet_degree_vector(graph):
    vectors = MotifIndex(graph, ["M7"]).gdv(4)
    np.testing.assert_allclose(motif_encodings(graph).values[:, :15], np.log1p(vectors))


def test_orbits_of_a_directed_graph_have_the_30_positions_in_triads():
    graph = random_graph(1, True)
    triads = MotifIndex(graph, "triads")
    names, values = motif_encodings(graph)
    chosen = [names.index(f"log count of {name}") for name in triads.orbit_names]
    assert len(chosen) == 30
    np.testing.assert_allclose(values[:, chosen], np.log1p(triads.orbit_counts))
    assert {"log out-degree", "log in-degree"} <= set(names)


@pytest.mark.parametrize("graph", GRAPHS, ids=["karate", "undirected", "directed"])
def test_neighbours_are_the_means_of_networkxs_neighbours(graph):
    names, values = motif_encodings(graph, "orbits+neighbours")
    half, plain = values.shape[1] // 2, as_networkx(graph)
    assert names[half] == "log degree, mean of neighbours"
    for node in range(graph.num_nodes):
        around = list(plain[node])
        expected = values[around, :half].mean(axis=0) if around else np.zeros(half)
        np.testing.assert_allclose(values[node, half:], expected, atol=1e-12)


def test_degree_is_the_logarithm_and_its_square():
    graph = load_dataset("karate")
    names, values = motif_encodings(graph, "degree")
    assert names == ("log degree", "log degree squared")
    logs = np.log1p(np.asarray(graph.degrees))
    np.testing.assert_allclose(values, np.column_stack([logs, logs**2]))


def test_columns_that_two_parts_share_are_there_once():
    names = motif_encodings(load_dataset("karate"), "orbits+degree+centralities").names
    assert len(set(names)) == len(names)
    assert names.count("log degree") == 1


def test_quantiles_are_indicators_beside_the_columns():
    names, values = motif_encodings(load_dataset("karate"), "degree+quantiles")
    tenths = values[:, [i for i, name in enumerate(names) if name.startswith("log degree, quantile")]]
    np.testing.assert_array_equal(tenths.sum(axis=1), 1)
    assert (np.diff(tenths.argmax(axis=1)[np.argsort(values[:, 0])]) >= 0).all()


@pytest.mark.parametrize("directed", [False, True])
def test_encodings_follow_the_nodes_into_another_order(directed):
    graph = random_graph(3, directed)
    order = np.random.default_rng(0).permutation(graph.num_nodes)
    rows, cols = graph.edges()
    moved = Graph.from_edges(order[rows], order[cols], num_nodes=graph.num_nodes, directed=directed)
    found, other = (motif_encodings(each, "orbits+neighbours").values for each in (graph, moved))
    np.testing.assert_allclose(other[order], found, atol=1e-8)


def test_a_networkx_graph_is_taken_too():
    graph = load_dataset("karate")
    np.testing.assert_allclose(motif_encodings(as_networkx(graph)).values, motif_encodings(graph).values)


@pytest.mark.parametrize(
    ("parts", "message"),
    [
        ("orbit", "unknown part of an encoding 'orbit'"),
        ("quantiles", "quantiles are made of other columns; add degree, counts, centralities or orbits"),
        (3, "parts must be text such as 'orbits\\+neighbours' \\(got int\\)"),
    ],
)
def test_impossible_parts_are_refused(parts, message):
    with pytest.raises(InputError, match=message):
        check_parts(parts)
