"""Batches on their neighbourhood: losses and gradients of the whole graph; and what an evaluation may leave out."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif import Graph, InfoMotif, MotifIndex, make_roles
from infomotif.nn import Adjacency
from infomotif.training import random_split
from infomotif.training import views as views_module
from infomotif.training.batches import Neighbours, near_order
from infomotif.training.distributed import World
from infomotif.training.presets import make_settings
from infomotif.training.session import Session
from infomotif.training.views import FullGraphView, NeighbourhoodView, whole_share
from tests.models import make_model

GRAPH = make_roles(num_nodes=240)
INDEX = MotifIndex(GRAPH)
SPLIT = random_split(GRAPH.y, 0.3)


@pytest.fixture
def neighbourhoods_only(monkeypatch):
    """Let every batch be encoded from its neighbourhood, cheap or not."""
    monkeypatch.setattr(views_module, "whole_share", lambda *_: 0.0)


def prepared(encoder="gcn", preset="paper", **changes):
    options = {"hidden": 16, "dropout": 0.0, "q": 4, "batch_size": 20, **changes}
    settings = make_settings(preset, encoder, **options)
    return Session(GRAPH, settings.encoder, INDEX, 0, torch.device("cpu"), World()).training(settings, SPLIT)


def losses_and_gradients(training, view, labelled, others):
    """The losses of one batch, and the gradient of their sum by every parameter."""
    generator = np.random.default_rng(5)
    training.network.zero_grad()
    data = training.loop.data
    positions = torch.from_numpy(np.flatnonzero(np.isin(data.train.numpy(), labelled.numpy())))
    encoded = view.encode(data.train[positions], others, generator)
    losses = [training.loop.objective.supervised(encoded, positions, generator)]
    if training.network.regularizer is not None:
        losses.append(training.loop.objective.infomax(encoded, generator))
    sum(losses).backward()
    named = training.network.named_parameters()
    return losses, {name: p.grad for name, p in named if p.grad is not None}, encoded


ENCODERS = ["gcn", "gat", "jknet", "sage", "gin", "appnp", "gcnii", "mlp"]


@pytest.mark.parametrize(("encoder", "options"), [
    *((name, {}) for name in ENCODERS),
    ("gcn", {"preset": "joint", "readout_in_z": True}),
    ("gcn", {"negatives": "swap"}),
    ("gcn", {"preset": "base"}),
    ("gcn", {"encoder_residual": True, "norm": "layer"}),
])  # fmt: skip
def test_a_batch_has_the_losses_and_gradients_of_the_whole_graph(encoder, options, neighbourhoods_only):
    training = prepared(encoder, **options)
    view = training.view
    assert isinstance(view, NeighbourhoodView)
    whole = FullGraphView(training.network, view.x, view.adjacency, view.device, view.index)
    labelled, others = training.loop.data.train[:9], None
    if training.network.regularizer is not None:
        others = torch.arange(3, 240, 11)
    found, gradients, part = losses_and_gradients(training, view, labelled, others)
    expected, expected_gradients, everything = losses_and_gradients(training, whole, labelled, others)
    assert len(part.h) < 240
    assert others is None or len(everything.h) == 240
    torch.testing.assert_close(found, expected, rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(gradients, expected_gradients, rtol=1e-3, atol=1e-6)


def test_a_sparse_matrix_of_attributes_is_gathered_by_rows(neighbourhoods_only):
    import scipy.sparse as sp

    n = 400
    x = sp.random_array((n, 30), density=0.1, rng=np.random.default_rng(0), format="csr", dtype=np.float32)
    ring = Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n, num_nodes=n, directed=False, x=x, y=np.arange(n) % 2)
    settings = make_settings("base", hidden=8, dropout=0.0, batch_size=5)
    session = Session(ring, settings.encoder, None, 0, torch.device("cpu"), World())
    training = session.training(settings, random_split(ring.y, 0.1))
    whole = training.view.infer().z
    nodes = torch.arange(4)
    training.network.eval()
    encoded = training.view.encode(nodes, None, np.random.default_rng(0))
    assert len(encoded.h) == 4
    torch.testing.assert_close(encoded.h[encoded.labelled], whole[nodes])


def test_a_batch_norm_and_a_custom_module_see_the_whole_graph():
    assert type(prepared(norm="batch").view) is FullGraphView
    from torch_geometric.nn import GCNConv

    class Own(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.layer = GCNConv(GRAPH.num_attributes, 8)

        def forward(self, x, edge_index):
            return self.layer(x, edge_index)

    assert type(prepared(Own(), hidden=None, dropout=None).view) is FullGraphView


def test_one_batch_of_all_nodes_is_the_whole_graph():
    assert type(prepared(batch_size=240).view) is FullGraphView


def test_the_estimate_grows_with_the_targets_and_the_hops():
    n = 3000
    ring = Adjacency.from_graph(Graph.from_edges(np.arange(n), (np.arange(n) + 1) % n, num_nodes=n, directed=False))
    few, many = np.arange(30), np.arange(1500)
    assert 0 < whole_share(ring, few, 2, 64) < whole_share(ring, many, 2, 64)
    assert whole_share(ring, few, 2, 64) < whole_share(ring, few, 10, 64)


@pytest.mark.parametrize("options", [{}, {"preset": "joint"}, {"preset": "base"}, {"batch_order": "random"}])
def test_training_in_batches_repeats_to_the_bit_with_dropout(options):
    def embed():
        model = make_model(hidden=8, epochs=3, q=3, batch_size=60, progress=False, **options)
        return model.fit(GRAPH, SPLIT.train, SPLIT.val).embed()

    assert np.array_equal(embed(), embed())


# Batches of near nodes


def test_near_batches_have_every_node_once_and_more_neighbours_within_than_random_ones():
    neighbours = Neighbours(*GRAPH.undirected[:2])
    generator = np.random.default_rng(0)

    def within(order):
        batch = np.empty(240, dtype=int)
        batch[order] = np.arange(240) // 24
        rows = np.repeat(np.arange(240), np.diff(neighbours.indptr))
        return (batch[rows] == batch[neighbours.indices]).mean()

    near = [near_order(neighbours, generator) for _ in range(5)]
    assert all(sorted(order.tolist()) == list(range(240)) for order in near)
    assert np.mean([within(order) for order in near]) > 1.5 * within(generator.permutation(240))
    assert not np.array_equal(near[0], near[1])


# Evaluation


@pytest.mark.parametrize("options", [{}, {"preset": "base"}, {"preset": "joint", "readout_in_z": True},
                                     {"task_weights": False, "novelty": False}])  # fmt: skip
def test_an_evaluation_has_the_numbers_of_a_full_inference(options, neighbourhoods_only):
    training = prepared(**options)
    val, whole = training.loop.data.val, training.view.infer()
    weights = training.loop.objective.needs_weights
    logits, alpha = training.view.evaluate(val, weights=weights)
    torch.testing.assert_close(logits, whole.logits[val], rtol=1e-5, atol=1e-6)
    if weights:
        torch.testing.assert_close(alpha, whole.alpha)
    else:
        assert alpha is None


@pytest.mark.parametrize("preset", ["base", "paper", "joint"])
def test_the_same_epoch_is_chosen_as_with_a_full_inference_in_every_epoch(preset, monkeypatch):
    def fitted() -> InfoMotif:
        return make_model(preset=preset, hidden=16, epochs=25, q=3, progress=False).fit(GRAPH, SPLIT.train, SPLIT.val)

    lean = fitted()

    def evaluate(self, nodes, *, weights):
        output = self.infer()
        return views_module.Evaluation(output.logits[nodes], output.alpha)

    monkeypatch.setattr(FullGraphView, "evaluate", evaluate)
    full = fitted()
    assert lean.best_epoch_ == full.best_epoch_
    accuracies = [[record["val_accuracy"] for record in model.history_] for model in (lean, full)]
    assert accuracies[0] == accuracies[1]


def test_without_validation_nodes_the_base_is_not_evaluated(monkeypatch):
    seen = []
    original = FullGraphView.evaluate

    def evaluate(self, nodes, *, weights):
        seen.append((len(nodes), weights))
        return original(self, nodes, weights=weights)

    monkeypatch.setattr(FullGraphView, "evaluate", evaluate)
    make_model(preset="base", hidden=8, epochs=2, progress=False).fit(GRAPH, SPLIT.train)
    assert seen == []


# Proposition 1 of the paper: labels do not reach attributes beyond k hops, motif instances do


def test_only_the_infomax_loss_has_a_gradient_by_attributes_beyond_k_hops_of_the_labels():
    n, hops = 40, 2
    source = np.concatenate([np.arange(n - 1), np.arange(0, n - 2, 2)])
    target = np.concatenate([np.arange(1, n), np.arange(2, n, 2)])
    rng = np.random.default_rng(0)
    x, y = rng.standard_normal((n, 6)).astype(np.float32), np.arange(n) % 2
    strip = Graph.from_edges(source, target, num_nodes=n, directed=False, x=x, y=y)
    index, split = MotifIndex(strip), random_split(y, 0.1)
    split = type(split)(np.array([0, 1, 3]), split.val[:0], split.test)
    settings = make_settings("paper", hidden=8, dropout=0.0, layers=hops)
    training = Session(strip, settings.encoder, index, 0, torch.device("cpu"), World()).training(settings, split)
    view, objective = training.view, training.loop.objective
    view.x = view.x.clone().requires_grad_()
    adjacency = np.zeros((n, n), dtype=bool)
    adjacency[source, target] = adjacency[target, source] = True
    reached = np.isin(np.arange(n), split.train)
    for _ in range(hops):
        reached = reached | adjacency[reached].any(axis=0)
    beyond = torch.from_numpy(~reached)
    assert beyond.sum() > n / 2

    def gradient(loss_of):
        generator = np.random.default_rng(0)
        labelled, others = training.loop.data.train, torch.arange(n)
        loss = loss_of(view.encode(labelled, others, generator), generator)
        return torch.autograd.grad(loss, view.x)[0].abs().sum(dim=1)

    supervised = gradient(lambda encoded, generator: objective.supervised(encoded, torch.arange(3), generator))
    infomax = gradient(lambda encoded, generator: objective.infomax(encoded, generator))
    assert (supervised[beyond] == 0).all()
    assert (supervised[~beyond] > 0).any()
    assert (infomax[beyond] > 0).all()
