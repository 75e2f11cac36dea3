"""The experiments by name, read from ``experiments/data/*.yaml`` or from a file of yours."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from infomotif._core.reading.yaml import parse_yaml
from infomotif._core.validate import from_mapping
from infomotif.errors import InputError, unknown_name
from infomotif_bench.experiments.entries import OF_METHOD, ExperimentEntry, RowEntry, TuningEntry
from infomotif_bench.experiments.experiment import Experiment, Published, Row, Tuning
from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.methods import get_method
from infomotif_bench.methods.base import NAME

REPORT, PACK, UNPACK = "report", "pack", "unpack"
ACTIONS = (REPORT, PACK, UNPACK)
"""Arguments in place of an experiment that run nothing."""
SUFFIXES = (".yaml", ".yml")
_ORDER = (
    "table2", "table3", "ablation", "label-sparsity", "attribute-diversity", "sensitivity", "runtime", "few-labels",
    "few-labels-small-validation", "far-labels", "controls", "ideas", "parts", "trials", "default",
    "default-small-validation", "typed",
)  # fmt: skip


def experiment_names() -> tuple[str, ...]:
    """Return the names of all experiments, in the paper's order.

    Example:
        >>> experiment_names()[:2]
        ('table2', 'table3')
    """
    names = {
        entry.name.removesuffix(".yaml") for entry in (files("infomotif_bench") / "experiments" / "data").iterdir()
    }
    return tuple(name for name in _ORDER if name in names) + tuple(sorted(names - set(_ORDER)))


def load_experiment(name: str) -> Experiment:
    """Return an experiment by name, or from a file of yours, ``NAME.yaml``.

    Raises:
        InputError: If there is none, or its file does not validate.

    Example:
        >>> table = load_experiment("table3")
        >>> str(table.row("gcn").published["usa"][0.2])
        '51.9 ± 0.9'
    """
    if name.endswith(SUFFIXES):
        return _from_file(Path(name))
    if name not in experiment_names():
        raise unknown_name("experiment", name, experiment_names())
    return _of_package(name)


@cache
def _of_package(name: str) -> Experiment:
    return parse_experiment(name, _read(files("infomotif_bench") / "experiments" / "data" / f"{name}.yaml"))


def _from_file(path: Path) -> Experiment:
    name = path.stem
    if not NAME.fullmatch(name):
        raise InputError(
            f"{path}: its name must be of letters, digits, points, hyphens and underscores; the store uses it"
        )
    if name in (*experiment_names(), *ACTIONS):
        raise InputError(f"{path}: '{name}' is taken in every store; rename the file")
    return replace(parse_experiment(name, _read(path)), file=str(path))


def _read(path: Path | Traversable) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; 'infomotif bench' lists the experiments") from None
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path}: cannot be read ({error}); it must be text in UTF-8") from None


def parse_experiment(name: str, text: str) -> Experiment:
    """Read an experiment from YAML text.

    Raises:
        InputError: Naming the value that is missing, unknown or not allowed.
    """
    where = f"experiment {name}"
    entry = from_mapping(ExperimentEntry, parse_yaml(text, where), where)
    try:
        return _experiment(name, entry)
    except InputError as error:
        raise InputError(f"{where}: {error}") from None


def _experiment(name: str, entry: ExperimentEntry) -> Experiment:
    if len(entry.vary) > 1:
        raise InputError(f"vary must name one setting (got {', '.join(entry.vary)})")
    labels = _schemes(entry, entry)
    searched = entry.tuning.splits > 0 or entry.tuning.labels is not None or entry.tuning.ratios is not None
    return Experiment(
        name=name,
        kind=entry.kind,
        title=entry.title,
        paper=entry.paper,
        datasets=tuple(entry.datasets),
        labels=labels,
        splits=entry.splits,
        rows=tuple(_rows(entry, labels)),
        tuning=Tuning(_schemes(entry.tuning, entry) if searched else (), entry.tuning.splits, entry.tuning.grid),
        large=entry.large,
        settings=entry.settings,
        search=entry.search,
        trials=entry.trials,
        measure=entry.measure,
        vary=next(((key, tuple(values)) for key, values in entry.vary.items()), None),
        published=entry.published,
        screen=entry.screen,
        question=_one_line(entry.question),
        answer=_one_line(entry.answer),
        differs=_one_line(entry.differs),
        main=entry.main,
        note=_one_line(entry.note),
    )


def _schemes(entry: ExperimentEntry | TuningEntry, experiment: ExperimentEntry) -> tuple[Scheme, ...]:
    """Read ``labels``, or ``ratios``, the paper's word for shares, with the experiment's validation and region."""
    if entry.labels is not None and entry.ratios is not None:
        raise InputError("labels and ratios say the same; give one of them")
    values = entry.ratios if entry.labels is None else entry.labels
    if values is None:
        raise InputError("lacks 'labels' (or 'ratios')")
    common = {"validation": experiment.validation, "region": experiment.region}
    given: dict[str, Any] = {key: value for key, value in common.items() if value is not None}
    return tuple(replace(Scheme.parse(value), **given) for value in values)


def _rows(entry: ExperimentEntry, labels: tuple[Scheme, ...]) -> Iterator[Row]:
    for group in entry.groups:
        for row_entry in group.rows:
            row = _row(row_entry, group.title, labels)
            yield row
            for key, values in entry.vary.items():
                for item in values:
                    yield Row(
                        name=f"{row.name}/{key}={item}", method=row.method, title=f"{row.title}, {key} = {item}",
                        group=row.group, changes={**row.changes, key: item}, tuned_as=row.name,
                    )  # fmt: skip


def _row(entry: RowEntry, group: str, labels: tuple[Scheme, ...]) -> Row:
    method = get_method(entry.method)
    return Row(
        name=entry.name or entry.method,
        method=entry.method,
        title=entry.title or method.title,
        group=group,
        changes=entry.changes,
        search=entry.search,
        base=method.base if entry.base == OF_METHOD else entry.base,
        tuned_as=entry.tuned_as,
        data="X" * method.attributes + "Y" * method.labels if entry.data is None else entry.data,
        published={dataset: _published(entry, dataset, labels) for dataset in entry.published},
        note=_one_line(entry.note),
    )


def _published(entry: RowEntry, dataset: str, labels: tuple[Scheme, ...]) -> dict[float, Published]:
    """Return the published figures of a row on a dataset by share of labels."""
    cells = entry.published[dataset]
    if len(cells) > len(labels):
        raise InputError(
            f"{entry.method} has {len(cells)} published figures of {dataset} for {len(labels)} numbers of labels"
        )
    try:
        figures = [Published.parse(cell) for cell in cells]
    except InputError as error:
        raise InputError(f"{entry.method} on {dataset}: {error}") from None
    return {scheme.share: figure for scheme, figure in zip(labels, figures, strict=False) if scheme.share}


def _one_line(text: str) -> str:
    return " ".join(text.split())
