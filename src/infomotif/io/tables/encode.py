"""From columns to attributes: numbers and booleans as they are, categories one-hot, missing values filled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from infomotif._core.reading.problems import noted
from infomotif.errors import InputError
from infomotif.graph.colours import Colours
from infomotif.graph.schema import Column
from infomotif.io.options import MAX_FLOAT32
from infomotif.io.tables.diagnose import FALSE, TRUE
from infomotif.io.tables.table import Table, is_text
from infomotif.typing import Array

_SPARSE_SHARE = 0.25
_SPARSE_WIDTH = 16


@dataclass(frozen=True)
class Encoded:
    """Attributes of the rows of a table, and counts for the notes."""

    x: NDArray[np.float32] | sp.csr_array
    filled: int
    unseen: int


@dataclass(frozen=True)
class _Part:
    """One encoded column: values, or for a category the number of its value, negative for none."""

    column: Column
    values: Array
    filled: int
    unseen: int = 0


def encode(
    table: Table,
    columns: Sequence[Column],
    *,
    sparse: bool | None = None,
    types: Colours | None = None,
    has_label: bool = True,
) -> Encoded:
    """Turn columns of a table into attributes.

    Args:
        table: The table.
        columns: What its columns become.
        sparse: Whether the attributes become sparse; None decides by how many are not zero.
        types: The node types of the table's rows, for columns that only some types have.
        has_label: Whether a column is known to be the label; otherwise it may be the one that has gaps.

    Raises:
        InputError: If a value is missing and not filled, not finite, or not of the column's kind.
    """
    parts = []
    for column in columns:
        with noted():
            if not has_label and column.kind == "categorical" and column.fill is None:
                _ask_for_label(table, column.name)
            lacking = None if types is None or not column.types else _lacking(table, column, types)
            parts.append((_categorical if column.kind == "categorical" else _numeric)(table, column, lacking))
    return Encoded(_matrix(parts, len(table), sparse), sum(p.filled for p in parts), sum(p.unseen for p in parts))


def mostly_zero(nonzero: int, rows: int, width: int) -> bool:
    """Return whether attributes with so many values that are not zero are better kept sparse."""
    return width >= _SPARSE_WIDTH and nonzero <= _SPARSE_SHARE * rows * width


def _lacking(table: Table, column: Column, types: Colours) -> NDArray[np.bool_]:
    """Return which rows are of a type that does not have the column."""
    has = np.array([name in column.types for name in types.names])
    lacking: NDArray[np.bool_] = ~has[types.codes]
    stray = np.flatnonzero(lacking & table.has(column.name))
    if len(stray):
        row = int(stray[0])
        raise InputError(
            f"{table.where(row, column.name)}: only nodes of the type {' or '.join(map(repr, column.types))} have a "
            f"value here, this one is of the type '{types.names[int(types.codes[row])]}'; empty the field"
        )
    return lacking


def _numeric(table: Table, column: Column, lacking: NDArray[np.bool_] | None) -> _Part:
    name = column.name
    if column.kind == "boolean":
        _require_truth(table, name)
    values = table.numbers(name)
    if lacking is not None:
        values = np.where(lacking, 0.0, values)
    missing = np.isnan(values)
    if column.kind == "boolean":
        odd = np.flatnonzero(~missing & ~np.isin(values, (0.0, 1.0)))
        if len(odd):
            row = int(odd[0])
            raise InputError(f"{table.where(row, name)}: expected true or false, got {values[row]:g}; correct it")
    large = np.flatnonzero(np.abs(values) > MAX_FLOAT32)
    if len(large):
        row = int(large[0])
        raise InputError(f"{table.where(row, name)}: {values[row]} is not a finite number; correct it")
    if missing.any():
        if column.fill is None:
            raise _missing(table, missing, name)
        values = np.where(missing, column.fill, values)
    return _Part(column, values.astype(np.float32), filled=int(missing.sum()))


def _require_truth(table: Table, name: str) -> None:
    column = table.data.column(name)
    if is_text(column.type):
        for row, value in enumerate(column.to_pylist()):
            if value is not None and value not in TRUE and value not in FALSE:
                raise InputError(f"{table.where(row, name)}: expected true or false, got '{value}'; correct it")


def _categorical(table: Table, column: Column, lacking: NDArray[np.bool_] | None) -> _Part:
    codes, values = table.codes(column.name)
    number = {value: i for i, value in enumerate(column.categories)}
    # -1 for a value that is missing, -2 for one that the model was not trained on.
    moved = np.array([number.get(value, -2) for value in values] + [-1])[codes]
    missing = moved == -1
    if lacking is not None:
        missing &= ~lacking
    if missing.any() and column.fill is None:
        raise _missing(table, missing, column.name)
    return _Part(column, moved, filled=int(missing.sum()), unseen=int((moved == -2).sum()))


def _missing(table: Table, missing: NDArray[np.bool_], name: str) -> InputError:
    row = int(np.flatnonzero(missing)[0])
    return InputError(
        f"{table.where(row, name)}: the value is missing; add it, or let it be filled (fill=, --fill mean|zero|NUMBER)"
    )


def _ask_for_label(table: Table, name: str) -> None:
    """Refuse gaps in a column of texts that may be the label.

    Raises:
        InputError: If there is one.
    """
    missing = np.asarray(table.codes(name)[0] < 0)
    if missing.any():
        gaps = f"{int(missing.sum()):,} of {len(missing):,} rows are empty"
        raise InputError(
            f"{_missing(table, missing, name)}; {gaps}: if this is the label, name it (label=, --label {name})"
        )


def _matrix(parts: Sequence[_Part], rows: int, sparse: bool | None) -> NDArray[np.float32] | sp.csr_array:
    widths = [len(part.column.attribute_names) for part in parts]
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    total = int(starts[-1])
    if sparse is None:
        nonzero = sum(rows if p.column.kind == "categorical" else int(np.count_nonzero(p.values)) for p in parts)
        sparse = mostly_zero(nonzero, rows, total)
    if not sparse:
        dense = np.zeros((rows, total), dtype=np.float32)
        for part, start in zip(parts, starts, strict=False):
            if part.column.kind == "categorical":
                has = np.flatnonzero(part.values >= 0)
                dense[has, start + part.values[has]] = 1
            else:
                dense[:, start] = part.values
        return dense
    row, column, data = [], [], []
    for part, start in zip(parts, starts, strict=False):
        one_hot = part.column.kind == "categorical"
        has = np.flatnonzero(part.values >= 0 if one_hot else part.values)
        row.append(has)
        column.append(start + part.values[has].astype(np.int64) if one_hot else np.full(len(has), start))
        data.append(np.ones(len(has), dtype=np.float32) if one_hot else part.values[has])
    entries: Any = (np.concatenate(data), (np.concatenate(row), np.concatenate(column)))
    return sp.csr_array(sp.coo_array(entries, shape=(rows, total)))
