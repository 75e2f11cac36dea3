"""MCN: each node picks a motif and a number of steps."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif.baselines import get_method
from infomotif.baselines.mcn import MotifChoice
from infomotif.baselines.motif_cnn import row_normalized
from infomotif.bench.graphs import bench_graph, split_of
from infomotif.errors import InputError
from infomotif.motifs import MotifIndex
from infomotif.nn import Adjacency, SparseMatrix
from infomotif.training import random_split
from tests.baselines.made import BIPARTITE, PRISM, copies, logits, lonely

METHOD = get_method("mcn")


def test_it_tells_triangles_in_a_regular_graph_which_gcn_cannot():
    graph = copies(PRISM, BIPARTITE)
    split = random_split(graph.y, 0.4)
    seen = METHOD.run(graph, split, {"epochs": 60, "hidden": 16}, seed=0).test_accuracy
    blind = get_method("gcn").run(graph, split, {"epochs": 60, "hidden": 16}, seed=0).test_accuracy
    assert seen > 0.98
    assert blind < 0.65


def choice(graph, steps):
    torch.manual_seed(0)
    walks = [row_normalized(MotifIndex(graph).adjacency(name)) for name in ("M6", "M7")]
    layer = MotifChoice(5, 3, walks=walks, steps=steps, counts=torch.randn(34, 2), temperature=1.0)
    return layer, [walk.to_dense() for walk in walks]


def test_a_node_takes_the_power_that_it_picked_and_no_other():
    graph = bench_graph("karate")
    layer, walks = choice(graph, steps=3)
    layer.eval()
    x = torch.randn(34, 5)
    projected = layer.project(x)
    own, other, scores = projected.split([3, 3, 5], dim=1)
    scores = scores + layer.by_count(layer.counts)
    motif, step = scores[:, :2].argmax(dim=1), scores[:, 2:].argmax(dim=1)
    powers = [[torch.linalg.matrix_power(walk, k + 1) @ other for k in range(3)] for walk in walks]
    rows = [powers[int(motif[v])][int(step[v])][v] for v in range(34)]
    expected = own + torch.stack(rows) + layer.bias
    torch.testing.assert_close(layer.spread(projected, Adjacency.from_graph(graph)), expected)
    assert len(set(motif.tolist())) == 2


def test_training_draws_hard_choices_that_carry_a_gradient():
    layer, _ = choice(bench_graph("karate"), steps=2)
    scores = torch.zeros(2000, 2, requires_grad=True)
    drawn = layer._pick(scores)
    torch.testing.assert_close(drawn.detach().amax(dim=1), torch.ones(2000))
    assert 0.4 < drawn[:, 0].mean() < 0.6
    (drawn * torch.tensor([1.0, 3.0])).sum().backward()
    assert (scores.grad[:, 1] > 0).all()


def test_sparse_attributes_give_what_dense_ones_give():
    graph = lonely(20)
    encoder = METHOD.module(graph, {**METHOD.defaults(), "hidden": 8}, 0).eval()
    sparse, adjacency = SparseMatrix.from_scipy(np.array(graph.x)), Adjacency.from_graph(graph)
    torch.testing.assert_close(encoder(sparse, adjacency), encoder(torch.tensor(graph.x), adjacency))


def test_the_same_seed_gives_the_same_bits():
    graph = bench_graph("karate")
    assert torch.equal(logits(METHOD, graph, 3), logits(METHOD, graph, 3))
    assert not torch.equal(logits(METHOD, graph, 3), logits(METHOD, graph, 4))


@pytest.mark.parametrize("edges", [0, 12])
def test_nodes_without_edges_are_labelled_too(edges):
    assert torch.isfinite(logits(METHOD, lonely(edges), 0)).all()


def test_another_graph_is_refused():
    encoder = METHOD.module(lonely(20), METHOD.defaults(), 0)
    with pytest.raises(InputError, match="its own 30 nodes"):
        encoder(torch.ones(2, 4), torch.tensor([[0, 1], [1, 0]]))


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": 0}, "steps must be a whole number from 1 to 100"),
        ({"steps": 10**9}, "steps must be a whole number from 1 to 100"),
        ({"steps": True}, "steps must be a whole number"),
        ({"steps": 1.5}, "steps must be a whole number"),
        ({"steps": None}, "steps must be a whole number"),
        ({"temperature": 0}, "temperature must be above 0"),
        ({"temperature": float("nan")}, "temperature must be a finite number"),
        ({"temperature": "warm"}, "temperature must be a finite number"),
        ({"step": 2}, "did you mean 'steps'"),
        ({"lr": -1.0}, "lr must be above 0"),
        ({"sampling": "neighbours"}, "mcn trains on whole graphs only"),
    ],
)
def test_hostile_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        METHOD.check(settings)


def test_accuracy_on_brazil():
    outcome = METHOD.run(bench_graph("brazil"), split_of("brazil", 0.6, 0), {}, seed=0)
    assert outcome.test_accuracy == pytest.approx(10 / 26, abs=2.1 / 26)


def test_its_steps_are_not_those_of_the_trainer():
    assert METHOD.defaults()["steps"] == 2
    assert METHOD.differing({"steps": 10}) == {"steps": 10}
    assert METHOD.trainer_settings({"steps": 3, "lr": 0.1}) == {"lr": 0.1}
