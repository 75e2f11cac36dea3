"""Runs: base and InfoMotif on the same splits, into a folder, going on after an interruption."""

from __future__ import annotations

import json
import shutil
from dataclasses import asdict, replace

import numpy as np
import pytest

from infomotif import load, load_dataset
from infomotif.errors import InputError
from infomotif.runs import BASE, OURS, train_run
from infomotif.runs.opened import read_config
from infomotif.runs.report import write_report
from tests.runs.plans import PROMISED, Stop, contents, is_complete, lines, plan, roles

pytestmark = pytest.mark.slow


def test_the_folder_holds_the_promised_files_and_nothing_unfinished(run):
    folder, _ = run
    assert is_complete(folder)


def test_result_json_is_what_was_returned(run):
    folder, result = run
    written = json.loads((folder / "result.json").read_text())
    assert written.pop("files").keys() == {*PROMISED - {"result.json"}, "base/model.json", "base/model.safetensors"}
    assert len(written.pop("checksum")) == 64
    assert written == json.loads(json.dumps(result.to_dict()))


def test_config_yaml_holds_the_plan_and_the_fingerprint(run):
    folder, result = run
    assert result.plan == plan(splits=2)
    assert read_config(folder) == asdict(result.plan) | {"fingerprint": roles().fingerprint()}


def test_both_models_are_trained_on_the_same_splits(run):
    _, result = run
    assert [(t.model, t.split) for t in result.trainings] == [(BASE, 0), (BASE, 1), (OURS, 0), (OURS, 1)]
    assert {t.nodes for t in result.trainings} == {(48, 24, 48)}


def test_metrics_have_a_line_per_epoch_of_every_training(run):
    folder, _ = run
    epochs = [(line["split"], line["model"], line["epoch"]) for line in lines(folder / "metrics.jsonl")]
    assert epochs == [(s, kind, e) for s in range(2) for kind in (BASE, OURS) for e in (1, 2, 3)]


def test_the_kept_model_is_infomotif_on_the_first_split(run):
    folder, _ = run
    model = plan(splits=2).model(OURS, 0)
    split = plan(splits=2).split(roles(), 0)
    model.fit(roles(), split.train, split.val)
    np.testing.assert_array_equal(load(folder).predict_proba(roles()), model.predict_proba(roles()))


def test_a_run_that_another_process_ended_first_is_read(tmp_path):
    done = []

    def other():
        train_run(plan(), roles(), tmp_path / "run", resume=True, on_done=done.append)

    result = train_run(plan(), roles(), tmp_path / "run", on_start=other, on_done=lambda _: pytest.fail("trained"))
    assert list(result.trainings) == done
    assert is_complete(tmp_path / "run")


def test_where_nothing_validates_or_tests_a_run_still_ends(tmp_path):
    result = train_run(replace(plan(), ratio=1.0, val=0.0), roles(), tmp_path / "run")
    assert result.outcome.to_dict() == {"measure": "val_accuracy"}
    assert is_complete(tmp_path / "run")


# The motifs are counted once


def counts_of_motifs(caplog) -> int:
    """Return how often an index counted motifs since the test began."""
    return sum(record.getMessage() == f"counting the motifs of {roles().name}" for record in caplog.records)


@pytest.mark.parametrize(
    "changes",
    [
        {"preset": "paper"},
        {"preset": "auto"},
        {"preset": "joint", "settings": {"structural_features": "counts", "readout_in_z": True}},
        {"preset": "base", "settings": {"structural_features": "counts"}},
    ],
    ids=["paper", "auto", "structure", "base"],
)
def test_a_run_of_three_splits_and_its_page_count_the_motifs_once(tmp_path, caplog, changes):
    # The portfolio also counts all orbits, for its encodings.
    expected = 2 if changes["preset"] == "auto" else 1
    caplog.set_level("INFO", "infomotif")
    train_run(plan(splits=3, **changes), roles(), tmp_path / "run", progress=False)
    assert (tmp_path / "run" / "report.html").exists()
    assert counts_of_motifs(caplog) == expected


def test_a_run_that_uses_no_motifs_counts_none(tmp_path, caplog):
    caplog.set_level("INFO", "infomotif")
    train_run(plan(preset="base"), roles(), tmp_path / "run", progress=False)
    assert counts_of_motifs(caplog) == 0


def test_the_page_of_a_finished_run_is_the_same_with_motifs_counted_again(run, tmp_path):
    folder, result = run
    shutil.copytree(folder, tmp_path / "run")
    written = (tmp_path / "run" / "report.html").read_text(encoding="utf-8")
    assert write_report(tmp_path / "run", roles(), result).read_text(encoding="utf-8") == written


# Starting, refusing, going on


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"encoder": "gcm"}, "did you mean 'gcn'"),
        ({"preset": "papr"}, "did you mean 'paper'"),
        ({"motifs": ["M77"]}, "unknown motif 'M77'"),
        ({"device": "gpu"}, "device must be auto"),
        ({"val": 0.7}, "must not exceed 1"),
        ({"val": 0.0, "settings": {"patience": 3}}, "patience needs validation nodes"),
        ({"settings": {"hidden": 7}, "encoder": "gat"}, "multiple of heads"),
    ],
)
def test_a_plan_that_cannot_work_is_refused_before_the_folder_exists(tmp_path, changes, message):
    started = []
    with pytest.raises(InputError, match=message):
        train_run(plan(**changes), roles(), tmp_path / "run", on_start=lambda: started.append(1))
    assert not (tmp_path / "run").exists()
    assert not started


