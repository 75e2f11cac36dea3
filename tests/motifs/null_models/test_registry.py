"""Null models keep what they promise, reach every graph that shares it, and make all of these as likely."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import combinations, permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.stats import chisquare

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import NULL_MODELS, random_graph, significance
from tests.motifs import brute_force

ANY_GRAPH = st.one_of(brute_force.graphs(directed=True), brute_force.graphs(directed=False))


def dense(graph: Graph) -> np.ndarray:
    return np.isin(brute_force.code_matrix(graph, graph.directed), (1, 3))


def degrees(graph: Graph) -> np.ndarray:
    """Return the number of out-, in- and mutual neighbours of each node [3, n]."""
    codes = brute_force.code_matrix(graph, graph.directed)
    return np.stack([(codes == c).sum(axis=1) for c in (1, 2, 3)])


def joint_degrees(graph: Graph) -> Counter:
    """Count the edges by their kind and the degrees of their two nodes, those of mutual edges in any order."""
    codes, kinds = brute_force.code_matrix(graph, graph.directed), [tuple(row) for row in degrees(graph).T.tolist()]
    found: Counter = Counter()
    for u, v in np.argwhere((codes == 1) | (codes == 3)).tolist():
        ends = (kinds[u], kinds[v])
        found[int(codes[u, v]), ends if codes[u, v] == 1 else tuple(sorted(ends))] += 1
    return found


@pytest.mark.parametrize("null", NULL_MODELS)
@given(graph=ANY_GRAPH, seed=st.integers(0, 2**63))
@settings(max_examples=25, deadline=None)
def test_nodes_and_numbers_of_edges_stay(null, graph, seed):
    made = random_graph(graph, seed, null=null)
    assert (made.num_nodes, made.num_edges, made.directed) == (graph.num_nodes, graph.num_edges, graph.directed)


@given(ANY_GRAPH, st.integers(0, 2**63))
@settings(max_examples=40, deadline=None)
def test_degrees_keeps_in_and_out_degrees(graph, seed):
    before, after = dense(graph), dense(random_graph(graph, seed, null="degrees"))
    np.testing.assert_array_equal(after.sum(axis=1), before.sum(axis=1))
    np.testing.assert_array_equal(after.sum(axis=0), before.sum(axis=0))


@given(ANY_GRAPH, st.integers(0, 2**63))
@settings(max_examples=40, deadline=None)
def test_joint_degrees_keeps_degrees_and_edges_between_degrees(graph, seed):
    made = random_graph(graph, seed, null="joint-degrees")
    np.testing.assert_array_equal(degrees(made), degrees(graph))
    assert joint_degrees(made) == joint_degrees(graph)


@given(ANY_GRAPH, st.integers(0, 2**63))
@settings(max_examples=40, deadline=None)
def test_erdos_renyi_keeps_the_numbers_of_single_and_mutual_edges(graph, seed):
    made = random_graph(graph, seed, null="erdos-renyi")
    np.testing.assert_array_equal(degrees(made).sum(axis=1), degrees(graph).sum(axis=1))


def test_degrees_does_not_keep_which_edges_are_mutual():
    graph = brute_force.random_graph(30, 200, directed=True)
    mutual = {degrees(random_graph(graph, seed, null="degrees"))[2].sum() for seed in range(10)}
    assert len(mutual) > 1


def connected_classes(keys: list, moves: np.ndarray) -> tuple[int, int]:
    """Return how many components the moves [2, M] leave, and how many classes of equal keys there are."""
    matrix = coo_array((np.ones(moves.shape[1], np.int8), tuple(moves)), shape=(len(keys), len(keys)))
    return connected_components(matrix, directed=False)[0], len(set(keys))


def arc_moves(n: int, *, cycles: bool = True) -> tuple[list, np.ndarray]:
    """Return the degrees of every digraph of n nodes as a number, and every move of the null model "degrees"."""
    bit = {pair: 1 << p for p, pair in enumerate(permutations(range(n), 2))}
    numbers = np.arange(1 << len(bit))
    keys = np.zeros(len(numbers), np.int64)
    for (a, b), value in bit.items():
        keys += (numbers & value > 0) * (n ** (2 * a) + n ** (2 * b + 1))
    changes = [(bit[a, b] | bit[c, d], bit[a, d] | bit[c, b]) for a, b, c, d in permutations(range(n), 4)]
    if cycles:
        changes += [
            (bit[a, b] | bit[b, c] | bit[c, a], bit[b, a] | bit[c, b] | bit[a, c])
            for a, b, c in permutations(range(n), 3)
        ]
    moves = [np.zeros((2, 0), np.int64)]
    for old, new in changes:
        movable = numbers[numbers & (old | new) == old]
        moves.append(np.stack([movable, movable ^ old ^ new]))
    return keys.tolist(), np.concatenate(moves, axis=1)


@pytest.mark.parametrize("n", [3, 4, pytest.param(5, marks=pytest.mark.slow)])
def test_switches_and_turned_cycles_reach_every_digraph_with_the_same_degrees(n):
    components, classes = connected_classes(*arc_moves(n))
    assert components == classes


def test_switches_alone_do_not_turn_a_cycle():
    components, classes = connected_classes(*arc_moves(3, cycles=False))
    assert components > classes


@pytest.mark.parametrize("n", [4, 5])
def test_switches_of_equal_degrees_reach_every_graph_with_the_same_joint_degrees(n):
    pairs = list(combinations(range(n), 2))
    bit = {frozenset(pair): 1 << p for p, pair in enumerate(pairs)}
    keys, moves = [], []
    for number in range(1 << len(pairs)):
        edges = [pair for pair in pairs if number & bit[frozenset(pair)]]
        degree = Counter(v for edge in edges for v in edge)
        joint = Counter(tuple(sorted((degree[u], degree[v]))) for u, v in edges)
        keys.append((tuple(degree[v] for v in range(n)), frozenset(joint.items())))
        for e, f in combinations(edges, 2):
            for (a, b), (c, d) in ((e, f), (e, f[::-1]), (e[::-1], f), (e[::-1], f[::-1])):
                if len({a, b, c, d}) == 4 and degree[b] == degree[d]:
                    new = bit[frozenset((a, d))] | bit[frozenset((c, b))]
                    if not number & new:
                        moves.append((number, number ^ bit[frozenset(e)] ^ bit[frozenset(f)] ^ new))
    components, classes = connected_classes(keys, np.array(moves).T)
    assert components == classes


@pytest.mark.parametrize(
    ("null", "directed", "edges", "expected"),
    [
        ("degrees", True, ([0, 1, 2, 0, 3], [1, 2, 0, 3, 1]), None),
        ("degrees", True, ([0, 1, 2], [1, 2, 0]), 2),
        ("joint-degrees", False, ([0, 1, 2, 3, 4], [1, 2, 3, 4, 5]), None),
        ("erdos-renyi", True, ([0, 1, 2], [1, 0, 3]), 6 * 5 * 2),
        ("erdos-renyi", False, ([0, 1, 2, 3, 0], [1, 2, 3, 0, 2]), 6),
    ],
)
def test_every_graph_that_shares_it_is_as_likely(null, directed, edges, expected):
    nodes = max(max(edges[0]), max(edges[1])) + 1
    graph = Graph.from_edges(*edges, num_nodes=nodes, directed=directed)
    found: Counter = Counter()
    for seed in range(2500):
        rows, cols = random_graph(graph, seed, null=null, switches=30).edges()
        found[tuple(sorted((rows * nodes + cols).tolist()))] += 1
    sharing = expected if expected is not None else graphs_alike(graph, null)
    assert len(found) == sharing > 1
    assert chisquare(list(found.values())).pvalue > 1e-3


def graphs_alike(graph: Graph, null: str) -> int:
    """Count the graphs that share what the null model keeps, by trying all."""
    n, m = graph.num_nodes, graph.num_edges
    if null == "degrees":
        keys, _ = arc_moves(n)
        out, into = dense(graph).sum(axis=1), dense(graph).sum(axis=0)
        return keys.count(sum(int(out[v]) * n ** (2 * v) + int(into[v]) * n ** (2 * v + 1) for v in range(n)))
    groups: defaultdict = defaultdict(int)
    for chosen in combinations(list(combinations(range(n), 2)), m):
        other = Graph.from_edges(*np.array(chosen).T, num_nodes=n, directed=False)
        groups[tuple(degrees(other)[2].tolist()), frozenset(joint_degrees(other).items())] += 1
    return groups[tuple(degrees(graph)[2].tolist()), frozenset(joint_degrees(graph).items())]


@pytest.mark.parametrize("null", NULL_MODELS)
def test_a_seed_names_a_random_graph(null):
    graph = brute_force.random_graph(40, 200, directed=True)
    one, again, other = (dense(random_graph(graph, seed, null=null)) for seed in (1, 1, 2))
    np.testing.assert_array_equal(one, again)
    assert not np.array_equal(one, other)


def test_significance_names_the_null_model_and_uses_it():
    graph = brute_force.random_graph(40, 200, directed=True)
    results = {null: significance(graph, "M4", samples=6, null=null) for null in NULL_MODELS}
    assert all(result.null == null for null, result in results.items())
    assert len({tuple(result.samples.ravel().tolist()) for result in results.values()}) == len(NULL_MODELS)


@pytest.mark.parametrize(
    "call", [lambda g: random_graph(g, 0, null="degree"), lambda g: significance(g, null="degree")]
)
def test_an_unknown_name_is_answered_with_the_nearest(call):
    with pytest.raises(InputError, match="unknown null model 'degree': did you mean 'degrees'"):
        call(brute_force.hub_graph(True))


@pytest.mark.parametrize("null", NULL_MODELS)
@pytest.mark.parametrize("nodes", [0, 1, 3])
def test_a_graph_without_edges_stays_as_it_is(null, nodes):
    empty = Graph.from_edges([], [], num_nodes=nodes, directed=True)
    assert random_graph(empty, 0, null=null).num_edges == 0


def test_a_complete_graph_stays_as_it_is():
    low, high = np.triu_indices(5, 1)
    graph = Graph.from_edges(low, high, num_nodes=5, directed=False)
    for null in NULL_MODELS:
        np.testing.assert_array_equal(dense(random_graph(graph, 3, null=null)), dense(graph))
