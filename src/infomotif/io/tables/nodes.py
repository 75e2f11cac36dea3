"""The nodes file of a pair: ids, labels and attributes, new or as a schema has them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif.errors import InputError
from infomotif.graph.schema import Column, Schema
from infomotif.io.tables.bytes import AnyPath
from infomotif.io.tables.encode import Fill, encode, label_codes
from infomotif.io.tables.labels import in_order
from infomotif.io.tables.table import Table, Wanted, header, read_table, require_column

if TYPE_CHECKING:
    import pyarrow as pa


def read_nodes(
    path: AnyPath,
    node_id: str,
    label: str | None,
    fill: Fill,
    ignore: Sequence[str],
    categorical: Sequence[str],
    max_categories: int,
    delimiter: str | None,
    schema: Schema | None,
) -> dict[str, Any]:
    """Read a nodes file; return its ids and the keyword arguments of ``Graph.from_edges`` that it gives.

    Raises:
        InputError: If anything is wrong with the file.
    """
    names, label, has_label, ignored, attributes = node_columns(
        path, node_id, label, ignore, categorical, delimiter, schema
    )
    if schema is not None:
        same_columns(path, attributes, schema)
    wanted: dict[str, Wanted] = {node_id: "text", label: "text", **dict.fromkeys(categorical, "text")}
    for known in schema.columns if schema is not None else ():
        if known.kind != "boolean":
            wanted[known.name] = "text" if known.kind == "categorical" else "number"
    only = [node_id, *([label] if has_label else []), *attributes]
    table = read_table(path, wanted, only=only, delimiter=delimiter)
    if not len(table):
        raise InputError(f"{path}: no node follows the column names in line 1; add one row a node")
    fields: dict[str, Any] = {"ids": _unique_ids(table, node_id)}
    columns: tuple[Column, ...] = ()
    if attributes:
        expected = None if schema is None else schema.columns
        encoded = encode(
            table, attributes, fill=fill, categorical=categorical, expected=expected, max_categories=max_categories
        )
        columns = encoded.columns
        fields.update(x=encoded.x, notes=encoded.notes)
    classes: tuple[str, ...] = ()
    if has_label:
        fields["y"], classes = number_labels(table, label, schema)
        fields["class_names"] = classes
    elif schema is not None and schema.classes:
        classes = schema.classes
        fields.update(y=np.full(len(table), -1), class_names=classes)
    new = Schema(columns, label if has_label else None, classes, tuple(c for c in names if c in ignored))
    fields["schema"] = schema or new
    if attributes:
        fields["attribute_names"] = fields["schema"].attribute_names
    return fields


def node_columns(
    path: AnyPath,
    node_id: str,
    label: str | None,
    ignore: Sequence[str],
    categorical: Sequence[str],
    delimiter: str | None,
    schema: Schema | None = None,
) -> tuple[list[str], str, bool, set[str], list[str]]:
    """Return all columns of a nodes file, the label column and whether it is there, ignored and attribute columns.

    Raises:
        InputError: If a column is missing.
    """
    names = header(path, delimiter)
    require_column(names, node_id, path, "--id")
    if label is not None and schema is None:
        require_column(names, label, path, "--label")
    for column in (*categorical, *(ignore if schema is None else ())):
        require_column(names, column, path, "--categorical / --ignore")
    label = label or (schema.label if schema is not None else None) or "label"
    has_label = label in names and label != node_id and label not in ignore
    ignored = {*ignore, *(schema.ignored if schema is not None else ())}
    attributes = [c for c in names if c not in ignored and c != node_id and not (has_label and c == label)]
    return names, label, has_label, ignored, attributes


def same_columns(path: AnyPath, found: Sequence[str], schema: Schema) -> None:
    """Refuse columns other than those a model was trained on.

    Raises:
        InputError: If one is missing or new.
    """
    expected = [column.name for column in schema.columns]
    missing = [name for name in expected if name not in found]
    extra = [name for name in found if name not in expected]
    if missing:
        raise InputError(f"{path} line 1: no column '{missing[0]}', which the model was trained on; add it")
    if extra:
        raise InputError(
            f"{path} line 1: column '{extra[0]}' was not there when the model was trained; remove it or leave it out "
            f"(ignore=, --ignore {extra[0]})"
        )


def _unique_ids(table: Table, node_id: str) -> pa.Array:
    import pyarrow.compute as pc

    ids = table.present(node_id, "id").combine_chunks()
    if len(pc.unique(ids)) != len(ids):
        first: dict[str, int] = {}
        for row, value in enumerate(ids.to_pylist()):
            if value in first:
                before = table.place(first[value])
                raise InputError(f"{table.where(row)}: id '{value}' is already on {before}; keep one of them")
            first[value] = row
    return ids


def number_labels(table: Table, label: str, schema: Schema | None) -> tuple[np.ndarray[Any, Any], tuple[str, ...]]:
    """Return the class number of each row, -1 where the label is missing, and the classes in order.

    Raises:
        InputError: If a class is not in the schema.
    """
    codes, values = label_codes(table, label)
    classes = schema.classes if schema is not None and schema.classes else tuple(in_order(values))
    place = {value: c for c, value in enumerate(classes)}
    numbers = np.array([place.get(value, -2) for value in values] + [-1], dtype=np.int64)[codes]
    if (numbers == -2).any():
        row = int(np.flatnonzero(numbers == -2)[0])
        raise InputError(
            f"{table.where(row, label)}: class '{values[codes[row]]}' is none of those the model was trained "
            f"on ({', '.join(classes)}); correct or empty it"
        )
    return numbers, classes
