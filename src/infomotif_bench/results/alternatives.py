"""The default against each alternative and against the best of them in hindsight, over all cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from infomotif._core.statistics import paired_difference
from infomotif_bench.experiments.experiment import Row
from infomotif_bench.results.cells import points
from infomotif_bench.results.grid import Grid, rounded
from infomotif_bench.results.measurements import Measured, Summary

DEFAULT = "auto"
"""Name of the row that all others are compared with."""
VARIANT = "auto-"
"""Rows whose names begin so are the default without a part of it: no alternatives."""


class _Cell(NamedTuple):
    """A cell of an alternative next to that of the default, in percent on the splits that both have."""

    where: str
    ours: float
    theirs: float


def has_default(summary: Summary) -> bool:
    """Return whether an experiment compares the default with alternatives."""
    return any(row.name == DEFAULT for row in summary.rows)


def alternatives(summaries: Sequence[Summary]) -> Grid:
    """Return how far the default is ahead of each other row, averaged over the cells that both have.

    The interval is Student's over cells, so that it covers the variation between graphs and numbers of labels.

    Args:
        summaries: Summaries of experiments with the same rows; their cells are taken together.

    Example:
        >>> alternatives([]).rows
        ()
    """
    titles = {row.name: row.title for summary in summaries for row in _others(summary)}
    lines = []
    for name, title in titles.items():
        cells = [cell for summary in summaries for cell in _cells(summary, [summary.experiment.row(name)])]
        costs = [c.cpu_seconds for summary in summaries for c in _measured(summary, name) if c.cpu_seconds is not None]
        if cells:
            lines.append((title, *_compared(cells), rounded(float(np.mean(costs))) if costs else ""))
    hindsight = [
        cell
        for summary in summaries
        for cell in _cells(summary, [row for row in _others(summary) if not row.name.startswith(VARIANT)])
    ]
    if hindsight:
        lines.append(("the best alternative of each cell, in hindsight", *_compared(hindsight), ""))
    headings = ("alternative", "auto is ahead by", "cells", "least ahead", "CPU s of the alternative")
    return Grid(
        "Points by which auto is ahead, on average over cells (95 % interval over cells)", headings, tuple(lines)
    )


def default_statements(summaries: Sequence[Summary]) -> list[str]:
    """Say what the default costs on each graph, and how often motifs are part of its answer."""
    lines = []
    cells = [cell for summary in summaries for cell in _measured(summary, DEFAULT)]
    for panel in dict.fromkeys(panel for summary in summaries for panel in summary.panels):
        here = [cell for summary in summaries if panel in summary.panels for cell in _measured(summary, DEFAULT, panel)]
        seconds = [cell.cpu_seconds for cell in here if cell.cpu_seconds is not None]
        if seconds:
            mean, most = (rounded(value) for value in (float(np.mean(seconds)), max(seconds)))
            lines.append(f"auto on {panel}: {mean} CPU seconds per run on average, {most} in its dearest cell.")
    shares = [cell.motifs for cell in cells if cell.motifs is not None]
    if shares:
        lines.append(
            f"A part made of motifs is in {100 * float(np.mean(shares)):.0f} % of the answers of auto, and in at least "
            f"one answer of {sum(share > 0 for share in shares)} of {len(shares)} cells."
        )
    return lines


def _others(summary: Summary) -> list[Row]:
    return [row for row in summary.rows if row.name != DEFAULT] if has_default(summary) else []


def _measured(summary: Summary, name: str, panel: str | None = None) -> list[Measured]:
    found = [cell for (where, row, _), cell in summary.cells.items() if row == name and panel in (None, where)]
    return [cell for cell in found if cell.spread is not None]


def _cells(summary: Summary, rows: Sequence[Row]) -> Iterator[_Cell]:
    """Yield each cell of the default with that of the best of ``rows``, by test accuracy."""
    if not has_default(summary):
        return
    default = summary.experiment.row(DEFAULT)
    validation = summary.experiment.labels[0].validation
    for panel in summary.panels:
        for column in summary.columns:
            ours = summary.cell(panel, default, column).values
            pairs = []
            for row in rows:
                theirs = summary.cell(panel, row, column).values
                if common := sorted(ours.keys() & theirs.keys()):
                    pairs.append(tuple(100 * float(np.mean([side[s] for s in common])) for side in (ours, theirs)))
            if pairs:
                ours_mean, theirs_mean = max(pairs, key=lambda pair: pair[1] - pair[0])
                few = ", few validate" if validation == "train" else ""
                yield _Cell(f"{panel}, {column}{few}", ours_mean, theirs_mean)


def _compared(cells: Sequence[_Cell]) -> tuple[str, str, str]:
    difference = paired_difference([cell.ours / 100 for cell in cells], [cell.theirs / 100 for cell in cells])
    least = min(cells, key=lambda cell: cell.ours - cell.theirs)
    worst = f"{rounded(least.ours - least.theirs, sign='+')} ({least.where})"
    return points(difference), str(len(cells)), worst
