"""The experiments by name, read from ``experiments/*.yaml``."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from importlib.resources import files
from typing import Any

import yaml

from infomotif.baselines import METHODS
from infomotif.bench.experiment import Experiment, Large, Published, Row, Tuning
from infomotif.bench.schemes import Scheme
from infomotif.errors import InputError, unknown_name

_ORDER = (
    "table2", "table3", "ablation", "label-sparsity", "attribute-diversity", "sensitivity", "runtime", "few-labels",
    "few-labels-small-validation", "far-labels", "controls", "ideas",
)  # fmt: skip
_ROW_KEYS = {"method", "name", "title", "changes", "search", "base", "tuned_as", "data", "published", "note"}
_KEYS = {
    "kind", "title", "paper", "datasets", "ratios", "labels", "validation", "region", "splits", "groups", "tuning",
    "large", "settings", "search", "measure", "vary", "published", "screen", "note",
}  # fmt: skip


def experiment_names() -> tuple[str, ...]:
    """Return the names of all experiments, in the paper's order.

    Example:
        >>> experiment_names()[:2]
        ('table2', 'table3')
    """
    found = {entry.name.removesuffix(".yaml") for entry in (files("infomotif.bench") / "experiments").iterdir()}
    return tuple(name for name in _ORDER if name in found) + tuple(sorted(found - set(_ORDER)))


@cache
def load_experiment(name: str) -> Experiment:
    """Return an experiment by name.

    Raises:
        InputError: If there is none, or its file does not validate.

    Example:
        >>> table = load_experiment("table3")
        >>> str(table.row("gcn").published["usa"][0.2])
        '51.9 ± 0.9'
    """
    if name not in experiment_names():
        raise unknown_name("experiment", name, experiment_names())
    text = (files("infomotif.bench") / "experiments" / f"{name}.yaml").read_text(encoding="utf-8")
    return parse_experiment(name, text)


def parse_experiment(name: str, text: str) -> Experiment:
    """Read an experiment from YAML text."""
    try:
        value = yaml.safe_load(text)
    except yaml.YAMLError as error:
        raise InputError(f"experiment {name}: not YAML ({' '.join(str(error).split())[:160]})") from None
    if not isinstance(value, dict):
        raise InputError(f"experiment {name}: must hold keys and values")
    _known(name, value, _KEYS)
    try:
        labels = _labels(name, value, value)
        tuning = value.get("tuning") or {}
        vary = value.get("vary") or {}
        return Experiment(
            name=name,
            kind=value["kind"],
            title=value["title"],
            paper=value["paper"],
            datasets=tuple(value["datasets"]),
            labels=labels,
            splits=int(value["splits"]),
            rows=tuple(_rows(name, value["groups"], labels, vary)),
            tuning=Tuning(
                _labels(name, tuning, value) if tuning else (),
                int(tuning.get("splits", 0)),
                bool(tuning.get("grid", False)),
            ),
            large={key: _large(name, key, sizes) for key, sizes in (value.get("large") or {}).items()},
            settings=value.get("settings") or {},
            search=value.get("search") or {},
            measure=value.get("measure"),
            vary=next(((key, tuple(values)) for key, values in vary.items()), None),
            published=bool(value.get("published", False)),
            screen=bool(value.get("screen", False)),
            note=" ".join(str(value.get("note", "")).split()),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"experiment {name}: lacks or misuses {error}") from None


def _labels(name: str, value: dict[str, Any], experiment: dict[str, Any]) -> tuple[Scheme, ...]:
    """Read ``ratios``, the paper's word for shares, or ``labels``; both with the experiment's validation and region."""
    common = {key: experiment[key] for key in ("validation", "region") if key in experiment}
    try:
        return tuple(replace(Scheme.parse(e), **common) for e in value["labels" if "labels" in value else "ratios"])
    except InputError as error:
        raise InputError(f"experiment {name}: {error}") from None


def _large(name: str, dataset: str, sizes: Any) -> Large:
    if not isinstance(sizes, dict) or not {"splits", "tuning"} <= sizes.keys() <= {"splits", "tuning", "settings"}:
        raise InputError(f"experiment {name}: large {dataset} must hold splits and tuning, and may hold settings")
    if not all(type(sizes[key]) is int and sizes[key] >= 1 for key in ("splits", "tuning")):
        raise InputError(f"experiment {name}: splits and tuning of large {dataset} must be whole numbers from 1")
    settings = sizes.get("settings", {})
    if not isinstance(settings, dict):
        raise InputError(f"experiment {name}: settings of large {dataset} must be keys and values")
    return Large(sizes["splits"], sizes["tuning"], settings)


def _rows(name: str, groups: list[dict[str, Any]], labels: tuple[Scheme, ...], vary: dict[str, Any]) -> Iterator[Row]:
    for group in groups:
        _known(name, group, {"title", "rows"})
        for entry in group["rows"]:
            _known(name, entry, _ROW_KEYS)
            row = _row(name, entry, group["title"], labels)
            yield row
            for key, values in vary.items():
                for item in values:
                    yield Row(
                        name=f"{row.name}/{key}={item}", method=row.method, title=f"{row.title}, {key} = {item}",
                        group=row.group, changes={**row.changes, key: item}, tuned_as=row.name,
                    )  # fmt: skip


def _row(name: str, entry: dict[str, Any], group: str, labels: tuple[Scheme, ...]) -> Row:
    method = METHODS.get(entry["method"])
    published = {}
    for dataset, cells in (entry.get("published") or {}).items():
        if len(cells) > len(labels):
            raise InputError(
                f"experiment {name}: {entry['method']} has {len(cells)} published figures of {dataset} for "
                f"{len(labels)} numbers of labels"
            )
        published[dataset] = {s.share: Published.parse(cell) for s, cell in zip(labels, cells, strict=False) if s.share}
    data = "" if method is None else "X" * method.attributes + "Y" * method.labels
    return Row(
        name=entry.get("name", entry["method"]),
        method=entry["method"],
        title=entry.get("title") or (method.title if method else entry["method"]),
        group=group,
        changes=entry.get("changes") or {},
        search=entry.get("search") or {},
        base=entry.get("base", None if method is None else method.base),
        tuned_as=entry.get("tuned_as"),
        data=entry.get("data", data),
        published=published,
        note=" ".join(str(entry.get("note", "")).split()),
    )


def _known(name: str, value: dict[str, Any], keys: set[str]) -> None:
    for key in value:
        if key not in keys:
            raise InputError(f"experiment {name}: {unknown_name('key', str(key), keys)}")
