"""Run folders: after every fault ``resume`` goes on and ends with the same numbers to the bit.

Every operation goes wrong in one of the ways; with the variable INFOMOTIF_ALL_FAULTS in all of them.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path

import pytest

from infomotif.runs import RunPlan, train_run
from infomotif.runs.opened import open_run, read_result
from tests.fault_injection.disk import Disk, tried
from tests.runs.plans import is_complete, roles, without_times

pytestmark = pytest.mark.slow

PLAN = RunPlan(source={"dataset": "roles"}, preset="base", settings={"hidden": 4, "epochs": 2}, ratio=0.4)
WAYS = ("kill", "full", "power", "torn")
SAME = ("config.yaml", "metrics.jsonl", "predictions.csv", "model.json", "model.safetensors", "base/model.safetensors")


def trained(folder: Path) -> None:
    train_run(PLAN, roles(), folder / "run", resume=True, progress=False)


def numbers(folder: Path) -> tuple:
    """Return all that must be the same in two runs."""
    lines = [json.loads(line) for line in (folder / "metrics.jsonl").read_text().splitlines()]
    files = {name: (folder / name).read_bytes() for name in SAME if name != "metrics.jsonl"}
    return files, without_times(lines), without_times(read_result(folder).to_dict()["trainings"])


@pytest.mark.parametrize("part", range(4))
def test_a_run_goes_on_to_the_same_numbers_whatever_happens(tmp_path: Path, monkeypatch, part: int) -> None:
    monkeypatch.setenv("INFOMOTIF_CHECKPOINT_SECONDS", "0")
    # The page is made from what the run keeps, is not read back, and takes most of the time of so small a run.
    # By the function, as another test may have imported its module again.
    monkeypatch.setitem(train_run.__globals__, "write_report", lambda *args, **options: None)
    reference = tmp_path / "reference"
    disk = Disk(reference)
    reference.mkdir()
    assert tried(disk, lambda: trained(reference)) == "done"
    assert not disk.at_risk()
    assert not disk.unsynced
    expected = numbers(reference / "run")
    assert len(disk.operations) > 80
    faults = [(at, WAYS[at // 4 % 4]) for at in range(1 + part, len(disk.operations) + 1, 4)]
    if os.environ.get("INFOMOTIF_ALL_FAULTS"):
        faults = [(at, how) for at, _ in faults for how in WAYS]
    for at, how in faults:
        folder = tmp_path / f"fault-{at}"
        folder.mkdir()
        outcome = tried(Disk(folder, at=at, how=how), lambda folder=folder: trained(folder))
        note = f"fault {at} ({how}: {disk.operations[at - 1]}), outcome '{outcome}'"
        trained(folder)
        assert numbers(folder / "run") == expected, note
        assert is_complete(folder / "run"), note
        assert open_run(folder / "run", roles()).metrics(), note
        shutil.rmtree(folder)
    sys.stdout.write(f"{len(disk.operations)} operations, {len(faults)} faults\n")
