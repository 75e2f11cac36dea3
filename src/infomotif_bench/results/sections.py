"""An experiment as a section: what its pages show, whether in Markdown or in HTML."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from infomotif_bench.experiments.experiment import Row
from infomotif_bench.methods.base import MOTIF_REGULARIZED
from infomotif_bench.results.alternatives import alternatives, default_statements
from infomotif_bench.results.cells import command, departures, provenance, shown_difference, trial_statements
from infomotif_bench.results.export import to_csv
from infomotif_bench.results.grid import Grid, rounded
from infomotif_bench.results.main_table import main_table
from infomotif_bench.results.measurements import Measured, Parts, Summary, measured_parts, verdict

FAR = 5
"""Points from the published mean beyond which a row is explained."""
_UNKNOWN_CAUSE = "The cause was not found."


@dataclass(frozen=True)
class Section:
    """An experiment as it is shown.

    Attributes:
        name: Its name in commands.
        title: Its title, with its place in the paper.
        question: What it asks.
        answer: What was measured.
        differs: How the runs differ from the paper's.
        note: How it was measured.
        statements: What is missing, and what was changed.
        main: The table that is shown first.
        csv: All measured cells.
        details: Further tables.
        figure: Whether a figure was drawn.
        command: How to measure it again.
        provenance: Versions, machine and CPU time.
    """

    name: str
    title: str
    question: str
    answer: str
    differs: str
    note: str
    statements: tuple[str, ...]
    main: Grid
    csv: str
    details: tuple[Grid, ...]
    figure: bool
    command: str
    provenance: tuple[str, ...]


def section(summary: Summary, *, figure: bool = False) -> Section:
    """Return the section of an experiment; ``figure`` says whether one was drawn."""
    experiment = summary.experiment
    parts = measured_parts(summary)
    grids = [alternatives([summary]), *(make(summary, parts) for make in (_wins, _far, _nodes, _settings))]
    return Section(
        name=experiment.name,
        title=f"{experiment.paper}: {experiment.title}",
        question=experiment.question,
        answer=experiment.answer,
        differs=experiment.differs,
        note=experiment.note,
        statements=(
            *_coverage(summary),
            *departures(summary),
            *trial_statements(summary),
            *_times(summary),
            *default_statements([summary]),
        ),
        main=main_table(summary),
        csv=to_csv(summary),
        details=tuple(grid for grid in grids if grid.rows),
        figure=figure,
        command=command(summary),
        provenance=tuple(provenance(summary)),
    )


def _wins(summary: Summary, parts: Parts) -> Grid:
    """Count the cells in which each row is better or worse than its base."""
    rows = []
    for row in parts.rows:
        if row.base is None:
            continue
        differences = [summary.cell(panel, row, column).to_base for panel in parts.panels for column in parts.columns]
        marks = Counter(mark for mark in map(verdict, differences) if mark)
        if marks:
            better, worse = marks["win"] + marks["win?"], marks["loss"] + marks["loss?"]
            counts = (marks.total(), better, marks["win"], worse, marks["loss"])
            rows.append((row.title, summary.experiment.row(row.base).title, *map(str, counts)))
    headings = ("method", "base", "cells", "better", "of these ▲", "worse", "of these ▼")
    return Grid("Cells in which a method is better or worse than its base", headings, tuple(rows))


def _far(summary: Summary, parts: Parts) -> Grid:
    """List the rows that are far from the published figure, with the cause as far as it is known."""
    rows = []
    for panel in parts.panels:
        for row in parts.rows:
            cells = [summary.cell(panel, row, column) for column in parts.columns]
            distances = [0.0 if cell.to_published is None else 100 * cell.to_published.mean for cell in cells]
            largest = max(distances, key=abs, default=0.0)
            if abs(largest) > FAR:
                rows.append((panel, row.title, rounded(largest, sign="+"), row.note or _UNKNOWN_CAUSE))
    caption = f"More than {FAR} points from the published mean (largest difference), and what may explain it"
    return Grid(caption, ("dataset", "method", "points", "explanation"), tuple(rows))


def _nodes(summary: Summary, parts: Parts) -> Grid:
    """Say how many nodes train and test, in experiments about the number of labels."""
    if summary.experiment.kind not in ("curve", "distance"):
        return Grid("", (), ())
    rows = []
    for panel in parts.panels:
        known = [{summary.cell(panel, row, column).nodes for row in parts.rows} for column in parts.columns]
        texts = [next((f"{n[0]} / {n[1]}" for n in nodes if n is not None), "") for nodes in known]
        if any(texts):
            rows.append((panel, *texts))
    return Grid("Training and test nodes per split, on average", ("dataset", *parts.columns), tuple(rows))


def _settings(summary: Summary, parts: Parts) -> Grid:
    """List the settings that validation chose, for all splits together or on every split."""
    experiment = summary.experiment
    if not experiment.tuning.splits:
        return Grid("", (), ())
    rows = []
    for panel in parts.panels:
        for row in parts.rows:
            cells = [summary.cell(panel, row, column) for column in parts.columns]
            cells = [cell for cell in cells if cell.spread]
            # A method that chooses on every split does so even if nothing is searched for.
            if cells and (summary.tuned or any(cell.choices for cell in cells)):
                varied = {} if experiment.vary is None else {experiment.vary[0]: None}
                given = {**experiment.start(row, panel), **varied, **summary.forced}
                rows.append((panel, row.title, _chosen(cells, given)))
    return Grid(
        "Settings that validation chose, where they differ from the defaults",
        ("dataset", "method", "settings"),
        tuple(rows),
    )


def _chosen(cells: list[Measured], given: Mapping[str, Any]) -> str:
    """Return the chosen settings of a row, without those that were ``given`` to it."""
    choices = sum((Counter(cell.choices) for cell in cells), Counter[str]())
    if choices:
        counted = "; ".join(f"{name} ({count} times)" for name, count in choices.most_common())
        return f"in {choices.total()} splits and numbers of labels: {counted}"
    settings = {key: value for key, value in (cells[0].settings or {}).items() if key not in given}
    return ", ".join(f"{key} = {value}" for key, value in settings.items()) or "defaults"


def _coverage(summary: Summary) -> Iterator[str]:
    """Say what is missing, so that an unfinished table is not mistaken for a finished one."""
    wanted = summary.experiment.splits_on
    cells = [
        (panel, summary.cell(panel, row, column))
        for row in summary.rows
        for panel in summary.panels
        for column in summary.columns
    ]
    short = [panel for panel, cell in cells if cell.splits < wanted(panel)]
    if short:
        numbers = ", ".join(f"{wanted(panel)} on {panel}" for panel in dict.fromkeys(short))
        yield f"Not complete: {len(short)} of {len(cells)} cells have fewer splits than planned ({numbers})."
    parts = measured_parts(summary)
    left_out = {
        "datasets": [panel for panel in summary.panels if panel not in parts.panels],
        "rows": [row.title for row in summary.rows if row not in parts.rows],
        "columns": [column for column in summary.columns if column not in parts.columns],
    }
    if any(left_out.values()):
        lists = "; ".join(f"{what} {', '.join(names)}" for what, names in left_out.items() if names)
        yield f"Not measured yet and left out below: {lists}."
    if summary.hidden:
        are = "is" if summary.hidden == 1 else "are"
        yield (
            f"Of the runs in the store, {summary.hidden} {are} not shown: they have other settings (--set, --no-tune), "
            "belong to a search that is not complete, are of an older version, or of a row or graph that is no longer "
            "part of this experiment."
        )


def _times(summary: Summary) -> Iterator[str]:
    if summary.accuracy:
        return
    for row in summary.rows:
        ratios = [summary.cell(panel, row, c).ratio for panel in summary.panels for c in summary.columns]
        known = [ratio for ratio in ratios if ratio is not None]
        if row.base is not None and known:
            base = summary.experiment.row(row.base).title
            yield f"An epoch of {row.title} takes {min(known):.1f} to {max(known):.1f} times that of {base}."


@dataclass(frozen=True)
class Standing:
    """Cells in which rows clearly differ from their bases, in one direction.

    Attributes:
        title: The direction, and how many cells there are.
        lines: One line per dataset and row, or one that says that there are none.
    """

    title: str
    lines: tuple[str, ...]


def standings(summaries: list[Summary]) -> list[Standing]:
    """List every cell in which InfoMotif is clearly better or worse than its base, by either measure.

    Experiments that screen and rows that may choose their base are left out: they make no claim for InfoMotif.
    """
    cells: dict[str, dict[str, list[str]]] = {"win": {}, "loss": {}}
    sure = dict.fromkeys(cells, 0)
    compared = 0
    for summary in summaries:
        for row, panel, column in () if summary.experiment.screen else _claims(summary):
            difference = summary.cell(panel, row, column).to_base
            mark = verdict(difference)
            outcome = mark.removesuffix("?")
            compared += bool(outcome)
            if outcome in cells:
                sure[outcome] += mark == outcome
                where = f"{summary.experiment.name}, {panel}, {row.title}"
                cells[outcome].setdefault(where, []).append(f"{column} {shown_difference(difference)}")
    titles = {"win": "better", "loss": "worse"}
    none = (f"In none of the {compared} cells that have both, by either measure.",)
    return [
        Standing(
            f"Where InfoMotif is {titles[outcome]} than its base: in {sure[outcome]} of {compared} cells by the "
            f"corrected test, in {sum(map(len, columns_at.values()))} by the interval",
            tuple(f"{where}: {'; '.join(columns)}" for where, columns in columns_at.items()) or none,
        )
        for outcome, columns_at in cells.items()
    ]


def _claims(summary: Summary) -> Iterator[tuple[Row, str, str]]:
    for row in summary.rows:
        if row.base is None:
            continue
        method = row.implementation()
        if method.group == MOTIF_REGULARIZED and not method.chooses:
            for panel in summary.panels:
                for column in summary.columns:
                    yield row, panel, column
