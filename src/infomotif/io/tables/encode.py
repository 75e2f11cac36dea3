"""From columns to attributes: numbers and booleans as they are, categories one-hot, missing values as told."""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.graph.schema import Column, Kind
from infomotif.io.tables.diagnose import FALSE, MISSING, TRUE, is_number
from infomotif.io.tables.labels import in_order, known_label
from infomotif.io.tables.table import Table

if TYPE_CHECKING:
    import pyarrow as pa

Fill = float | str | None
Vector = NDArray[Any]
_LARGEST = float(np.finfo(np.float32).max)
_SPARSE_SHARE = 0.25
_SPARSE_WIDTH = 16


@dataclass(frozen=True)
class Encoded:
    """Attributes of all rows, the columns they came from, and counts for the notes."""

    x: NDArray[np.float32] | sp.csr_array
    columns: tuple[Column, ...]
    notes: dict[str, int]


@dataclass(frozen=True)
class _Part:
    """One encoded column: values, or for a category the number of its value, -1 for none."""

    column: Column
    values: Vector
    filled: int = 0
    unseen: int = 0


def parse_fill(fill: Fill) -> Fill:
    """Return the fill rule as a number, ``mean`` or None.

    Raises:
        InputError: If it is none of these.

    Example:
        >>> parse_fill("zero"), parse_fill("1.5"), parse_fill("mean"), parse_fill(None)
        (0.0, 1.5, 'mean', None)
    """
    if fill is None or fill == "mean":
        return fill
    if fill == "zero":
        return 0.0
    if isinstance(fill, bool) or not is_number(str(fill)) or not abs(float(fill)) <= _LARGEST:
        raise InputError(f"fill must be 'mean', 'zero' or a number (got '{fill}')")
    return float(fill)


def encode(
    table: Table,
    names: Sequence[str],
    *,
    fill: Fill = None,
    categorical: Collection[str] = (),
    expected: Sequence[Column] | None = None,
    max_categories: int = 1000,
    sparse: bool | None = None,
) -> Encoded:
    """Turn columns into attributes.

    Args:
        table: The nodes file.
        names: Its attribute columns.
        fill: What stands for missing values: a number, ``mean``, ``zero``; None refuses them.
        categorical: Columns that are one-hot even if they look like numbers.
        expected: The columns as a model was trained on them; the result has exactly their attributes.
        max_categories: The most values a categorical column may have.
        sparse: Whether the attributes become sparse; None decides by how many are not zero.

    Raises:
        InputError: If a value is missing and not filled, not finite, or not of the expected kind.
    """
    rule = parse_fill(fill)
    if expected is None:
        parts = [_new(table, name, rule, name in categorical, max_categories) for name in names]
    else:
        parts = [_known(table, column, rule) for column in expected]
    notes = {"filled_values": sum(p.filled for p in parts), "unseen_categories": sum(p.unseen for p in parts)}
    return Encoded(_matrix(parts, len(table), sparse), tuple(p.column for p in parts), notes)


def _new(table: Table, name: str, fill: Fill, one_hot: bool, max_categories: int) -> _Part:
    kind = column_kind(table, name, one_hot)
    if kind != "categorical":
        return _numeric(table, Column(name, kind, fill=_fill_value(table, name, fill)))
    codes, values = category_codes(table, name)
    if not one_hot:
        counts = np.bincount(codes + 1, minlength=len(values) + 1)[1:]
        odd = text_amid_numbers(values, counts)
        if odd is not None:
            raise amid_numbers(table, int(np.flatnonzero(codes == odd)[0]), name, values[odd])
    if len(values) > max_categories:
        raise too_many(table, name, f"{len(values):,}", max_categories)
    order = in_order(values)
    place = {value: i for i, value in enumerate(order)}
    moved = np.array([place[value] for value in values] + [-1])[codes]
    return _categorical(table, Column(name, "categorical", tuple(order), None if fill is None else 0.0), moved)


