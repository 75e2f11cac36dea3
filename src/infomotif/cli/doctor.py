"""``infomotif doctor``: a look at the data before training."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from infomotif._core.reading.problems import collecting
from infomotif.cli import console
from infomotif.cli.graph_options import VALIDATE, GraphSource, graph_options

if TYPE_CHECKING:
    from rich.table import Table

    from infomotif.doctor import Diagnosis
    from infomotif.errors import InputError

_SIGNS = {"fine": ("ok", "green"), "note": ("note", "cyan"), "warning": ("look", "bold yellow")}


@graph_options()
def doctor(
    graph: GraphSource,
    ratio: Annotated[
        float | None, typer.Option(help="Share of labelled nodes that will train. Default: as for 'infomotif train'.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Look at the data before training and say in plain words what is there, and what to set because of it.

    Components, isolated nodes, homophily, label coverage by hops, motif coverage, imbalance, constant or duplicate
    attributes, and attributes that give the label away. Files that cannot be read get a line for every problem.
    For example:
    infomotif doctor --edges edges.csv --nodes nodes.csv --label topic
    """
    from infomotif.doctor import examine

    with collecting() as problems:
        data = graph.read()
    if problems:
        _end_with([*_asked(graph), *problems], as_json=as_json)
    graph.check_ratio(ratio)
    diagnosis = examine(data, ratio=graph.usual_ratio if ratio is None else ratio)
    words = ["infomotif", "train", *graph.words(), *([] if ratio is None else ["--ratio", str(ratio)])]
    if ratio is not None and ratio + VALIDATE > 1:
        # Rounded down, so that both together do not exceed 1.
        words += ["--val", f"{math.floor(round((1 - ratio) * 1e4, 6)) / 1e4:g}"]
    # Without labels there is nothing to train yet, and the findings say so.
    command = shlex.join([*words, *diagnosis.options]) if data.num_classes > 1 else None
    if as_json:
        console.print_json(diagnosis.to_dict() | {"command": command})
        return
    console.out().print(data)
    console.out().print(_table(diagnosis))
    if command is not None:
        console.out().print(f"so train with:\n  {command}", markup=False, soft_wrap=True)


def _asked(graph: GraphSource) -> list[InputError]:
    """Return what the edges alone show, so that it need not wait until the nodes can be read."""
    from infomotif.doctor.structure_findings import ONE_WAY, one_way_by_id
    from infomotif.errors import InputError

    if graph.edges is None or graph.format is None or graph.format.nodes != "file":
        return []
    try:
        edges = graph.format.read(graph.edges, None, graph.options(label=None, ignore=(), categorical=(), numeric=()))
    except InputError:
        return []
    return [InputError(f"{graph.edges}: {ONE_WAY}")] if one_way_by_id(edges) else []


def _end_with(problems: list[InputError], *, as_json: bool) -> NoReturn:
    """Say everything that is wrong with the files, a line each, as the user corrects them in one go."""
    if as_json:
        console.print_json({"problems": [str(problem) for problem in problems]})
    for problem in problems[:-1]:
        console.error(str(problem))
    raise problems[-1]


def _table(diagnosis: Diagnosis) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(show_header=False, box=None, padding=(0, 1))
    for finding in diagnosis.findings:
        word, style = _SIGNS[finding.level]
        text = Text(finding.text)
        if finding.options:
            text.append(f"\n{shlex.join(finding.options)}", style="dim")
        table.add_row(Text(word, style=style), Text(finding.topic, style="bold"), text)
    return table
