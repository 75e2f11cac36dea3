"""Training with edge weights: the whole graph, samples, files, explanations, a custom module."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest
import torch
import torch_geometric.nn as pyg

from infomotif import Graph, InfoMotif, load
from infomotif.adapters.pyg_explainer import MaskableModel, dense_input
from infomotif.doctor import examine
from infomotif.errors import InputError
from infomotif.explain import probability_without
from infomotif.training import random_split
from tests.models import make_model

pytestmark = pytest.mark.slow

QUICK = {"hidden": 8, "epochs": 3, "q": 3, "progress": False}


@cache
def told_by_weights(n: int = 240) -> Graph:
    """Neighbours are random; those of a node's own class weigh more, and attributes are weak."""
    rng = np.random.default_rng(0)
    y = np.arange(n) % 3
    source, target = rng.integers(0, n, (2, 6 * n))
    keep = source != target
    source, target = source[keep], target[keep]
    weights = np.where(y[source] == y[target], 1.0, 0.02)
    x = np.eye(3)[y] + 1.2 * rng.standard_normal((n, 3))
    return Graph.from_edges(
        source, target, num_nodes=n, directed=False, weights=weights, x=x, y=y, class_names=["a", "b", "c"]
    )


def fitted(encoder="gcn", graph=None, **changes) -> InfoMotif:
    graph = graph or told_by_weights()
    split = random_split(graph.y, 0.3)
    return make_model(encoder, **{**QUICK, "edge_weights": True, **changes}).fit(graph, split.train, split.val)


def accuracy(model: InfoMotif) -> float:
    graph, test = told_by_weights(), model.split_.test
    return float((model.output_.logits.argmax(dim=1).numpy() == graph.y)[test].mean())


@pytest.mark.parametrize("encoder", ["gcn", "gat", "sage", "appnp"])
def test_weights_that_tell_the_class_help(encoder):
    options = {"preset": "joint", "epochs": 40}
    assert accuracy(fitted(encoder, **options)) > accuracy(fitted(encoder, edge_weights=False, **options)) + 0.15


def test_validation_finds_out():
    model = fitted(preset="auto", epochs=30, edge_weights=None)
    assert model.settings_.inputs.edge_weights
    assert any("weights" in tried.name for tried in model.choice_.tried)


def test_weights_are_not_tried_where_there_are_none():
    graph = told_by_weights()
    bare = Graph.from_edges(
        *graph.edges(), num_nodes=graph.num_nodes, directed=False, x=graph.x, y=graph.y, class_names=graph.class_names
    )
    model = fitted(graph=bare, preset="auto", edge_weights=None)
    assert not any("weights" in tried.name for tried in model.choice_.tried)
    with pytest.raises(InputError, match="edge_weights needs a graph with weights"):
        fitted(graph=bare)


@pytest.mark.parametrize("encoder", ["gcn", "gat", "jknet", "sage", "gin", "appnp", "gcnii"])
def test_samples_infer_as_the_whole_graph_does(encoder):
    model = fitted(encoder, sampling="neighbours", batch_size=50, fanout=3)
    network = model.network_
    subject = model.subject()
    torch.testing.assert_close(
        network.infer(subject.x, subject.adjacency).logits, model.output_.logits, rtol=1e-4, atol=1e-5
    )


@pytest.mark.parametrize(("encoder", "constant"), [("mlp", None), ("gcn", 1.0)])
def test_weights_that_cannot_matter_are_not_tried(encoder, constant):
    graph = told_by_weights()
    weights = graph.csr.weights if constant is None else np.full(len(graph.csr.indices), constant)
    other = Graph.from_edges(
        *graph.edges(),
        num_nodes=240,
        directed=False,
        weights=weights,
        x=graph.x,
        y=graph.y,
        class_names=graph.class_names,
    )
    model = fitted(encoder, other, preset="auto", edge_weights=None)
    assert not any("weights" in tried.name for tried in model.choice_.tried)


