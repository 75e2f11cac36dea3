"""Settings are checked in one place: each wrong value is named with what is allowed."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif import InfoMotif, Inputs, Training
from infomotif.errors import InputError
from infomotif.motifs import select_motifs
from infomotif.nn.encoders import GAT, GCN
from infomotif.training import PRESETS, make_settings, parse_setting
from infomotif.training.config import estimator_options
from infomotif.training.presets import preset_motifs

NAMES = make_settings().to_dict().keys()


def test_fast_is_joint_on_fewer_instances():
    fast, joint = make_settings("fast").to_dict(), make_settings("joint").to_dict()
    assert {name: value for name, value in fast.items() if value != joint[name]} == {"mi_share": 0.25, "q": 5}


def test_the_defaults_are_the_papers():
    settings = make_settings("paper")
    assert settings == make_settings()
    flat = settings.to_dict()
    assert (flat["q"], flat["dropout"], flat["epochs"], flat["heads"]) == (20, 0.5, 100, 8)
    assert (flat["schedule"], flat["attention"], flat["negatives"]) == ("alternate", "concat", "unseen")
    assert flat["batch_size"] == 256
    assert flat["novelty"]
    assert flat["task_weights"]
    assert not any(flat[name] for name in ("residual", "readout_in_z", "class_weights", "encoder_residual"))
    assert flat["inputs"] == "attributes"
    assert all(flat[name] is None for name in ("patience", "clip", "mi_lr"))
    assert flat["warmup_epochs"] == flat["weight_decay"] == 0


def test_the_preset_authors_weighs_the_losses_by_seven_to_three():
    settings = make_settings("authors")
    assert (settings.training.schedule, settings.regularizer.readout) == ("joint", "batch")
    assert settings.regularizer.mi_weight == pytest.approx(0.7 / 0.3)
    assert (settings.training.warmup_epochs, settings.training.round_epochs) == (20, 50)


def test_the_preset_authors_has_seven_directed_motifs_two_of_them_with_a_reciprocal_edge():
    motifs = select_motifs(preset_motifs("authors", "auto", directed=True), directed=True)
    assert len(motifs) == 7
    assert sum("<->" in motif.pattern for motif in motifs) == 2
    assert preset_motifs("authors", "auto", directed=False) == "auto"
    assert preset_motifs("paper", "auto", directed=True) == "auto"


def test_a_kind_of_attention_needs_attention():
    with pytest.raises(InputError, match="attention=additive needs instance_encoder=attention"):
        make_settings("paper", attention="additive", instance_encoder="mean")


@pytest.mark.parametrize("preset", ["base", "joint", "auto"])
def test_other_presets_take_all_nodes_at_once(preset):
    assert make_settings(preset).training.batch_size is None


def test_none_takes_all_nodes_at_once_in_the_preset_paper():
    assert make_settings("paper", batch_size=None).training.batch_size is None
    assert InfoMotif(preset="paper", training=Training(batch_size=None)).settings().training.batch_size is None
    options = estimator_options("gcn", dict([parse_setting("batch_size=none")]))
    assert InfoMotif(**options).settings().training.batch_size is None
    assert InfoMotif(preset="paper", training=Training(epochs=5)).settings().training.batch_size == 256


def test_settings_say_what_the_preset_assumed():
    assert "batch_size" in make_settings("paper").assumed
    assert "batch_size" not in make_settings("paper", batch_size=256).assumed


def test_presets_change_what_they_say():
    assert not make_settings("base").regularize
    assert make_settings("joint").training.schedule == "joint"
    assert make_settings("joint").regularizer.residual
    assert {name: make_settings(name).to_dict().keys() == NAMES for name in PRESETS} == dict.fromkeys(PRESETS, True)


def test_changes_go_over_the_preset_and_none_leaves_it():
    assert make_settings("joint", q=5, residual=None).regularizer.residual
    assert not make_settings("joint", residual=False).regularizer.residual


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
    flat = settings.to_dict()
    assert (flat["lr"], flat["hidden"], flat["dropout"], flat["novelty"]) == (1.0, 16, 0.25, False)
    assert {type(value) for value in flat.values()} <= {int, float, str, bool, type(None)}


def test_settings_round_trip_through_plain_values():
    settings = make_settings("joint", hidden=16, clip=1.0)
    assert make_settings(**settings.to_dict()) == settings


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
        ("training.lr=0.1", ("lr", 0.1)),
        ("regularizer.enabled=no", ("regularize", False)),
        ("encoder.residual=yes", ("encoder_residual", True)),
        ("encoder.heads=4", ("heads", 4)),
        ("activation=default", ("activation", None)),
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


def test_an_option_that_the_encoder_lacks_is_named():
    with pytest.raises(InputError, match="unknown option of encoder gcn 'heads'"):
        parse_setting("encoder.heads=4", GCN())
    assert parse_setting("encoder.heads=4", GAT()) == ("heads", 4)


def test_an_unknown_group_is_answered_with_the_nearest():
    with pytest.raises(InputError, match="unknown group of settings 'trainig': did you mean 'training'"):
        parse_setting("trainig.lr=0.1")


def test_files_hold_the_options_of_all_encoders():
    assert make_settings("paper", "gcn").to_dict()["heads"] == GAT().heads
    assert make_settings("paper", "gcn", heads=4).encoder == GCN()


def test_settings_once_side_by_side_name_their_place():
    with pytest.raises(AttributeError, match="settings.lr is settings.training.lr"):
        _ = make_settings().lr
    with pytest.raises(AttributeError, match="settings.encoder.residual is settings.encoder.residual"):
        _ = make_settings().encoder_residual


def test_the_name_of_structural_features_is_still_read():
    assert make_settings(structural_features="quantiles") == make_settings(inputs="attributes+centralities+quantiles")
    assert Inputs(structural_features="none") == Inputs(features="attributes")
    assert parse_setting("structural_features=counts") == ("inputs", "attributes+counts")
    assert parse_setting("inputs.structural_features=counts") == ("inputs", "attributes+counts")
    with pytest.raises(InputError, match="structural_features must be one of none, counts, .*; its name today is feat"):
        make_settings(structural_features="some")


def test_features_can_stand_for_inputs():
    assert InfoMotif(inputs="orbits").settings().inputs == Inputs(features="orbits")
    assert InfoMotif(inputs="orbits").set_params(inputs__normalize="row").inputs.given == {
        "features": "orbits",
        "normalize": "row",
    }


@pytest.mark.parametrize("text", ["orbit", "quantiles", "attributes+none", ""])
def test_unknown_parts_of_inputs_are_refused(text):
    with pytest.raises(InputError, match="part of inputs|made of other columns"):
        Inputs(features=text)
