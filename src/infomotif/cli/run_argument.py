"""The run folder that a command is given, and the graph that it was trained on."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from infomotif.cli.graph_options import KINDS, GraphSource
from infomotif.errors import InputError, shown

if TYPE_CHECKING:
    from infomotif.graph import Graph
    from infomotif.model.estimator import InfoMotif
    from infomotif.runs.opened import OpenRun

RunArgument = Annotated[Path, typer.Argument(metavar="RUN", help="A run folder that 'infomotif train' wrote.")]
_WHERE = ("dataset", "edges", "nodes")


def graph_of_run(run: Path, model: InfoMotif, instead: dict[str, Any] | None = None) -> Graph:
    """Return the graph that a run was trained on, or the one that ``instead`` names, with the run's columns.

    Raises:
        InputError: If the run does not say where its graph comes from, or it cannot be read.
    """
    from infomotif.graph.schema import Schema
    from infomotif.runs.opened import read_config

    folder = folder_of_run(run)
    source = _checked(folder / "config.yaml", read_config(folder).get("source"))
    if instead is not None:
        # Other files are read with the same options; they need not have labels.
        if "ignore" in instead:
            instead = {**instead, "ignore": [*source.get("ignore", []), *instead["ignore"]]}
        source = {k: v for k, v in source.items() if k not in (*_WHERE, "label", "component")} | instead
    for key in ("edges", "nodes"):
        source[key] = Path(source[key]) if source.get(key) is not None else None
    where = GraphSource(dataset=source.get("dataset"), edges=source["edges"], nodes=source["nodes"])
    known = {*_WHERE, *where.takes, *(instead or ())}
    named = GraphSource(**{key: value for key, value in source.items() if key in known})
    schema = None if model.schema_ is None or named.edges is None else Schema.from_dict(model.schema_)
    return named.read(schema=schema)


def folder_of_run(run: Path) -> Path:
    """Return the folder with a run's config: the run's own, or for the base GNN in ``RUN/base`` that of the run."""
    from infomotif.runs.opened import BASE_FOLDER, CONFIG

    inside = run.resolve()
    is_base = inside.name == BASE_FOLDER and not (run / CONFIG).exists() and (inside.parent / CONFIG).exists()
    return inside.parent if is_base else run


def _checked(path: Path, source: Any) -> dict[str, Any]:
    """Return the source that a config file names, with every value checked."""
    if not isinstance(source, dict):
        raise InputError(f"{path}: does not say where the graph comes from")
    for key, value in source.items():
        kind = KINDS.get(key, str)
        if not isinstance(value, kind) or (isinstance(value, list) and not all(isinstance(v, str) for v in value)):
            raise InputError(
                f"{path}: '{key}' of the source cannot be {shown(value)}; it was edited, restore it or train again"
            )
    return dict(source)


def opened(run: Path) -> OpenRun:
    """Read a run back, with its graph."""
    from infomotif.model.saving import load
    from infomotif.runs.opened import open_run

    model = load(run)
    return open_run(run, graph_of_run(run, model), model)
