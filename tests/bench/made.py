"""Made-up runs and stores, so that summaries can be checked against known figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from infomotif_bench import Schedule, Store
from infomotif_bench.experiments.graphs import split_of
from infomotif_bench.running.run import BenchRun
from infomotif_bench.running.run_record import RunRecord, pack

ENVIRONMENT = {
    "infomotif": "0.1.0", "commit": "abc123", "python": "3.11", "libraries": {"torch": "2"}, "system": "Linux",
    "machine": "a processor", "cores": 2,
}  # fmt: skip


def made_record(run: BenchRun, **values: Any) -> RunRecord:
    """Return the record of a run that was half right on four test nodes, with some values changed."""
    plain: dict[str, Any] = {
        "test_accuracy": 0.5, "val_accuracy": 0.5, "best_epoch": 1, "nodes": (2, 2, 4), "correct": "wA==",
        "details": {}, "cpu_seconds": 1.0, "seconds": 1.0, "created": "2026-01-01T00:00:00+00:00", "failed": None,
    }  # fmt: skip
    return RunRecord(run=run, **{**plain, **values})


def fill(folder: Path, schedule: Schedule, accuracy, details=lambda run: {}) -> Store:
    """Fill a store with the runs of ``schedule``: ``accuracy(row, dataset, labels, split)`` for each."""
    store = Store(folder)
    for cell in schedule.cells(store):
        for run in cell.missing:
            split = split_of(run.dataset, run.labels, run.split)
            value = accuracy(cell.row, run.dataset, run.labels, run.split)
            share = min(value, 1.0)
            record = made_record(
                run,
                test_accuracy=share,
                val_accuracy=share,
                nodes=(len(split.train), len(split.val), len(split.test)),
                correct=pack(np.arange(len(split.test)) < round(share * len(split.test))),
                details={"epoch_cpu_seconds": value, "epochs": 1, **details(run)},
                cpu_seconds=36.0,
                seconds=36.0,
            )
            store.add_run(record, ENVIRONMENT)
    return store
