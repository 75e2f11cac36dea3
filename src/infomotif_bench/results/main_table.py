"""The main table of an experiment: the part that its page shows first, short enough to be read."""

from __future__ import annotations

from collections.abc import Iterator

from infomotif_bench.experiments.experiment import Row
from infomotif_bench.results.cells import points, shown
from infomotif_bench.results.grid import MARKS, Grid, rounded
from infomotif_bench.results.measurements import Measured, Parts, Summary, measured_parts, verdict

MAX_ROWS = 20


def main_table(summary: Summary) -> Grid:
    """Return at most :data:`MAX_ROWS` rows: graphs and labels down and methods across.

    With a single column, methods go down and graphs across. Rows without a measurement are left out.
    """
    parts = _chosen(summary)
    grid = _by_method(summary, parts) if len(parts.columns) == 1 else _by_graph(summary, parts)
    unit = "Test accuracy in %" if summary.accuracy else "CPU seconds per epoch"
    lines = "; ".join(_explained(summary, parts))
    below = f"; below it {lines}" if lines else ""
    rest = f"; the first {MAX_ROWS} of {len(grid.rows)} rows" if len(grid.rows) > MAX_ROWS else ""
    return Grid(f"{unit}{grid.caption}{below}{rest}", grid.headings, grid.rows[:MAX_ROWS])


def _explained(summary: Summary, parts: Parts) -> Iterator[str]:
    """Say what the further lines of cells are."""
    cells = [
        summary.cell(panel, row, column) for panel in parts.panels for row in parts.rows for column in parts.columns
    ]
    if any(cell.to_base is not None for cell in cells):
        yield "the difference to the base with half its 95 % interval"
    if any(cell.published is not None for cell in cells):
        yield "the paper's mean"


def main_rows(summary: Summary) -> tuple[Row, ...]:
    """Return the rows that the experiment shows first, in its order.

    These are all rows if it names none, or if some of those it names were not asked for or all were not measured.
    """
    names, rows = summary.experiment.main.methods, {row.name: row for row in summary.rows}
    measured = {name for (_, name, _), cell in summary.cells.items() if cell.spread}
    if not measured & set(names) or not rows.keys() >= set(names):
        return tuple(summary.rows)
    return tuple(rows[name] for name in names)


def _chosen(summary: Summary) -> Parts:
    parts, wanted = measured_parts(summary), summary.experiment.main.labels
    columns = tuple(column for column in parts.columns if column in wanted) or parts.columns
    places = [(panel, column) for panel in parts.panels for column in columns]
    measured = tuple(
        row for row in main_rows(summary) if any(summary.cell(panel, row, column).spread for panel, column in places)
    )
    return Parts(parts.panels, measured or parts.rows, columns)


def _by_method(summary: Summary, parts: Parts) -> Grid:
    (column,) = parts.columns
    rows = []
    for row in parts.rows:
        cells = [summary.cell(panel, row, column) for panel in parts.panels]
        rows.append((row.title, *("\n".join(_lines(summary, row, cell, count=True)) for cell in cells)))
    share = f", {column} of the nodes train" if column.endswith("%") else ""
    caption = f"{share} (number of splits)"
    return Grid(caption, ("method", *parts.panels), tuple(rows))


def _by_graph(summary: Summary, parts: Parts) -> Grid:
    rows = []
    for panel in parts.panels:
        for column in parts.columns:
            cells = [(row, summary.cell(panel, row, column)) for row in parts.rows]
            counts = [cell.spread.count for _, cell in cells if cell.spread is not None]
            if not counts:
                continue
            usual = max(counts)
            texts = ["\n".join(_lines(summary, row, cell, count=cell.splits != usual)) for row, cell in cells]
            rows.append((panel, column, str(usual), *texts))
    kinds = {"quartiles": "quartile", "distance": "from a label", "sensitivity": "instances", "runtime": "density"}
    heading = kinds.get(summary.experiment.kind, "labels")
    return Grid("", ("graph", heading, "splits", *(row.title for row in parts.rows)), tuple(rows))


def _lines(summary: Summary, row: Row, cell: Measured, *, count: bool) -> Iterator[str]:
    """Yield the measured figure, the difference to the base, and the paper's figure, as far as there are any."""
    if cell.spread is None and not cell.failed:
        return
    text = shown(cell, summary.accuracy)
    yield text if count or cell.spread is None else text[: text.rindex(" (")]
    if cell.to_base is not None and row.base is not None:
        mark = MARKS[verdict(cell.to_base)]
        yield f"{mark} {points(cell.to_base)}".strip()
    if cell.ratio is not None:
        yield f"{rounded(cell.ratio)} times the base"
    if cell.published is not None:
        yield f"paper {rounded(cell.published.mean)}"
