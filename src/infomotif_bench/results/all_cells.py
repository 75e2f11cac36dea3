"""Every measured cell of an experiment as one table, from its CSV file alone.

The CSV file is published; the table is made where it is shown, so that no figure is stored twice.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator, Mapping

from infomotif_bench.results.grid import MARKS, Grid, probability, rounded

Cell = Mapping[str, str]


def all_cells(text: str, caption: str = "Every cell") -> Grid:
    r"""Return the table of a CSV file that :func:`infomotif_bench.results.export.to_csv` wrote.

    Columns that are empty in all rows are left out.

    Example:
        >>> grid = all_cells("dataset,title,column,mean,deviation,splits\ncora,GCN,1 %,66.91,4.5,10\n")
        >>> grid.rows
        (('cora', 'GCN', '1 %', '66.9 ± 4.5', '10'),)
    """
    lines = [line for line in text.splitlines() if not line.startswith("#")]
    cells = list(csv.DictReader(lines))
    titles = {cell.get("method", ""): cell["title"] for cell in cells}
    rows = [dict(_columns(cell, titles)) for cell in cells]
    used = [name for name in (rows[0] if rows else {}) if any(row[name] for row in rows)]
    return Grid(caption, tuple(used), tuple(tuple(row[name] for name in used) for row in rows))


def _columns(cell: Cell, titles: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    digits = 3 if cell.get("base_ratio") or _is_time(cell) else 1
    yield "graph", cell["dataset"]
    yield "method", cell["title"]
    yield "at", cell["column"]
    yield "measured", _spread(cell, "mean", "deviation", digits)
    yield "splits", cell["splits"]
    yield "failed", "" if cell.get("failed") in (None, "", "0") else str(cell["failed"])
    yield "paper", _spread(cell, "published_mean", "published_spread", 1)
    yield "over base", _difference(cell, "base")
    yield "p", _p(cell, "base")
    yield "times base", _number(cell, "base_ratio", 1)
    base = cell.get("base") or ""
    yield "base", titles.get(base, base) if base else ""
    yield "over paper", _difference(cell, "published")
    yield "p (paper)", _p(cell, "published")
    yield "train / test nodes", f"{cell['train_nodes']} / {cell['test_nodes']}" if cell.get("train_nodes") else ""


def _is_time(cell: Cell) -> bool:
    return cell["column"].startswith("mean degree")


def _number(cell: Cell, key: str, digits: int, sign: str = "") -> str:
    value = cell.get(key)
    return rounded(float(value), digits, sign=sign) if value else ""


def _spread(cell: Cell, mean: str, spread: str, digits: int) -> str:
    half = _number(cell, spread, digits)
    return _number(cell, mean, digits) + (f" ± {half}" if half else "")


def _difference(cell: Cell, name: str) -> str:
    half = _number(cell, f"to_{name}_half_width", 1)
    mark = MARKS[cell.get(f"to_{name}_verdict") or ""]
    return f"{mark} {_number(cell, f'to_{name}', 1, '+')}{f' ± {half}' if half else ''}".strip()


def _p(cell: Cell, name: str) -> str:
    value = cell.get(f"to_{name}_p")
    return probability(float(value)) if value else ""
