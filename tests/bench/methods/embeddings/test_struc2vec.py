"""struc2vec: nodes with the same surroundings are near each other, wherever they are."""

from __future__ import annotations

import itertools

import networkx as nx
import numpy as np
import pytest
from scipy.stats import chisquare

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import get_method
from infomotif_bench.methods.embeddings import struc2vec_layers
from infomotif_bench.methods.embeddings.struc2vec_layers import (
    all_pairs,
    build_layers,
    pairs_of_similar_degree,
    structural_distances,
)
from infomotif_bench.methods.embeddings.walks import cumulated_weights
from infomotif_bench.methods.kernels.dtw import exact_dtw, sequence_distance
from infomotif_bench.methods.kernels.walks import layer_walks
from tests.bench.methods.made import lonely
from tests.bench.methods.roles import barbell, mirrored_karate, separation

METHOD = get_method("struc2vec")


def embed(graph, seed=0, **changes):
    return METHOD.embed(graph, {**METHOD.defaults(), "dimension": 16, "length": 40, **changes}, seed)


def plain_dtw(x, count_x, y, count_y):
    """The recursion, word for word."""
    table = np.full((len(x) + 1, len(y) + 1), np.inf)
    table[0, 0] = 0
    for i, j in itertools.product(range(len(x)), range(len(y))):
        cost = (max(x[i], y[j]) / min(x[i], y[j]) - 1) * max(count_x[i], count_y[j])
        table[i + 1, j + 1] = cost + min(table[i, j], table[i + 1, j], table[i, j + 1])
    return table[-1, -1]


def plain_distances(graph, first, second, layers):
    """f_k by networkx and the plain recursion over full sequences."""
    joined = nx.Graph()
    joined.add_nodes_from(range(graph.num_nodes))
    joined.add_edges_from(zip(*(side.tolist() for side in graph.edges()), strict=True))
    far = dict(nx.all_pairs_shortest_path_length(joined))

    def ring(u, k):
        return sorted(joined.degree(v) for v, steps in far[u].items() if steps == k)

    found = np.full((layers + 1, len(first)), np.inf)
    for pair, (u, v) in enumerate(zip(first.tolist(), second.tolist(), strict=True)):
        total = 0.0
        for k in range(layers + 1):
            a, b = ring(u, k), ring(v, k)
            if not a or not b:
                break
            total += plain_dtw(a, np.ones(len(a)), b, np.ones(len(b)))
            found[k, pair] = total
    return found


@pytest.mark.parametrize("seed", range(5))
def test_warping_is_that_of_the_plain_recursion(seed):
    rng = np.random.default_rng(seed)
    x, y = np.sort(rng.integers(1, 50, rng.integers(1, 30))), np.sort(rng.integers(1, 50, rng.integers(1, 60)))
    count_x, count_y = rng.integers(1, 9, len(x)), rng.integers(1, 9, len(y))
    assert exact_dtw(x, count_x, y, count_y) == pytest.approx(plain_dtw(x, count_x, y, count_y))


@pytest.mark.parametrize("seed", range(5))
def test_fast_warping_of_long_sequences_is_near_the_exact_one_and_never_below(seed):
    rng = np.random.default_rng(seed)
    x, y = np.sort(rng.zipf(1.8, 301) % 97 + 1), np.sort(rng.zipf(1.6, 180) % 97 + 1)
    ones_x, ones_y = np.ones(301, np.int64), np.ones(180, np.int64)
    exact, fast = exact_dtw(x, ones_x, y, ones_y), sequence_distance(x, ones_x, y, ones_y)
    assert exact - 1e-9 <= fast <= 1.1 * exact


def test_distances_of_all_rings_are_those_of_the_definition():
    graph = bench_graph("karate")
    first, second = all_pairs(34)
    found = structural_distances(graph, first, second, layers=3, compress=False)
    np.testing.assert_allclose(found, plain_distances(graph, first, second, 3))
    # Compressed sequences keep exactly the degrees: equal ones stay at distance 0, others stay apart.
    compressed = structural_distances(graph, first, second, layers=3, compress=True)
    np.testing.assert_array_equal(found == 0, compressed == 0)
    np.testing.assert_array_equal(np.isinf(found), np.isinf(compressed))


def test_all_layers_are_as_many_as_the_diameter():
    path = Graph.from_edges(range(6), range(1, 7), num_nodes=7, directed=False)
    first, second = all_pairs(7)
    assert len(structural_distances(path, first, second, layers=None, compress=True)) == 7


