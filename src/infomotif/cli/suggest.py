"""``infomotif suggest``: which nodes to label next."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from infomotif.cli import console
from infomotif.cli.motifs import RawIdsOption
from infomotif.cli.run_argument import RunArgument, opened

if TYPE_CHECKING:
    from rich.table import Table

    from infomotif.explain import Suggestion


def suggest(
    run: RunArgument,
    count: Annotated[int, typer.Option("--count", "-n", min=1, help="How many nodes to suggest.")] = 20,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="Write a CSV file with an empty column for the label.")
    ] = None,
    raw_ids: RawIdsOption = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON for machines.")] = False,
) -> None:
    """Suggest which nodes to label next: those that would teach the model of a run most.

    Each one resembles many nodes that the model is unsure about, and none that is labelled or suggested already.
    For example: infomotif suggest runs/mine -n 20 --out to-label.csv
    """
    import numpy as np

    from infomotif.runs.predictions import write_rows

    data = opened(run)
    labelled = np.zeros(data.graph.num_nodes, dtype=bool) if data.graph.y is None else data.graph.y >= 0
    everything = bool(labelled.all())
    if everything:
        labelled = np.concatenate([data.split.train, data.split.val])
    chosen = data.model.suggest(count, data.graph, labelled=labelled)
    if everything:
        console.err().print("every node has a label; the suggestions are test nodes, as if theirs were unknown")
    if out is not None:
        schema = data.graph.schema
        write_rows(out, _rows(chosen, (schema.label if schema is not None else None) or "label"), raw_ids=raw_ids)
    if as_json:
        console.print_json({"suggestions": [suggestion.to_dict() for suggestion in chosen]})
    elif out is not None:
        console.out().print(f"{len(chosen)} suggestions written to {out}", markup=False)
    else:
        console.out().print(_table(chosen))


def _rows(chosen: tuple[Suggestion, ...], label: str) -> list[list[str]]:
    head = ["id", label, "predicted", "confidence", "uncertainty", "novelty", "neighbours", "gain"]
    return [
        head,
        *(
            [s.name, "", s.predicted, *(f"{x:.4f}" for x in (s.confidence, s.uncertainty, s.novelty)),
             str(s.neighbours), f"{s.gain:.6f}"]
            for s in chosen
        ),
    ]  # fmt: skip


def _table(chosen: tuple[Suggestion, ...]) -> Table:
    from rich.table import Table
    from rich.text import Text

    table = Table(title="What to label next", title_justify="left")
    table.add_column("node")
    table.add_column("predicted")
    for name in ("confidence, %", "uncertainty, %", "novelty, %", "neighbours"):
        table.add_column(name, justify="right")
    for s in chosen:
        shares = (f"{100 * share:.0f}" for share in (s.confidence, s.uncertainty, s.novelty))
        table.add_row(Text(s.name), Text(s.predicted), *shares, f"{s.neighbours:,}")
    table.caption = "uncertainty: how evenly the classes share the probability; novelty: how little like labelled nodes"
    table.caption_justify = "left"
    return table
