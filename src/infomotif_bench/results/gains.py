"""What InfoMotif gains over its bases at every share of labels, in one picture: the paper's tables and few labels."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from matplotlib.figure import Figure

from infomotif._core.statistics import Difference
from infomotif_bench.results.curves import COLOURS, MARKERS, plots_across, tidy
from infomotif_bench.results.measurements import Summary, joint_rows

TITLE = "What preset joint gains over its base, by share of labels"
ABOUT = (
    "Paired over the same splits, losses as they are; where the interval crosses 0, no difference is certain. Up to "
    "10 % the figures are those of the experiment few-labels (layers of 64), from 20 % on those of the paper's "
    "tables (layers of 256, on PubMed 128, without attributes 64)."
)
_TABLES = ("table2", "table3")
_STEP = 0.16
Place = tuple[str, str, float]


def draw_gains(summaries: Sequence[Summary]) -> Figure | None:
    """Draw the paired differences of preset ``joint`` to its bases, a plot for each of the paper's graphs.

    None if there is none. Settings that somebody fixed make other figures.

    Example:
        >>> draw_gains([]) is None
        True
    """
    known = [s for s in summaries if s.tuned and not s.forced]
    # A table comes last: should both have a share of labels, its figure is the one that the paper has too.
    chosen = [s for name in ("few-labels", *_TABLES) for s in known if s.experiment.name == name]
    found = {place: difference for summary in chosen for place, difference in _differences(summary)}
    graphs = [panel for s in chosen if s.experiment.name in _TABLES for panel in s.panels]
    graphs = [graph for graph in dict.fromkeys(graphs) if any(place[0] == graph for place in found)]
    if not graphs:
        return None
    bases = list(dict.fromkeys(place[1] for place in found))
    shares = sorted({place[2] for place in found if place[0] in graphs})
    figure, axes = plots_across(len(graphs), sharex=True, sharey="row")
    for axis, graph in zip(axes.flat, graphs, strict=False):
        axis.axhline(0, color="black", lw=1)
        for i, base in enumerate(bases):
            own = [(j, found[graph, base, share]) for j, share in enumerate(shares) if (graph, base, share) in found]
            place = np.array([j for j, _ in own]) + (i - (len(bases) - 1) / 2) * _STEP
            means = [100 * difference.mean for _, difference in own]
            halves = [100 * (difference.half_width or 0) for _, difference in own]
            axis.errorbar(place, means, yerr=halves, fmt=MARKERS[i % len(MARKERS)], color=COLOURS[i % len(COLOURS)],
                          ms=4, lw=1, capsize=2, label=f"over {base}")  # fmt: skip
        tidy(axis)
        counts = [difference.count for place, difference in found.items() if place[0] == graph]
        splits = " to ".join(dict.fromkeys((str(min(counts)), str(max(counts)))))
        axis.set_title(f"{graph} ({splits} splits)")
        axis.set_xticks(range(len(shares)), [f"{share:g}" for share in shares])
        axis.tick_params(labelbottom=True)
    for axis in axes[:, 0]:
        axis.set_ylabel("points over the base,\n95 % interval")
    figure.supxlabel("% of the nodes that train", fontsize="medium")
    figure.legend(
        *axes.flat[0].get_legend_handles_labels(), loc="outside upper center", ncols=len(bases), frameon=False
    )
    return figure


def _differences(summary: Summary) -> Iterator[tuple[Place, Difference]]:
    for row in joint_rows(summary):
        base = summary.experiment.row(row.base or "").title
        for panel in summary.panels:
            for column in [column for column in summary.columns if column.endswith(" %")]:
                difference = summary.cell(panel, row, column).to_base
                if difference is not None and difference.half_width is not None:
                    yield (panel, base, float(column.removesuffix(" %"))), difference
