"""The experiments by name, read from ``experiments/*.yaml``."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

from infomotif._core.yaml import parse_yaml
from infomotif.errors import InputError, unknown_name
from infomotif_bench.experiments.experiment import Experiment, Large, Published, Row, Tuning
from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.methods import get_method
from infomotif_bench.methods.base import NAME

REPORT = "report"
"""The word that takes the place of an experiment where nothing runs and the store is shown."""
SUFFIXES = (".yaml", ".yml")
_ORDER = (
    "table2", "table3", "ablation", "label-sparsity", "attribute-diversity", "sensitivity", "runtime", "few-labels",
    "few-labels-small-validation", "far-labels", "controls", "ideas",
)  # fmt: skip
_TEXT, _LIST, _KEYS, _FLAG, _COUNT, _SHARE = (str,), (list,), (dict,), (bool,), (int,), (float,)
_EXPERIMENT = {
    "kind": _TEXT, "title": _TEXT, "paper": _TEXT, "datasets": _LIST, "ratios": _LIST, "labels": _LIST,
    "validation": _SHARE + _TEXT, "region": _SHARE, "splits": _COUNT, "groups": _LIST, "tuning": _KEYS, "large": _KEYS,
    "settings": _KEYS, "search": _KEYS, "measure": _TEXT, "vary": _KEYS, "published": _FLAG, "screen": _FLAG,
    "note": _TEXT,
}  # fmt: skip
_TUNING = {"ratios": _LIST, "labels": _LIST, "splits": _COUNT, "grid": _FLAG}
_GROUP = {"title": _TEXT, "rows": _LIST}
_ROW = {
    "method": _TEXT, "name": _TEXT, "title": _TEXT, "changes": _KEYS, "search": _KEYS, "base": (str, type(None)),
    "tuned_as": _TEXT, "data": _TEXT, "published": _KEYS, "note": _TEXT,
}  # fmt: skip
_WORDS = {
    str: "text", list: "a list", int: "a whole number", float: "a share such as 0.2", bool: "true or false",
    dict: "keys and values", type(None): "null",
}  # fmt: skip


def experiment_names() -> tuple[str, ...]:
    """Return the names of all experiments, in the paper's order.

    Example:
        >>> experiment_names()[:2]
        ('table2', 'table3')
    """
    found = {
        entry.name.removesuffix(".yaml") for entry in (files("infomotif_bench") / "experiments" / "data").iterdir()
    }
    return tuple(name for name in _ORDER if name in found) + tuple(sorted(found - set(_ORDER)))


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
    if name in (*experiment_names(), REPORT):
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
    """Read an experiment from YAML text."""
    value = parse_yaml(text, f"experiment {name}")
    _check_shape(name, "it", value, _EXPERIMENT)
    try:
        labels = _labels(name, value, value)
        tuning = value.get("tuning", {})
        _check_shape(name, "tuning", tuning, _TUNING)
        vary = value.get("vary", {})
        _check_lists(name, "vary", vary)
        _check_lists(name, "search", value.get("search", {}))
        if len(vary) > 1:
            raise InputError(f"experiment {name}: vary must name one setting (got {', '.join(map(str, vary))})")
        return Experiment(
            name=name,
            kind=value["kind"],
            title=value["title"],
            paper=value["paper"],
            datasets=tuple(value["datasets"]),
            labels=labels,
            splits=value["splits"],
            rows=tuple(_rows(name, value["groups"], labels, vary)),
            tuning=Tuning(
                _labels(name, tuning, value) if tuning else (),
                tuning.get("splits", 0),
                tuning.get("grid", False),
            ),
            large={key: _large(name, key, sizes) for key, sizes in value.get("large", {}).items()},
            settings=value.get("settings", {}),
            search=value.get("search", {}),
            measure=value.get("measure"),
            vary=next(((key, tuple(values)) for key, values in vary.items()), None),
            published=value.get("published", False),
            screen=value.get("screen", False),
            note=" ".join(value.get("note", "").split()),
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise InputError(f"experiment {name}: lacks or misuses {error}") from None


def _labels(name: str, value: dict[str, Any], experiment: dict[str, Any]) -> tuple[Scheme, ...]:
    """Read ``ratios``, the paper's word for shares, or ``labels``; both with the experiment's validation and region."""
    common = {key: experiment[key] for key in ("validation", "region") if key in experiment}
    if "labels" in value and "ratios" in value:
        raise InputError(f"experiment {name}: labels and ratios say the same; give one of them")
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
        _check_shape(name, "a group", group, _GROUP)
        for entry in group["rows"]:
            _check_shape(name, "a row", entry, _ROW)
            _check_lists(name, "search", entry.get("search", {}))
            _check_lists(name, "published", entry.get("published", {}))
            row = _row(name, entry, group["title"], labels)
            yield row
            for key, values in vary.items():
                for item in values:
                    yield Row(
                        name=f"{row.name}/{key}={item}", method=row.method, title=f"{row.title}, {key} = {item}",
                        group=row.group, changes={**row.changes, key: item}, tuned_as=row.name,
                    )  # fmt: skip


def _row(name: str, entry: dict[str, Any], group: str, labels: tuple[Scheme, ...]) -> Row:
    method = get_method(entry["method"])
    published = {}
    for dataset, cells in entry.get("published", {}).items():
        if len(cells) > len(labels):
            raise InputError(
                f"experiment {name}: {entry['method']} has {len(cells)} published figures of {dataset} for "
                f"{len(labels)} numbers of labels"
            )
        try:
            figures = [Published.parse(cell) for cell in cells]
        except InputError as error:
            raise InputError(f"experiment {name}: {entry['method']} on {dataset}: {error}") from None
        published[dataset] = {s.share: figure for s, figure in zip(labels, figures, strict=False) if s.share}
    return Row(
        name=entry.get("name", entry["method"]),
        method=entry["method"],
        title=entry.get("title") or method.title,
        group=group,
        changes=entry.get("changes", {}),
        search=entry.get("search", {}),
        base=entry.get("base", method.base),
        tuned_as=entry.get("tuned_as"),
        data=entry.get("data", "X" * method.attributes + "Y" * method.labels),
        published=published,
        note=" ".join(entry.get("note", "").split()),
    )


def _check_shape(name: str, what: str, value: Any, shape: Mapping[str, tuple[type, ...]]) -> None:
    """Refuse anything but the keys of ``shape``, and values that are not of their types."""
    if not isinstance(value, dict):
        raise InputError(f"experiment {name}: {what} must be keys and values (got '{value}')")
    for key, held in value.items():
        if key not in shape:
            raise InputError(f"experiment {name}: {unknown_name('key', str(key), shape)}")
        # A boolean is no number here.
        if type(held) not in shape[key]:
            words = " or ".join(_WORDS[kind] for kind in shape[key])
            raise InputError(f"experiment {name}: {key} must be {words} (got '{held}')")


def _check_lists(name: str, what: str, value: dict[str, Any]) -> None:
    for key, held in value.items():
        if not isinstance(held, list):
            raise InputError(f"experiment {name}: {what} {key} must be a list (got '{held}')")
