"""Losses: novelty weights, the supervised loss, and the consistency of motif partners."""

from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from infomotif import MotifIndex, make_roles
from infomotif.errors import InputError
from infomotif.nn import MLP, MotifNetwork
from infomotif.training import TrainingData, make_settings
from infomotif.training.losses import Objective, motif_targets, novelty_weights, ramp
from infomotif.training.views import EncodedBatch
from tests.models import make_model


@pytest.fixture(scope="module")
def graph():
    return make_roles(num_nodes=120)


def fitted(graph, **options):
    model = make_model(**{"preset": "joint", "hidden": 8, "epochs": 6, "q": 3, **options})
    return model.fit(graph, train=np.arange(0, 120, 6), val=np.arange(1, 120, 6))


# Novelty


def test_beta_is_the_printed_formula_times_the_number_of_labelled_nodes():
    alpha = torch.rand(7, 3, dtype=torch.float64).softmax(dim=1)
    mu = [sum(float(alpha[u, t]) for u in range(7)) / 7 for t in range(3)]
    score = [math.exp(sum((float(alpha[v, t]) - mu[t]) ** 2 for t in range(3))) for v in range(7)]
    expected = torch.tensor([7 * s / sum(score) for s in score], dtype=torch.float64)
    torch.testing.assert_close(novelty_weights(alpha), expected)


def test_beta_averages_one_and_is_positive():
    beta = novelty_weights(torch.rand(50, 5).softmax(dim=1))
    torch.testing.assert_close(beta.mean(), torch.tensor(1.0))
    assert (beta > 0).all()


def test_the_uncommon_node_counts_most():
    alpha = torch.tensor([[0.9, 0.1]] * 9 + [[0.1, 0.9]])
    beta = novelty_weights(alpha)
    assert beta.argmax() == 9
    assert torch.equal(beta[:9], beta[:1].expand(9))


def test_one_labelled_node_has_weight_one():
    assert novelty_weights(torch.tensor([[0.2, 0.8]])).tolist() == [1.0]


# Supervised


def test_the_supervised_loss_is_the_cross_entropy_weighted_by_novelty():
    torch.manual_seed(0)
    network, h = MotifNetwork(MLP().build(4, 8), None, 8, 3), torch.randn(20, 8)
    data = TrainingData(torch.arange(20) % 3, torch.tensor([3, 7, 8, 15]), torch.empty(0, dtype=torch.long))
    objective = Objective(network, data, make_settings("base"))
    objective.beta = torch.rand(4)
    batch = torch.tensor([0, 2])
    encoded = EncodedBatch(h, h, data.train[batch], None)
    found = objective.supervised(encoded, batch, np.random.default_rng(0))
    p = network.head(h).logits.softmax(dim=1)[data.train[batch], data.y[data.train[batch]]]
    torch.testing.assert_close(found, (-objective.beta[batch] * p.log()).mean())


# Consistency


def test_targets_are_the_sharpened_mean_of_own_and_partners_predictions(graph):
    index, rng = MotifIndex(graph), np.random.default_rng(0)
    nodes = np.array([5, 0, 77])
    drawn = index.sample(nodes, 4, rng)
    predicted = torch.rand(120, 3).softmax(dim=1)
    alpha = torch.rand(120, 2).softmax(dim=1)
    found = motif_targets(predicted, alpha, nodes, drawn)
    for i, v in enumerate(nodes):
        total, weight = torch.zeros(3), 0.0
        for t, instances in enumerate(drawn):
            rows = instances.members[instances.indptr[i] : instances.indptr[i + 1]]
            if len(rows):
                partners = [predicted[u] for row in rows.tolist() for u in row if u != v]
                total += alpha[v, t] * torch.stack(partners).mean(dim=0)
                weight += alpha[v, t]
        joined = ((predicted[v] + total / weight) / 2) ** 2
        torch.testing.assert_close(found[i], joined / joined.sum())


def test_a_node_without_instances_sharpens_its_own_prediction():
    nothing = MotifIndex(make_roles(num_nodes=120)).sample(np.array([3]), 1, np.random.default_rng(0))
    empty = [d._replace(indptr=np.zeros(2, dtype=np.int64), members=d.members[:0]) for d in nothing]
    predicted = torch.full((120, 2), 0.5)
    predicted[3] = torch.tensor([0.6, 0.4])
    found = motif_targets(predicted, torch.ones(120, 2), np.array([3]), empty)
    torch.testing.assert_close(found[0], torch.tensor([0.36, 0.16]) / 0.52)


def test_the_weight_grows():
    assert [ramp(epoch) for epoch in (0, 5, 20, 100)] == [0.0, 0.25, 1.0, 1.0]


@pytest.mark.parametrize("options", [{}, {"preset": "paper"}, {"sampling": "neighbours"}, {"readout_in_z": True}])
def test_it_changes_what_is_learned_and_repeats_to_the_bit(graph, options):
    without = fitted(graph, **options).embed()
    first, again = (fitted(graph, consistency=0.5, **options).embed() for _ in range(2))
    np.testing.assert_array_equal(first, again)
    assert not np.array_equal(first, without)


def test_the_weight_grows_from_where_labels_are_learned(graph, monkeypatch):
    epochs, weight = set(), Objective.weight

    def watched(self, name, epoch):
        if name == "consistency":
            epochs.add(epoch)
        return weight(self, name, epoch)

    monkeypatch.setattr(Objective, "weight", watched)
    fitted(graph, consistency=0.5, warmup_epochs=4)
    assert sorted(epochs) == [1, 2, 3, 4, 5]


def test_the_base_is_what_it_is_without(graph):
    np.testing.assert_array_equal(
        fitted(graph, preset="base", consistency=0.5).embed(), fitted(graph, preset="base").embed()
    )


def test_an_interrupted_training_comes_to_the_same_numbers(graph, tmp_path):
    def stop(record):
        if record["epoch"] == 4:
            raise KeyboardInterrupt

    whole = fitted(graph, consistency=0.5)
    model = make_model(preset="joint", hidden=8, epochs=6, q=3, consistency=0.5)
    nodes = {"train": np.arange(0, 120, 6), "val": np.arange(1, 120, 6)}
    with pytest.raises(KeyboardInterrupt):
        model.fit(graph, **nodes, checkpoint=tmp_path / "state", on_epoch=stop)
    model.fit(graph, **nodes, checkpoint=tmp_path / "state")
    np.testing.assert_array_equal(model.embed(), whole.embed())


def test_it_needs_partners():
    with pytest.raises(InputError, match="consistency needs instances of several nodes"):
        make_settings(consistency=0.5, instances="graph")
