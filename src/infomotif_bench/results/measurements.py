"""Summary: the cells of a table or the points of a figure, computed from the store."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from infomotif._core.statistics import Difference, Spread, paired_difference, spread
from infomotif_bench.experiments.experiment import Experiment, Published, Row
from infomotif_bench.experiments.graphs import bench_graph, split_of
from infomotif_bench.experiments.groups import group_names, group_of
from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.running.run_record import RunRecord, unpack
from infomotif_bench.running.run_store import Environment, Store
from infomotif_bench.running.schedule import Schedule

LEVEL = 0.05
"""Significance level of the corrected test."""
MIN_TESTED = 10
"""Fewest nodes at a distance: the accuracy of a handful would count as much as that of hundreds in another split."""
CellKey = tuple[str, str, str]
"""Panel, row and column of a cell."""


@dataclass(frozen=True)
class TrialSpread:
    """Where a spread comes from: repeated trainings on one split, or splits.

    Attributes:
        count: Trials per split, on average.
        over_trials: Standard deviation over the trials of a split, pooled over splits.
        over_splits: Standard deviation over splits that is left when trials are averaged out.
    """

    count: float
    over_trials: float
    over_splits: float


@dataclass(frozen=True)
class Measured:
    """A cell: the measured values, the paper's figure, and the differences to it and to the base.

    Attributes:
        values: One value per split, the mean over its trials: accuracy, or CPU seconds per epoch.
        spread: Their mean and standard deviation.
        published: The paper's figure.
        to_base: Difference to the row's base on the same splits.
        to_published: Difference to the published mean.
        ratio: Mean divided by the base's, for times.
        nodes: How many nodes train and how many test in a split, on average.
        splits: Finished splits; in some of them a group of test nodes may be too small to have a value.
        failed: Runs whose training did not end in finite numbers.
        trials: The spread over trials of one split, if splits have several.
        settings: The settings that the search chose.
        choices: How often each candidate was chosen, for methods that choose on every split.
        cpu_seconds: CPU seconds per run, on average.
        motifs: Share of the runs whose answer has a part made of motifs, for methods that say so.
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
    trials: TrialSpread | None = None
    settings: Mapping[str, Any] | None = None
    choices: Mapping[str, int] = field(default_factory=dict)
    cpu_seconds: float | None = None
    motifs: float | None = None


@dataclass(frozen=True)
class Summary:
    """An experiment as measured so far.

    Attributes:
        experiment: The experiment.
        panels: Names of the tables or plots, mostly datasets.
        rows: The rows.
        columns: Titles of the columns.
        cells: The cells by panel, row and column.
        environments: The environments of the runs.
        runs: Number of runs, the search included.
        cpu_seconds: Their CPU time together.
        finished: When the last of them ended.
        hidden: How many runs of the experiment in the store are not shown.
        forced: Settings that were fixed for all methods that know them.
        tuned: Whether settings were searched for.
    """

    experiment: Experiment
    panels: tuple[str, ...]
    rows: tuple[Row, ...]
    columns: tuple[str, ...]
    cells: Mapping[CellKey, Measured]
    environments: tuple[Environment, ...]
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
        """Return a cell, which may have no runs."""
        return self.cells[panel, row.name, column]


def verdict(difference: Difference | None) -> str:
    """Return ``win``, ``loss``, ``even`` or nothing; ``win?`` and ``loss?`` are by the interval but not by the test.

    A difference that is clear only thanks to a single split is ``unsteady``: another machine can turn that split.

    Example:
        >>> verdict(Difference(0.02, 0.01, 10, 0.2))
        'win?'
    """
    if difference is None or difference.half_width is None:
        return ""
    if not difference.clear:
        return "even"
    if not difference.steady:
        return "unsteady"
    sure = difference.p_value is not None and difference.p_value < LEVEL
    return ("win" if difference.mean > 0 else "loss") + ("" if sure else "?")


class _Score(NamedTuple):
    """A record with the accuracy of one group of its test nodes, or of all."""

    record: RunRecord
    accuracy: float | None
    tested: int


