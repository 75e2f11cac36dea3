"""Experiment: a table or figure of the paper as data, checked when it is made."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infomotif.errors import InputError, unknown_name
from infomotif_bench.experiments.entries import KINDS, MEASURES, Large, MainTable
from infomotif_bench.experiments.graphs import check_graph_name, is_generated
from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.methods import Method, get_method
from infomotif_bench.methods.base import MAX_GRID_TRIALS, MAX_TRIALS, NAME


@dataclass(frozen=True)
class Published:
    """Mean and spread that the paper prints, in percent.

    Example:
        >>> Published.parse("85.7 ± 0.4")
        Published(mean=85.7, spread=0.4)
    """

    mean: float
    spread: float

    @classmethod
    def parse(cls, text: str) -> Published:
        """Read ``mean ± spread``."""
        mean, sign, spread = str(text).partition("±")
        try:
            if not sign:
                raise ValueError
            value = cls(float(mean), float(spread))
        except ValueError:
            raise InputError(f"a published figure must have the form '85.7 ± 0.4' (got '{text}')") from None
        if not (0 <= value.mean <= 100 and 0 <= value.spread <= 100):
            raise InputError(f"a published figure must lie in 0..100 (got '{text}')")
        return value

    def __str__(self) -> str:
        """Show it as the paper does."""
        return f"{self.mean:.1f} ± {self.spread:.1f}"


@dataclass(frozen=True)
class Row:
    """A row of a table, or a line of a figure.

    Attributes:
        name: Its name in commands; the method's name unless the row changes settings.
        method: Name of the method.
        title: Its title.
        group: Heading above it.
        changes: Settings that define the row.
        search: Values to try of settings, before those that its method searches or in place of them.
        base: Name of the row that it is compared with, split by split.
        tuned_as: Name of the row whose search decides the other settings; its own by default.
        data: Which of X and Y it learns from.
        published: The paper's figures, by dataset and ratio.
        note: A remark for readers.
    """

    name: str
    method: str
    title: str
    group: str = ""
    changes: Mapping[str, Any] = field(default_factory=dict)
    search: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    base: str | None = None
    tuned_as: str | None = None
    data: str = ""
    published: Mapping[str, Mapping[float, Published]] = field(default_factory=dict)
    note: str = ""

    @property
    def defining(self) -> set[str]:
        """Settings that define the row: those it changes, and those that it searches and its method does not."""
        return {*self.changes, *(self.search.keys() - self.implementation().search.keys())}

    def implementation(self) -> Method:
        """Return the method."""
        return get_method(self.method)


@dataclass(frozen=True)
class Tuning:
    """How settings are chosen: on the validation nodes of the first ``splits`` splits with each of ``labels``.

    No splits means that every method runs with its defaults. With ``grid`` all combinations are tried, otherwise one
    setting is chosen after the other.
    """

    labels: tuple[Scheme, ...] = ()
    splits: int = 0
    grid: bool = False

    def trials(self, space: Iterable[Sequence[Any]]) -> int:
        """Return how many settings are tried in a space.

        Example:
            >>> Tuning().trials([(0.1, 0.01), (0.5, 0.2)]), Tuning(grid=True).trials([(0.1, 0.01), (0.5, 0.2)])
            (3, 4)
        """
        sizes = [len(values) for values in space]
        if not sizes:
            return 0
        return math.prod(sizes) if self.grid else 1 + sum(size - 1 for size in sizes)


@dataclass(frozen=True)
class Experiment:
    """A table or figure: which methods run on which graphs, and the paper's figures.

    Attributes:
        name: Its name in commands.
        kind: One of :data:`KINDS`.
        title: What it shows.
        paper: Which table or figure of the paper it is.
        datasets: Names of graphs.
        labels: How many nodes have a label, and where: the columns of a table.
        splits: Number of random splits with each of them.
        trials: Number of trainings on each split.
        rows: The rows.
        tuning: How settings are chosen.
        large: Graphs whose trainings take long, and what they get.
        settings: Settings of all methods that know them.
        search: Values to try of the settings that a method searches, in place of the method's own.
        measure: By what test nodes are put into quartiles.
        vary: The setting along the horizontal axis, and its values.
        published: Whether the paper prints a figure for each cell.
        screen: Whether its rows make no claim for InfoMotif as a whole: they compare parts of it, or look again at runs
            that another experiment counts.
        question: What it asks, in one sentence.
        answer: What was measured, in two sentences.
        differs: How the runs differ from the paper's.
        main: The rows and columns that its page shows first.
        note: What the paper leaves open and how it is settled here.
        file: Path of its file, if it is not one of the package.
    """

    name: str
    kind: str
    title: str
    paper: str
    datasets: tuple[str, ...]
    labels: tuple[Scheme, ...]
    splits: int
    rows: tuple[Row, ...]
    tuning: Tuning = Tuning()
    large: Mapping[str, Large] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    search: Mapping[str, Sequence[Any]] = field(default_factory=dict)
    trials: int = 1
    measure: str | None = None
    vary: tuple[str, tuple[Any, ...]] | None = None
    published: bool = False
    screen: bool = False
    question: str = ""
    answer: str = ""
    differs: str = ""
    main: MainTable = MainTable()
    note: str = ""
    file: str = ""

    def __post_init__(self) -> None:
        """Check names, labels and settings."""
        self._check()

    def row(self, name: str) -> Row:
        """Return a row by name."""
        for row in self.rows:
            if row.name == name:
                return row
        raise unknown_name(f"method of {self.name}", name, [row.name for row in self.rows])

    def chosen(self, names: Sequence[str] | None) -> tuple[Row, ...]:
        """Return the named rows in the experiment's order; None takes all.

        Raises:
            InputError: If no row is named, or one does not exist.
        """
        if names is None:
            return self.rows
        if not names:
            raise InputError("methods must name at least one (got none); leave it out for all")
        rows = [self.row(name) for name in names]
        return tuple(row for row in self.rows if row in rows)

    def splits_on(self, dataset: str) -> int:
        """Return the number of splits of a dataset."""
        return self.large[dataset].splits if dataset in self.large else self.splits

    def tuning_on(self, dataset: str) -> int:
        """Return how many of them choose the settings."""
        return self.large[dataset].tuning if dataset in self.large else self.tuning.splits

    def start(self, row: Row, dataset: str) -> dict[str, Any]:
        """Return the settings of a row before any search: the experiment's that its method knows, then its changes."""
        known = row.implementation().defaults()
        shared = {**self.settings, **(self.large[dataset].settings if dataset in self.large else {})}
        return {**{k: v for k, v in shared.items() if k in known}, **row.changes}

    def space(self, row: Row) -> dict[str, Sequence[Any]]:
        """Return the values that a row's search goes through: those of the row, and those that its method searches."""
        shared = {key: self.search.get(key, values) for key, values in row.implementation().search.items()}
        return {key: tuple(values) for key, values in {**row.search, **shared, **row.search}.items()}

    def _check(self) -> None:
        if not self.datasets or not self.labels or not self.rows:
            raise InputError("datasets, labels (or ratios) and rows must not be empty")
        self._check_kind()
        self._check_datasets()
        self._check_settings()
        names = [row.name for row in self.rows]
        if len(set(names)) < len(names):
            raise InputError("two rows have the same name")
        for name in self.main.methods:
            self.row(name)
        columns = [scheme.name for scheme in self.labels]
        for name in self.main.labels:
            if name not in columns:
                raise unknown_name("label of the main table", name, columns)
        for row in self.rows:
            self._check_references(row, names)
            self._check_search(row)
            self._check_published(row)

    def _check_kind(self) -> None:
        if self.kind not in KINDS:
            raise unknown_name("kind", self.kind, KINDS)
        if (self.measure not in MEASURES) if self.kind == "quartiles" else self.measure is not None:
            raise InputError(f"measure must be one of {', '.join(MEASURES)} for quartiles, and only there")
        if self.kind in ("quartiles", "distance") and len(self.labels) > 1:
            raise InputError(f"{self.kind} needs exactly one number of labels (got {len(self.labels)})")
        if self.kind == "runtime" and not all(map(is_generated, self.datasets)):
            raise InputError("runtime is measured on generated graphs only, such as ba-1000-5")
        if (self.kind == "sensitivity") != (self.vary is not None):
            raise InputError("vary must name a setting for sensitivity, and only there")

    def _check_datasets(self) -> None:
        for dataset in self.datasets:
            check_graph_name(dataset)
        for name, values in (("datasets", self.datasets), ("labels", [scheme.key for scheme in self.labels])):
            if len(set(values)) < len(values):
                raise InputError(f"{name} must be different (got {', '.join(values)})")
        for dataset in self.large:
            if dataset not in self.datasets:
                raise unknown_name("large dataset", dataset, self.datasets)

    def _check_settings(self) -> None:
        if self.tuning.splits and not self.tuning.labels:
            raise InputError("tuning needs labels (or ratios) to choose settings with")
        methods = [row.implementation() for row in self.rows]
        searched = {key for method in methods for key in method.search}
        for key in self.search:
            if key not in searched:
                raise unknown_name("setting to search", key, searched)
        known = {key for method in methods for key in method.defaults()}
        for settings in (self.settings, *(large.settings for large in self.large.values())):
            for key in settings:
                if key not in known:
                    raise unknown_name("setting", key, known)

    def _check_references(self, row: Row, names: list[str]) -> None:
        if not NAME.fullmatch(row.name if self.vary is None else row.name.partition("/")[0]):
            raise InputError(
                f"the name of a row must be of letters, digits, points, hyphens and underscores (got '{row.name}')"
            )
        for other in (row.base, row.tuned_as):
            if other is not None and other not in names:
                raise unknown_name(f"row that {row.name} refers to", other, names)
        if row.base == row.name:
            raise InputError(f"{row.name} is its own base")

    def _check_search(self, row: Row) -> None:
        method, space = row.implementation(), self.space(row)
        for dataset in self.datasets:
            method.differing(self.start(row, dataset))
        limit = MAX_GRID_TRIALS if self.tuning.grid else MAX_TRIALS
        if self.tuning.trials(space.values()) > limit:
            raise InputError(f"{row.name} would be tried more than {limit} times; shorten its search")
        for key, values in space.items():
            if not values:
                raise InputError(f"search {key} of {row.name} must not be empty")
            for value in values:
                if value is None and method.defaults().get(key) is not None:
                    raise InputError(f"search {key} of {row.name} must hold values (got null); leave it out")
                method.check({key: value})

    def _check_published(self, row: Row) -> None:
        for dataset in row.published:
            if dataset not in self.datasets:
                raise unknown_name(f"dataset with published figures of {row.name}", dataset, self.datasets)
        if not self.published or not row.published:
            return
        for dataset in self.datasets:
            missing = [scheme for scheme in self.labels if scheme.share not in row.published.get(dataset, {})]
            if missing:
                raise InputError(f"{row.name} lacks the published figure of {dataset} at {missing[0].key}")
