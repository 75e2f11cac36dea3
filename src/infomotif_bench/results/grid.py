"""Grid: a table of text, shown as Markdown and as HTML, and how numbers and marks in it are printed."""

from __future__ import annotations

from dataclasses import dataclass

MARKS = {"win": "▲", "loss": "▼", "win?": "△", "loss?": "▽", "even": "=", "unsteady": "", "": ""}
LEGEND = (
    "Cells are mean ± standard deviation over splits (number of splits). Differences are paired over the same splits, "
    "in points, with their 95 % interval. △ better and ▽ worse: the interval excludes 0, whichever single split is "
    "left out. ▲ and ▼: also significant at 5 % by the corrected resampled t-test, which is strict where few nodes "
    "train. = no clear difference. No mark: the interval excludes 0, but not without one of the splits. p is the "
    "p-value of that test."
)


@dataclass(frozen=True)
class Grid:
    """A caption, headings, and rows; a row of one cell is a heading across all columns, and cells may have lines."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def rounded(value: float, digits: int = 1, *, sign: str = "") -> str:
    """Return a number as tables print it, rounded from the four digits of the CSV, so that all outputs agree.

    Example:
        >>> rounded(53.74999999999999), rounded(-0.26, sign="+")
        ('53.8', '-0.3')
    """
    return f"{round(value, 4):{sign}.{digits}f}"


def probability(value: float) -> str:
    """Return a p-value as tables print it."""
    return "< 0.001" if value < 0.001 else f"{value:.3f}" if value < 0.1 else f"{value:.2f}"
