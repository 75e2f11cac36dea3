"""DRNE: a node is what its neighbours compose."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.spatial.distance import cdist

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import get_method
from infomotif_bench.methods.embeddings.drne import NormalizedLSTM, _Neighbours
from tests.bench.methods.made import lonely

METHOD = get_method("drne")


def embed(graph, seed=0, **changes):
    return METHOD.embed(graph, {**METHOD.defaults(), "hidden": 8, "epochs": 3, **changes}, seed)


def test_nodes_of_about_the_same_degree_are_near_each_other():
    graph = bench_graph("ba-150-2")
    log_degree = np.log1p(graph.degrees.astype(float))
    between = np.abs(log_degree[:, None] - log_degree)

    def among_the_nearest(found):
        distance = cdist(found, found)
        np.fill_diagonal(distance, np.inf)
        return np.take_along_axis(between, distance.argsort(axis=1)[:, :5], axis=1).mean() / between.mean()

    for seed in range(3):
        learned = among_the_nearest(embed(graph, seed, hidden=16, epochs=30))
        assert learned < 0.075
        # Sums over neighbours tell degrees without learning, but less.
        assert learned < 0.8 * among_the_nearest(embed(graph, seed, hidden=16, epochs=1, lr=1e-12))


def test_the_state_after_padded_neighbours_is_that_after_the_real_ones():
    torch.manual_seed(0)
    lstm = NormalizedLSTM(4)
    sequences, lengths = torch.randn(3, 5, 4), torch.tensor([5, 2, 3])
    together = lstm(sequences, lengths)
    for row, length in enumerate(lengths.tolist()):
        alone = lstm(sequences[row : row + 1, :length], torch.tensor([length]))
        torch.testing.assert_close(together[row], alone[0])


def test_neighbours_come_by_degree_and_no_more_than_asked_for():
    graph = bench_graph("karate")
    drawn = _Neighbours.draw(graph, 4, np.random.default_rng(0))
    assert drawn.lengths.tolist() == np.minimum(graph.degrees, 4).tolist()
    for v in range(34):
        mine = drawn.indices[drawn.indptr[v] : drawn.indptr[v + 1]]
        assert set(mine) <= set(graph.undirected.indices[graph.undirected.indptr[v] : graph.undirected.indptr[v + 1]])
        assert len(set(mine)) == len(mine)
        assert (np.diff(graph.degrees[mine]) >= 0).all()


def test_neighbours_are_drawn_by_degree():
    # Node 0 joins 1 (degree 9) and 2 to 9 (degree 1): one draw takes node 1 with chance 9 / 17.
    source, target = [0] * 9 + [1] * 8, [*range(1, 10), *range(10, 18)]
    graph = Graph.from_edges(source, target, num_nodes=18, directed=False)
    taken = [_Neighbours.draw(graph, 1, np.random.default_rng(seed)).indices[0] for seed in range(1000)]
    assert np.mean(np.array(taken) == 1) == pytest.approx(9 / 17, abs=0.06)


def test_every_node_with_neighbours_is_in_one_batch():
    drawn = _Neighbours.draw(lonely(12), 5, np.random.default_rng(0))
    nodes = np.concatenate(list(drawn.batches(4, np.random.default_rng(1))))
    assert sorted(nodes.tolist()) == np.flatnonzero(drawn.lengths).tolist()


def test_the_same_seed_gives_the_same_bits():
    graph = bench_graph("karate")
    np.testing.assert_array_equal(embed(graph, 3), embed(graph, 3))
    assert not np.array_equal(embed(graph, 3), embed(graph, 4))


def test_nodes_without_edges_have_zeros():
    assert not embed(lonely(0)).any()
    graph = lonely(12)
    found = embed(graph)
    assert np.isfinite(found).all()
    np.testing.assert_array_equal(found.any(axis=1), graph.degrees > 0)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"hidden": 0}, "hidden must be from 1"),
        ({"epochs": 1.5}, "epochs must be a whole number"),
        ({"batch_size": None}, "batch_size must be a whole number"),
        ({"neighbours": -3}, "neighbours must be from 1"),
        ({"lr": 0}, "lr must be above 0"),
        ({"lr": float("inf")}, "lr must be a finite number"),
        ({"lr": 1e38}, "lr must be above 0 and at most 1e\\+37"),
        ({"degree_weight": 1e38}, "degree_weight must be from 0 to 1e\\+06"),
        ({"degree_weight": -1}, "degree_weight must be from 0 to 1e\\+06"),
        ({"neighbors": 3}, "did you mean 'neighbours'"),
    ],
)
def test_hostile_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        METHOD.check(settings)
