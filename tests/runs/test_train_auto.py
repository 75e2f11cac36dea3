"""Runs whose settings validation chooses, on every split by its own labels."""

from __future__ import annotations

import json
from dataclasses import asdict

import numpy as np
import pytest

from infomotif import load
from infomotif.errors import InputError
from infomotif.runs import OURS, train_run
from infomotif.runs.folder import RunFolder
from tests.runs.plans import Stop, auto, is_complete, lines, roles, watched, without_times

pytestmark = pytest.mark.slow


def stopping(*_):
    raise Stop


@pytest.fixture
def searches(monkeypatch):
    """The searches that are made, one entry each."""
    from infomotif.model import fitting

    made, choose = [], fitting.choose

    def counted(*given):
        made.append(given)
        return choose(*given)

    monkeypatch.setattr(fitting, "choose", counted)
    return made


def test_every_split_chooses_and_the_first_choice_is_in_the_result(auto_run):
    folder, result = auto_run
    assert result.plan.preset == "auto"
    assert result.settings == result.choice.settings
    assert result.choice.notes[-1].startswith(
        "this is the first split's choice; every split chose by its own labels: '"
    )
    assert result.motif_splits in (0, 1, 2)
    assert json.loads((folder / "result.json").read_text())["choice"]["motif_splits"] == result.motif_splits
    assert is_complete(folder)


def test_no_base_is_trained_next_to_it(auto_run):
    folder, result = auto_run
    assert {training.model for training in result.trainings} == {OURS}
    assert not (folder / "base").exists()
    assert (result.outcome.base, result.outcome.difference) == (None, None)


def test_the_kept_model_is_that_of_the_search_and_the_measured_accuracy_is_from_before_its_refit(auto_run):
    folder, result = auto_run
    split = auto().split(roles(), 0)
    model = auto().model(OURS, 0).fit(roles(), split.train, split.val)
    np.testing.assert_array_equal(load(folder).predict_proba(roles()), model.predict_proba(roles()))
    assert model.choice_.settings == result.settings
    measured = (model.measured_.argmax(axis=1) == roles().y)[split.test].mean()
    assert result.trainings[0].test_accuracy == pytest.approx(measured)


def test_only_the_first_split_is_trained_again_with_validation_labels():
    assert [auto().model(OURS, number).search.refit for number in (0, 1)] == [True, False]


def test_metrics_are_only_those_of_the_member_that_counts_most(auto_run):
    folder, _ = auto_run
    kept = [(line["split"], line["model"]) for line in lines(folder / "metrics.jsonl")]
    assert set(kept) == {(0, OURS), (1, OURS)}


@pytest.mark.parametrize("after", [0, 1])
def test_a_run_that_goes_on_does_not_search_again(auto_run, tmp_path, after, searches):
    folder, result = auto_run

    def stop(outcome):
        if outcome.split == after:
            raise Stop

    with pytest.raises(Stop):
        train_run(auto(), roles(), tmp_path / "run", on_done=stop)
    before = len(searches)
    again = train_run(auto(), roles(), tmp_path / "run", resume=True)
    assert (before, len(searches)) == (after + 1, 2)
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


def test_a_run_cut_off_right_after_its_choice_trains_the_same_without_a_search(auto_run, tmp_path, searches):
    folder, result = auto_run

    def cut_off(model):
        model.save = stopping

    with pytest.raises(Stop):
        train_run(watched(auto(), cut_off), roles(), tmp_path / "run")
    again = train_run(auto(), roles(), tmp_path / "run", resume=True)
    assert len(searches) == 2
    assert without_times(again.to_dict()) == without_times(result.to_dict())
    assert (tmp_path / "run" / "model.safetensors").read_bytes() == (folder / "model.safetensors").read_bytes()


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