def column_kind(table: Table, name: str, one_hot: bool) -> Kind:
    """Return what a column becomes.

    Raises:
        InputError: If it is empty in every row.
    """
    import pyarrow as pa

    kind = table.data.column(name).type
    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    if pa.types.is_null(kind):
        raise InputError(
            f"{table.path}: column '{name}' is empty in every row; leave it out (ignore=, --ignore {name})"
        )
    if pa.types.is_boolean(kind) and not one_hot:
        return "boolean"
    if (pa.types.is_integer(kind) or pa.types.is_floating(kind) or pa.types.is_decimal(kind)) and not one_hot:
        return "numeric"
    return "categorical"


def _known(table: Table, column: Column, fill: Fill) -> _Part:
    if column.fill is None and fill is not None:
        column = replace(column, fill=_fill_value(table, column.name, fill) if column.kind != "categorical" else 0.0)
    if column.kind != "categorical":
        return _numeric(table, column)
    codes, values = category_codes(table, column.name)
    place = {value: i for i, value in enumerate(column.categories)}
    moved = np.array([place.get(value, -2) for value in values] + [-1])[codes]
    unseen = int((moved == -2).sum())
    return replace(_categorical(table, column, moved), unseen=unseen)


def _numeric(table: Table, column: Column) -> _Part:
    if column.kind == "boolean":
        _refuse_other_than_truth(table, column.name)
    values = floats(table, column.name)
    if column.kind == "boolean" and not np.isin(values[~np.isnan(values)], (0.0, 1.0)).all():
        row = int(np.flatnonzero(~np.isnan(values) & ~np.isin(values, (0.0, 1.0)))[0])
        raise InputError(f"{table.where(row, column.name)}: expected true or false, got {values[row]:g}; correct it")
    large = np.abs(values) > _LARGEST
    if large.any():
        row = int(np.flatnonzero(large)[0])
        raise InputError(f"{table.where(row, column.name)}: {values[row]} is not a finite number; correct it")
    missing = np.isnan(values)
    if missing.any():
        if column.fill is None:
            raise _missing(table, int(np.flatnonzero(missing)[0]), column.name)
        values = np.where(missing, column.fill, values)
    return _Part(column, values.astype(np.float32), filled=int(missing.sum()))


def _categorical(table: Table, column: Column, codes: Vector) -> _Part:
    missing = codes == -1
    if missing.any() and column.fill is None:
        raise _missing(table, int(np.flatnonzero(missing)[0]), column.name)
    return _Part(column, codes, filled=int(missing.sum()))


def _missing(table: Table, row: int, name: str) -> InputError:
    return InputError(
        f"{table.where(row, name)}: the value is missing; add it, or let it be filled (fill=, --fill mean|zero|NUMBER)"
    )


def floats(table: Table, name: str) -> NDArray[np.float64]:
    """Return a column as numbers, NaN where it is missing.

    Raises:
        InputError: If it does not hold numbers.
    """
    import pyarrow as pa

    column = table.data.column(name)
    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        _refuse_text(table, name, column)
    try:
        numbers = column.cast(pa.float64(), safe=False)
    except pa.ArrowException:
        raise InputError(f"{table.path}: column '{name}' holds {column.type}; save it as numbers") from None
    return np.asarray(numbers.to_numpy(), dtype=np.float64)


def _refuse_other_than_truth(table: Table, name: str) -> None:
    import pyarrow as pa

    column = table.data.column(name)
    if pa.types.is_string(column.type) or pa.types.is_large_string(column.type):
        for row, value in enumerate(column.to_pylist()):
            if value is not None and value not in TRUE and value not in FALSE:
                raise InputError(f"{table.where(row, name)}: expected true or false, got '{value}'; correct it")


def _refuse_text(table: Table, name: str, column: pa.ChunkedArray) -> None:
    for row, value in enumerate(column.to_pylist()):
        if value is not None and not is_number(value):
            raise InputError(f"{table.where(row, name)}: '{value}' is not a number; correct it")


def _fill_value(table: Table, name: str, fill: Fill) -> float | None:
    if not isinstance(fill, str):
        return fill
    values = floats(table, name)
    present = values[usable(values)]
    return exact_mean([math.fsum(present)], len(present), table, name)


