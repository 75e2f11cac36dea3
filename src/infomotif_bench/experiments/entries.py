"""The form of an experiment's YAML file: which keys it may have, and of what type their values are."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from infomotif._core.validate import setting
from infomotif.errors import InputError
from infomotif_bench.experiments.schemes import MAX_SPLITS

KINDS = ("table", "curve", "quartiles", "distance", "sensitivity", "runtime")
MEASURES = ("label_fraction", "attribute_diversity")
OF_METHOD = ""
"""The base of a row that names none: that of its method."""


@dataclass(frozen=True, kw_only=True)
class RowEntry:
    """A row of a table, or a line of a figure; see :class:`infomotif_bench.Row`."""

    method: str
    name: str = ""
    title: str = ""
    changes: dict[str, Any] = field(default_factory=dict)
    search: dict[str, list[Any]] = field(default_factory=dict)
    base: str | None = OF_METHOD
    tuned_as: str | None = None
    data: str | None = None
    published: dict[str, list[Any]] = field(default_factory=dict)
    note: str = ""


@dataclass(frozen=True, kw_only=True)
class GroupEntry:
    """Rows under one heading."""

    title: str
    rows: list[RowEntry]


@dataclass(frozen=True, kw_only=True)
class TuningEntry:
    """The labels (or ratios) and the number of splits that settings are chosen with."""

    ratios: list[float | str] | None = None
    labels: list[float | str] | None = None
    splits: int = setting(default=0, at_least=0, at_most=MAX_SPLITS, help="How many splits choose the settings.")
    grid: bool = False


@dataclass(frozen=True)
class Large:
    """Splits and settings of a graph whose trainings take long."""

    splits: int = setting(at_least=1, at_most=MAX_SPLITS, help="How many splits.")
    tuning: int = setting(at_least=1, at_most=MAX_SPLITS, help="How many of them choose the settings.")
    settings: dict[str, Any] = field(default_factory=dict)
    """Settings of all methods that know them, in place of the experiment's."""


@dataclass(frozen=True)
class MainTable:
    """The part of an experiment that its page shows first; an empty list means all."""

    methods: list[str] = field(default_factory=list)
    labels: list[str] = field(default_factory=list)


def _check_validation(value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        raise InputError(f"validation must be 'train' or a share such as 0.2 (got {value!r:.80})")


@dataclass(frozen=True, kw_only=True)
class ExperimentEntry:
    """The whole file; see :class:`infomotif_bench.Experiment`."""

    kind: str = setting(choices=KINDS, help="The form of its tables and figure.")
    title: str
    paper: str
    datasets: list[str]
    ratios: list[float | str] | None = None
    labels: list[float | str] | None = None
    validation: Any = setting(default=None, check=_check_validation, help="Which nodes validate: train, or a share.")
    region: float | None = None
    splits: int = setting(at_least=1, at_most=MAX_SPLITS, help="Number of random splits.")
    trials: int = setting(default=1, at_least=1, at_most=100, help="Number of trainings on each split.")
    groups: list[GroupEntry]
    tuning: TuningEntry = field(default_factory=TuningEntry)
    large: dict[str, Large] = field(default_factory=dict)
    settings: dict[str, Any] = field(default_factory=dict)
    search: dict[str, list[Any]] = field(default_factory=dict)
    measure: str | None = setting(default=None, choices=MEASURES, help="By what test nodes are put into quartiles.")
    vary: dict[str, list[Any]] = field(default_factory=dict)
    published: bool = False
    screen: bool = False
    question: str = ""
    answer: str = ""
    differs: str = ""
    main: MainTable = field(default_factory=MainTable)
    note: str = ""
