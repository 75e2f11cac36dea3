"""Random graphs keep every node's in, out and reciprocal degree, and every such graph is as likely."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import numpy as np
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.csgraph import connected_components
from scipy.stats import chisquare

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import random_graph, significance
from infomotif.motifs.null_models.rearrangements import rearrangements, rearrangements_of_five
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


def codes_of_all_digraphs(n: int) -> np.ndarray:
    """Return the codes of the pairs (i, j), i < j, of every digraph of n nodes [digraphs, pairs]."""
    pairs = n * (n - 1) // 2
    return np.arange(4**pairs)[:, None] // 4 ** np.arange(pairs)[::-1] % 4


def classes_and_components(n: int) -> tuple[np.ndarray, np.ndarray]:
    """Return, for every digraph of n nodes, its class of equal degrees and the component of the moves it is in."""
    first, _, _ = rearrangements()
    pairs = list(combinations(range(n), 2))
    codes = codes_of_all_digraphs(n)
    edges, groups = [], 0
    for k in (3, 4):
        for chosen in combinations(range(n), k):
            inside = [pairs.index(pair) for pair in combinations(chosen, 2)]
            config = codes[:, inside] @ 4 ** np.arange(len(inside))[::-1]
            outside = np.delete(codes, inside, axis=1) @ 4 ** np.arange(len(pairs) - len(inside))[::-1]
            joined = codes[:, inside] > 0
            # Two edges must cover the chosen nodes for a move to rearrange them.
            movable = joined.sum(axis=1) > 1
            if k == 4:
                movable = joined[:, [0, 1, 2]] & joined[:, [5, 4, 3]]
                movable = movable.any(axis=1)
            keys = first[config + (0 if k == 3 else 64)] * 4 ** len(pairs) + outside
            _, number = np.unique(keys[movable], return_inverse=True)
            edges.append((np.flatnonzero(movable), len(codes) + groups + number))
            groups += int(number.max(initial=-1)) + 1
    if n == 5:
        five = rearrangements_of_five()
        movable = np.flatnonzero(five.covers)
        edges.append((movable, len(codes) + groups + five.first[movable]))
        groups += len(codes)
    rows, cols = (np.concatenate([pair[side] for pair in edges]) for side in (0, 1))
    size = len(codes) + groups
    matrix = sp.coo_array((np.ones(len(rows), np.int8), (rows, cols)), shape=(size, size))
    _, component = connected_components(matrix, directed=False)
    degrees = np.zeros((len(codes), 3 * n), np.int64)
    for p, (i, j) in enumerate(pairs):
        for code, back in ((1, 2), (2, 1), (3, 3)):
            degrees[:, 3 * i + code - 1] += codes[:, p] == code
            degrees[:, 3 * j + back - 1] += codes[:, p] == code
    key = degrees @ (n ** np.arange(3 * n, dtype=np.int64))
    return key, component[: len(codes)]


@pytest.mark.parametrize("n", [3, 4])
def test_moves_reach_every_digraph_with_the_same_degrees(n):
    key, component = classes_and_components(n)
    assert len(np.unique(component)) == len(np.unique(key))


@pytest.mark.slow
def test_moves_reach_every_digraph_of_five_nodes_with_the_same_degrees():
    key, component = classes_and_components(5)
    assert len(np.unique(component)) == len(np.unique(key))


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ([0, 1, 2], [1, 2, 0]),
        ([0, 3, 1], [3, 1, 2]),
        ([0, 2, 0, 2, 1, 3, 3], [2, 0, 3, 1, 3, 1, 2]),
        ([0, 1, 2, 3, 4, 0, 2], [1, 2, 0, 4, 1, 3, 3]),
        ([0, 1, 1, 2, 3, 4, 2], [1, 0, 2, 3, 4, 0, 0]),
        ([0, 1, 0, 0, 3, 1, 2, 4, 2], [1, 0, 2, 3, 0, 2, 1, 1, 3]),
    ],
    ids=["3-cycle", "path", "mixed", "tangle", "mutual", "five"],
)
def test_every_digraph_with_these_degrees_is_as_likely(source, target):
    graph = Graph.from_edges(source, target, num_nodes=5, directed=True)
    codes = codes_of_all_digraphs(5)
    pairs = list(combinations(range(5), 2))
    wanted = degrees(graph)
    fitting = np.ones(len(codes), np.bool_)
    for v in range(5):
        for c in (1, 2, 3):
            total = sum(
                (codes[:, p] == (c if i == v else (0, 2, 1, 3)[c])).astype(int)
                for p, (i, j) in enumerate(pairs)
                if v in (i, j)
            )
            fitting &= total == wanted[c - 1, v]
    found: Counter[tuple[int, ...]] = Counter()
    for seed in range(2500):
        rows, cols = random_graph(graph, seed, switches=30).edges()
        found[tuple((rows * 5 + cols).tolist())] += 1
    assert len(found) == fitting.sum() > 1
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
