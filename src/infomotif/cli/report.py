"""``infomotif report``: make the page of a run again."""

from __future__ import annotations

from typing import Annotated

import typer

from infomotif.cli import console
from infomotif.cli.run_argument import RunArgument, graph_of_run


def report(
    run: RunArgument,
    show: Annotated[bool, typer.Option("--open", help="Open the page in the browser.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the path of the page as JSON.")] = False,
) -> None:
    """Make the page of a run again: one file, report.html, that works without a network connection.

    For example: infomotif report runs/cora --open
    """
    from infomotif.model.saving import load
    from infomotif.runs.opened import read_result
    from infomotif.runs.report import write_report

    result = read_result(run)
    path = write_report(run, graph_of_run(run, load(run)), result)
    if as_json:
        console.print_json({"file": str(path), "bytes": path.stat().st_size})
    else:
        console.out().print(f"page written to {path}", markup=False)
    if show:
        typer.launch(str(path.resolve()))
