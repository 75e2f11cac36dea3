"""Self-training: which nodes get a pseudo-label, and a second training that can be cut off anywhere."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import torch

from infomotif import Graph, InfoMotif, make_roles
from infomotif.errors import InputError
from infomotif.training import TrainingData, random_split
from infomotif.training.distributed import World
from infomotif.training.losses import Objective
from infomotif.training.presets import make_settings
from infomotif.training.self_training import pseudo_labels, with_pseudo_labels
from infomotif.training.session import Session
from infomotif.training.splits import Split
from tests.models import make_model

QUICK = {"hidden": 8, "epochs": 6, "q": 3, "progress": False}


@functools.cache
def graph() -> Graph:
    return make_roles(num_nodes=160)


@functools.cache
def split() -> Split:
    return random_split(graph().y, 0.05, val=0.3)


def model(preset: str = "base", **changes) -> InfoMotif:
    return make_model(preset=preset, **{**QUICK, "self_training": 0.5, **changes})


def fitted(preset: str = "base", **changes) -> InfoMotif:
    return model(preset, **changes).fit(graph(), split().train, split().val)


def known(*y: int) -> TrainingData:
    labels = torch.tensor(y)
    return TrainingData(labels, (labels >= 0).nonzero().flatten(), torch.empty(0, dtype=torch.long))


# Which nodes get a label


def test_of_every_predicted_class_the_surest_share_is_taken():
    sure = torch.tensor([3.0, 1.0, 2.0, 4.0, 0.1, 0.2, 0.3, 0.4])
    logits = torch.stack([torch.cat([sure[:4], torch.zeros(4)]), torch.cat([torch.zeros(4), sure[4:]])], dim=1)
    assert pseudo_labels(known(*[-1] * 8), logits, 0.5).tolist() == [0, -1, -1, 0, -1, -1, 1, 1]


def test_nodes_that_have_a_label_keep_it():
    logits = torch.tensor([[9.0, 0.0], [9.0, 0.0], [0.0, 9.0]])
    data = known(1, -1, -1)
    labels = pseudo_labels(data, logits, 1.0)
    assert labels.tolist() == [-1, 0, 1]
    more = with_pseudo_labels(data, labels)
    assert (more.y.tolist(), more.train.tolist()) == ([1, 0, 1], [0, 1, 2])
    assert data.y.tolist() == [1, -1, -1]


@pytest.mark.parametrize("share", [-0.1, 1.1])
def test_the_share_is_checked(share):
    with pytest.raises(InputError, match="self_training must be from 0 to 1"):
        make_settings(self_training=share)


# Two trainings


@pytest.mark.parametrize("preset", ["base", "paper", "joint"])
def test_the_first_training_is_as_without_it_and_a_second_follows(preset):
    once, twice = fitted(preset, self_training=0.0), fitted(preset)
    timed = [[{k: v for k, v in r.items() if k != "seconds"} for r in each.history_] for each in (once, twice)]
    assert timed[1][:6] == timed[0]
    assert [record["epoch"] for record in timed[1]] == list(range(1, 13))
    assert timed[1][6]["loss"] != timed[1][0]["loss"]


def test_the_best_epoch_of_both_is_kept():
    both = fitted()
    best = max(both.history_, key=lambda record: (record["val_accuracy"], -record["val_loss"]))
    assert both.best_epoch_ == best["epoch"]


def test_novelty_is_told_of_the_training_nodes_alone():
    model = fitted("paper")
    assert model.novelty_.shape == split().train.shape


def test_hidden_labels_do_not_matter():
    rest = np.setdiff1d(np.arange(graph().num_nodes), np.concatenate([split().train, split().val]))
    y = np.array(graph().y)
    y[rest] = (y[rest] + 1) % graph().num_classes
    other = model("joint").fit(graph().replace(y=y), split().train, split().val)
    np.testing.assert_array_equal(fitted("joint").predict_proba(), other.predict_proba())


def test_patience_counts_anew_in_the_second():
    given = {"epochs": 200, "patience": 20}
    once, twice = fitted(**given, self_training=0.0), fitted(**given)
    first = len(once.history_)
    assert first < 200
    second = twice.history_[first:]
    # A network that begins again is worse than the best of the first for longer than its patience.
    best = max(range(len(second)), key=lambda i: (second[i]["val_accuracy"], -second[i]["val_loss"]))
    assert len(second) == best + 1 + 20
    assert best > 0


def test_where_every_node_has_a_label_or_too_few_are_asked_for_there_is_no_second():
    whole = random_split(graph().y, 0.6, val=0.4)
    assert len(model().fit(graph(), whole.train, whole.val).history_) == 6
    assert len(fitted(self_training=1e-6).history_) == 6


def test_the_consistency_loss_grows_in_both(monkeypatch):
    weights = []
    original = Objective.weight

    def watched(self, name, epoch):
        if name == "consistency":
            weights.append(original(self, name, epoch))
        return original(self, name, epoch)

    monkeypatch.setattr(Objective, "weight", watched)
    fitted("joint", consistency=1.0)
    assert len(weights) == 10
    assert weights[:5] == weights[5:] == sorted(weights[:5])


def test_a_search_that_asks_for_one_training_gets_no_second():
    session = Session(graph(), "gcn", None, 0, torch.device("cpu"), World())
    loop = session.training(model(epochs=30, patience=2, lr=0.05).settings(), split()).loop
    ended = loop.advance(30).epoch
    assert (ended < 30, loop.state.round_start) == (True, 0)
    assert loop.advance(60).round_start == ended


def test_warm_up_belongs_to_both():
    history = fitted("paper", warmup_epochs=2).history_
    assert len(history) == 16
    assert ["loss" in record for record in history] == ([False] * 2 + [True] * 6) * 2


def test_without_validation_the_last_epoch_of_the_second_is_kept():
    alone = model().fit(graph(), split().train)
    assert (alone.best_epoch_, len(alone.history_)) == (12, 12)


def test_samples_teach_themselves_too():
    history = fitted("joint", sampling="neighbours", batch_size=64).history_
    assert len(history) == 12


@pytest.mark.parametrize("cut", [4, 6, 9])
def test_cut_off_in_either_training_it_ends_with_the_same_numbers(cut, tmp_path, monkeypatch):
    monkeypatch.setenv("INFOMOTIF_CHECKPOINT_SECONDS", "0")

    class Cut(Exception):
        pass

    def stop(record):
        if record["epoch"] == cut:
            raise Cut

    given = (graph(), split().train, split().val)
    with pytest.raises(Cut):
        model("joint").fit(*given, checkpoint=tmp_path / "state", on_epoch=stop)
    resumed = model("joint").fit(*given, checkpoint=tmp_path / "state")
    whole = fitted("joint")
    np.testing.assert_array_equal(resumed.predict_proba(), whole.predict_proba())
    assert len(resumed.history_) == len(whole.history_) == 12


# Auto


def test_auto_teaches_itself_where_few_nodes_train():
    chosen = model("auto", self_training=None).fit(graph(), split().train, split().val)
    assert chosen.settings_.training.self_training == 0.2
    assert any("few labels: 8 of 160 nodes train" in note for note in chosen.choice_.notes)


def test_auto_does_not_where_many_do_or_where_it_is_told():
    many = random_split(graph().y, 0.3, val=0.3)
    assert model("auto", self_training=None).fit(graph(), many.train, many.val).settings_.training.self_training == 0
    assert fitted("auto", self_training=0.0).settings_.training.self_training == 0
