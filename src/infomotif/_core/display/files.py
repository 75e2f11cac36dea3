"""Tables and figures as files: whole or not at all, by the ending of the name."""

from __future__ import annotations

import csv
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infomotif._core.files import whole_file
from infomotif._core.spreadsheet import as_text
from infomotif.errors import InputError

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TABLES = (".csv", ".parquet")
FIGURES = (".svg", ".png", ".pdf")
_ROWS = 1 << 16
_DPI = 150


def check_ending(what: str, path: str | os.PathLike[str], endings: tuple[str, ...]) -> str:
    """Return the ending of a file's name.

    Raises:
        InputError: If it is not one of ``endings``.

    Example:
        >>> check_ending("--out", "counts.CSV", TABLES)
        '.csv'
    """
    ending = Path(path).suffix.lower()
    if ending not in endings:
        raise InputError(f"{what} must end in {', '.join(endings[:-1])} or {endings[-1]} (got '{os.fspath(path)}')")
    return ending


def write_table(table: Any, path: str | os.PathLike[str], *, what: str = "path", raw: bool = False) -> None:
    """Write a ``pyarrow.Table`` as CSV or parquet; in CSV a missing value is empty, and formulas become text.

    Args:
        table: The table.
        path: Where to.
        what: What a message calls the path.
        raw: Whether text that a spreadsheet would run is written to CSV as it is.

    Raises:
        InputError: If the name does not end in .csv or .parquet, or the file cannot be written.
    """
    ending = check_ending(what, path, TABLES)
    with whole_file(path) as aside:
        if ending == ".parquet":
            import pyarrow.parquet as pq

            pq.write_table(table, str(aside))
            return
        with aside.open("w", encoding="utf-8", newline="") as file:
            writer = csv.writer(file, lineterminator="\n")
            cell = _raw_cell if raw else _cell
            writer.writerow(map(cell, table.column_names))
            for batch in table.to_batches(max_chunksize=_ROWS):
                columns = [[cell(v) for v in column.to_pylist()] for column in batch.columns]
                writer.writerows(zip(*columns, strict=True))


def _raw_cell(value: Any) -> Any:
    return "" if value is None or value != value else value


def _cell(value: Any) -> Any:
    return as_text(value) if isinstance(value, str) else _raw_cell(value)


def save_figure(figure: Figure, path: str | os.PathLike[str], *, what: str = "path") -> None:
    """Write a figure on a white background; the same figure gives the same bytes.

    Args:
        figure: The figure.
        path: Where to; the ending tells the format.
        what: What a message calls the path.

    Raises:
        InputError: If the name does not end in .svg, .png or .pdf, or the file cannot be written.
    """
    import matplotlib as mpl

    ending = check_ending(what, path, FIGURES)
    undated = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}}
    with whole_file(path) as aside, mpl.rc_context({"svg.hashsalt": "infomotif"}):
        figure.savefig(aside, format=ending[1:], dpi=_DPI, facecolor="white", metadata=undated.get(ending))
