"""Random graphs keep every node's in, out and reciprocal degree, and every such graph is as likely."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import chisquare

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import random_graph, significance
from tests.motifs import brute_force


def degrees(graph: Graph) -> np.ndarray:
    codes = brute_force.code_matrix(graph, graph.directed)
    return np.stack([(codes == c).sum(axis=1) for c in (1, 2, 3)])


@given(st.one_of(brute_force.graphs(directed=True), brute_force.graphs(directed=False)), st.integers(0, 2**63))
@settings(max_examples=40, deadline=None)
def test_switching_keeps_all_degrees(graph, seed):
    np.testing.assert_array_equal(degrees(random_graph(graph, seed)), degrees(graph))


def test_every_graph_with_these_degrees_is_as_likely():
    graph = Graph.from_edges([0, 1, 2, 3, 4], [1, 2, 3, 4, 5], num_nodes=6, directed=False)
    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(3000):
        rows, cols = random_graph(graph, seed, switches=20).edges()
        found[tuple((rows * 6 + cols).tolist())] += 1
    assert len(found) == 31
    assert chisquare(list(found.values())).pvalue > 1e-3


def test_the_result_depends_on_the_seed_and_not_on_threads():
    graph = brute_force.random_graph(300, 1500, directed=True)
    one, two = (significance(graph, "triads", samples=12, random_state=4, threads=threads) for threads in (1, 3))
    np.testing.assert_array_equal(one.samples, two.samples)
    other = significance(graph, "triads", samples=12, random_state=5)
    assert not np.array_equal(one.samples, other.samples)


def test_planted_triangles_are_significant_and_random_ones_are_not():
    rng = np.random.default_rng(0)
    corners = rng.permutation(300).reshape(100, 3)
    extra = rng.integers(0, 300, (2, 200))
    source = np.concatenate([corners[:, 0], corners[:, 1], corners[:, 2], extra[0]])
    target = np.concatenate([corners[:, 1], corners[:, 2], corners[:, 0], extra[1]])
    planted = significance(Graph.from_edges(source, target, num_nodes=300, directed=False), "M7", samples=40)
    assert planted.z[0] > 10
    assert planted.p_more[0] == pytest.approx(1 / 41)
    plain = significance(brute_force.random_graph(300, 900, directed=False), "M7", samples=40)
    assert abs(plain.z[0]) < 4


def test_four_node_motifs_are_compared_too():
    result = significance(brute_force.random_graph(60, 200, directed=False), "graphlets4", samples=5)
    assert result.samples.shape == (5, 6)


def test_a_total_that_never_changes_has_no_z_score():
    result = significance(Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False), "M6", samples=5)
    assert np.isnan(result.z[0])


@pytest.mark.parametrize(
    ("name", "value"), [("samples", 0), ("switches", 0), ("random_state", -1), ("random_state", None)]
)
def test_bad_arguments_are_explained(name, value):
    with pytest.raises(InputError, match=f"{name} must be"):
        significance(brute_force.hub_graph(True), **{name: value})
