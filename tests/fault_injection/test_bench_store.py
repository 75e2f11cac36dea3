"""The store of the laboratory: no run that was added is lost, and no line is torn for its readers."""

from __future__ import annotations

from pathlib import Path

import pytest

from infomotif_bench import Store
from tests.bench.made import made_record
from tests.bench.running.test_run_store import run
from tests.fault_injection.disk import every_fault

pytestmark = pytest.mark.slow


def add(folder: Path, split: int) -> None:
    Store(folder / "store").add_run(made_record(run(split=split)), {"cores": 1})


def test_every_run_that_was_added_is_found_whatever_happens(tmp_path: Path) -> None:
    template = tmp_path / "template"
    template.mkdir()
    add(template, 0)
    added: dict[Path, list[int]] = {}

    def act(folder: Path) -> None:
        done = added.setdefault(folder, [0])
        add(folder, 1)
        done.append(1)
        store = Store(folder / "store")
        store.pack()
        add(folder, 2)
        done.append(2)

    def check(folder: Path, outcome: str) -> None:
        store = Store(folder / "store")
        assert all(store.find(run(split=split)) is not None for split in added[folder])
        for split in (1, 2):
            add(folder, split)
        again = Store(folder / "store")
        assert {record.run.split for record in again.runs("table3")} == {0, 1, 2}
        again.pack()
        assert {record.run.split for record in Store(folder / "store").runs("table3")} == {0, 1, 2}

    assert every_fault(template, tmp_path, act, check, how=("full", "torn", "power")) > 40
