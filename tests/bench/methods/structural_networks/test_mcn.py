"""MCN: each node picks a motif and a number of steps."""

from __future__ import annotations

import pytest
import torch

from infomotif.errors import InputError
from infomotif.motifs import MotifIndex
from infomotif.nn import Adjacency
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import get_method
from infomotif_bench.methods.structural_networks.mcn import MotifChoice
from infomotif_bench.methods.structural_networks.motif_cnn import row_normalized

METHOD = get_method("mcn")


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


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"steps": 0}, "steps must be from 1 to 100"),
        ({"steps": 10**9}, "steps must be from 1 to 100"),
        ({"steps": True}, "steps must be a whole number"),
        ({"steps": 1.5}, "steps must be a whole number"),
        ({"steps": None}, "steps must be a whole number"),
        ({"temperature": 0}, "temperature must be at least 0.001"),
        ({"temperature": float("nan")}, "temperature must be a finite number"),
        ({"temperature": "warm"}, "temperature must be a number"),
        ({"step": 2}, "did you mean 'steps'"),
        ({"lr": -1.0}, "lr must be above 0"),
        ({"sampling": "neighbours"}, "mcn trains on whole graphs only"),
        ({"sampling": "auto"}, "mcn trains on whole graphs only"),
    ],
)
def test_hostile_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        METHOD.check(settings)


def test_its_steps_are_not_those_of_the_trainer():
    assert METHOD.defaults()["steps"] == 2
    assert METHOD.differing({"steps": 10}) == {"steps": 10}
    assert METHOD.trainer_settings({"steps": 3, "lr": 0.1}) == {"lr": 0.1}
