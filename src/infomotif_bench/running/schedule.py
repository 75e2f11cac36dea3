"""Schedule: the runs that an experiment needs, given those that the store holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from infomotif.errors import InputError, unknown_name
from infomotif_bench.experiments.experiment import Experiment, Row
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.experiments.schemes import MAX_SPLITS, Scheme
from infomotif_bench.experiments.settings import unknown_setting
from infomotif_bench.running.run import MAX_TRIALS_PER_SPLIT, BenchRun, Key
from infomotif_bench.running.run_record import ChoiceRecord
from infomotif_bench.running.run_store import Store
from infomotif_bench.running.tuning import Tuned, tune


@dataclass(frozen=True)
class Cell:
    """A row on a dataset: its search, its settings once they are chosen, and the runs that are missing."""

    row: Row
    dataset: str
    tuned: Tuned
    settings: dict[str, Any] | None
    missing: tuple[BenchRun, ...]


@dataclass(frozen=True)
class Outlook:
    """How many runs are finished, and about how many remain of each method."""

    finished: int
    remaining: Counter[str]


class Schedule:
    """An experiment, or a part of it, to be run.

    Args:
        experiment: The experiment.
        splits: Number of splits on every dataset; the experiment's by default.
        trials: Number of trainings on every split, each with its own seed; the experiment's by default.
        methods: Names of rows; all by default.
        datasets: Names of datasets; all of the experiment's by default.
        labels: Numbers of labels, such as 0.2, ``20 %`` or ``3 per class``; all of the experiment's by default.
        settings: Fixed settings of all methods that know them, which replace any other.
        tuned: Whether settings are searched for; otherwise methods run with their defaults.

    Example:
        >>> from infomotif_bench import load_experiment
        >>> schedule = Schedule(load_experiment("table3"), methods=["gcn"], datasets=["brazil"], tuned=False)
        >>> [row.name for row in schedule.rows]
        ['gcn']
    """

    def __init__(
        self,
        experiment: Experiment,
        *,
        splits: int | None = None,
        trials: int | None = None,
        methods: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
        labels: Sequence[float | str] | None = None,
        settings: dict[str, Any] | None = None,
        tuned: bool = True,
    ) -> None:
        """Check names against the experiment."""
        self.experiment = experiment
        self._splits = splits
        if splits is not None and not 1 <= splits <= MAX_SPLITS:
            raise InputError(f"splits must be from 1 to {MAX_SPLITS} (got {splits})")
        self.trials = experiment.trials if trials is None else trials
        if not 1 <= self.trials <= MAX_TRIALS_PER_SPLIT:
            raise InputError(f"trials must be from 1 to {MAX_TRIALS_PER_SPLIT} (got {self.trials})")
        self.rows = experiment.chosen(methods)
        self.datasets = self._datasets(datasets)
        self.labels = self._labels(labels)
        self.settings = settings or {}
        self.tuned = tuned and experiment.tuning.splits > 0
        self._check_settings()

    def splits_on(self, dataset: str) -> int:
        """Return the number of splits of a dataset."""
        return self.experiment.splits_on(dataset) if self._splits is None else self._splits

    def accepts(self, row: Row) -> bool:
        """Return whether a row of the experiment can take the fixed settings."""
        try:
            self._check_row(row)
        except InputError:
            return False
        return True

    def cells(self, store: Store) -> Iterator[Cell]:
        """Go through datasets and rows in order, with the runs that each lacks."""
        for dataset in self.datasets:
            for row in self.rows:
                yield self.cell(row, dataset, store)

    def cell(self, row: Row, dataset: str, store: Store) -> Cell:
        """Repeat the search of a row from the store; its settings are known if the search is complete."""
        tuned_as = self._tuned_as(row)
        tuned = self.tune(tuned_as, dataset, store)
        if not tuned.complete:
            lacking = [trial.settings for trial in tuned.trials if trial.accuracy is None]
            runs = [run for settings in lacking for run in self._tuning_runs(tuned_as, dataset, settings)]
            return Cell(row, dataset, tuned, None, self._missing(runs, store))
        settings = {**tuned.settings, **row.changes, **self._fixed(row)}
        return Cell(row, dataset, tuned, settings, self._missing(self.final_runs(row, dataset, settings), store))

    def tune(self, row: Row, dataset: str, store: Store) -> Tuned:
        """Return the state of the search of a row."""
        start = {**self.experiment.start(row, dataset), **self._fixed(row)}
        if not self.tuned:
            return Tuned({key: values[0] for key, values in row.search.items()} | start, (), True)

        def accuracy(settings: dict[str, Any]) -> float | None:
            records = [store.find(run) for run in self._tuning_runs(row, dataset, settings)]
            values = [record.val_accuracy for record in records if record is not None]
            if len(values) < len(records):
                return None
            return sum(-1.0 if value is None else value for value in values) / len(values)

        return tune(start, self.experiment.space(row), accuracy, grid=self.experiment.tuning.grid)

    def final_runs(self, row: Row, dataset: str, settings: dict[str, Any]) -> list[BenchRun]:
        """Return the runs of a row's cells; splits outermost, so that a method may reuse what only the seed decides."""
        return self._runs(row, dataset, settings, self.splits_on(dataset), self.labels, self.trials)

    def known_runs(self, cell: Cell) -> list[BenchRun]:
        """Return the runs of a cell that are known: those of its search and, if it is complete, the others."""
        row, trials = cell.row, cell.tuned.trials
        runs = [run for t in trials for run in self._tuning_runs(self._tuned_as(row), cell.dataset, t.settings)]
        return runs if cell.settings is None else runs + self.final_runs(row, cell.dataset, cell.settings)

    def expected_runs(self, row: Row, dataset: str) -> int:
        """Return about how many runs a row needs on a dataset, from an empty store."""
        tuning = self._tuning_count(row, dataset) if self.tuned and row.tuned_as is None else 0
        return tuning + self._count_after_tuning(row, dataset)

    def outlook(self, dataset: str, store: Store) -> Outlook:
        """Return how many runs on a dataset are finished and about how many remain, each run counted once."""
        finished: set[Key] = set()
        missing: dict[Key, str] = {}
        remaining: Counter[str] = Counter()
        searching: set[str] = set()
        for row in self.rows:
            tuned_as = self._tuned_as(row)
            cell = self.cell(row, dataset, store)
            runs = self.known_runs(cell)
            finished |= {run.key for run in runs if store.find(run) is not None}
            missing |= {run.key: run.method for run in runs if store.find(run) is None}
            if cell.settings is None:
                remaining[row.method] += self._count_after_tuning(row, dataset)
                if tuned_as.name not in searching:
                    searching.add(tuned_as.name)
                    unknown = self._tuning_count(tuned_as, dataset) - len({run.key for run in runs})
                    remaining[tuned_as.method] += max(0, unknown)
        remaining.update(missing.values())
        return Outlook(len(finished), remaining)

    def choice(self, cell: Cell) -> ChoiceRecord:
        """Return the store's record of a complete search."""
        splits, labels = self.experiment.tuning_on(cell.dataset), self.experiment.tuning.labels
        number = "1 split" if splits == 1 else f"{splits} splits"
        return ChoiceRecord(
            experiment=self.experiment.name,
            dataset=cell.dataset,
            row=cell.row.name,
            settings=dict(cell.settings or {}),
            by=f"validation accuracy of {number} at {', '.join(s.key for s in labels)}"
            + (", all combinations" if self.experiment.tuning.grid else ""),
            trials=tuple({"settings": t.settings, "val_accuracy": t.accuracy} for t in cell.tuned.trials),
        )

    def _tuned_as(self, row: Row) -> Row:
        """Return the row whose search decides the settings of a row."""
        return row if row.tuned_as is None else self.experiment.row(row.tuned_as)

    def _tuning_count(self, row: Row, dataset: str) -> int:
        """Return how many runs the search of a row takes."""
        fixed = {**self.experiment.start(row, dataset), **self._fixed(row)}
        trials = self.experiment.tuning.trials(v for k, v in self.experiment.space(row).items() if k not in fixed)
        return trials * self.experiment.tuning_on(dataset) * len(self.experiment.tuning.labels)

    def _count_after_tuning(self, row: Row, dataset: str) -> int:
        """Return how many runs a row takes besides those of its search."""
        splits, shared = self.splits_on(dataset), 0
        if self.tuned and row.tuned_as is None and self._tuning_count(row, dataset):
            both = set(self.experiment.tuning.labels) & set(self.labels)
            shared = min(self.experiment.tuning_on(dataset), splits) * len(both)
        return splits * self.trials * len(self.labels) - shared

    def _tuning_runs(self, row: Row, dataset: str, settings: dict[str, Any]) -> list[BenchRun]:
        return self._runs(row, dataset, settings, self.experiment.tuning_on(dataset), self.experiment.tuning.labels)

    def _runs(
        self, row: Row, dataset: str, settings: dict[str, Any], splits: int, labels: Sequence[Scheme], trials: int = 1
    ) -> list[BenchRun]:
        method, data = row.implementation(), bench_graph(dataset).fingerprint()[:16]
        name, differing = self.experiment.name, method.differing(settings)
        return [
            BenchRun(name, dataset, method.name, method.version, scheme, split, differing, data, trial)
            for split in range(splits)
            for trial in range(trials)
            for scheme in labels
        ]

    @staticmethod
    def _missing(runs: list[BenchRun], store: Store) -> tuple[BenchRun, ...]:
        return tuple({run.key: run for run in runs if store.find(run) is None}.values())

    def _fixed(self, row: Row) -> dict[str, Any]:
        """Return the fixed settings that a row takes."""
        known = row.implementation().defaults()
        return {key: value for key, value in self.settings.items() if key in known and key not in row.defining}

    def _datasets(self, datasets: Sequence[str] | None) -> tuple[str, ...]:
        if datasets is not None and not datasets:
            raise InputError("datasets must name at least one (got none); leave it out for all")
        for name in datasets or ():
            if name not in self.experiment.datasets:
                raise unknown_name(f"dataset of {self.experiment.name}", name, self.experiment.datasets)
        return tuple(d for d in self.experiment.datasets if datasets is None or d in datasets)

    def _labels(self, labels: Sequence[float | str] | None) -> tuple[Scheme, ...]:
        if labels is not None and not labels:
            raise InputError("labels must name at least one number of labels (got none); leave it out for all")
        known = self.experiment.labels
        wanted = [Scheme.parse(text).name for text in labels or ()]
        for name in wanted:
            if name not in [scheme.name for scheme in known]:
                names = ", ".join(scheme.name for scheme in known)
                raise InputError(f"labels of {self.experiment.name} must be one of {names} (got {name})")
        return tuple(scheme for scheme in known if labels is None or scheme.name in wanted)

    def _check_settings(self) -> None:
        methods = [row.implementation() for row in self.rows]
        for key in self.settings:
            if not any(key in method.defaults() for method in methods):
                raise unknown_setting(key, methods)
            if not any(key in self._fixed(row) for row in self.rows):
                defined = next(row.name for row in self.rows if key in row.defining)
                raise InputError(f"row {defined} is defined by its '{key}'; leave it out, or choose other --methods")
        for row in self.rows:
            self._check_row(row)

    def _check_row(self, row: Row) -> None:
        tuned_as = self._tuned_as(row) if self.tuned else row
        for dataset in self.datasets:
            for each in {row.name: row, tuned_as.name: tuned_as}.values():
                each.implementation().differing({**self.experiment.start(each, dataset), **self._fixed(each)})
