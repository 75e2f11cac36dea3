"""Tables in the terminal: our figure, below it the paper's, below that the difference to the base."""

from __future__ import annotations

from rich.table import Table
from rich.text import Text

from infomotif_bench.experiments.experiment import Row
from infomotif_bench.results.cells import shown, shown_difference
from infomotif_bench.results.grid import MARKS, Grid
from infomotif_bench.results.measurements import Summary, verdict

_STYLES = {"win": "green", "win?": "green", "loss": "red", "loss?": "red"}


def panel_table(summary: Summary, panel: str) -> Table:
    """Return the table of one dataset.

    Example:
        >>> import pathlib
        >>> from infomotif_bench import Schedule, Store, load_experiment, summarise
        >>> summary = summarise(Schedule(load_experiment("table3")), Store(pathlib.Path("no-such-folder")))
        >>> panel_table(summary, "usa").row_count == len(summary.rows)
        True
    """
    table = Table(title=Text(f"{summary.experiment.paper}: {panel}"), title_justify="left", show_lines=False)
    table.add_column("method")
    for column in summary.columns:
        table.add_column(Text(column), justify="right")
    group = None
    for row in summary.rows:
        if group is not None and row.group != group:
            table.add_section()
        group = row.group
        table.add_row(Text(row.title), *(_cell(summary, panel, row, column) for column in summary.columns))
    return table


def grid_table(grid: Grid) -> Table:
    """Return a grid as a table.

    Example:
        >>> grid_table(Grid("Two", ("a", "b"), (("1", "2"),))).row_count
        1
    """
    table = Table(title=Text(grid.caption), title_justify="left")
    for heading in grid.headings:
        table.add_column(Text(heading))
    for row in grid.rows:
        table.add_row(*map(Text, row))
    return table


def _cell(summary: Summary, panel: str, row: Row, column: str) -> Text:
    cell = summary.cell(panel, row, column)
    lines = [Text(shown(cell, summary.accuracy), style="bold")] if cell.spread or cell.failed else []
    if cell.published is not None:
        lines.append(Text(f"paper {cell.published} {MARKS[verdict(cell.to_published)]}".rstrip(), style="dim"))
    if cell.to_base is not None:
        lines.append(Text(shown_difference(cell.to_base), style=_STYLES.get(verdict(cell.to_base), "")))
    if cell.ratio is not None:
        lines.append(Text(f"{cell.ratio:.1f} times its base"))
    return Text("\n").join(lines)
