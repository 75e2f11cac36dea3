"""Runs whose settings validation chooses, on every split by its own labels."""

from __future__ import annotations

import json
from dataclasses import asdict, replace

import numpy as np
import pytest

from infomotif import load
from infomotif.errors import InputError
from infomotif.runs import BASE, OURS, train_run
from infomotif.runs.folder import RunFolder
from tests.runs.plans import Stop, auto, is_complete, lines, roles, watched, without_times

pytestmark = pytest.mark.slow


def stopping(*_):
    raise Stop


def searches(models) -> int:
    """Return how many of these models chose their settings themselves."""
    return sum(model.preset == "auto" and hasattr(model, "choice_") for model in models)


def test_every_split_chooses_and_the_first_choice_is_in_the_result(auto_run):
    folder, result = auto_run
    assert result.plan.preset == "auto"
    assert result.settings == result.choice.settings
    assert result.choice.notes[-1].startswith(
        "this is the first split's choice; every split chose by its own labels: '"
    )
    assert result.base_splits in (0, 1, 2)
    assert json.loads((folder / "result.json").read_text())["choice"]["base_splits"] == result.base_splits
    assert is_complete(folder)


def test_the_base_is_trained_with_the_chosen_settings(auto_run):
    folder, result = auto_run
    assert load(folder / "base").settings_.to_dict() == result.settings | {"regularize": False}


def test_the_kept_model_is_that_of_the_search(auto_run):
    folder, result = auto_run
    split = auto().split(roles(), 0)
    model = auto().model(OURS, 0).fit(roles(), split.train, split.val)
    np.testing.assert_array_equal(load(folder).predict_proba(roles()), model.predict_proba(roles()))
    assert model.choice_.settings == result.settings


def test_metrics_are_only_those_of_trainings_that_are_kept(auto_run):
    folder, _ = auto_run
    epochs = [(line["split"], line["model"], line["epoch"]) for line in lines(folder / "metrics.jsonl")]
    assert epochs == [(s, kind, e) for s in range(2) for kind in (OURS, BASE) for e in range(1, 7)]


@pytest.mark.parametrize("after", [(0, OURS), (0, BASE), (1, OURS)])
def test_a_run_that_goes_on_does_not_search_again(auto_run, tmp_path, after):
    folder, result = auto_run

    def stop(outcome):
        if (outcome.split, outcome.model) == after:
            raise Stop

    with pytest.raises(Stop):
        train_run(auto(), roles(), tmp_path / "run", on_done=stop)
    models = []
    again = train_run(watched(auto(), models.append), roles(), tmp_path / "run", resume=True)
    assert searches(models) == 1 - after[0]
    assert without_times(again.to_dict()) == without_times(result.to_dict())
    for name in ("predictions.csv", "model.safetensors", "model.json"):
        assert (tmp_path / "run" / name).read_bytes() == (folder / name).read_bytes()


def test_a_search_whose_choice_was_lost_comes_to_the_same_choice(auto_run, tmp_path):
    _, result = auto_run

    def lose(model):
        fit = model.fit
        model.fit = lambda *given, **options: fit(*given, **options) and stopping()

    with pytest.raises(Stop):
        train_run(watched(auto(), lose), roles(), tmp_path / "run")
    again = train_run(auto(), roles(), tmp_path / "run", resume=True)
    assert without_times(again.to_dict()) == without_times(result.to_dict())


def test_a_run_cut_off_right_after_its_choice_trains_the_same_again(auto_run, tmp_path):
    folder, result = auto_run

    def cut_off(model):
        model.save = stopping

    with pytest.raises(Stop):
        train_run(watched(auto(), cut_off), roles(), tmp_path / "run")
    models = []
    again = train_run(watched(auto(), models.append), roles(), tmp_path / "run", resume=True)
    assert searches(models) == 1
    assert without_times(again.to_dict()) == without_times(result.to_dict())
    assert (tmp_path / "run" / "model.safetensors").read_bytes() == (folder / "model.safetensors").read_bytes()
    assert (tmp_path / "run" / "metrics.jsonl").read_text().count("\n") == 24


def test_both_models_of_a_split_have_the_settings_that_it_chose(auto_run, tmp_path):
    _, result = auto_run
    run, models = RunFolder(tmp_path / "run"), []
    run.start(asdict(auto()), resume=False, fingerprint=roles().fingerprint())
    for split, dropout in enumerate((0.1, 0.2)):
        run.keep_choice(split, replace(result.choice, settings=result.choice.settings | {"dropout": dropout}))
    train_run(watched(auto(), models.append), roles(), run.path, resume=True)
    assert [model.settings_.encoder.dropout for model in models if hasattr(model, "settings_")] == [0.1, 0.1, 0.2, 0.2]
    assert searches(models) == 0


def test_a_choice_that_cannot_be_read_stops_the_run(tmp_path):
    run = RunFolder(tmp_path / "run")
    run.start(asdict(auto()), resume=False, fingerprint=roles().fingerprint())
    (run.state / "choice-0.json").write_text("{")
    with pytest.raises(InputError, match="choice-0.json: cannot be read .*; remove it to search again"):
        train_run(auto(), roles(), run.path, resume=True)


def test_a_run_that_lost_its_choices_is_refused(tmp_path):
    with pytest.raises(Stop):
        train_run(auto(), roles(), tmp_path / "run", on_done=stopping)
    (RunFolder(tmp_path / "run").state / "choice-0.json").unlink()
    with pytest.raises(InputError, match="was begun by another version, or lost its choices; name another --out"):
        train_run(auto(), roles(), tmp_path / "run", resume=True)


def test_where_the_base_is_chosen_both_models_are_the_base(tmp_path):
    asked = replace(auto(), settings={"epochs": 4, "hidden": 8, "regularize": False})
    result = train_run(asked, roles(), tmp_path / "run")
    assert result.choice.base_better
    assert result.outcome.difference.mean == 0
    assert load(tmp_path / "run").network_.regularizer is None
    assert (tmp_path / "run" / "report.html").exists()