def summarise(schedule: Schedule, store: Store) -> Summary:
    """Return the measurements of ``schedule`` that ``store`` holds.

    Example:
        >>> import pathlib
        >>> from infomotif_bench import load_experiment
        >>> summary = summarise(Schedule(load_experiment("table3")), Store(pathlib.Path("no-such-folder")))
        >>> str(summary.cell("usa", summary.rows[0], "20 %").published)
        '24.6 ± 0.9'
    """
    experiment = schedule.experiment
    rows = tuple(row for row in schedule.rows if not _expanded(row))
    names = {row.name for row in rows}
    # A row is compared with its base, whether that is shown or not.
    bases = [experiment.row(row.base) for row in rows if row.base is not None]
    unseen = tuple({row.name: row for row in bases if row.name not in names}.values())
    scores: dict[CellKey, list[_Score]] = {}
    settings: dict[CellKey, Mapping[str, Any]] = {}
    used: dict[tuple[str, str], None] = {}
    for key, cell_scores, chosen in _scores(schedule, rows + unseen, store):
        scores[key], settings[key] = cell_scores, chosen
        if key[1] in names:
            used.update({(s.record.run.experiment, s.record.environment): None for s in cell_scores})
    values = {key: _values(experiment, cell_scores) for key, cell_scores in scores.items()}
    shown = [key for key in scores if key[1] in names]
    runs = store.runs(experiment.name)
    return Summary(
        experiment=experiment,
        panels=tuple(dict.fromkeys(panel for panel, _, _ in scores)),
        rows=rows,
        columns=tuple(dict.fromkeys(column for _, _, column in scores)),
        cells={key: _measured(experiment, key, scores[key], values, settings[key]) for key in shown},
        environments=tuple(store.environment(*name) for name in used),
        runs=len(runs),
        cpu_seconds=sum(record.cpu_seconds for record in runs if record.copied_from is None),
        finished=max((record.created for record in runs), default=""),
        forced=schedule.settings,
        tuned=schedule.tuned or not experiment.tuning.splits,
    )


def hidden_runs(schedule: Schedule, store: Store) -> int:
    """Return how many runs of the experiment in ``store`` the summary of ``schedule`` does not show."""
    complete = (cell for cell in schedule.cells(store) if cell.settings is not None)
    shown = {run.key for cell in complete for run in schedule.known_runs(cell) if store.find(run) is not None}
    return len(store.runs(schedule.experiment.name)) - len(shown)


def _expanded(row: Row) -> bool:
    return "/" in row.name


def _scores(
    schedule: Schedule, rows: tuple[Row, ...], store: Store
) -> Iterator[tuple[CellKey, list[_Score], Mapping[str, Any]]]:
    """Yield every cell with its scores and the settings of its row."""
    experiment = schedule.experiment
    for dataset in schedule.datasets:
        for row in rows:
            variants = [(row, "")]
            if experiment.vary is not None:
                key, items = experiment.vary
                variants = [(experiment.row(f"{row.name}/{key}={item}"), f"{key} = {item}") for item in items]
            for variant, column in variants:
                chosen, records = _records(schedule, variant, dataset, store)
                for scheme in schedule.labels:
                    at = [record for record in records if record.run.labels.key == scheme.key]
                    if names := group_names(experiment.kind):
                        for number, name in enumerate(names):
                            group = [_group_score(experiment, record, number) for record in at]
                            yield (dataset, row.name, name), group, chosen
                        continue
                    whole = [_Score(record, record.test_accuracy, record.nodes[2]) for record in at]
                    if experiment.kind == "runtime":
                        graph = bench_graph(dataset)
                        degree = f"{2 * graph.num_edges / graph.num_nodes:.0f}"
                        yield ("Barabasi-Albert", row.name, f"mean degree {degree}"), whole, chosen
                    else:
                        yield (dataset, row.name, column or scheme.name), whole, chosen


def _records(schedule: Schedule, row: Row, dataset: str, store: Store) -> tuple[Mapping[str, Any], list[RunRecord]]:
    cell = schedule.cell(row, dataset, store)
    if cell.settings is None:
        return {}, []
    records = (store.find(run) for run in schedule.final_runs(row, dataset, cell.settings))
    return row.implementation().differing(cell.settings), [record for record in records if record is not None]


def _group_score(experiment: Experiment, record: RunRecord, number: int) -> _Score:
    """Return the score as if only the nodes of one group had been tested."""
    run = record.run
    by = experiment.measure or experiment.kind
    inside = np.asarray(_groups(by, run.dataset, run.labels, run.split)) == number
    tested = int(inside.sum())
    if record.correct is None or tested < (MIN_TESTED if experiment.kind == "distance" else 1):
        return _Score(record, None, tested)
    return _Score(record, float(unpack(record.correct, record.nodes[2])[inside].mean()), tested)


@lru_cache(maxsize=256)
def _groups(by: str, dataset: str, scheme: Scheme, split: int) -> tuple[int, ...]:
    return tuple(group_of(by, bench_graph(dataset), split_of(dataset, scheme, split)).tolist())


def _values(experiment: Experiment, scores: list[_Score]) -> dict[int, float]:
    """Return the value of each split: accuracy, or CPU seconds per epoch."""
    return {split: float(np.mean(values)) for split, values in _by_split(experiment, scores).items()}


