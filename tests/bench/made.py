"""Stores with made-up runs, so that summaries can be checked against known figures."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from infomotif_bench import Plan, Store
from infomotif_bench.experiments.graphs import split_of
from infomotif_bench.running.run import pack

ENVIRONMENT = {
    "infomotif": "0.1.0", "commit": "abc123", "python": "3.11", "libraries": {"torch": "2"}, "system": "Linux",
    "machine": "a processor", "cores": 2,
}  # fmt: skip


def fill(folder: Path, plan: Plan, accuracy) -> Store:
    """Fill a store with the runs of ``plan``: ``accuracy(row, dataset, labels, split)`` for each."""
    store = Store(folder)
    for cell in plan.cells(store):
        for job in cell.missing:
            split = split_of(job.dataset, job.labels, job.split)
            value = accuracy(cell.row, job.dataset, job.labels, job.split)
            share = min(value, 1.0)
            correct = np.arange(len(split.test)) < round(share * len(split.test))
            store.add_run(
                job.to_record()
                | {
                    "test_accuracy": share,
                    "val_accuracy": share,
                    "best_epoch": 1,
                    "nodes": [len(split.train), len(split.val), len(split.test)],
                    "correct": pack(correct),
                    "details": {"epoch_cpu_seconds": value, "epochs": 1},
                    "cpu_seconds": 36.0,
                    "seconds": 36.0,
                    "created": "2026-01-01T00:00:00+00:00",
                    "failed": None,
                },
                ENVIRONMENT,
            )
    return store
