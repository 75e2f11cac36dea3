"""RunFolder: what it keeps, and what it refuses to go on with."""

from __future__ import annotations

from dataclasses import asdict, replace

import pytest
import yaml

from infomotif.errors import InputError
from infomotif.runs import BASE, TrainingOutcome
from infomotif.runs.folder import RunFolder
from infomotif.runs.opened import read_config
from tests.runs.plans import plan

OUTCOME = TrainingOutcome(0, BASE, 0.5, 0.6, 3, (48, 24, 48), 1.5, 2.5)


def test_a_broken_config_is_named(tmp_path):
    run = RunFolder(tmp_path / "run")
    run.start(asdict(plan()), resume=False, fingerprint="0")
    for text in ("a: [", "- 1", "\x00"):
        (run.path / "config.yaml").write_text(text)
        with pytest.raises(InputError, match=r"config.yaml.*: (not valid YAML|must hold keys and values)"):
            run.start(asdict(plan()), resume=True, fingerprint="0")


def test_names_that_yaml_reads_otherwise_come_back(tmp_path):
    odd = replace(plan(), source={"dataset": "no", "label": "1e3", "edges": "Ünïcode: [x]"})
    RunFolder(tmp_path / "run").start(asdict(odd), resume=False, fingerprint="0")
    written = asdict(odd) | {"fingerprint": "0"}
    assert read_config(tmp_path / "run") == written
    assert yaml.safe_load((tmp_path / "run" / "config.yaml").read_text(encoding="utf-8")) == written


def test_a_restart_of_torchrun_goes_on_only_with_the_run_it_started(tmp_path, monkeypatch):
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "first")
    run = RunFolder(tmp_path / "run")
    run.start({"encoder": "gcn"}, resume=False, fingerprint="0")
    with pytest.raises(InputError, match="holds a run already"):
        run.start({"encoder": "gcn"}, resume=False, fingerprint="0")
    monkeypatch.setenv("TORCHELASTIC_RESTART_COUNT", "1")
    run.start({"encoder": "gcn"}, resume=False, fingerprint="0")
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "another")
    with pytest.raises(InputError, match="holds a run already"):
        run.start({"encoder": "gcn"}, resume=False, fingerprint="0")


@pytest.fixture
def started(tmp_path) -> RunFolder:
    run = RunFolder(tmp_path)
    run.state.mkdir()
    return run


def test_an_outcome_is_read_back(started):
    started.add_outcome(OUTCOME)
    assert started.outcomes() == [OUTCOME]


def test_a_training_that_is_recorded_twice_counts_once(started):
    started.add_outcome(OUTCOME)
    started.add_outcome(replace(OUTCOME, test_accuracy=0.9))
    assert started.outcomes() == [OUTCOME]


def test_a_damaged_outcome_is_named_with_its_line(started):
    started.add_outcome(OUTCOME)
    with (started.state / "done.jsonl").open("a") as stream:
        stream.write('{"split": 1, "model": "base"}\n')
    with pytest.raises(InputError, match=r"done.jsonl, line 2: lacks 'test_accuracy'"):
        started.outcomes()


def test_metrics_of_unfinished_trainings_are_dropped(started):
    for split in (0, 1, [2]):
        started.add_metrics(split, BASE, {"epoch": 1})
    started.drop_metrics_except([OUTCOME])
    assert (started.path / "metrics.jsonl").read_text() == '{"split": 0, "model": "base", "epoch": 1}\n'


def test_a_broken_choice_is_named(started):
    for text in ("", "{", "{}", '{"tried": []}'):
        (started.state / "choice-0.json").write_text(text)
        with pytest.raises(InputError, match="choice-0.json: cannot be read .*; remove it to search again"):
            started.choice(0)
