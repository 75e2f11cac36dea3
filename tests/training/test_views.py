"""Training from sampled neighbourhoods: exact inference, the same losses, the same numbers again."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn
from torch_geometric.nn import GCNConv, MixHopConv, Sequential, SGConv

from infomotif import Graph, InfoMotif, InputError, make_roles
from infomotif.errors import ElsewhereError
from infomotif.nn import Adjacency
from infomotif.training import random_split
from infomotif.training.build import needs_sampling
from infomotif.training.distributed import World, current_world
from infomotif.training.inference import hops_of, infer_in_blocks
from infomotif.training.presets import make_settings
from tests.models import make_model


def roles() -> Graph:
    return make_roles(num_nodes=160)


def fitted(**changes) -> InfoMotif:
    graph = roles()
    split = random_split(graph.y, 0.4)
    options = {"hidden": 16, "epochs": 3, "sampling": "neighbours", "batch_size": 40, "fanout": 3, **changes}
    return make_model(options.pop("encoder", "gcn"), progress=False, **options).fit(graph, split.train, split.val)


def rows_of(model: InfoMotif, graph: Graph):
    return lambda nodes: model.features_.reader(graph, None)(nodes)


@pytest.mark.parametrize("encoder", ["gcn", "gat", "jknet", "sage", "gin", "appnp", "gcnii", "mlp"])
def test_inference_in_blocks_is_exact(encoder):
    model, graph = fitted(encoder=encoder), roles()
    whole = model.network_.infer(model.features_.apply(graph, None), Adjacency.from_graph(graph))
    options = {"hops": 4, "device": torch.device("cpu"), "block": 37}
    blocks = infer_in_blocks(model.network_, graph, rows_of(model, graph), **options)
    for one, other in zip(whole, blocks, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(model.output_.logits, whole.logits, rtol=1e-6, atol=1e-6)


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


@pytest.mark.parametrize(("layers", "hops"), [("convolutions", 2), ("steps", 2), ("powers", 3)])
def test_inference_in_blocks_is_exact_for_modules_that_go_by_degrees(layers, hops):
    width, graph = roles().num_attributes, roles()
    made = {
        "convolutions": [GCNConv(width, 8), GCNConv(8, 8)],
        "steps": [SGConv(width, 8, K=2)],
        "powers": [MixHopConv(width, 8, powers=[0, 1, 3])],
    }
    module = Sequential("x, edge_index", [(layer, "x, edge_index -> x") for layer in made[layers]])
    assert hops_of(module, None) == hops
    model = make_model(module, epochs=1, preset="base", progress=False).fit(graph, np.arange(60), np.arange(60, 80))
    options = {"hops": hops, "device": torch.device("cpu"), "block": 9}
    blocks = infer_in_blocks(model.network_, graph, rows_of(model, graph), **options)
    torch.testing.assert_close(blocks.logits, model.output_.logits, rtol=1e-5, atol=1e-5)


def test_any_module_trains_on_samples_if_it_says_how_far_it_looks():
    width = roles().num_attributes
    with pytest.raises(InputError, match="layers must say how many hops your encoder reaches"):
        fitted(encoder=Mean(width))
    model = fitted(encoder=Mean(width), layers=2)
    graph = roles()
    whole = model.network_.infer(model.features_.apply(graph, None), Adjacency.from_graph(graph))
    torch.testing.assert_close(model.output_.logits, whole.logits, rtol=1e-5, atol=1e-5)


def test_hops_of_a_pyg_module_are_its_message_passing_layers():
    from torch_geometric.nn import GCN

    assert hops_of(GCN(4, 8, 3), None) == 3
    assert hops_of(nn.Linear(2, 2), 5) == 5


def test_sampling_is_chosen_by_memory_and_company(monkeypatch):
    graph, alone = roles(), World()
    assert not needs_sampling(make_settings(), graph, 256, alone)
    assert needs_sampling(make_settings(), graph, 256, World(0, 2))
    assert needs_sampling(make_settings(sampling="neighbours"), graph, 256, alone)
    assert not needs_sampling(make_settings(sampling="none"), graph, 256, World(0, 2))
    monkeypatch.setattr("infomotif.training.build._physical_memory", lambda: 1 << 20)
    assert needs_sampling(make_settings(), graph, 256, alone)


def test_parts_of_a_world_cover_everything_once():
    for count in (0, 1, 5, 100):
        parts = [World(rank, 3).bounds(count) for rank in range(3)]
        assert [i for a, b in parts for i in range(a, b)] == list(range(count))


def test_without_torchrun_a_process_is_alone(monkeypatch):
    monkeypatch.delenv("TORCHELASTIC_RUN_ID", raising=False)
    assert current_world() == World(0, 1)
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "x")
    monkeypatch.setenv("WORLD_SIZE", "two")
    with pytest.raises(InputError, match="WORLD_SIZE"):
        current_world()


def test_processes_agree_on_one_refusal(monkeypatch):
    said = {0: "", 1: "no such file"}
    monkeypatch.setattr(World, "agree", lambda self, text, rank=0: said[rank])
    monkeypatch.setattr(World, "wait", lambda self: None)
    with pytest.raises(ElsewhereError), World(0, 2).in_unison():
        pass
    with pytest.raises(InputError, match="no such file") as caught, World(1, 2).in_unison():
        raise InputError("no such file")
    assert not isinstance(caught.value, ElsewhereError)
    said[1] = ""
    with World(0, 2).in_unison():
        pass
