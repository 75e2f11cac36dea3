"""Curves with 95 % bands: accuracy by number of labels, or by distance to the nearest label."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy import stats

from infomotif_bench.experiments.experiment import Row
from infomotif_bench.results.measurements import Measured, Parts, Summary, measured_parts

COLOURS = ("#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#bbbbbb")
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

_PLOTS_ACROSS = 3
_UNITS = {"%": "% of nodes", "class": "nodes per class", "hops": "from the nearest training node"}


def draw_curves(summary: Summary) -> Figure:
    """Draw datasets down and bases across; each plot has a base and the rows that are compared with it.

    With one base, datasets go across.
    """
    parts = measured_parts(summary)
    rows, panels = parts.rows, parts.panels
    families = dict.fromkeys(row.base or row.name for row in rows)
    if len(families) == 1:
        return _draw_across(summary, parts)
    # A row has the same style over every base.
    styles = {kind: i for i, kind in enumerate(dict.fromkeys(map(_kind, rows)))}
    figure = Figure(figsize=(max(5.0, 0.8 + 2.9 * len(families)), 1.4 + 2.0 * len(panels)), layout="constrained")
    axes = figure.subplots(len(panels), len(families), squeeze=False, sharex="all", sharey="row")
    for j, base in enumerate(families):
        for i, panel in enumerate(panels):
            axis = axes[i, j]
            for row in rows:
                if base in (row.name, row.base):
                    _curve(axis, summary, panel, row, parts.columns, styles[_kind(row)])
            tidy(axis)
            if not any(len(line.get_xdata()) for line in axis.lines):
                axis.grid(False)
                axis.spines[["left", "bottom"]].set_visible(False)
        axes[0, j].legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), fontsize="small", frameon=False)
        _name_columns(axes[-1, j], parts.columns)
    for axis, panel in zip(axes[:, 0], panels, strict=True):
        axis.set_ylabel(f"{panel}\ntest accuracy, %")
    return figure


def _draw_across(summary: Summary, parts: Parts) -> Figure:
    """Draw one plot per dataset, some side by side."""
    figure, axes = plots_across(len(parts.panels))
    for axis, panel in zip(axes.flat, parts.panels, strict=False):
        for number, row in enumerate(parts.rows):
            _curve(axis, summary, panel, row, parts.columns, number)
        tidy(axis)
        _name_columns(axis, parts.columns)
        axis.set_title(panel)
    for axis in axes[:, 0]:
        axis.set_ylabel("test accuracy, %")
    figure.legend(*axes.flat[0].get_legend_handles_labels(), loc="outside upper center", ncols=4, frameon=False)
    return figure


def plots_across(count: int, **share: Any) -> tuple[Figure, Any]:
    """Return a figure and its axes, three side by side; axes beyond ``count`` are hidden."""
    across = min(_PLOTS_ACROSS, count)
    down = -(-count // across)
    figure = Figure(figsize=(0.8 + 3.6 * across, 0.6 + 2.4 * down), layout="constrained")
    axes = figure.subplots(down, across, squeeze=False, **share)
    for axis in axes.flat[count:]:
        axis.set_visible(False)
    return figure, axes


def tidy(axis: Any) -> None:
    """Draw a horizontal grid and remove frame and ticks."""
    axis.tick_params(left=False, bottom=False)
    axis.grid(axis="y", alpha=0.3)
    axis.spines[["top", "right"]].set_visible(False)


def _kind(row: Row) -> str:
    return row.name.replace(row.base or row.name, "")


def measured_rows(summary: Summary) -> list[Row]:
    """Return the rows that have a value in any cell."""
    return [
        row
        for row in summary.rows
        if any(summary.cell(panel, row, column).spread for panel in summary.panels for column in summary.columns)
    ]


def half_width(cell: Measured) -> float:
    """Return half the 95 % interval of a mean."""
    if cell.spread is None or cell.spread.deviation is None:
        return 0.0
    count = cell.spread.count
    return float(stats.t.ppf(0.975, count - 1) * cell.spread.deviation / np.sqrt(count))


def _curve(axis: Any, summary: Summary, panel: str, row: Row, columns: tuple[str, ...], number: int) -> None:
    style = {"color": COLOURS[number % len(COLOURS)], "marker": MARKERS[number % len(MARKERS)], "lw": 1.5, "ms": 4}
    label: str | None = row.title
    for _, block in _blocks(columns):
        cells = [(position, summary.cell(panel, row, column)) for position, column in block]
        known = [(position, cell.spread.mean, half_width(cell)) for position, cell in cells if cell.spread is not None]
        x, mean, half = np.array(known).reshape(-1, 3).T
        axis.plot(x, 100 * mean, label=label, **style)
        low, high = (100 * np.clip(edge, 0, 1) for edge in (mean - half, mean + half))
        axis.fill_between(x, low, high, color=style["color"], alpha=0.18, lw=0)
        label = None


def _name_columns(axis: Any, columns: tuple[str, ...]) -> None:
    blocks = _blocks(columns)
    axis.set_xticks(
        [position for _, block in blocks for position, _ in block],
        [column.split()[0] for _, block in blocks for _, column in block],
        fontsize="small",
    )
    for unit, block in blocks:
        middle = (block[0][0] + block[-1][0]) / 2
        name = ("hops " if unit == "hops" else "") + _UNITS.get(unit, unit)
        axis.text(middle, -0.17, name, transform=axis.get_xaxis_transform(), ha="center", va="top", fontsize="small")


def _blocks(columns: tuple[str, ...]) -> list[tuple[str, list[tuple[int, str]]]]:
    """Return columns of the same unit together, with their positions; there is a gap between two units."""
    units = [column.split()[-1] for column in columns]
    gaps = np.cumsum([0, *(a != b for a, b in pairwise(units))])
    return [
        (unit, [(i + int(gaps[i]), column) for i, column in enumerate(columns) if units[i] == unit])
        for unit in dict.fromkeys(units)
    ]
