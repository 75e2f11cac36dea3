"""Graphlet correlations equal SciPy's, and distances behave as distances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from scipy.stats import spearmanr

import infomotif as im
from infomotif.motifs import MotifIndex, graphlet_correlation_distance, graphlet_correlation_matrix
from tests.motifs import brute_force

REDUNDANT = {3, 12, 13, 14}
USUAL_ORDER = [0, 2, 5, 7, 8, 10, 11, 6, 9, 4, 1]


def by_scipy(graph: im.Graph) -> np.ndarray:
    """Return Spearman's correlations of the orbits that are not redundant, with a node of ones."""
    assert sorted(USUAL_ORDER) == sorted(set(range(15)) - REDUNDANT)
    counts = np.vstack([MotifIndex(graph).gdv()[:, USUAL_ORDER], np.ones(11)])
    matrix = np.eye(11)
    for i in range(11):
        for j in range(11):
            if i != j and np.ptp(counts[:, i]) and np.ptp(counts[:, j]):
                matrix[i, j] = spearmanr(counts[:, i], counts[:, j]).statistic
    return matrix


@pytest.mark.parametrize("name", ["karate", "brazil"])
def test_the_matrix_equals_scipys_rank_correlations(name):
    graph = im.load_dataset(name)
    np.testing.assert_allclose(graphlet_correlation_matrix(graph), by_scipy(graph), atol=1e-12)


@given(brute_force.graphs(directed=False))
@settings(max_examples=15, deadline=None)
def test_small_graphs_equal_scipys_too(graph):
    np.testing.assert_allclose(graphlet_correlation_matrix(graph), by_scipy(graph), atol=1e-12)


def test_a_column_without_variation_is_correlated_with_no_other():
    pairs = im.Graph.from_edges([0, 2], [1, 3], num_nodes=4, directed=False)
    matrix = graphlet_correlation_matrix(pairs)
    assert matrix[0].tolist() == [1.0, *[0.0] * 10]


def test_the_distance_is_that_of_the_upper_halves():
    a, b = im.load_dataset("karate"), im.load_dataset("brazil")
    upper = np.triu_indices(11, 1)
    expected = np.sqrt(((by_scipy(a)[upper] - by_scipy(b)[upper]) ** 2).sum())
    assert graphlet_correlation_distance(a, b) == pytest.approx(expected)
    assert graphlet_correlation_distance(b, a) == graphlet_correlation_distance(a, b)


def test_names_of_nodes_and_directions_do_not_matter():
    graph = brute_force.random_graph(60, 300, directed=True)
    order = np.random.default_rng(0).permutation(60)
    rows, cols = graph.edges()
    turned = im.Graph.from_edges(order[cols], order[rows], num_nodes=60, directed=True)
    assert graphlet_correlation_distance(graph, turned) == pytest.approx(0, abs=1e-12)


def test_counts_of_an_index_are_used():
    graph = im.load_dataset("karate")
    np.testing.assert_array_equal(
        graphlet_correlation_matrix(MotifIndex(graph, "M7")), graphlet_correlation_matrix(graph)
    )
