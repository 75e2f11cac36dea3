"""Summary: the cells of a table or the points of a figure, from the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

import numpy as np

from infomotif._core.statistics import Difference, Spread, paired_difference, spread
from infomotif_bench.experiments.experiment import Experiment, Published, Row
from infomotif_bench.experiments.graphs import bench_graph, split_of
from infomotif_bench.experiments.groups import group_names, group_of
from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.running.run import Record, unpack
from infomotif_bench.running.run_store import Store
from infomotif_bench.running.schedule import Plan

LEVEL = 0.05
Place = tuple[str, str, str]

# Few nodes lie farthest away; the accuracy of a handful would count as much as that of hundreds in another split.
_LEAST = 10


@dataclass(frozen=True)
class Measured:
    """A cell: what was measured, what the paper prints, and what the differences mean.

    Attributes:
        values: A value a split: accuracy, or CPU seconds an epoch.
        spread: Their mean and standard deviation.
        published: The paper's figure.
        to_base: Difference to the row's base on the same splits.
        to_published: Difference to the published mean.
        ratio: Mean divided by the base's, for times.
        nodes: How many nodes train and how many test in a split, on average.
        splits: Splits that were run to their end; a group of test nodes may be too small in some to have a value.
        failed: Runs whose training did not end in finite numbers.
        settings: What the search chose.
        choices: How often a method that chooses on every split chose what.
    """

    values: Mapping[int, float]
    spread: Spread | None
    published: Published | None
    to_base: Difference | None = None
    to_published: Difference | None = None
    ratio: float | None = None
    nodes: tuple[int, int] | None = None
    splits: int = 0
    failed: int = 0
    settings: Mapping[str, Any] | None = None
    choices: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Summary:
    """An experiment as measured so far.

    Attributes:
        experiment: The experiment.
        panels: What the tables or plots stand side by side for, mostly datasets.
        rows: The rows.
        columns: Titles of the columns.
        cells: What was measured, by panel, row and column.
        environments: What the runs were made with.
        runs: Number of runs, the search included.
        cpu_seconds: Their CPU time together.
        finished: When the last of them ended.
        hidden: How many runs of the experiment in the store have no part in what is shown.
        forced: Settings that were fixed for all methods that know them.
        tuned: Whether settings were searched for.
    """

    experiment: Experiment
    panels: tuple[str, ...]
    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    cells: Mapping[Place, Measured]
    environments: tuple[Record, ...]
    runs: int
    cpu_seconds: float
    finished: str
    hidden: int = 0
    forced: Mapping[str, Any] = field(default_factory=dict)
    tuned: bool = True

    @property
    def accuracy(self) -> bool:
        """Whether values are accuracies, rather than seconds."""
        return self.experiment.kind != "runtime"

    def cell(self, panel: str, row: Row, column: str) -> Measured:
        """Return a cell; one without runs if there are none."""
        return self.cells[panel, row.name, column]


def verdict(difference: Difference | None) -> str:
    """Return ``win``, ``loss``, ``win?``, ``loss?`` (by the interval, not by the corrected test), ``even`` or nothing.

    Example:
        >>> verdict(Difference(0.02, 0.01, 10, 0.2))
        'win?'
    """
    if difference is None or difference.half_width is None:
        return ""
    if not difference.clear:
        return "even"
    sure = difference.p_value is not None and difference.p_value < LEVEL
    return ("win" if difference.mean > 0 else "loss") + ("" if sure else "?")


def summarise(plan: Plan, store: Store) -> Summary:
    """Return what ``store`` holds of ``plan``.

    Example:
        >>> import pathlib
        >>> from infomotif_bench import load_experiment
        >>> summary = summarise(Plan(load_experiment("table3")), Store(pathlib.Path("no-such-folder")))
        >>> str(summary.cell("usa", summary.rows[0], "20 %").published)
        '24.6 ± 0.9'
    """
    rows = tuple(row for row in plan.rows if not _expanded(row))
    # A row is compared with its base, whether that is shown or not.
    bases = [plan.experiment.row(row.base) for row in rows if row.base is not None]
    names = {row.name for row in rows}
    unseen = tuple({row.name: row for row in bases if row.name not in names}.values())
    found: dict[Place, list[Record]] = {}
    columns: dict[str, None] = {}
    panels: dict[str, None] = {}
    used: dict[tuple[str, str], None] = {}
    settings: dict[Place, Mapping[str, Any]] = {}
    for place, records, chosen in _places(plan, rows + unseen, store):
        panels[place[0]] = columns[place[2]] = None
        found[place] = records
        settings[place] = chosen
        if place[1] in names:
            used.update({(r["experiment"], r["environment"]): None for r in records})
    values = {place: _values(records) for place, records in found.items()}
    shown = [place for place in found if place[1] in names]
    cells = {place: _measured(plan.experiment, place, found, values, settings[place]) for place in shown}
    runs = store.runs(plan.experiment.name)
    return Summary(
        experiment=plan.experiment,
        panels=tuple(panels),
        rows=rows,
        columns=tuple(columns),
        cells=cells,
        environments=tuple(store.environment(*name) for name in used),
        runs=len(runs),
        cpu_seconds=sum(record["cpu_seconds"] for record in runs if "copied_from" not in record),
        finished=max((record["created"] for record in runs), default=""),
        forced=plan.settings,
        tuned=plan.tuned or not plan.experiment.tuning.splits,
    )


def hidden_runs(plan: Plan, store: Store) -> int:
    """Return how many runs of the experiment in ``store`` have no part in what is shown of ``plan``."""
    complete = (cell for cell in plan.cells(store) if cell.settings is not None)
    shown = {job.key for cell in complete for job in plan.jobs(cell) if store.find(job) is not None}
    return len(store.runs(plan.experiment.name)) - len(shown)


def _expanded(row: Row) -> bool:
    return "/" in row.name


def _places(plan: Plan, rows: tuple[Row, ...], store: Store) -> Iterator[tuple[Place, list[Record], Mapping[str, Any]]]:
    experiment = plan.experiment
    for dataset in plan.datasets:
        for row in rows:
            variants = [(row, "")]
            if experiment.vary is not None:
                key, items = experiment.vary
                variants = [(experiment.row(f"{row.name}/{key}={item}"), f"{key} = {item}") for item in items]
            for variant, column in variants:
                chosen, records = _records(plan, variant, dataset, store)
                for scheme in plan.labels:
                    at = [record for record in records if Scheme.of_record(record).key == scheme.key]
                    if names := group_names(experiment.kind):
                        for number, name in enumerate(names):
                            yield (dataset, row.name, name), [_group(experiment, r, number) for r in at], chosen
                    elif experiment.kind == "runtime":
                        graph = bench_graph(dataset)
                        degree = f"{2 * graph.num_edges / graph.num_nodes:.0f}"
                        yield ("Barabasi-Albert", row.name, f"mean degree {degree}"), at, chosen
                    else:
                        yield (dataset, row.name, column or scheme.name), at, chosen


def _records(plan: Plan, row: Row, dataset: str, store: Store) -> tuple[Mapping[str, Any], list[Record]]:
    cell = plan.cell(row, dataset, store)
    if cell.settings is None:
        return {}, []
    found = (store.find(job) for job in plan.final_jobs(row, dataset, cell.settings))
    return row.implementation().differing(cell.settings), [record for record in found if record is not None]


def _group(experiment: Experiment, record: Record, number: int) -> Record:
    """Return the record as if only the nodes of one group had been tested."""
    by = experiment.measure or experiment.kind
    inside = np.asarray(_groups(by, record["dataset"], Scheme.of_record(record), record["split"])) == number
    tested = int(inside.sum())
    accuracy = None
    if record["correct"] is not None and tested >= (_LEAST if experiment.kind == "distance" else 1):
        accuracy = float(unpack(record["correct"], record["nodes"][2])[inside].mean())
    return {**record, "tested": tested, "test_accuracy": accuracy}


@lru_cache(maxsize=256)
def _groups(by: str, dataset: str, scheme: Scheme, split: int) -> tuple[int, ...]:
    return tuple(group_of(by, bench_graph(dataset), split_of(dataset, scheme, split)).tolist())


def _values(records: list[Record]) -> dict[int, float]:
    seconds = bool(records) and records[0]["dataset"].startswith("ba-")
    if seconds:
        return {r["split"]: r["details"]["epoch_cpu_seconds"] for r in records if r["failed"] is None}
    return {r["split"]: r["test_accuracy"] for r in records if r["test_accuracy"] is not None}


def _measured(
    experiment: Experiment,
    place: Place,
    found: Mapping[Place, list[Record]],
    values: Mapping[Place, dict[int, float]],
    settings: Mapping[str, Any],
) -> Measured:
    panel, name, column = place
    row, own = experiment.row(name), values[place]
    published = row.published.get(panel, {}).get(_ratio(column))
    failed = sum(record["failed"] is not None for record in found[place])
    splits = len(found[place]) - failed
    if not own:
        return Measured(own, None, published, splits=splits, failed=failed, settings=settings)
    base = values.get((panel, row.base, column), {}) if row.base else {}
    common = sorted(own.keys() & base.keys())
    counts = np.array([(r["nodes"][0], r["nodes"][2], r.get("tested", r["nodes"][2])) for r in found[place]])
    # How much splits overlap, which the test corrects for, is no matter of the group of nodes that is looked at.
    train, test, tested = (round(float(mean)) for mean in counts.mean(axis=0))
    to_base = ratio = to_published = None
    if common and experiment.kind == "runtime":
        ratio = float(np.mean([own[s] for s in common]) / np.mean([base[s] for s in common]))
    elif common:
        to_base = paired_difference([own[s] for s in common], [base[s] for s in common], sizes=(train, test))
    if published is not None:
        to_published = paired_difference(list(own.values()), [published.mean / 100] * len(own), sizes=(train, test))
    made = spread(list(own.values()))
    choices = Counter(r["details"]["choice"] for r in found[place] if "choice" in r["details"])
    return Measured(
        own, made, published, to_base, to_published, ratio, (train, tested), splits, failed, settings, choices
    )


def _ratio(column: str) -> float:
    return round(float(column.removesuffix(" %")) / 100, 6) if column.endswith(" %") else -1.0


def joint_rows(summary: Summary) -> list[Row]:
    """Return the rows that are preset ``joint`` over their base and nothing besides."""
    return [row for row in summary.rows if row.base is not None and row.name == f"infomotif-{row.base}-joint"]


@dataclass(frozen=True)
class Parts:
    """What of a table there is to show."""

    panels: tuple[str, ...]
    rows: tuple[Row, ...]
    columns: tuple[str, ...]


def measured_parts(summary: Summary) -> Parts:
    """Return what has a figure, ours or the paper's; all of it where there is none at all."""
    found = [
        (panel, row.name, column)
        for panel in summary.panels
        for row in summary.rows
        for column in summary.columns
        if summary.experiment.published or summary.cell(panel, row, column).spread is not None
    ]
    if not found:
        return Parts(tuple(summary.panels), tuple(summary.rows), tuple(summary.columns))
    panels, names, columns = (set(part) for part in zip(*found, strict=True))
    if summary.experiment.kind == "distance":
        # Columns without a figure are hops at which there is no node.
        columns = set(summary.columns)
    return Parts(
        tuple(panel for panel in summary.panels if panel in panels),
        tuple(row for row in summary.rows if row.name in names),
        tuple(column for column in summary.columns if column in columns),
    )
