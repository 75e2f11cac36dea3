"""Settings are checked in one place: each wrong value is named with what is allowed."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif.training import PRESETS, Settings, make_settings, parse_setting

FIELDS = {field.name for field in dataclasses.fields(Settings)}


def test_the_defaults_are_the_papers():
    settings = make_settings("paper")
    assert settings == Settings()
    assert (settings.q, settings.dropout, settings.epochs, settings.heads) == (20, 0.5, 100, 8)
    assert (settings.schedule, settings.attention, settings.negatives) == ("alternate", "concat", "shuffle")
    assert settings.novelty
    assert settings.task_weights
    beyond = ["residual", "readout_in_z", "class_weights", "encoder_residual"]
    assert not any(getattr(settings, name) for name in beyond)
    assert settings.structural_features == "none"
    assert all(getattr(settings, name) is None for name in ("patience", "clip", "mi_lr"))
    assert settings.warmup_epochs == settings.weight_decay == 0


def test_presets_change_what_they_say():
    assert not make_settings("base").regularize
    assert make_settings("joint").schedule == "joint"
    assert make_settings("joint").residual
    assert {name: make_settings(name).to_dict().keys() == FIELDS for name in PRESETS} == dict.fromkeys(PRESETS, True)


def test_changes_go_over_the_preset_and_none_leaves_it():
    assert make_settings("joint", q=5, residual=None).residual
    assert not make_settings("joint", residual=False).residual


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"hidden": 0}, r"hidden must be at least 1 \(got 0\)"),
        ({"steps": 0}, r"steps must be at least 1 \(got 0\)"),
        ({"steps": 5000}, r"steps must be at most 1,000 \(got 5000\)"),
        ({"teleport": 1.1}, r"teleport must be from 0 to 1 \(got 1.1\)"),
        ({"teleport": -0.1}, r"teleport must be from 0 to 1 \(got -0.1\)"),
        ({"layers": -1}, r"layers must be at least 1 \(got -1\)"),
        ({"epochs": 0}, r"epochs must be at least 1 \(got 0\)"),
        ({"q": 0}, r"q must be at least 1 \(got 0\)"),
        ({"batch_size": 0}, r"batch_size must be at least 1"),
        ({"patience": 0}, r"patience must be at least 1"),
        ({"warmup_epochs": -1}, r"warmup_epochs must be at least 0 \(got -1\)"),
        ({"weight_decay": -0.1}, r"weight_decay must be at least 0 \(got -0.1\)"),
        ({"mi_weight": -1.0}, r"mi_weight must be at least 0"),
        ({"lr": 0.0}, r"lr must be above 0 \(got 0.0\)"),
        ({"mi_lr": -1.0}, r"mi_lr must be above 0"),
        ({"clip": 0.0}, r"clip must be above 0"),
        ({"lr": float("nan")}, r"lr must be a finite number \(got nan\)"),
        ({"dropout": 1.0}, r"dropout must be at least 0 and below 1 \(got 1.0\)"),
        ({"dropout": -0.1}, r"dropout must be at least 0"),
        ({"hidden": 2.5}, r"hidden must be a whole number \(got 2.5\)"),
        ({"hidden": True}, r"hidden must be a whole number \(got True\)"),
        ({"hidden": "16"}, r"hidden must be a whole number \(got '16'\)"),
        ({"novelty": 1}, r"novelty must be yes or no \(got 1\)"),
        ({"lr": "fast"}, r"lr must be a number \(got 'fast'\)"),
        ({"schedule": 3}, r"schedule must be one of alternate, joint \(got 3\)"),
        ({"schedule": "jiont"}, "unknown schedule 'jiont': did you mean 'joint'"),
        ({"attention": "aditive"}, "did you mean 'additive'"),
        ({"negatives": "shuffel"}, "did you mean 'shuffle'"),
        ({"norm": "lyer"}, "did you mean 'layer'"),
        ({"normalize": "rwo"}, "did you mean 'row'"),
        ({"lr_schedule": "cosin"}, "did you mean 'cosine'"),
        ({"aggregator": "mea"}, "did you mean 'mean'"),
        ({"activation": "rellu"}, "did you mean 'relu'"),
        ({"jump": "maxx"}, "did you mean 'max'"),
        ({"epoch": 5}, "unknown setting 'epoch': did you mean 'epochs'"),
        ({"fanout": 10**14}, "fanout must be at most 1,000,000"),
        ({"schedule": "joint", "mi_lr": 0.1}, "mi_lr is for steps of the InfoMax loss alone"),
        ({"instances": "graph", "negatives": "open"}, "'open' need instances of several nodes; set negatives=shuffle"),
        ({"instances": "graph", "negatives": "shuffle+swap"}, "need instances of several nodes"),
        ({"instances": "edges", "negatives": "swap+other-motif"}, "'other-motif' need motifs"),
        ({"instances": "edges", "negatives": "open"}, "'open' need motifs"),
        ({"instances": "graph", "readout_in_z": True}, "readout_in_z needs instances of several nodes"),
    ],
    ids=str,
)
def test_a_wrong_value_is_named_with_what_is_allowed(change, message):
    with pytest.raises(InputError, match=message):
        make_settings("paper", **change)


def test_an_unknown_preset_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="unknown preset 'papr': did you mean 'paper'"):
        make_settings("papr")
    with pytest.raises(InputError, match="unknown preset"):
        make_settings(["paper"])  # type: ignore[arg-type]


def test_whole_numbers_serve_as_numbers_and_numpy_values_as_plain_ones():
    settings = make_settings("paper", lr=1, hidden=np.int64(16), dropout=np.float32(0.25), novelty=np.bool_(False))
    assert (settings.lr, settings.hidden, settings.dropout, settings.novelty) == (1.0, 16, 0.25, False)
    assert {type(value) for value in settings.to_dict().values()} <= {int, float, str, bool, type(None)}


def test_settings_round_trip_through_plain_values():
    settings = make_settings("joint", hidden=16, clip=1.0)
    assert Settings(**settings.to_dict()) == settings


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("lr=0.001", ("lr", 0.001)),
        ("lr=1e-3", ("lr", 0.001)),
        (" hidden = 16 ", ("hidden", 16)),
        ("novelty=no", ("novelty", False)),
        ("novelty=TRUE", ("novelty", True)),
        ("hidden=none", ("hidden", None)),
        ("patience=", ("patience", None)),
        ("schedule=joint", ("schedule", "joint")),
    ],
)
def test_texts_become_values_of_the_right_kind(text, expected):
    assert parse_setting(text) == expected


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("lr", "must have the form key=value"),
        ("=3", "unknown setting ''"),
        ("lrr=3", "did you mean 'lr'"),
        ("lr=fast", r"lr must be a number \(got 'fast'\)"),
        ("hidden=2.5", r"hidden must be a whole number \(got '2.5'\)"),
        ("novelty=maybe", r"novelty must be yes or no \(got 'maybe'\)"),
        ("lr=none", r"lr must be a number \(got 'none'\)"),
    ],
)
def test_texts_that_say_nothing_are_explained(text, message):
    with pytest.raises(InputError, match=message):
        parse_setting(text)