def usable(values: Vector) -> NDArray[np.bool_]:
    """Say which numbers can be attributes: neither missing nor beyond 32 bits."""
    return np.asarray(np.abs(values) <= _LARGEST)


def exact_mean(sums: Sequence[float], count: int, table: Table, name: str) -> float:
    """Return the mean of a column from sums without rounding errors, so that it does not depend on how it was read.

    Raises:
        InputError: If there is no value.
    """
    if not count:
        raise InputError(f"{table.path}: column '{name}' has no value to take a mean of; leave it out (ignore=)")
    return math.fsum(sums) / count


def category_codes(table: Table, name: str) -> tuple[Vector, list[str]]:
    """Return the number of each row's value (-1 where it is missing) and the values."""
    import pyarrow.compute as pc

    column = table.text(name).combine_chunks()
    column = pc.if_else(pc.equal(column, ""), None, column)
    encoded = pc.dictionary_encode(column)
    codes = np.asarray(pc.fill_null(encoded.indices, -1))
    return codes, encoded.dictionary.to_pylist()


def label_codes(table: Table, name: str) -> tuple[Vector, list[str]]:
    """Return the number of each row's label (-1 where it is missing) and the labels."""
    codes, values = category_codes(table, name)
    labels = [value for value in values if known_label(value) is not None]
    place = {label: c for c, label in enumerate(labels)}
    return np.array([*(place.get(value, -1) for value in values), -1])[codes], labels


def text_amid_numbers(values: Sequence[str], counts: Vector) -> int | None:
    """Return the first text of a column of text in which most fields are numbers, None if it is none such."""
    # 1 for numbers, -1 for text, 0 for what says neither.
    kinds = np.array([0 if value in MISSING else 1 if is_number(value) else -1 for value in values], dtype=np.int64)
    text = np.flatnonzero(kinds < 0)
    return int(text[0]) if len(text) and (kinds * counts).sum() > 0 else None


def amid_numbers(table: Table, row: int, name: str, value: str) -> InputError:
    """Return the error for a text amid numbers."""
    return InputError(
        f"{table.where(row, name)}: '{value}' is not a number, but most of the column is; correct it, or "
        f"declare the column categorical (categorical=, --categorical {name})"
    )


def too_many(table: Table, name: str, found: str, most: int) -> InputError:
    """Return the error for a column of too many texts."""
    return InputError(
        f"{table.path}: column '{name}' has {found} different texts, at most {most:,} become "
        f"one-hot; leave it out (ignore=, --ignore {name}) or raise max_categories"
    )


def mostly_zero(filled: int, rows: int, width: int) -> bool:
    """Return whether attributes are better kept sparse, of which so many are not zero."""
    return width >= _SPARSE_WIDTH and filled <= _SPARSE_SHARE * rows * width


def _matrix(parts: Sequence[_Part], rows: int, sparse: bool | None) -> NDArray[np.float32] | sp.csr_array:
    widths = [len(part.column.attribute_names) for part in parts]
    starts = np.concatenate([[0], np.cumsum(widths)]).astype(np.int64)
    total = int(starts[-1])
    filled = sum(int(np.count_nonzero(p.values)) if p.column.kind != "categorical" else rows for p in parts)
    if not (mostly_zero(filled, rows, total) if sparse is None else sparse):
        dense = np.zeros((rows, total), dtype=np.float32)
        for part, start in zip(parts, starts, strict=False):
            if part.column.kind == "categorical":
                has = np.flatnonzero(part.values >= 0)
                dense[has, start + part.values[has]] = 1
            else:
                dense[:, start] = part.values
        return dense
    at, to, data = [], [], []
    for part, start in zip(parts, starts, strict=False):
        has = np.flatnonzero(part.values >= 0 if part.column.kind == "categorical" else part.values)
        at.append(has)
        one_hot = part.column.kind == "categorical"
        to.append(start + part.values[has].astype(np.int64) if one_hot else np.full(len(has), start))
        data.append(np.ones(len(has), dtype=np.float32) if one_hot else part.values[has])
    entries: Any = (np.concatenate(data), (np.concatenate(at), np.concatenate(to)))
    return sp.csr_array(sp.coo_array(entries, shape=(rows, total)))
