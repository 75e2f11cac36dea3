"""Records: published stores are read and written as they are, and what cannot be is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from shutil import copyfile

import pytest

from infomotif.errors import InputError
from infomotif_bench import Schedule, Store, load_experiment, run_schedule
from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.methods import METHODS
from infomotif_bench.running.archive import read_archive
from infomotif_bench.running.run import BenchRun
from infomotif_bench.running.run_record import RunRecord
from tests.bench.made import made_record

PUBLISHED = Path(__file__).parents[3] / "docs" / "results" / "runs" / "table3.runs.xz"
RUN = BenchRun("demo", "karate", "gcn", 1, Scheme(0.2), 0, {"lr": 0.1}, "0000")


def test_old_records_keep_their_keys_and_lines():
    runs = [line for line in read_archive(PUBLISHED).lines if line["kind"] == "run"]
    assert len(runs) > 2000
    for run in runs:
        spelled = (
            "table3", run["dataset"], run["method"], f"{run['ratio']:g}", str(run["split"]), run["settings_hash"],
            run["data"], str(run["version"]),
        )  # fmt: skip
        record = RunRecord.from_json(run)
        assert record.run.key == spelled
        assert json.dumps({"kind": "run", **record.to_json()}) == json.dumps(run)


def test_nothing_of_a_finished_row_is_left_to_run(tmp_path, monkeypatch):
    copyfile(PUBLISHED, tmp_path / PUBLISHED.name)
    store = Store(tmp_path)
    # A later version is rightly measured again; the kept runs are of the one they name.
    version = next(record.run.version for record in store.runs("table3") if record.run.method == "gcn")
    monkeypatch.setitem(METHODS, "gcn", replace(METHODS["gcn"], version=version))
    schedule = Schedule(load_experiment("table3"), methods=["gcn"], datasets=["brazil"])
    assert not schedule.cell(schedule.rows[0], "brazil", store).missing
    assert run_schedule(schedule, store) == 0
    assert (tmp_path / PUBLISHED.name).read_bytes() == PUBLISHED.read_bytes()


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"test_accuracy": 5.0}, r"test_accuracy must be from 0 to 1 \(got 5.0\)"),
        ({"test_accuracy": 0.75}, r"test_accuracy is not the share of test nodes that correct holds \(got 0.75\)"),
        ({"failed": "the loss is nan"}, "a run has either test_accuracy or failed"),
        ({"correct": "wA"}, "correct is not base64 text"),
        ({"correct": "wAAA"}, "correct is not the text of 4 test nodes"),
        ({"nodes": (0, 2, 4)}, "nodes must be how many train, validate and test"),
        ({"created": "yesterday"}, "created must be a time"),
        ({"details": {"choice": {}}}, "details.choice must be text"),
        ({"cpu_seconds": 10**400}, "cpu_seconds must be a finite number"),
    ],
)
def test_an_outcome_that_cannot_be_is_refused(values, message):
    with pytest.raises(InputError, match=message):
        made_record(RUN, **values)


def test_a_line_whose_settings_were_edited_is_refused():
    line = made_record(RUN).to_json() | {"settings": {"lr": 0.5}}
    with pytest.raises(InputError, match="settings_hash is not the hash of the settings"):
        RunRecord.from_json(line)


@pytest.mark.parametrize("ratio", [None, True, [0.2], "half", 7])
def test_a_line_without_a_number_of_labels_is_refused(ratio):
    with pytest.raises(InputError, match="must"):
        RunRecord.from_json(made_record(RUN).to_json() | {"ratio": ratio})
