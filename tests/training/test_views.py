"""Views: training from sampled neighbourhoods has the same losses, and the same numbers again."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn

from infomotif import Graph, InfoMotif, InputError, make_roles
from infomotif.nn import Adjacency
from infomotif.training import random_split
from infomotif.training.build import needs_sampling
from infomotif.training.distributed import World
from infomotif.training.presets import make_settings
from tests.models import make_model


def roles() -> Graph:
    return make_roles(num_nodes=160)


def fitted(**changes) -> InfoMotif:
    graph = roles()
    split = random_split(graph.y, 0.4)
    options = {"hidden": 16, "epochs": 3, "sampling": "neighbours", "batch_size": 40, "fanout": 3, **changes}
    return make_model(options.pop("encoder", "gcn"), progress=False, **options).fit(graph, split.train, split.val)


@pytest.mark.parametrize(
    "changes",
    [
        {"preset": "paper"},
        {"preset": "joint"},
        {"preset": "base"},
        {"preset": "joint", "readout_in_z": True},
        {"preset": "joint", "negatives": "swap"},
        {"preset": "paper", "structural_features": "quantiles"},
        {"preset": "joint", "accumulate": 3, "mi_share": 0.5},
    ],
)
def test_every_way_of_training_works_on_samples_and_repeats_to_the_bit(changes):
    first, again = fitted(**changes), fitted(**changes)
    assert np.array_equal(first.embed(), again.embed())
    assert first.predict().shape == (160,)


def test_a_graph_without_attributes_trains_on_samples():
    graph = roles().replace(x=None, attribute_names=())
    split = random_split(graph.y, 0.4)
    model = make_model(hidden=8, epochs=2, sampling="neighbours", batch_size=50, progress=False)
    assert model.fit(graph, split.train, split.val).embed().shape == (160, 8)


def test_one_batch_of_all_nodes_and_neighbours_learns_as_the_whole_graph_does():
    options = {"preset": "base", "dropout": 0.0, "epochs": 5, "fanout": 1000, "batch_size": 1000}
    sampled, whole = fitted(**options), fitted(**{**options, "sampling": "none"})
    losses = [[record["loss"] for record in model.history_] for model in (sampled, whole)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)


def test_batches_of_one_step_add_up_to_one_large_batch():
    options = {"preset": "base", "dropout": 0.0, "epochs": 4, "fanout": 1000}
    together = fitted(**options, batch_size=16, accumulate=4)
    large = fitted(**options, batch_size=64)
    assert len(together.split_.train) == 64
    losses = [[record["loss"] for record in model.history_] for model in (together, large)]
    assert losses[0] == pytest.approx(losses[1], rel=1e-4)


class Mean(nn.Module):
    """A user's module: mean over neighbours, twice."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = nn.Linear(width, 8)

    def forward(self, x, edge_index):
        h = self.linear(x)
        for _ in range(2):
            total = torch.zeros_like(h).index_add(0, edge_index[1], h[edge_index[0]])
            h = torch.relu(h + total / 4)
        return h


def test_any_module_trains_on_samples_if_its_hops_are_known():
    width = roles().num_attributes
    with pytest.raises(InputError, match="layers must say how many hops your encoder reaches"):
        fitted(encoder=Mean(width))
    model = fitted(encoder=Mean(width), layers=2)
    graph = roles()
    whole = model.network_.infer(model.features_.apply(graph, None), Adjacency.from_graph(graph))
    torch.testing.assert_close(model.output_.logits, whole.logits, rtol=1e-5, atol=1e-5)


def test_sampling_is_chosen_by_memory_and_company():
    graph, alone = roles(), World()
    assert not needs_sampling(make_settings(), graph, 256, alone)
    assert needs_sampling(make_settings(), graph, 256, World(0, 2))
    assert needs_sampling(make_settings(sampling="neighbours"), graph, 256, alone)
    assert not needs_sampling(make_settings(sampling="none"), graph, 256, World(0, 2))
    assert needs_sampling(make_settings(), graph, 256, alone, memory=1 << 20)
