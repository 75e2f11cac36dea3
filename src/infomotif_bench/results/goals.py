"""What InfoMotif should reach, held against what was measured: reached, or missed and by how much."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from infomotif._core.statistics import Difference
from infomotif_bench.experiments.experiment import Row
from infomotif_bench.methods.base import MOTIF_REGULARIZED
from infomotif_bench.results.cells import points, rounded, shown
from infomotif_bench.results.measurements import Summary, joint_rows
from infomotif_bench.results.sections import Grid

FEW_LABELS = {"1 %": 4.0, "5 %": 1.5}
"""Points over the base on Cora and Citeseer, by number of labels."""
OVER_RANDOM = 2.0
"""Points of motifs over random triples with the same negatives."""
AUTO_LOSS = 0.3
"""Points that auto may lose to its base, on average over all graphs and numbers of labels."""
SPLITS = 10
"""With fewer splits a goal is reached or missed so far only."""
_STRUCTURAL = ("structural-lr", "structural-trees")
Line = tuple[str, ...]


def goals(summaries: Sequence[Summary]) -> Grid:
    """Return every goal of which something is measured, with its verdict.

    Example:
        >>> goals([]).rows
        ()
    """
    # Settings that somebody fixed make other tables.
    by_name = {summary.experiment.name: summary for summary in summaries if summary.tuned and not summary.forced}
    rows: list[Line] = []
    for title, find in _GOALS.items():
        if lines := list(find(by_name)):
            rows += [(title,), *lines]
    return Grid("What InfoMotif should reach", ("where", "measured", "wanted", "verdict"), tuple(rows))


def _few_labels(by_name: Mapping[str, Summary]) -> Iterator[Line]:
    summary = by_name.get("few-labels")
    if summary is None:
        return
    for panel in [panel for panel in summary.panels if panel in ("cora", "citeseer")]:
        for column, wanted in FEW_LABELS.items():
            for row in joint_rows(summary):
                over = f"{panel}, {column}, over {summary.experiment.row(row.base or '').title}"
                yield from _gain(over, summary.cell(panel, row, column).to_base, wanted)


def _paper(by_name: Mapping[str, Summary]) -> Iterator[Line]:
    for summary in _tables(by_name):
        for panel in summary.panels:
            for column in summary.columns:
                figures = [summary.cell(panel, row, column).published for row in _ours(summary)]
                best = max((figure for figure in figures if figure is not None), key=lambda f: f.mean, default=None)
                yield from _level(summary, panel, column, None if best is None else (best.mean, str(best)))


def _structural(by_name: Mapping[str, Summary]) -> Iterator[Line]:
    summary = by_name.get("table3")
    if summary is None:
        return
    rows = [row for row in summary.rows if row.name in _STRUCTURAL]
    for panel in summary.panels:
        for column in summary.columns:
            rival = _best(summary, panel, rows, column)
            yield from _level(summary, panel, column, None if rival is None else rival[:2])


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
    both = [cell for _, found in tables for cell in found]
    for where, cells in [*tables, ("both tables", both)]:
        known = [difference for difference in cells if difference is not None]
        if not known:
            continue
        means = [100 * difference.mean for difference in known]
        counts = [difference.count for difference in known]
        mean = sum(means) / len(means)
        splits = " to ".join(dict.fromkeys((str(min(counts)), str(max(counts)))))
        least = min(counts) if len(known) == len(cells) else 0
        told = (
            f"{where}, {len(known)} of {len(cells)} cells, {splits} splits; the worst {rounded(min(means), sign='+')}"
        )
        yield told, rounded(mean, sign="+"), f"-{AUTO_LOSS:g}", _verdict(mean + AUTO_LOSS, least)


def _auto_cells(summary: Summary) -> tuple[str, list[Difference | None]]:
    """Return the table's name, and what auto gains in its cells."""
    rows = [row for row in summary.rows if row.name == "infomotif-gcn-auto"]
    places = [(panel, row, column) for row in rows for panel in summary.panels for column in summary.columns]
    return summary.experiment.paper, [summary.cell(*place).to_base for place in places]


_GOALS = {
    "Few labels: joint over its base, in points, the interval above 0": _few_labels,
    "The best row of InfoMotif, by test accuracy, at least the paper's best": _paper,
    "The best row of InfoMotif at least regression or trees on structural features, whichever is better": _structural,
    "Motifs over random triples with the same negatives (degree), in points, the interval above 0": _motifs,
    "auto over GCN, on average, in points; it may take structural inputs, which GCN has not": _auto,
}


def _tables(by_name: Mapping[str, Summary]) -> list[Summary]:
    return [by_name[name] for name in ("table2", "table3") if name in by_name]


def _ours(summary: Summary) -> list[Row]:
    """Return InfoMotif's rows; one that may choose its base is none."""
    methods = {row.name: row.implementation() for row in summary.rows}
    return [r for r in summary.rows if methods[r.name].group == MOTIF_REGULARIZED and not methods[r.name].chooses]


def _best(summary: Summary, panel: str, rows: Sequence[Row], column: str) -> tuple[float, str, int] | None:
    """Return the highest mean of rows in percent, how its cell reads, and over how many splits it is."""
    cells = [summary.cell(panel, row, column) for row in rows]
    found = [(100 * cell.spread.mean, shown(cell), cell.spread.count) for cell in cells if cell.spread is not None]
    return max(found, default=None)


def _level(summary: Summary, panel: str, column: str, rival: tuple[float, str] | None) -> Iterator[Line]:
    """Hold the best row of InfoMotif against a rival."""
    own = _best(summary, panel, _ours(summary), column)
    if own is not None and rival is not None:
        ahead = float(rounded(own[0])) - float(rounded(rival[0]))
        yield f"{panel}, {column}", own[1], rival[1], _verdict(ahead, own[2])


def _gain(where: str, difference: Difference | None, wanted: float) -> Iterator[Line]:
    """Hold a paired difference against what is wanted."""
    if difference is None:
        return
    verdict = _verdict(100 * difference.mean - wanted, difference.count)
    if verdict.startswith("reached") and not difference.clear:
        verdict = "not certain"
    yield where, f"{points(difference)} ({difference.count})", f"{wanted:+.1f}", verdict


def _verdict(ahead: float, splits: int) -> str:
    """Say whether a goal is reached, in tenths as everything is printed.

    Example:
        >>> _verdict(-0.04, 10), _verdict(-0.12, 10), _verdict(0.5, 3)
        ('reached', 'missed by 0.1', 'reached so far')
    """
    verdict = "reached" if round(ahead, 1) >= 0 else f"missed by {-ahead:.1f}"
    return verdict if splits >= SPLITS else f"{verdict} so far"
