"""GraphWave: heat spreads alike from nodes with the same surroundings."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import expm

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import get_method
from infomotif_bench.methods.embeddings.graphwave import automatic_scales
from infomotif_bench.methods.embeddings.wavelets import chebyshev_wavelets, exact_wavelets, laplacian, spectral_range
from infomotif_bench.methods.kernels.characteristic import characteristic_functions
from tests.bench.methods.made import lonely
from tests.bench.methods.roles import barbell, mirrored_karate, separation

pytestmark = pytest.mark.slow

METHOD = get_method("graphwave")


def embed(graph, seed=0, **changes):
    return METHOD.embed(graph, {**METHOD.defaults(), **changes}, seed)


@pytest.mark.parametrize("scales", [[0.01, 0.1], [1.0], [3.0, 0.0]])
def test_chebyshev_wavelets_are_the_exact_ones(scales):
    scales = np.array(scales)
    graph = bench_graph("ba-150-3")
    matrix = laplacian(graph)
    ((_, exact),) = exact_wavelets(matrix, scales)
    for own, scale in zip(exact, scales, strict=True):
        np.testing.assert_allclose(own, expm(-scale * matrix.toarray()), atol=1e-10)
    blocks = list(chebyshev_wavelets(matrix, scales, 2.0 * graph.degrees.max(), block=64))
    assert [first for first, _ in blocks] == [0, 64, 128]
    np.testing.assert_allclose(np.concatenate([own for _, own in blocks], axis=1), exact, atol=1e-9)


def test_embeddings_of_both_ways_agree():
    graph = bench_graph("ba-150-3")
    np.testing.assert_allclose(embed(graph, exact=0), embed(graph), atol=1e-7)


def test_the_ends_of_the_spectrum_are_found_on_large_graphs_too():
    graph = bench_graph("ba-1100-3")
    values = np.linalg.eigvalsh(laplacian(graph).toarray())
    assert spectral_range(laplacian(graph)) == pytest.approx((values[1], values[-1]), rel=1e-4)


def test_characteristic_functions_are_means_of_rotations():
    samples = np.random.default_rng(0).random((5, 40))
    samples[:, ::3] = 0
    real, imaginary = np.empty((5, 25)), np.empty((5, 25))
    characteristic_functions(0, 5, samples, 4.0, real, imaginary)
    points = 4.0 * np.arange(1, 26)
    expected = np.exp(1j * points[:, None, None] * samples).mean(axis=2).T
    np.testing.assert_allclose(real + 1j * imaginary, expected, atol=1e-11)


def test_scales_span_what_eta_and_gamma_ask_for():
    assert automatic_scales(2.0, 8.0, 3, 0.5, 0.9) == pytest.approx(
        [-np.log(0.9) / 4, -np.log(0.5 * 0.9) / 8, -np.log(0.5) / 4]
    )


@pytest.mark.parametrize("exact", [0, 1000])
@pytest.mark.parametrize("made", [mirrored_karate, barbell])
def test_nodes_of_the_same_role_have_the_same_embedding(made, exact):
    graph, roles = made()
    assert separation(embed(graph, exact=exact), roles) < 1e-6


def test_nothing_is_random():
    graph = bench_graph("karate")
    np.testing.assert_array_equal(embed(graph, 3), embed(graph, 4))


def test_node_numbers_do_not_matter():
    graph = bench_graph("karate")
    order = np.random.default_rng(0).permutation(34)
    source, target = graph.edges()
    other = Graph.from_edges(order[source], order[target], num_nodes=34, directed=False)
    np.testing.assert_allclose(embed(other)[order], embed(graph), atol=1e-9)


@pytest.mark.parametrize("exact", [0, 1000])
def test_nodes_without_edges_have_one_embedding(exact):
    empty = embed(lonely(0), exact=exact)
    assert empty.shape == (30, 200)
    assert (empty == empty[0]).all()
    graph = lonely(12)
    found = embed(graph, exact=exact)
    assert np.isfinite(found).all()
    isolated = found[graph.degrees == 0]
    np.testing.assert_allclose(isolated, np.broadcast_to(isolated[0], isolated.shape), atol=1e-9)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"scales": 0}, "scales must be from 1"),
        ({"points": 2.5}, "points must be a whole number"),
        ({"eta": 0}, "eta must be above 0"),
        ({"eta": 0.96}, "eta must be at most gamma"),
        ({"gamma": 1}, "gamma below 1"),
        ({"farthest": float("inf")}, "farthest must be a finite number"),
        ({"exact": -1}, "exact must be from 0"),
    ],
)
def test_hostile_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        METHOD.check(settings)
