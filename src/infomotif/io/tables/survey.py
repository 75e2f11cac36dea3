"""The first look at a nodes file that is too large to be read at once: ids, labels, and what each column becomes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.graph.schema import Column, Schema
from infomotif.io.tables import diagnose
from infomotif.io.tables.bytes import AnyPath, magic
from infomotif.io.tables.chunks import BLOCK, Advance, table_chunks
from infomotif.io.tables.encode import (
    Fill,
    amid_numbers,
    category_codes,
    column_kind,
    exact_mean,
    floats,
    label_codes,
    mostly_zero,
    parse_fill,
    text_amid_numbers,
    too_many,
    usable,
)
from infomotif.io.tables.ids import IdTable
from infomotif.io.tables.labels import in_order
from infomotif.io.tables.nodes import node_columns
from infomotif.io.tables.table import PARQUET, Table

if TYPE_CHECKING:
    import pyarrow as pa

_MANY = 10


@dataclass
class Survey:
    """What is known of a nodes file after the first look.

    Attributes:
        ids: Id of each node.
        y: Class of each node, or None.
        schema: What each column becomes.
        attributes: The attribute columns.
        sparse: Whether the attributes are kept sparse.
        types: Arrow type of each column, as the whole file decides it.
    """

    ids: pa.Array
    table: IdTable
    y: NDArray[np.int64] | None
    schema: Schema
    attributes: list[str]
    sparse: bool
    types: dict[str, Any]


@dataclass
class _Found:
    """What the rows so far tell of a column."""

    types: set[Any] = field(default_factory=set)
    nonzero: int = 0
    missing: int = 0
    values: dict[str, list[int]] = field(default_factory=dict)
    sums: list[float] = field(default_factory=list)
    count: int = 0


def survey_nodes(
    path: AnyPath,
    node_id: str,
    label: str | None,
    fill: Fill,
    ignore: Sequence[str],
    categorical: Sequence[str],
    max_categories: int,
    delimiter: str | None,
    *,
    block: int = BLOCK,
    advance: Advance = lambda step: None,
) -> Survey:
    """Look at a nodes file, a block at a time.

    Raises:
        InputError: If anything is wrong with the file.
    """
    import pyarrow as pa

    rule = parse_fill(fill)
    names, label, has_label, ignored, attributes = node_columns(path, node_id, label, ignore, categorical, delimiter)
    text = pa.string()
    types: dict[str, Any] = {node_id: text, label: text, **dict.fromkeys(categorical, text)}
    only = [node_id, *([label] if has_label else []), *attributes]
    found = {name: _Found() for name in attributes}
    ids: list[Any] = []
    codes: list[NDArray[np.int64]] = []
    classes: dict[str, int] = {}
    for _, table in table_chunks(path, types, only, delimiter, block=block, advance=advance):
        ids += table.present(node_id, "id").cast(pa.large_string()).chunks
        if has_label:
            own, values = label_codes(table, label)
            place = np.array([*(classes.setdefault(value, len(classes)) for value in values), -1], dtype=np.int64)
            codes.append(place[own])
        for name in attributes:
            _look(found[name], table, name)
    if not ids:
        raise InputError(f"{path}: no node follows the column names in line 1; add one row a node")
    every = pa.concat_arrays(ids)
    known = IdTable(every)
    whole = Table(path, table.data.slice(0, 0), _places(path, delimiter))
    if known.repeated is not None:
        row, first = known.repeated
        before = whole.place(first)
        raise InputError(f"{whole.where(row)}: id '{every[row].as_py()}' is already on {before}; keep one of them")
    for name in attributes:
        types.setdefault(name, _resolved(path, name, found[name].types, delimiter, block))
    typed = pa.table({name: pa.array([], types[name]) for name in attributes})
    kinds = {name: column_kind(Table(path, typed, whole.place), name, name in categorical) for name in attributes}
    again = [name for name in attributes if kinds[name] == "categorical" or rule == "mean"]
    if again:
        for before_rows, table in table_chunks(path, types, again, delimiter, block=block, advance=advance):
            for name in again:
                _measure(found[name], table, name, kinds[name] == "categorical", before_rows, max_categories)
    columns = tuple(_column(whole, n, kinds[n], found[n], rule, n in categorical, max_categories) for n in attributes)
    filled = sum(len(every) if c.kind == "categorical" else _not_zero(found[c.name], c) for c in columns)
    width = sum(len(column.attribute_names) for column in columns)
    order = in_order(classes)
    y = None
    if has_label:
        number = {value: c for c, value in enumerate(order)}
        y = np.array([*(number[value] for value in classes), -1], dtype=np.int64)[np.concatenate(codes)]
    schema = Schema(columns, label if has_label else None, tuple(order), tuple(c for c in names if c in ignored))
    return Survey(every, known, y, schema, attributes, mostly_zero(filled, len(every), width), types)


def _places(path: AnyPath, delimiter: str | None) -> Any:
    if magic(path) == PARQUET:
        return lambda row: f"row {row + 1}"
    _, mark = diagnose.csv_header(path, delimiter)
    return lambda row: f"line {diagnose.line_of_row(path, mark, row)}"


def _look(found: _Found, table: Table, name: str) -> None:
    import pyarrow as pa

    kind = table.data.column(name).type
    found.types.add(kind)
    tests = (pa.types.is_integer, pa.types.is_floating, pa.types.is_boolean, pa.types.is_decimal)
    if any(test(kind) for test in tests):
        values = floats(table, name)
        gaps = int(np.isnan(values).sum())
        with np.errstate(over="ignore"):
            found.nonzero += int(np.count_nonzero(values.astype(np.float32))) - gaps
        found.missing += gaps
    elif pa.types.is_null(kind):
        found.missing += len(table)


def _resolved(path: AnyPath, name: str, types: set[Any], delimiter: str | None, block: int) -> Any:
    """Return the type that a CSV column has as a whole, from those that its parts have on their own."""
    import pyarrow as pa

    if magic(path) == PARQUET:
        return next(iter(types))
    kinds = {kind for kind in types if not pa.types.is_null(kind)}
    if any(pa.types.is_binary(kind) for kind in kinds):
        diagnose.explain(path, diagnose.csv_header(path, delimiter)[1], ())
    if not kinds:
        return pa.null()
    if len(kinds) == 1 and kinds <= {pa.int64(), pa.float64(), pa.bool_()}:
        return kinds.pop()
    if kinds == {pa.int64(), pa.float64()}:
        return pa.float64()
    if kinds == {pa.int64(), pa.bool_()} and _all_boolean(path, name, delimiter, block):
        return pa.bool_()
    return pa.string()


def _all_boolean(path: AnyPath, name: str, delimiter: str | None, block: int) -> bool:
    import pyarrow as pa
    import pyarrow.compute as pc

    allowed = pa.array([*diagnose.TRUE, *diagnose.FALSE, *diagnose.MISSING])
    return all(
        pc.all(pc.is_in(table.data.column(name), allowed), min_count=0).as_py()
        for _, table in table_chunks(path, {name: pa.string()}, [name], delimiter, block=block)
    )


def _measure(found: _Found, table: Table, name: str, is_category: bool, before: int, most: int) -> None:
    if not is_category:
        numbers = floats(table, name)
        present = numbers[usable(numbers)]
        found.count += len(present)
        # What rounding takes from a sum is a sum again, until nothing is left.
        part = math.fsum(present)
        taken: list[float] = []
        while part:
            taken.append(part)
            part = math.fsum([*present.tolist(), *(-t for t in taken)])
        found.sums += taken
        return
    codes, values = category_codes(table, name)
    counts = np.bincount(codes + 1, minlength=len(values) + 1)
    found.missing += int(counts[0])
    used, first = np.unique(codes, return_index=True)
    for code, row in zip(used.tolist(), first.tolist(), strict=True):
        if code >= 0:
            entry = found.values.setdefault(values[code], [0, before + row])
            entry[0] += int(counts[code + 1])
    if len(found.values) > _MANY * most:
        raise too_many(table, name, f"more than {len(found.values):,}", most)


def _column(
    whole: Table, name: str, kind: Any, found: _Found, rule: Fill, one_hot: bool, max_categories: int
) -> Column:
    if kind != "categorical":
        fill = exact_mean(found.sums, found.count, whole, name) if isinstance(rule, str) else rule
        return Column(name, kind, fill=fill)
    values = list(found.values)
    odd = None if one_hot else text_amid_numbers(values, np.array([found.values[v][0] for v in values]))
    if odd is not None:
        raise amid_numbers(whole, found.values[values[odd]][1], name, values[odd])
    if len(values) > max_categories:
        raise too_many(whole, name, f"{len(values):,}", max_categories)
    return Column(name, "categorical", tuple(in_order(values)), None if rule is None else 0.0)


def _not_zero(found: _Found, column: Column) -> int:
    return found.nonzero + (found.missing if column.fill is not None and np.float32(column.fill) else 0)
