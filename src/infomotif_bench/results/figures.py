"""The paper's figures, and a plot of differences for its tables."""

from __future__ import annotations

import io
from dataclasses import replace
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from infomotif_bench.results.curves import COLOURS, MARKERS, draw_curves, half_width, measured_rows, tidy
from infomotif_bench.results.main_table import main_rows
from infomotif_bench.results.measurements import Summary, verdict
from infomotif_bench.results.svg import small_svg


def draw(summary: Summary) -> Figure | None:
    """Draw an experiment in the form that the paper uses, without panels that have no measurement.

    None if there is nothing to draw yet.
    """
    rows = {row.name for row in main_rows(summary)}
    measured = {panel for (panel, name, _), cell in summary.cells.items() if cell.spread and name in rows}
    if not measured:
        return None
    summary = replace(
        summary, panels=tuple(panel for panel in summary.panels if panel in measured), rows=main_rows(summary)
    )
    kinds = {
        "table": _differences, "curve": draw_curves, "quartiles": _groups, "distance": draw_curves,
        "sensitivity": _lines, "runtime": _lines,
    }  # fmt: skip
    return kinds[summary.experiment.kind](summary)


def to_svg(figure: Figure, description: str) -> str:
    """Return a figure as SVG, with a description inside; the same figure gives the same text."""
    stream = io.StringIO()
    with mpl.rc_context({"svg.hashsalt": "infomotif", "svg.fonttype": "none"}):
        figure.savefig(stream, format="svg", metadata={"Date": None}, bbox_inches="tight")
    return small_svg(stream.getvalue(), description)


def _panels(summary: Summary, height: float = 3.2, *, sharex: bool = False) -> tuple[Figure, list[Any]]:
    count = len(summary.panels)
    figure = Figure(figsize=(max(4.6, 3.7 * count), height), layout="constrained")
    axes = figure.subplots(1, count, squeeze=False, sharex=sharex)[0]
    for axis, panel in zip(axes, summary.panels, strict=True):
        axis.set_title(panel)
        tidy(axis)
    return figure, list(axes)


def _groups(summary: Summary) -> Figure:
    """Draw points, not bars: bars would have to begin at 0, and differences would be too small to see."""
    figure, axes = _panels(summary)
    rows = measured_rows(summary)
    step = 0.6 / max(1, len(rows))
    for axis, panel in zip(axes, summary.panels, strict=True):
        for i, row in enumerate(rows):
            cells = [summary.cell(panel, row, column) for column in summary.columns]
            means = [np.nan if c.spread is None else 100 * c.spread.mean for c in cells]
            positions = np.arange(len(cells)) + (i - (len(rows) - 1) / 2) * step
            halves = [100 * half_width(c) for c in cells]
            axis.errorbar(positions, means, yerr=halves, label=row.title, fmt=MARKERS[i], color=COLOURS[i], ms=5,
                          lw=1)  # fmt: skip
        axis.set_xticks(range(len(summary.columns)), summary.columns)
        axis.set_xlabel((summary.experiment.measure or "").replace("_", " ") + " quartile")
    axes[0].set_ylabel("test accuracy, %, 95 % interval")
    _legend(figure, *axes[0].get_legend_handles_labels())
    return figure


def _lines(summary: Summary) -> Figure:
    figure, axes = _panels(summary)
    scale = 100 if summary.accuracy else 1
    x = np.array([float(column.split()[-1]) for column in summary.columns])
    for axis, panel in zip(axes, summary.panels, strict=True):
        for i, row in enumerate(measured_rows(summary)):
            cells = [summary.cell(panel, row, column) for column in summary.columns]
            mean = scale * np.array([np.nan if c.spread is None else c.spread.mean for c in cells])
            half = scale * np.array([half_width(c) for c in cells])
            axis.plot(x, mean, marker=MARKERS[i], color=COLOURS[i], label=row.title, lw=1.5, ms=4)
            axis.fill_between(x, mean - half, mean + half, color=COLOURS[i], alpha=0.18, lw=0)
        axis.set_xlabel("sampled instances Q" if summary.accuracy else "mean degree")
        if not summary.accuracy:
            axis.set_yscale("log")
    axes[0].set_ylabel("test accuracy, %" if summary.accuracy else "CPU seconds per epoch")
    _legend(figure, *axes[0].get_legend_handles_labels())
    return figure


def _differences(summary: Summary) -> Figure | None:
    rows = [row for row in measured_rows(summary) if row.base is not None]
    if not rows:
        return None
    figure, axes = _panels(summary, 0.7 + 0.5 * len(rows) * max(1, len(summary.columns) / 2), sharex=True)
    step = 0.8 / len(summary.columns)
    titles = [f"{row.title}\nover {summary.experiment.row(row.base or '').title}" for row in reversed(rows)]
    drawn: dict[str, Any] = {}
    for axis, panel in zip(axes, summary.panels, strict=True):
        axis.axvline(0, color="black", lw=1)
        for j, column in enumerate(summary.columns):
            for i, row in enumerate(rows):
                difference = summary.cell(panel, row, column).to_base
                if difference is not None:
                    position = len(rows) - 1 - i - (j - (len(summary.columns) - 1) / 2) * step
                    half = None if difference.half_width is None else 100 * difference.half_width
                    fill = COLOURS[j] if verdict(difference) in ("win", "loss") else "white"
                    drawn[column] = axis.errorbar(
                        100 * difference.mean, position, xerr=half, fmt=MARKERS[j], color=COLOURS[j], ms=4, mfc=fill,
                        lw=1,
                    )  # fmt: skip
        axis.set_yticks(range(len(rows)), titles if axis is axes[0] else [""] * len(rows))
        axis.set_ylim(-0.6, len(rows) - 0.4)
        axis.set_xlabel("gain in points, 95 % interval\n(filled: also by the corrected test)")
    columns = [column for column in summary.columns if column in drawn]
    _legend(figure, [drawn[column] for column in columns], columns)
    return figure


def _legend(figure: Figure, handles: list[Any], labels: list[str]) -> None:
    figure.legend(handles, labels, loc="outside upper center", ncols=4, frameon=False, fontsize="small")