def test_every_node_is_compared_with_nodes_of_about_its_degree():
    graph = bench_graph("ba-200-3")
    first, second = pairs_of_similar_degree(graph, np.random.default_rng(0))
    degrees = graph.degrees.astype(float)
    assert len(set(zip(first.tolist(), second.tolist(), strict=True))) == len(first) < 200 * 8
    assert np.bincount(np.concatenate([first, second]), minlength=200).min() >= 8
    assert np.abs(degrees[first] - degrees[second]).mean() < 0.3 * np.abs(degrees[:, None] - degrees).mean()


def test_walks_stay_and_change_layers_as_weights_say():
    first, second = all_pairs(3)
    distances = np.array([[0.0, 0.5, 1.0], [0.2, np.inf, np.inf]])
    layers = build_layers(3, first, second, distances)
    weights = np.exp(-distances[0])
    assert layers.rows.indptr.tolist() == [0, 2, 4, 6, 7, 8, 8]
    heavy = [(weights > weights.mean())[[0, 1]].sum(), (weights > weights.mean())[[0, 2]].sum()]
    # From layer 0 the only way is up, where there is one; layer 1 is the last.
    assert layers.up[:3].tolist() == [1.0, 1.0, 0.0]
    assert layers.up[3:].tolist() == [0.0, 0.0, 0.0]
    assert heavy == [1, 1]
    walks = np.empty((30_000, 2), np.int32)
    rows, starts = layers.rows, np.zeros(30_000, np.int64)
    layer_walks(
        0, 30_000, starts, 3, rows.indptr, rows.indices, cumulated_weights(rows), layers.up, 0.3, np.uint64(5), walks
    )
    # Layers alternate until the walk stays: it stays in layer 0 with chance 0.3 / (1 - 0.7 ** 2).
    below = 0.3 / (1 - 0.49)
    to_one = below * weights[0] / (weights[0] + weights[1]) + (1 - below)
    seen = np.bincount(walks[:, 1], minlength=3)
    assert chisquare(seen[1:], 30_000 * np.array([to_one, 1 - to_one])).pvalue > 1e-4


def test_a_node_above_layer_0_goes_up_by_the_number_of_heavy_edges():
    first, second = all_pairs(4)
    f = np.array([0.0, 3.0, 3.0, 3.0, 3.0, 3.0])
    layers = build_layers(4, first, second, np.stack([f, f, f]))
    expected = np.log(np.e + np.array([1, 1, 0, 0]))
    np.testing.assert_allclose(layers.up.reshape(3, 4)[1], expected / (expected + 1))


@pytest.mark.parametrize("made", [mirrored_karate, barbell])
def test_nodes_of_the_same_role_are_nearer_than_others(made):
    graph, roles = made()
    assert separation(embed(graph, walks=20, epochs=5), roles) < 0.5


@pytest.mark.parametrize("changes", [{"similar_degree": False}, {"compress": False}, {"layers": None}])
def test_roles_are_found_with_each_optimisation_left_out(changes):
    graph, roles = barbell()
    assert separation(embed(graph, walks=20, epochs=5, **changes), roles) < 0.6


def test_the_same_seed_gives_the_same_bits():
    graph = bench_graph("karate")
    np.testing.assert_array_equal(embed(graph, 3), embed(graph, 3))
    assert not np.array_equal(embed(graph, 3), embed(graph, 4))


def test_nodes_without_edges_share_a_role():
    assert np.isfinite(embed(lonely(0))).all()
    graph = lonely(12)
    found = embed(graph, walks=20, epochs=5)
    assert np.isfinite(found).all()
    assert separation(found, graph.degrees > 0) < 1
    alone = Graph.from_edges([], [], num_nodes=1, directed=False)
    assert not embed(alone).any()


def test_too_many_nodes_for_an_option_are_refused(monkeypatch):
    graph = Graph.from_edges([0], [1], num_nodes=30_000, directed=False)
    with pytest.raises(InputError, match="set similar_degree to True"):
        embed(graph, similar_degree=False)
    with pytest.raises(InputError, match="set compress to True"):
        embed(graph, compress=False)
    monkeypatch.setattr(struc2vec_layers, "MAX_DISTANCES", 10_000)
    path = Graph.from_edges(np.arange(79), np.arange(1, 80), num_nodes=80, directed=False)
    with pytest.raises(InputError, match="too many to compare: lower layers"):
        embed(path, layers=None)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"stay": 1e-12}, "stay must be from 0.001 to 1"),
        ({"stay": 1.5}, "stay must be from 0.001 to 1"),
        ({"layers": -1}, "layers must be from 0"),
        ({"compress": 1}, "compress must be yes or no"),
        ({"similar_degree": "yes"}, "similar_degree must be true or false, not text"),
        ({"dimension": 0}, "dimension must be from 1"),
    ],
)
def test_hostile_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        METHOD.check(settings)
