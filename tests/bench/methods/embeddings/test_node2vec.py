"""node2vec: nodes that walks meet together are near each other."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import get_method
from tests.bench.methods.made import lonely

METHOD = get_method("node2vec")


def embed(graph, seed=0, **changes):
    return METHOD.embed(graph, {**METHOD.defaults(), "dimension": 16, "length": 20, **changes}, seed)


def test_nodes_of_a_community_are_nearer_than_others():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1, 2], 20)
    dense = rng.random((60, 60)) < np.where(y[:, None] == y, 0.4, 0.01)
    graph = Graph.from_edges(*np.nonzero(np.triu(dense, 1)), num_nodes=60, directed=False)
    found = embed(graph, epochs=5, q=0.5)
    unit = found / np.linalg.norm(found, axis=1, keepdims=True)
    cosine, same = unit @ unit.T, (y[:, None] == y) & ~np.eye(60, dtype=bool)
    assert cosine[same].mean() > cosine[y[:, None] != y].mean() + 0.3
    np.fill_diagonal(cosine, -1)
    assert (y[cosine.argmax(axis=1)] == y).mean() > 0.9


def test_the_same_seed_gives_the_same_bits():
    graph = bench_graph("karate")
    np.testing.assert_array_equal(embed(graph, 3, p=0.5), embed(graph, 3, p=0.5))
    assert not np.array_equal(embed(graph, 3), embed(graph, 4))


def test_nodes_without_edges_have_zeros():
    assert not embed(lonely(0)).any()
    graph = lonely(12)
    np.testing.assert_array_equal(embed(graph).any(axis=1), graph.degrees > 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"p": 0}, "p must be from 1e-06"),
        ({"p": 1e7}, "p must be from 1e-06 to 1e\\+06"),
        ({"p": 10**400}, "p must be a finite number"),
        ({"q": np.complex64(2)}, "q must be a number"),
        ({"q": float("nan")}, "q must be a finite number"),
        ({"length": 1}, "length must be from 2"),
        ({"length": 10_001}, "length must be from 2 to 10,000"),
        ({"walks": 0}, "walks must be from 1"),
        ({"negatives": -1}, "negatives must be from 0"),
        ({"window": 2.5}, "window must be a whole number"),
        ({"dimensions": 3}, "did you mean 'dimension'"),
    ],
)
def test_hostile_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        METHOD.check(settings)