def test_a_graph_without_labels_is_refused_before_the_folder_exists(tmp_path):
    with pytest.raises(InputError, match="has no labels to learn from"):
        train_run(plan(), roles().replace(y=None, class_names=()), tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_a_folder_with_a_run_is_not_overwritten(run):
    folder, _ = run
    before = contents(folder)
    with pytest.raises(InputError, match="holds a run already; add --resume"):
        train_run(plan(splits=2), roles(), folder)
    assert contents(folder) == before


def test_a_folder_of_something_else_is_not_touched(tmp_path):
    (tmp_path / "thesis.tex").write_text("mine")
    with pytest.raises(InputError, match="exists and is not a run"):
        train_run(plan(), roles(), tmp_path, resume=True)
    assert [path.name for path in tmp_path.iterdir()] == ["thesis.tex"]
    with pytest.raises(InputError, match="exists and is not a run"):
        train_run(plan(), roles(), tmp_path / "thesis.tex")


def test_an_empty_folder_can_become_a_run(tmp_path):
    train_run(plan(settings={"epochs": 1}), roles(), tmp_path)
    assert is_complete(tmp_path)


def test_a_run_is_not_resumed_with_another_plan(run):
    folder, _ = run
    with pytest.raises(InputError, match=r"began with other options \(seed\)"):
        train_run(plan(splits=2, seed=5), roles(), folder, resume=True)


def test_a_finished_run_is_read_not_repeated(run):
    folder, result = run
    before = {path: path.stat().st_mtime_ns for path in folder.iterdir()}
    assert train_run(plan(splits=2), roles(), folder, resume=True) == result
    assert {path: path.stat().st_mtime_ns for path in folder.iterdir()} == before


def test_a_run_stopped_between_trainings_goes_on(run, tmp_path):
    folder, result = run

    def stop(outcome):
        if (outcome.split, outcome.model) == (1, BASE):
            raise Stop

    with pytest.raises(Stop):
        train_run(plan(splits=2), roles(), tmp_path / "run", on_done=stop)
    done = []
    again = train_run(plan(splits=2), roles(), tmp_path / "run", resume=True, on_done=done.append)
    assert [(outcome.split, outcome.model) for outcome in done] == [(1, OURS)]
    assert again.outcome == result.outcome
    for name in ("predictions.csv", "model.safetensors", "model.json", "config.yaml"):
        assert (tmp_path / "run" / name).read_bytes() == (folder / name).read_bytes()


@pytest.mark.parametrize("names", [[], [".config.yaml.abc.part"]])
def test_a_run_killed_while_its_folder_was_made_goes_on(tmp_path, names):
    for name in names:
        (tmp_path / name).touch()
    train_run(plan(settings={"epochs": 1}), roles(), tmp_path, resume=True)
    assert is_complete(tmp_path)


def test_torn_lines_and_half_written_files_of_a_kill_do_no_harm(run, tmp_path):
    folder, result = run

    def stop(outcome):
        raise Stop

    with pytest.raises(Stop):
        train_run(plan(splits=2), roles(), tmp_path / "run", on_done=stop)
    with (tmp_path / "run" / "metrics.jsonl").open("a") as stream:
        stream.write('{"split": 0, "model": "infomotif", "epoch": 1, "lo')
    with (tmp_path / "run" / "state" / "done.jsonl").open("a") as stream:
        stream.write('{"split": 0, "mo')
    (tmp_path / "run" / ".model.json.x.part").write_text("half")
    (tmp_path / "run" / "state" / ".base-0.safetensors.x.part").write_text("half")
    again = train_run(plan(splits=2), roles(), tmp_path / "run", resume=True)
    assert again.outcome == result.outcome
    assert is_complete(tmp_path / "run")
    found = [
        [(r["split"], r["model"], r["epoch"]) for r in lines(f / "metrics.jsonl")] for f in (tmp_path / "run", folder)
    ]
    assert found[0] == found[1]


def test_a_graph_without_attributes_runs(tmp_path):
    result = train_run(replace(plan(), source={"dataset": "karate"}), load_dataset("karate"), tmp_path / "run")
    assert result.graph.name == "karate"


def test_data_that_changed_since_the_run_began_are_refused(tmp_path, run):
    train_run(plan(), roles(), tmp_path / "mine")
    other = roles().replace(y=np.roll(roles().y, 1))
    with pytest.raises(InputError, match="config.yaml: began with other data than is there now"):
        train_run(plan(), other, tmp_path / "mine", resume=True)


def test_a_folder_that_is_being_trained_into_is_refused(tmp_path):
    def again(outcome):
        with pytest.raises(InputError, match="another process trains into it"):
            train_run(plan(), roles(), tmp_path / "mine", resume=True)

    undisturbed = train_run(plan(), roles(), tmp_path / "other")
    result = train_run(plan(), roles(), tmp_path / "mine", on_done=again)
    assert result.outcome == undisturbed.outcome


@pytest.mark.parametrize("changes", [{"threads": 5000}, {"seed": 2**63 - 1, "splits": 2}])
def test_an_error_of_a_later_training_is_found_before_the_first(tmp_path, changes):
    with pytest.raises(InputError, match="threads must be|random_state must be"):
        train_run(plan(**changes), roles(), tmp_path / "mine")
    assert not (tmp_path / "mine").exists()
