"""Plan: which runs an experiment needs, given what the store holds already."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from infomotif.errors import InputError, unknown_name
from infomotif_bench.experiments.experiment import Experiment, Row
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.experiments.settings import unknown_setting
from infomotif_bench.running.run import MOST_SPLITS, Job, Key, Record
from infomotif_bench.running.run_store import Store
from infomotif_bench.running.tuning import Found, search


@dataclass(frozen=True)
class Cell:
    """A row on a dataset: its settings once they are chosen, and the runs that are missing."""

    row: Row
    dataset: str
    found: Found
    settings: dict[str, Any] | None
    missing: tuple[Job, ...]


@dataclass(frozen=True)
class Outlook:
    """How many runs are made, and about how many are left of each method."""

    made: int
    left: Counter[str]


class Plan:
    """An experiment, or a part of it, to be run.

    Args:
        experiment: The experiment.
        splits: Number of splits on every dataset; the experiment's by default.
        methods: Names of rows; all by default.
        datasets: Names of datasets; all of the experiment's by default.
        labels: How many labels there are, such as 0.2, ``20 %`` or ``3 a class``; all of the experiment's by default.
        settings: Settings for all methods that know them, in place of any other.
        tuned: Whether settings are searched for; otherwise methods run with their defaults.

    Example:
        >>> from infomotif_bench import load_experiment
        >>> plan = Plan(load_experiment("table3"), methods=["gcn"], datasets=["brazil"], tuned=False)
        >>> [row.name for row in plan.rows]
        ['gcn']
    """

    def __init__(
        self,
        experiment: Experiment,
        *,
        splits: int | None = None,
        methods: Sequence[str] | None = None,
        datasets: Sequence[str] | None = None,
        labels: Sequence[float | str] | None = None,
        settings: dict[str, Any] | None = None,
        tuned: bool = True,
    ) -> None:
        """Check names against the experiment."""
        self.experiment = experiment
        self._splits = splits
        if splits is not None and not 1 <= splits <= MOST_SPLITS:
            raise InputError(f"splits must be from 1 to {MOST_SPLITS} (got {splits})")
        self.rows = experiment.chosen(methods)
        self.datasets = self._datasets(datasets)
        self.labels = self._labels(labels)
        self.settings = settings or {}
        self.tuned = tuned and experiment.tuning.splits > 0
        self._check_settings()

    def splits_on(self, dataset: str) -> int:
        """Return the number of splits of a dataset."""
        return self.experiment.splits_on(dataset) if self._splits is None else self._splits

    def suits(self, row: Row) -> bool:
        """Return whether a row of the experiment, of the plan or not, can take the plan's settings."""
        try:
            self._check_row(row)
        except InputError:
            return False
        return True

    def cells(self, store: Store) -> Iterator[Cell]:
        """Go through datasets and rows in order, saying what each lacks."""
        for dataset in self.datasets:
            for row in self.rows:
                yield self.cell(row, dataset, store)

    def cell(self, row: Row, dataset: str, store: Store) -> Cell:
        """Repeat the search of a row from the store; return its settings if it is complete, and what is missing."""
        tuned_as = row if row.tuned_as is None else self.experiment.row(row.tuned_as)
        found = self.found(tuned_as, dataset, store)
        if not found.complete:
            lacking = [trial.settings for trial in found.trials if trial.accuracy is None]
            jobs = [job for settings in lacking for job in self._tuning_jobs(tuned_as, dataset, settings)]
            return Cell(row, dataset, found, None, self._missing(jobs, store))
        settings = {**found.settings, **row.changes, **self._forced(row)}
        return Cell(row, dataset, found, settings, self._missing(self.final_jobs(row, dataset, settings), store))

    def found(self, row: Row, dataset: str, store: Store) -> Found:
        """Return what the search of a row found so far."""
        start = {**self.experiment.start(row, dataset), **self._forced(row)}
        if not self.tuned:
            return Found({key: values[0] for key, values in row.search.items()} | start, (), True)

        def accuracy(settings: dict[str, Any]) -> float | None:
            records = [store.find(job) for job in self._tuning_jobs(row, dataset, settings)]
            values = [record["val_accuracy"] for record in records if record is not None]
            if len(values) < len(records):
                return None
            return sum(-1.0 if value is None else value for value in values) / len(values)

        return search(start, self.experiment.space(row), accuracy, grid=self.experiment.tuning.grid)

    def final_jobs(self, row: Row, dataset: str, settings: dict[str, Any]) -> list[Job]:
        """Return the runs of a row's cells; splits outermost, so that a method may reuse what only the seed decides."""
        return self._jobs(row, dataset, settings, self.splits_on(dataset), self.labels)

    def jobs(self, cell: Cell) -> list[Job]:
        """Return the runs of a cell as far as they are known: those of its search, and when it is complete the rest."""
        row = cell.row
        tuned = row if row.tuned_as is None else self.experiment.row(row.tuned_as)
        jobs = [job for trial in cell.found.trials for job in self._tuning_jobs(tuned, cell.dataset, trial.settings)]
        return jobs if cell.settings is None else jobs + self.final_jobs(row, cell.dataset, cell.settings)

    def expected_runs(self, row: Row, dataset: str) -> int:
        """Return about how many runs a row needs on a dataset, from nothing."""
        tuning = self._tuning_runs(row, dataset) if self.tuned and row.tuned_as is None else 0
        return tuning + self._runs_after(row, dataset)

    def outlook(self, dataset: str, store: Store) -> Outlook:
        """Return how many runs of the plan on a dataset are made, and about how many are left, each run once."""
        made: set[Key] = set()
        missing: dict[Key, str] = {}
        left: Counter[str] = Counter()
        searching: set[str] = set()
        for row in self.rows:
            tuned = row if row.tuned_as is None else self.experiment.row(row.tuned_as)
            cell = self.cell(row, dataset, store)
            jobs = self.jobs(cell)
            made |= {job.key for job in jobs if store.find(job) is not None}
            missing |= {job.key: job.method for job in jobs if store.find(job) is None}
            if cell.settings is None:
                left[row.method] += self._runs_after(row, dataset)
                if tuned.name not in searching:
                    searching.add(tuned.name)
                    left[tuned.method] += max(0, self._tuning_runs(tuned, dataset) - len({job.key for job in jobs}))
        left.update(missing.values())
        return Outlook(len(made), left)

    def choice(self, cell: Cell) -> Record:
        """Return what the store keeps of a search."""
        splits, labels = self.experiment.tuning_on(cell.dataset), self.experiment.tuning.labels
        number = "1 split" if splits == 1 else f"{splits} splits"
        return {
            "settings": cell.settings,
            "by": f"validation accuracy of {number} at {', '.join(s.key for s in labels)}"
            + (", all combinations" if self.experiment.tuning.grid else ""),
            "trials": [{"settings": t.settings, "val_accuracy": t.accuracy} for t in cell.found.trials],
        }

    def _tuning_runs(self, row: Row, dataset: str) -> int:
        """Return how many runs the search of a row takes."""
        fixed = {**self.experiment.start(row, dataset), **self._forced(row)}
        trials = self.experiment.tuning.trials(v for k, v in self.experiment.space(row).items() if k not in fixed)
        return trials * self.experiment.tuning_on(dataset) * len(self.experiment.tuning.labels)

    def _runs_after(self, row: Row, dataset: str) -> int:
        """Return how many runs a row takes beside those of its search."""
        splits, shared = self.splits_on(dataset), 0
        if self.tuned and row.tuned_as is None and self._tuning_runs(row, dataset):
            both = set(self.experiment.tuning.labels) & set(self.labels)
            shared = min(self.experiment.tuning_on(dataset), splits) * len(both)
        return splits * len(self.labels) - shared

    def _tuning_jobs(self, row: Row, dataset: str, settings: dict[str, Any]) -> list[Job]:
        return self._jobs(row, dataset, settings, self.experiment.tuning_on(dataset), self.experiment.tuning.labels)

    def _jobs(
        self, row: Row, dataset: str, settings: dict[str, Any], splits: int, labels: Sequence[Scheme]
    ) -> list[Job]:
        method, data = row.implementation(), bench_graph(dataset).fingerprint()[:16]
        name, differing = self.experiment.name, method.differing(settings)
        return [
            Job(name, dataset, method.name, method.version, scheme, split, differing, data)
            for split in range(splits)
            for scheme in labels
        ]

    @staticmethod
    def _missing(jobs: list[Job], store: Store) -> tuple[Job, ...]:
        return tuple({job.key: job for job in jobs if store.find(job) is None}.values())

    def _forced(self, row: Row) -> dict[str, Any]:
        known = row.implementation().defaults()
        return {key: value for key, value in self.settings.items() if key in known and key not in row.own}

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
            if not any(key in self._forced(row) for row in self.rows):
                fixed = [row.name for row in self.rows if key in row.own]
                raise InputError(
                    f"'{key}' is what makes the row {fixed[0]}; leave it out, or choose another by --methods"
                )
        for row in self.rows:
            self._check_row(row)

    def _check_row(self, row: Row) -> None:
        tuned = row if row.tuned_as is None or not self.tuned else self.experiment.row(row.tuned_as)
        for dataset in self.datasets:
            for each in {row.name: row, tuned.name: tuned}.values():
                each.implementation().differing({**self.experiment.start(each, dataset), **self._forced(each)})
