"""Learning without labels first: two views, a frozen encoder, its second round, files, resuming, refusals."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import infomotif as im
from infomotif.errors import InputError
from infomotif.nn.encoders import ENCODERS
from infomotif.training import random_split
from infomotif.training.losses import decorrelation


@pytest.fixture(scope="module")
def graph():
    return im.make_roles(num_nodes=120)


def model(encoder="gcn", preset="base", **training):
    options = {"pretrain": "views", "probe": True, "warmup_epochs": 4, "epochs": 6, "mi_lr": 0.01, **training}
    known = ENCODERS[encoder](hidden=8, activation="tanh")
    return im.InfoMotif(known, preset=preset, training=im.Training(**options), progress=False)


def fitted(graph, *args, checkpoint=None, on_epoch=None, **training):
    split = random_split(graph.y, 0.3)
    made = model(*args, **training)
    return made.fit(graph, split.train, split.val, checkpoint=checkpoint, on_epoch=on_epoch)


def test_the_loss_is_that_of_numpys_correlations():
    generator = torch.Generator().manual_seed(0)
    one, two = (torch.randn(50, 4, generator=generator, dtype=torch.float64) for _ in range(2))
    within = [np.corrcoef(view.numpy().T) for view in (one, two)]
    across = np.corrcoef(one.numpy().T, two.numpy().T)[:4, 4:]
    expected = -np.trace(across) + 0.1 * sum(((c - np.eye(4)) ** 2).sum() for c in within)
    assert decorrelation(one, two, 0.1).item() == pytest.approx(expected)


def test_a_column_of_zeros_adds_nothing_but_its_penalty():
    h = torch.randn(50, 3, generator=torch.Generator().manual_seed(0))
    padded = torch.cat([h, torch.zeros(50, 1)], dim=1)
    assert (decorrelation(padded, padded, 0.1) - decorrelation(h, h, 0.1)).item() == pytest.approx(0.2, abs=1e-5)


def test_views_are_compared_before_labels_are_learned_from(graph):
    history = fitted(graph, warmup_epochs=30).history_
    assert all("loss" not in record and "val_accuracy" not in record for record in history[:30])
    assert history[29]["mi_loss"] < history[0]["mi_loss"]
    assert all("mi_loss" not in record and "loss" in record for record in history[30:])


@pytest.mark.parametrize("encoder", sorted(ENCODERS))
def test_every_encoder_learns_from_views(graph, encoder):
    assert len(fitted(graph, encoder, epochs=2).history_) == 6


def test_a_frozen_encoder_has_the_weights_of_the_last_epoch_without_labels(graph):
    short, long = (fitted(graph, epochs=epochs).network_ for epochs in (1, 6))
    for name, value in short.encoder.state_dict().items():
        assert torch.equal(value, long.encoder.state_dict()[name]), name
    assert not torch.equal(short.classifier.weight, long.classifier.weight)


def test_an_encoder_that_is_not_frozen_learns_on(graph):
    short, long = (fitted(graph, epochs=epochs, probe=False).network_ for epochs in (1, 6))
    assert not torch.equal(*(next(iter(network.encoder.parameters())) for network in (short, long)))


def test_self_training_does_not_learn_without_labels_again(graph):
    made = fitted(graph, self_training=0.2)
    assert [("loss" in record) for record in made.history_] == [False] * 4 + [True] * 12
    once = fitted(graph)
    for name, value in once.network_.encoder.state_dict().items():
        assert torch.equal(value, made.network_.encoder.state_dict()[name]), name


def test_predictions_are_those_of_the_kept_network(graph):
    made = fitted(graph)
    accuracy = max(record["val_accuracy"] for record in made.history_[4:])
    assert made.score(made.split_.val) == pytest.approx(accuracy)


@pytest.mark.parametrize("stop_after", [2, 7, 13])
def test_a_resumed_training_repeats_to_the_bit(graph, tmp_path, stop_after):
    whole = fitted(graph, self_training=0.2).predict_proba()

    def interrupt(record):
        if record["epoch"] == stop_after:
            raise RuntimeError("stop")

    with pytest.raises(RuntimeError, match="stop"):
        fitted(graph, self_training=0.2, checkpoint=tmp_path / "state", on_epoch=interrupt)
    resumed = fitted(graph, self_training=0.2, checkpoint=tmp_path / "state")
    np.testing.assert_array_equal(resumed.predict_proba(), whole)


def test_a_file_keeps_the_model(graph, tmp_path):
    made = fitted(graph)
    loaded = im.load(made.save(tmp_path / "model"))
    np.testing.assert_array_equal(loaded.predict_proba(graph), made.predict_proba())


def test_the_motif_regulariser_can_be_probed_too(graph):
    history = fitted(graph, "gcn", "joint", pretrain="infomax", mi_lr=None).history_
    assert [("mi_loss" in record, "loss" in record) for record in history] == [(True, False)] * 4 + [(False, True)] * 6


@pytest.mark.parametrize(
    ("preset", "training", "message"),
    [
        ("base", {"warmup_epochs": 0}, "pretrain=views needs epochs without labels; set warmup_epochs"),
        ("base", {"warmup_epochs": 0, "pretrain": "infomax", "mi_lr": None}, "probe needs epochs without labels"),
        ("joint", {}, "pretrain=views is for a base GNN"),
        ("base", {"sampling": "neighbours"}, "pretrain=views needs all nodes at once"),
    ],
)
def test_impossible_combinations_are_refused(graph, preset, training, message):
    with pytest.raises(InputError, match=message):
        fitted(graph, "gcn", preset, **training)
