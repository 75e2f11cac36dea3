"""One figure of what InfoMotif gains over its bases at every share of labels: the paper's tables and few labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.figure import Figure

from infomotif._core.statistics import Difference
from infomotif_bench.results.curves import COLOURS, MARKERS, plots_across, tidy
from infomotif_bench.results.measurements import Summary, joint_rows

TITLE = "Gain of preset joint over its base, by share of labels"
ABOUT = (
    "Paired over the same splits; losses are shown as they are. Where the interval includes 0, there is no clear "
    "difference. Up to 10 % the figures come from the experiment few-labels (layers of 64), from 20 % on from the "
    "paper's tables (layers of 256, on PubMed 128, without attributes 64)."
)
_TABLES = ("table2", "table3")
_STEP = 0.16
Point = tuple[str, str, float]
"""Graph, base and share of labels."""


def draw_gains(summaries: Sequence[Summary]) -> Figure | None:
    """Draw the paired differences between preset ``joint`` and its bases, one plot per graph of the paper.

    None if there are none. Runs with fixed settings are not drawn: their figures are others.

    Example:
        >>> draw_gains([]) is None
        True
    """
    known = [s for s in summaries if s.tuned and not s.forced]
    # A table comes last: if both have a share of labels, the figure of the table counts, as in the paper.
    chosen = [s for name in ("few-labels", *_TABLES) for s in known if s.experiment.name == name]
    differences = {point: difference for summary in chosen for point, difference in _differences(summary)}
    graphs = [panel for s in chosen if s.experiment.name in _TABLES for panel in s.panels]
    graphs = [graph for graph in dict.fromkeys(graphs) if any(point[0] == graph for point in differences)]
    if not graphs:
        return None
    bases = list(dict.fromkeys(point[1] for point in differences))
    shares = sorted({point[2] for point in differences if point[0] in graphs})
    figure, axes = plots_across(len(graphs), sharex=True, sharey="row")
    for axis, graph in zip(axes.flat, graphs, strict=False):
        axis.axhline(0, color="black", lw=1)
        for i, base in enumerate(bases):
            points = [(j, differences.get((graph, base, share))) for j, share in enumerate(shares)]
            drawn = [(j, difference) for j, difference in points if difference is not None]
            x = np.array([j for j, _ in drawn]) + (i - (len(bases) - 1) / 2) * _STEP
            means = [100 * difference.mean for _, difference in drawn]
            halves = [100 * (difference.half_width or 0) for _, difference in drawn]
            axis.errorbar(x, means, yerr=halves, fmt=MARKERS[i % len(MARKERS)], color=COLOURS[i % len(COLOURS)],
                          ms=4, lw=1, label=f"over {base}")  # fmt: skip
        tidy(axis)
        counts = [difference.count for point, difference in differences.items() if point[0] == graph]
        splits = " to ".join(dict.fromkeys((str(min(counts)), str(max(counts)))))
        axis.set_title(f"{graph} ({splits} splits)")
        axis.set_xticks(range(len(shares)), [f"{share:g}" for share in shares])
        axis.tick_params(labelbottom=True)
    for axis in axes[:, 0]:
        axis.set_ylabel("gain in points,\n95 % interval")
    figure.supxlabel("training nodes in % of all nodes", fontsize="medium")
    figure.legend(
        *axes.flat[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(bases), frameon=False
    )
    return figure


def _differences(summary: Summary) -> Iterator[tuple[Point, Difference]]:
    for row in joint_rows(summary):
        base = summary.experiment.row(row.base or "").title
        for panel in summary.panels:
            for column in [column for column in summary.columns if column.endswith(" %")]:
                difference = summary.cell(panel, row, column).to_base
                if difference is not None and difference.half_width is not None:
                    yield (panel, base, float(column.removesuffix(" %"))), difference
