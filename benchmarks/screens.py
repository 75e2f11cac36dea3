"""Rows of an experiment on validation nodes: the paired difference to the row that each is compared with.

    infomotif bench ideas --store docs/results/runs
    python benchmarks/screens.py ideas                  # from docs/results/runs
    python benchmarks/screens.py controls --against edges-degree
    python benchmarks/screens.py controls --json out.json

Tables of the bench print test accuracy. Which ideas are kept is decided here, without any test label. At the end rows
are listed by their mean difference over the graphs.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

from infomotif._core.statistics import paired_difference
from infomotif.errors import InputError
from infomotif_bench import Schedule, Store, load_experiment

Found = dict[str, dict[str, Any]]


def validation(schedule: Schedule, store: Store, name: str, dataset: str) -> dict[tuple[str, int], float]:
    """Return the validation accuracy of every run of a row."""
    row = schedule.experiment.row(name)
    cell = schedule.cell(row, dataset, store)
    runs = [] if cell.settings is None else schedule.final_runs(row, dataset, cell.settings)
    records = [store.find(run) for run in runs]
    return {
        (record.run.labels.key, record.run.split): record.val_accuracy
        for record in records
        if record is not None and record.val_accuracy is not None
    }


def screen(experiment: str, folder: Path, against: str | None = None) -> Found:
    """Return the difference of each row to its base, or to another row, on each graph, over the runs of both."""
    schedule, store = Schedule(load_experiment(experiment)), Store(folder)
    found: Found = {}
    for row in schedule.rows:
        base = against or row.base or row.implementation().base
        for dataset in schedule.datasets if base is not None else ():
            ours, theirs = (validation(schedule, store, name, dataset) for name in (row.name, base))
            both = sorted(set(ours) & set(theirs))
            if len(both) > 1:
                difference = paired_difference([ours[k] for k in both], [theirs[k] for k in both])
                found.setdefault(row.name, {"title": row.title, "base": base, "graphs": {}})["graphs"][dataset] = {
                    "mean": float(np.mean([ours[k] for k in both])), "difference": difference, "splits": len(both),
                }  # fmt: skip
    return found


def shown(experiment: str, found: Found) -> Table:
    """Return the differences as a table, best on average first."""
    graphs = sorted({graph for row in found.values() for graph in row["graphs"]})
    table = Table(title=f"{experiment}: validation accuracy, and its paired difference to the row held against")
    for heading in ("row", "held against", *graphs, "mean difference"):
        table.add_column(heading, justify="left" if heading in ("row", "held against") else "right")
    for row in sorted(found.values(), key=lambda row: -average(row)):
        cells = [row["graphs"].get(graph) for graph in graphs]
        texts = ["" if c is None else f"{100 * c['mean']:.1f} ({c['difference']}, {c['splits']} splits)" for c in cells]
        table.add_row(row["title"], row["base"], *texts, f"{100 * average(row):+.1f}")
    return table


def average(row: dict[str, Any]) -> float:
    """Return the mean difference of a row over its graphs."""
    return float(np.mean([cell["difference"].mean for cell in row["graphs"].values()]))


def main() -> None:
    """Print the screen of one experiment."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("experiment")
    parser.add_argument("--store", type=Path, default=Path(__file__).parents[1] / "docs" / "results" / "runs")
    parser.add_argument("--against", metavar="ROW", help="a row to hold all others against, in place of their own")
    parser.add_argument("--json", type=Path)
    arguments = parser.parse_args()
    try:
        found = screen(arguments.experiment, arguments.store, arguments.against)
    except InputError as error:
        parser.error(str(error))
    Console(width=200).print(shown(arguments.experiment, found))
    if arguments.json:
        plain = json.dumps(found, indent=2, default=vars)
        arguments.json.write_text(plain + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
