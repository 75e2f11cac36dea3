"""PyG's explainers run on our model: masks are soft and carry gradients."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.explain import Explainer, GNNExplainer, fidelity

import infomotif as im
from infomotif.pyg import MaskableModel, MotifExplainer, dense_input

CONFIG = {"mode": "multiclass_classification", "task_level": "node", "return_type": "raw"}
ENCODERS = [
    im.GCN(hidden=8),
    im.GAT(hidden=8, heads=2),
    im.SAGE(hidden=8),
    im.GIN(hidden=8),
    im.APPNP(hidden=8),
    im.GCNII(hidden=8),
    im.JKNet(hidden=8),
]
NAMES = [encoder.name for encoder in ENCODERS]


def subject_of(encoder, **options):
    graph = im.load_dataset("karate")
    graph = graph.replace(x=np.eye(34, dtype=np.float32))
    model = im.InfoMotif(encoder, preset="joint", training=im.Training(epochs=3), progress=False, **options)
    return model.fit(graph, train=np.arange(34)[::2]).subject()


def explainer_of(subject, algorithm) -> Explainer:
    return Explainer(
        MaskableModel(subject), algorithm, explanation_type="model", edge_mask_type="object", model_config=CONFIG
    )


@pytest.mark.parametrize("encoder", ENCODERS, ids=NAMES)
def test_gnn_explainer_runs_on_every_encoder_that_weighs_messages(encoder):
    subject = subject_of(encoder)
    explainer = explainer_of(subject, GNNExplainer(epochs=5))
    explanation = explainer(dense_input(subject), subject.adjacency.edge_index, index=5)
    assert explanation.edge_mask.shape == (subject.adjacency.edge_index.shape[1],)
    assert 0 < (explanation.edge_mask > 0).sum()
    assert all(0 <= value <= 1 for value in fidelity(explainer, explanation))


@pytest.mark.parametrize("encoder", ENCODERS, ids=NAMES)
def test_a_mask_of_ones_changes_nothing(encoder):
    subject = subject_of(encoder)
    explainer = explainer_of(subject, MotifExplainer(subject))
    x, edge_index = dense_input(subject), subject.adjacency.edge_index
    masked = explainer.get_masked_prediction(x, edge_index, None, torch.ones(edge_index.shape[1]))
    torch.testing.assert_close(masked, explainer.get_prediction(x, edge_index), rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("encoder", ENCODERS, ids=NAMES)
def test_the_gradient_of_a_mask_is_that_of_finite_differences(encoder):
    subject = subject_of(encoder)
    model = MaskableModel(subject)
    x, edge_index = dense_input(subject), subject.adjacency.edge_index
    mask = torch.linspace(0.3, 0.9, edge_index.shape[1]).requires_grad_()
    model.explain, model._apply_sigmoid = True, False

    def value(given: torch.Tensor) -> torch.Tensor:
        model._edge_mask = given
        return model(x, edge_index)[5].softmax(0)[0]

    (gradient,) = torch.autograd.grad(value(mask), mask)
    edge = int(gradient.abs().argmax())
    step = torch.zeros_like(mask)
    step[edge] = 1e-3
    with torch.no_grad():
        slope = (value(mask + step) - value(mask - step)) / 2e-3
    assert slope.item() == pytest.approx(gradient[edge].item(), rel=0.05, abs=2e-4)


def test_masks_follow_their_edges_in_any_order():
    subject = subject_of(im.GCN(hidden=8))
    explainer = explainer_of(subject, MotifExplainer(subject))
    x, edge_index = dense_input(subject), subject.adjacency.edge_index
    mask = torch.rand(edge_index.shape[1], generator=torch.Generator().manual_seed(0))
    order = torch.randperm(edge_index.shape[1], generator=torch.Generator().manual_seed(1))
    straight = explainer.get_masked_prediction(x, edge_index, None, mask)
    shuffled = explainer.get_masked_prediction(x, edge_index[:, order], None, mask[order])
    torch.testing.assert_close(straight, shuffled)


def test_a_mask_multiplies_the_normalised_messages():
    subject = subject_of(im.GCN(hidden=8, layers=1), regularizer=None)
    model, x = MaskableModel(subject), dense_input(subject)
    edge_index = subject.adjacency.edge_index
    mask = torch.rand(edge_index.shape[1], generator=torch.Generator().manual_seed(0))
    dense = subject.adjacency.gcn.to_dense()
    dense[edge_index[1], edge_index[0]] *= mask
    layer = model.network.encoder.convolutions[0]
    expected = model.network.classifier((dense @ (x @ layer.product.weight) + layer.bias).relu())
    model.explain, model._apply_sigmoid, model._edge_mask = True, False, mask
    torch.testing.assert_close(model(x, edge_index), expected)


def test_encoders_that_cannot_weigh_leave_edges_out():
    subject = subject_of(im.SAGE(hidden=8, aggregator="max"))
    model, x, edge_index = MaskableModel(subject), dense_input(subject), subject.adjacency.edge_index
    mask = (torch.arange(edge_index.shape[1]) % 3 > 0).float()
    left = model(x, edge_index[:, mask > 0])
    model.explain, model._apply_sigmoid, model._edge_mask = True, False, mask
    torch.testing.assert_close(model(x, edge_index), left)