def _by_split(experiment: Experiment, scores: list[_Score]) -> dict[int, list[float]]:
    """Return the values of each split's trials."""
    found: dict[int, list[float]] = {}
    for score in scores:
        runtime = experiment.kind == "runtime"
        value = score.record.details.get("epoch_cpu_seconds") if runtime else score.accuracy
        if value is not None:
            found.setdefault(score.record.run.split, []).append(value)
    return found


def trial_spread(by_split: Mapping[int, list[float]]) -> TrialSpread | None:
    """Split the variance of repeated trainings into that over trials and that over splits.

    Example:
        >>> trial_spread({0: [0.80, 0.82], 1: [0.90, 0.92]})
        TrialSpread(count=2.0, over_trials=0.014142, over_splits=0.07)
        >>> trial_spread({0: [0.8], 1: [0.9]}) is None
        True
    """
    repeated = [np.asarray(values) for values in by_split.values() if len(values) > 1]
    if len(repeated) < 2:
        return None
    within = float(np.mean([values.var(ddof=1) for values in repeated]))
    count = float(np.mean([len(values) for values in repeated]))
    # The variance of a split's mean holds a share of that over trials.
    between = float(np.var([values.mean() for values in repeated], ddof=1)) - within / count
    return TrialSpread(count, round(within**0.5, 6), round(max(0.0, between) ** 0.5, 6))


def _measured(
    experiment: Experiment,
    key: CellKey,
    scores: list[_Score],
    values: Mapping[CellKey, dict[int, float]],
    settings: Mapping[str, Any],
) -> Measured:
    panel, name, column = key
    row, ours = experiment.row(name), values[key]
    published = row.published.get(panel, {}).get(_ratio(column))
    failed = sum(score.record.failed is not None for score in scores)
    splits = len({score.record.run.split for score in scores if score.record.failed is None})
    if not ours:
        return Measured(ours, None, published, splits=splits, failed=failed, settings=settings)
    base = values.get((panel, row.base, column), {}) if row.base else {}
    common = sorted(ours.keys() & base.keys())
    # The test corrects for the overlap of splits, which does not depend on the group of test nodes.
    counts = np.array([(s.record.nodes[0], s.record.nodes[2], s.tested) for s in scores])
    train, test, tested = (round(float(mean)) for mean in counts.mean(axis=0))
    shares = [bool(score.record.details["motifs"]) for score in scores if "motifs" in score.record.details]
    to_base = ratio = to_published = None
    if common and experiment.kind == "runtime":
        ratio = float(np.mean([ours[s] for s in common]) / np.mean([base[s] for s in common]))
    elif common:
        to_base = paired_difference([ours[s] for s in common], [base[s] for s in common], sizes=(train, test))
    if published is not None:
        to_published = paired_difference(list(ours.values()), [published.mean / 100] * len(ours), sizes=(train, test))
    return Measured(
        values=ours,
        spread=spread(list(ours.values())),
        published=published,
        to_base=to_base,
        to_published=to_published,
        ratio=ratio,
        nodes=(train, tested),
        splits=splits,
        failed=failed,
        trials=trial_spread(_by_split(experiment, scores)),
        settings=settings,
        choices=Counter(s.record.details["choice"] for s in scores if "choice" in s.record.details),
        cpu_seconds=float(np.mean([score.record.cpu_seconds for score in scores])),
        motifs=float(np.mean(shares)) if shares else None,
    )


def _ratio(column: str) -> float:
    return round(float(column.removesuffix(" %")) / 100, 6) if column.endswith(" %") else -1.0


def joint_rows(summary: Summary) -> list[Row]:
    """Return the rows that differ from their base only by preset ``joint``."""
    return [row for row in summary.rows if row.base is not None and row.name == f"infomotif-{row.base}-joint"]


@dataclass(frozen=True)
class Parts:
    """The panels, rows and columns of a table that are shown."""

    panels: tuple[str, ...]
    rows: tuple[Row, ...]
    columns: tuple[str, ...]


def measured_parts(summary: Summary) -> Parts:
    """Return the parts with a figure, ours or the paper's; all parts if there is none at all."""
    keys = [
        (panel, row.name, column)
        for panel in summary.panels
        for row in summary.rows
        for column in summary.columns
        if summary.experiment.published or summary.cell(panel, row, column).spread is not None
    ]
    if not keys:
        return Parts(tuple(summary.panels), tuple(summary.rows), tuple(summary.columns))
    panels, names, columns = (set(part) for part in zip(*keys, strict=True))
    if summary.experiment.kind == "distance":
        # At the distances of other columns there is no node.
        columns = set(summary.columns)
    return Parts(
        tuple(panel for panel in summary.panels if panel in panels),
        tuple(row for row in summary.rows if row.name in names),
        tuple(column for column in summary.columns if column in columns),
    )
