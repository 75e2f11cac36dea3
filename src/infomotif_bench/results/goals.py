"""The goals of InfoMotif, compared with the measurements: reached, or missed and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from infomotif._core.statistics import Difference
from infomotif_bench.results.cells import points
from infomotif_bench.results.grid import Grid, rounded
from infomotif_bench.results.measurements import Summary, joint_rows

FEW_LABELS = {"1 %": 4.0, "5 %": 1.5}
"""Points over the base on Cora and Citeseer, by number of labels."""
OVER_RANDOM = 2.0
"""Points of motifs over random triples with the same negatives."""
AUTO_LOSS = 0.3
"""Points that auto may lose to its base, on average over all graphs and numbers of labels."""
SPLITS = 10
"""With fewer splits the verdict is provisional (so far)."""
Line = tuple[str, ...]


def goals(summaries: Sequence[Summary]) -> Grid:
    """Return every goal with a measurement, with its verdict.

    Example:
        >>> goals([]).rows
        ()
    """
    # Tables with fixed settings are others.
    by_name = {summary.experiment.name: summary for summary in summaries if summary.tuned and not summary.forced}
    rows: list[Line] = []
    for title, lines_of in _GOALS.items():
        if lines := list(lines_of(by_name)):
            rows += [(title,), *lines]
    return Grid("Goals", ("where", "measured", "goal", "verdict"), tuple(rows))


def _few_labels(by_name: Mapping[str, Summary]) -> Iterator[Line]:
    summary = by_name.get("few-labels")
    if summary is None:
        return
    for panel in [panel for panel in summary.panels if panel in ("cora", "citeseer")]:
        for column, goal in FEW_LABELS.items():
            for row in joint_rows(summary):
                over = f"{panel}, {column}, over {summary.experiment.row(row.base or '').title}"
                yield from _gain(over, summary.cell(panel, row, column).to_base, goal)


def _motifs(by_name: Mapping[str, Summary]) -> Iterator[Line]:
    summary = by_name.get("controls")
    if summary is None:
        return
    for row in [row for row in summary.rows if row.name == "motifs-degree"]:
        for panel in summary.panels:
            for column in summary.columns:
                yield from _gain(f"{panel}, {column}", summary.cell(panel, row, column).to_base, OVER_RANDOM)


def _auto(by_name: Mapping[str, Summary]) -> Iterator[Line]:
    tables = [_auto_cells(summary) for summary in _tables(by_name)]
    both = [cell for _, differences in tables for cell in differences]
    for where, cells in [*tables, ("both tables", both)]:
        known = [difference for difference in cells if difference is not None]
        if not known:
            continue
        means = [100 * difference.mean for difference in known]
        counts = [difference.count for difference in known]
        mean = sum(means) / len(means)
        splits = " to ".join(dict.fromkeys((str(min(counts)), str(max(counts)))))
        fewest = min(counts) if len(known) == len(cells) else 0
        text = f"{where}, {len(known)} of {len(cells)} cells, {splits} splits; worst {rounded(min(means), sign='+')}"
        yield text, rounded(mean, sign="+"), f"-{AUTO_LOSS:g}", _verdict(mean + AUTO_LOSS, fewest)


def _auto_cells(summary: Summary) -> tuple[str, list[Difference | None]]:
    """Return the table's name and the gain of auto in each of its cells."""
    rows = [row for row in summary.rows if row.name == "infomotif-gcn-auto"]
    cells = [(panel, row, column) for row in rows for panel in summary.panels for column in summary.columns]
    return summary.experiment.paper, [summary.cell(*cell).to_base for cell in cells]


_GOALS = {
    "Few labels: gain of joint over its base in points, with the interval above 0": _few_labels,
    "Gain of motifs over random triples with the same negatives (degree) in points, interval above 0": _motifs,
    "Average gain of auto over GCN in points; auto may use structural inputs, which GCN does not have": _auto,
}


def _tables(by_name: Mapping[str, Summary]) -> list[Summary]:
    return [by_name[name] for name in ("table2", "table3") if name in by_name]


def _gain(where: str, difference: Difference | None, goal: float) -> Iterator[Line]:
    """Compare a paired difference with a goal."""
    if difference is None:
        return
    verdict = _verdict(100 * difference.mean - goal, difference.count)
    if verdict.startswith("reached") and not difference.clear:
        verdict = "not certain"
    yield where, f"{points(difference)} ({difference.count})", f"{goal:+.1f}", verdict


def _verdict(ahead: float, splits: int) -> str:
    """Say whether a goal is reached, in tenths as all figures are printed.

    Example:
        >>> _verdict(-0.04, 10), _verdict(-0.12, 10), _verdict(0.5, 3)
        ('reached', 'missed by 0.1', 'reached so far')
    """
    verdict = "reached" if round(ahead, 1) >= 0 else f"missed by {-ahead:.1f}"
    return verdict if splits >= SPLITS else f"{verdict} so far"
