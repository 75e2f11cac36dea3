"""Inference in blocks: exact for every encoder and module, whatever the size of a block."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import nn
from torch_geometric.nn import GCNConv, MixHopConv, Sequential, SGConv

from infomotif import Graph, InfoMotif, make_roles
from infomotif.nn import Adjacency
from infomotif.training import random_split
from infomotif.training.inference import hops_of, infer_in_blocks
from tests.models import make_model


def roles() -> Graph:
    return make_roles(num_nodes=160)


def fitted(encoder) -> InfoMotif:
    graph = roles()
    split = random_split(graph.y, 0.4)
    options = {"hidden": 16, "epochs": 3, "sampling": "neighbours", "batch_size": 40, "fanout": 3}
    return make_model(encoder, progress=False, **options).fit(graph, split.train, split.val)


def rows_of(model: InfoMotif, graph: Graph):
    return lambda nodes: model.features_.reader(graph, None)(nodes)


@pytest.mark.parametrize("encoder", ["gcn", "gat", "jknet", "sage", "gin", "appnp", "gcnii", "mlp"])
def test_inference_in_blocks_is_exact(encoder):
    model, graph = fitted(encoder), roles()
    whole = model.network_.infer(model.features_.apply(graph, None), Adjacency.from_graph(graph))
    options = {"hops": 4, "device": torch.device("cpu"), "block": 37}
    blocks = infer_in_blocks(model.network_, graph, rows_of(model, graph), **options)
    for one, other in zip(whole, blocks, strict=True):
        torch.testing.assert_close(one, other, rtol=1e-6, atol=1e-6)
    torch.testing.assert_close(model.output_.logits, whole.logits, rtol=1e-6, atol=1e-6)


@pytest.mark.slow
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


def test_hops_of_a_pyg_module_are_its_message_passing_layers():
    from torch_geometric.nn import GCN

    assert hops_of(GCN(4, 8, 3), None) == 3
    assert hops_of(nn.Linear(2, 2), 5) == 5