def test_edges_of_weight_0_stay_when_others_are_cut():
    """A module may use edges without their weights too."""

    class Both(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.one, self.other = pyg.GCNConv(3, 8), pyg.SAGEConv(3, 8)

        def forward(self, x, edge_index, edge_weight=None):
            return self.one(x, edge_index, edge_weight) + self.other(x, edge_index)

    graph = told_by_weights()
    rows, cols = graph.edges()
    weights = ((rows + cols) % 2).astype(float)
    muted = Graph.from_edges(
        rows, cols, num_nodes=240, directed=False, weights=weights, x=graph.x, y=graph.y, class_names=graph.class_names
    )
    torch.manual_seed(0)
    subject = fitted(Both(), muted, preset="base", layers=1).subject()
    near = {5, *cols[rows == 5].tolist()}
    far = next(edge for edge in zip(rows.tolist(), cols.tolist(), strict=True) if not near & set(edge))
    before, after = probability_without(subject, 5, [[], [far]])
    np.testing.assert_allclose(after, before, atol=1e-6)


def test_a_saved_model_weighs_the_same(tmp_path):
    model = fitted(preset="joint")
    again = load(model.save(tmp_path / "model"))
    np.testing.assert_allclose(again.predict_proba(told_by_weights()), model.predict_proba(), atol=1e-6)


def test_a_custom_module_gets_edge_weight():
    graph = told_by_weights()
    torch.manual_seed(0)
    module = pyg.GCN(3, 8, num_layers=2)
    model = fitted(module, preset="base")
    subject = model.subject()
    encoder = model.network_.encoder
    expected = encoder(dense_input(subject), subject.adjacency.edge_index, subject.adjacency.edge_weight)
    torch.testing.assert_close(subject.h, expected)
    sampled = fitted(module, preset="base", sampling="neighbours", batch_size=50, fanout=3)
    assert sampled.predict().shape == (graph.num_nodes,)


@pytest.mark.parametrize(
    ("encoder", "changes"),
    [
        (pyg.GraphSAGE(3, 8, num_layers=2), {}),
        ("sage", {"aggregator": "max"}),
        ("sage", {"aggregator": "lstm"}),
        ("mlp", {}),
    ],
)
def test_an_encoder_without_weights_is_refused(encoder, changes):
    with pytest.raises(InputError, match="edge_weights does not work with the encoder .*; leave it out, or take gcn"):
        fitted(encoder, **changes)


@pytest.mark.parametrize("encoder", ["gcn", "gat"])
def test_explanations_leave_weighted_edges_out(encoder):
    model, graph = fitted(encoder), told_by_weights()
    subject = model.subject()
    np.testing.assert_allclose(probability_without(subject, 5, [[]])[0], subject.probability[5], atol=1e-5)
    rows, cols = graph.edges()
    weights = graph.csr.weights
    gone = (rows == 5) | (cols == 5)
    less = Graph.from_edges(
        rows[~gone], cols[~gone], num_nodes=240, directed=False, weights=weights[~gone], x=graph.x, y=graph.y,
        class_names=graph.class_names,
    )  # fmt: skip
    cut = list(zip(rows[gone].tolist(), cols[gone].tolist(), strict=True))
    np.testing.assert_allclose(probability_without(subject, 5, [cut])[0], model.predict_proba(less)[5], atol=1e-5)


def test_pygs_explainer_is_told_when_weights_are_missing():
    subject = fitted().subject()
    model, edges = MaskableModel(subject), subject.adjacency.edge_index
    logits = model(dense_input(subject), edges, subject.adjacency.edge_weight)
    torch.testing.assert_close(logits, subject.output.logits, rtol=1e-4, atol=1e-5)
    with pytest.raises(InputError, match="trained with edge_weights; give edge_weight"):
        model(dense_input(subject), edges)
    plain = fitted(edge_weights=False).subject()
    with pytest.raises(InputError, match="trained without edge_weights; leave edge_weight out"):
        MaskableModel(plain)(dense_input(plain), edges, subject.adjacency.edge_weight)


def test_the_doctor_mentions_weights():
    found = {finding.topic: finding for finding in examine(told_by_weights()).findings}
    assert "edge weights range from 0.02 to 1; preset auto tries" in found["weights"].text
