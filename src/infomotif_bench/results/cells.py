"""The texts of cells and statements, the same in every output."""

from __future__ import annotations

import shlex

from infomotif._core.statistics import Difference
from infomotif_bench.experiments.experiment import Row
from infomotif_bench.methods.base import MAX_GRID_TRIALS, MAX_TRIALS
from infomotif_bench.results.grid import MARKS, probability, rounded
from infomotif_bench.results.measurements import Measured, Summary, verdict

NEXT_TO_PAPER = "The mark after a figure of the paper says how ours compares with it."
FAIRNESS = (
    f"Every method gets the same splits and at most {MAX_TRIALS} trials of settings ({MAX_GRID_TRIALS} where all "
    "combinations are tried). No training sees a label of its split's test nodes. Settings are chosen once, on the "
    "validation nodes of the first splits, and kept for all splits; some of those nodes test in other splits, for base "
    "and InfoMotif alike. Embeddings and structural features are evaluated by a logistic regression whose "
    "strength the validation nodes of each split choose among six. Rows called auto are different: there the labels of "
    "each split choose among a dozen settings, one of them the base alone."
)


def shown(cell: Measured, accuracy: bool = True) -> str:
    """Return the measured figure, as in ``85.7 ± 0.4 (10)``.

    Example:
        >>> from infomotif._core.statistics import spread
        >>> shown(Measured({0: 0.85, 1: 0.87}, spread([0.85, 0.87]), None))
        '86.0 ± 1.4 (2)'
    """
    if cell.spread is None:
        return f"failed ({cell.failed})" if cell.failed else ""
    scale, digits = (100, 1) if accuracy else (1, 3)
    deviation = cell.spread.deviation
    spread = "" if deviation is None else f" ± {rounded(scale * deviation, digits)}"
    lost = f", {cell.failed} failed" if cell.failed else ""
    return f"{rounded(scale * cell.spread.mean, digits)}{spread} ({cell.spread.count}{lost})"


def shown_difference(difference: Difference | None) -> str:
    """Return a difference with its mark, as in ``▲ +1.3 ± 0.9, p 0.01``."""
    if difference is None:
        return ""
    p_value = "" if difference.p_value is None else f", p {probability(difference.p_value)}"
    return f"{MARKS[verdict(difference)]} {points(difference)}{p_value}".strip()


def points(difference: Difference) -> str:
    """Return a difference in points with its interval, as in ``+1.3 ± 0.9``.

    Example:
        >>> points(Difference(0.013, 0.009, 10, None))
        '+1.3 ± 0.9'
    """
    half = "" if difference.half_width is None else f" ± {rounded(100 * difference.half_width)}"
    return f"{rounded(100 * difference.mean, sign='+')}{half}"


def base_statements(summary: Summary) -> list[str]:
    """Say in how many cells each row with a base is better or worse than it."""
    lines = []
    for row in summary.rows:
        if row.base is None or not summary.accuracy:
            continue
        marks = [
            verdict(summary.cell(panel, row, column).to_base) for panel in summary.panels for column in summary.columns
        ]
        marks = [mark for mark in marks if mark]
        if not marks:
            continue
        base = summary.experiment.row(row.base).title
        lines.append(
            f"{row.title} compared with {base}: better in {marks.count('win')} of {len(marks)} cells, worse in "
            f"{marks.count('loss')} by the corrected test; by the interval alone better in "
            f"{marks.count('win') + marks.count('win?')}, worse in {marks.count('loss') + marks.count('loss?')}."
        )
    return lines


def trial_statements(summary: Summary) -> list[str]:
    """Say how the spread over trials compares with that over splits, where splits were trained on more than once."""
    lines = []
    for (panel, name, column), cell in summary.cells.items():
        if cell.trials is None or not summary.accuracy:
            continue
        row = summary.experiment.row(name).title
        over_trials, over_splits = (rounded(100 * x) for x in (cell.trials.over_trials, cell.trials.over_splits))
        lines.append(
            f"{row} on {panel} at {column}: standard deviation {over_trials} points over the {cell.trials.count:g} "
            f"trials of a split, {over_splits} over splits."
        )
    return lines


def departures(summary: Summary) -> list[str]:
    """Say how the runs shown differ from the experiment as planned."""
    lines = []
    if not summary.tuned:
        lines.append("Settings were not searched for: those that neither a row nor --set fixes have their defaults.")
    if summary.forced:
        listed = ", ".join(f"{key} = {value}" for key, value in summary.forced.items())
        kept = [row.title for row in summary.rows if row.defining & summary.forced.keys()]
        but = f" Rows that are defined by it keep theirs: {', '.join(kept)}." if kept else ""
        lines.append(f"Fixed for all methods that know it: {listed}.{but}")
    return lines


def provenance(summary: Summary) -> list[str]:
    """Name versions, machine, commits and duration of the runs."""
    commits: dict[str, list[str]] = {}
    for used in summary.environments:
        libraries = ", ".join(f"{name} {version}" for name, version in used.get("libraries", {}).items())
        versions = f"Python {used.get('python')}, {libraries}; {used.get('machine')}, {used.get('cores')} cores"
        where = f"infomotif {used.get('infomotif')}, {versions}, {used.get('system')}"
        commits.setdefault(where, []).append(str(used.get("commit") or "unknown"))
    lines = [f"{where}; commit {', '.join(dict.fromkeys(names))}" for where, names in commits.items()]
    if summary.runs:
        lines.append(f"{summary.runs} runs, {_cost(summary)}; last run {summary.finished}")
    return lines


def command(summary: Summary) -> str:
    """Return the command that measures the experiment again, from an empty store."""
    words = ["infomotif", "bench", summary.experiment.file or summary.experiment.name, "--store", "fresh"]
    words += [word for key, value in summary.forced.items() for word in ("--set", f"{key}={value}")]
    return shlex.join(words if summary.tuned else [*words, "--no-tune"])


def _cost(summary: Summary) -> str:
    seconds = summary.cpu_seconds
    if not seconds:
        return "all copied from other experiments, where their time is counted"
    return f"{seconds / 3600:.2f} CPU hours in total" if seconds >= 360 else f"{seconds:.1f} CPU seconds in total"


def used_data(row: Row) -> tuple[str, str]:
    """Return the marks of the columns X and Y."""
    return "✓" if "X" in row.data else "", "✓" if "Y" in row.data else ""
