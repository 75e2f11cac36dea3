"""Grid: a table of text, shown as Markdown and as HTML."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Grid:
    """A caption, headings, and rows; a row of one cell is a heading across all columns, and cells may have lines."""

    caption: str
    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
