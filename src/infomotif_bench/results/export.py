"""Results for other programs: plain rows, CSV, and LaTeX in the form of the paper's tables."""

from __future__ import annotations

import csv
import io
from typing import Any

from infomotif._core.statistics import Difference
from infomotif_bench.experiments.experiment import Row
from infomotif_bench.results.cells import departures, provenance, used_data
from infomotif_bench.results.grid import rounded
from infomotif_bench.results.measurements import Measured, Summary, verdict

_SPECIAL = {"&": r"\&", "%": r"\%", "_": r"\_", "#": r"\#", "$": r"\$", "^": r"\^{}", "~": r"\~{}"}
_MARKS = {
    "win": r"$^{\blacktriangle}$", "loss": r"$^{\blacktriangledown}$", "win?": r"$^{\vartriangle}$",
    "loss?": r"$^{\triangledown}$",
}  # fmt: skip
_CSV_COLUMNS = (
    "dataset", "method", "title", "column", "mean", "deviation", "splits", "failed", "published_mean",
    "published_spread", "base", "to_base", "to_base_half_width", "to_base_p", "to_base_verdict", "base_ratio",
    "to_published", "to_published_half_width", "to_published_p", "to_published_verdict", "train_nodes", "test_nodes",
)  # fmt: skip
_GREEK = {"α": r"$\alpha$", "β": r"$\beta$", "λ": r"$\lambda$"}


def to_rows(summary: Summary) -> list[dict[str, Any]]:
    """Return one row of plain values per cell; accuracies in percent, times in seconds.

    Example:
        >>> import pathlib
        >>> from infomotif_bench import Schedule, Store, load_experiment, summarise
        >>> rows = to_rows(summarise(Schedule(load_experiment("ablation")), Store(pathlib.Path("no-such-folder"))))
        >>> rows[0]["published_mean"], rows[0]["mean"]
        (87.4, None)
    """
    scale = 100 if summary.accuracy else 1
    rows = []
    for panel in summary.panels:
        for row in summary.rows:
            for column in summary.columns:
                cell = summary.cell(panel, row, column)
                spread = cell.spread
                rows.append(
                    {
                        "experiment": summary.experiment.name,
                        "dataset": panel,
                        "method": row.name,
                        "title": row.title,
                        "column": column,
                        "unit": "percent" if summary.accuracy else "CPU seconds per epoch",
                        "mean": None if spread is None else round(scale * spread.mean, 4),
                        "deviation": None
                        if spread is None or spread.deviation is None
                        else round(scale * spread.deviation, 4),
                        "splits": 0 if spread is None else spread.count,
                        "train_nodes": None if cell.nodes is None else cell.nodes[0],
                        "test_nodes": None if cell.nodes is None else cell.nodes[1],
                        "failed": cell.failed,
                        "published_mean": None if cell.published is None else cell.published.mean,
                        "published_spread": None if cell.published is None else cell.published.spread,
                        "base": row.base,
                        **_difference("base", cell.to_base),
                        "base_ratio": None if cell.ratio is None else round(cell.ratio, 3),
                        **_difference("published", cell.to_published),
                        "settings": dict(cell.settings or {}),
                    }
                )
    return rows


def to_csv(summary: Summary) -> str:
    """Return the cells that have a figure, ours or the paper's, as CSV.

    Comment lines before them say so if the runs are not those of the experiment as planned. Settings are not repeated
    for each cell; pages list them once per row.
    """
    rows = [row for row in to_rows(summary) if not (row["mean"] is row["published_mean"] is None and not row["failed"])]
    stream = io.StringIO()
    for line in departures(summary):
        stream.write(f"# {line}\n")
    writer = csv.DictWriter(stream, fieldnames=_CSV_COLUMNS, lineterminator="\n", extrasaction="ignore")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()


def to_latex(summary: Summary) -> str:
    """Return a table with booktabs rules: methods down, datasets across, the paper's figures below ours."""
    spans = len(summary.columns)
    heads = " & ".join(rf"\multicolumn{{{spans}}}{{c}}{{{escape(panel)}}}" for panel in summary.panels)
    columns = " & ".join(escape(column) for _ in summary.panels for column in summary.columns)
    lines = [f"% {line}" for line in (*departures(summary), *provenance(summary))]
    lines += [
        rf"\begin{{tabular}}{{lcc{'c' * (spans * len(summary.panels))}}}",
        r"\toprule",
        rf" & X & Y & {heads} \\",
        rf" & & & {columns} \\",
    ]
    group = None
    for row in summary.rows:
        if row.group != group:
            width = 3 + spans * len(summary.panels)
            lines += [r"\midrule", rf"\multicolumn{{{width}}}{{c}}{{\textsc{{{escape(row.group)}}}}} \\"]
            group = row.group
        lines += _latex_row(summary, row)
    lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def escape(text: str) -> str:
    r"""Return text with the characters escaped that LaTeX would interpret.

    Example:
        >>> print(escape("20 % of a_b"))
        20 \% of a\_b
    """
    return "".join({**_SPECIAL, **_GREEK}.get(character, character) for character in text)


def _latex_row(summary: Summary, row: Row) -> list[str]:
    cells = [summary.cell(panel, row, column) for panel in summary.panels for column in summary.columns]
    marks = [r"$\checkmark$" if mark else "" for mark in used_data(row)]
    ours = " & ".join(latex_cell(cell, summary.accuracy) for cell in cells)
    lines = [rf"{escape(row.title)} & {marks[0]} & {marks[1]} & {ours} \\"]
    if any(cell.published for cell in cells):
        theirs = " & ".join(
            "" if c.published is None else rf"\textit{{{_pm(c.published.mean, c.published.spread)}}}" for c in cells
        )
        lines.append(rf"\quad \textit{{published}} & & & {theirs} \\")
    return lines


def latex_cell(cell: Measured, accuracy: bool) -> str:
    """Return a cell as LaTeX shows it: mean, deviation, number of splits, and how it compares with the base."""
    if cell.spread is None:
        return "--"
    scale, digits = (100, 1) if accuracy else (1, 3)
    mark = _MARKS.get(verdict(cell.to_base), "")
    deviation = cell.spread.deviation
    shown = rounded(scale * cell.spread.mean, digits)
    if deviation is not None:
        shown = _pm(scale * cell.spread.mean, scale * deviation, digits)
    return f"{shown} ({cell.spread.count}){mark}"


def _pm(mean: float, spread: float, digits: int = 1) -> str:
    return rf"{rounded(mean, digits)} $\pm$ {rounded(spread, digits)}"


def _difference(name: str, difference: Difference | None) -> dict[str, Any]:
    if difference is None:
        return {f"to_{name}": None, f"to_{name}_half_width": None, f"to_{name}_p": None, f"to_{name}_verdict": None}
    half, p_value = difference.half_width, difference.p_value
    return {
        f"to_{name}": round(100 * difference.mean, 4),
        f"to_{name}_half_width": None if half is None else round(100 * half, 4),
        f"to_{name}_p": None if p_value is None else float(f"{p_value:.4g}"),
        f"to_{name}_verdict": verdict(difference) or None,
    }
