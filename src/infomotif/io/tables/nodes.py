"""The nodes of a pair of tables: ids, labels and attributes, new or as a schema has them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from infomotif._core.reading.problems import note, noted
from infomotif.errors import InputError
from infomotif.graph.colours import Colours
from infomotif.graph.schema import Column, Schema
from infomotif.io.options import ReadOptions
from infomotif.io.tables.encode import Encoded, encode
from infomotif.io.tables.ids import IdTable
from infomotif.io.tables.survey import ColumnSurvey, LabelSurvey
from infomotif.io.tables.table import NamedTables
from infomotif.io.tables.types import TypeSurvey
from infomotif.typing import AnyPath, Array


class NodeColumns(NamedTuple):
    """Which columns of a nodes file are what."""

    label: str | None
    kind: str | None
    attributes: list[str]
    ignored: tuple[str, ...]


@dataclass(frozen=True)
class Nodes:
    """A nodes file after its survey: everything but the values of the attributes, which are read table by table.

    Attributes:
        ids: The ids and their numbers.
        y: Class of each node, or None.
        classes: The classes.
        columns: What each attribute column becomes.
        schema: The columns, label and classes; the given schema if there was one.
        sparse: Whether the attributes are kept sparse; None leaves it to the one table.
        types: The type of each node, or None.
    """

    ids: IdTable
    y: Array | None
    classes: tuple[str, ...]
    columns: tuple[Column, ...]
    schema: Schema
    sparse: bool | None
    types: Colours | None
    _file: NamedTables
    _types: dict[str, Any]

    @property
    def width(self) -> int:
        """Number of attributes."""
        return sum(len(column.attribute_names) for column in self.columns)

    @property
    def attribute_types(self) -> Array | None:
        """The node type that has each attribute, -1 for several; None if all types have all of them."""
        return attribute_types(self.columns, self.types)

    @property
    def fields(self) -> dict[str, Any]:
        """What the graph takes from here besides ids and attributes."""
        fields: dict[str, Any] = {"y": self.y, "class_names": self.classes, "schema": self.schema}
        return fields | (
            {} if self.types is None else {"node_types": self.types.codes, "node_type_names": self.types.names}
        )

    def attributes(self) -> Iterator[Encoded]:
        """Yield the attributes table by table; nothing if there are none.

        Raises:
            InputError: If a value is missing and not filled, not finite, or not of its column's kind.
        """
        if self.columns:
            for table in self._file.tables([column.name for column in self.columns], self._types):
                rows = slice(table.first, table.first + len(table))
                types = None if self.types is None else self.types._replace(codes=self.types.codes[rows])
                yield encode(table, self.columns, sparse=self.sparse, types=types, has_label=self.y is not None)


def attribute_types(columns: Sequence[Column], types: Colours | None) -> Array | None:
    """Return the node type that has each attribute, -1 for several; None if all types have all of them."""
    if types is None or not any(column.types for column in columns):
        return None
    owners = [types.names.index(c.types[0]) if len(c.types) == 1 else -1 for c in columns for _ in c.attribute_names]
    return np.array(owners, dtype=np.int16)


def read_nodes(file: NamedTables, options: ReadOptions) -> Nodes:
    """Survey a nodes file: read its ids and labels, and find out what its other columns become.

    Raises:
        InputError: If anything is wrong with the file.
    """
    import pyarrow as pa

    label, kind, attributes, ignored = node_columns(file, options)
    schema: Schema | None = options.schema
    if schema is not None:
        require_same_columns(file.path, attributes, schema)
    kinds = None if kind is None else TypeSurvey(kind, "node", () if schema is None else schema.node_types)
    survey = ColumnSurvey(attributes, options, file, kinds)
    labels = None if label is None else LabelSurvey(label, schema)
    text = [name for name in (options.node_id, label, kind) if name is not None]
    texts: list[Any] = []
    for table in file.tables([*text, *attributes], {**dict.fromkeys(text, pa.string()), **survey.types}):
        texts += table.present(options.node_id, "id").cast(pa.large_string()).chunks
        if labels is not None:
            with noted():
                labels.look(table)
        survey.look(table)
    if not sum(map(len, texts)):
        raise InputError(f"{file.path}: no node follows the column names in line 1; add one row per node")
    ids = unique_ids(file, pa.concat_arrays(texts))
    columns = survey.columns()
    y, classes = (None, ()) if labels is None else (labels.numbers(), labels.classes)
    if labels is None and schema is not None and schema.classes:
        y, classes = np.full(len(ids), -1), schema.classes
    types = None if kinds is None else Colours(kinds.numbers(), kinds.names)
    schema = schema or Schema(columns, label, classes, ignored, kind, () if types is None else types.names)
    return Nodes(ids, y, classes, columns, schema, survey.sparse(columns, len(ids)), types, file, survey.types)


def node_columns(file: NamedTables, options: ReadOptions) -> NodeColumns:
    """Return which columns of a nodes file are the label, attributes and ignored.

    Raises:
        InputError: If a column is missing.
    """
    schema: Schema | None = options.schema
    file.require(options.node_id, "--id")
    if options.label is not None and schema is None:
        with noted():
            file.require(options.label, "--label")
    for column in (*options.categorical, *options.numeric, *(options.ignore if schema is None else ())):
        with noted():
            file.require(column, "--categorical / --numeric / --ignore")
    kind = options.node_type or (schema.node_type if schema is not None else None)
    if kind is not None:
        file.require(kind, "--node-type")
        if kind in (options.node_id, options.label):
            raise InputError(f"{file.path}: column '{kind}' cannot be both id or label and type; name another column")
    label = options.label or (schema.label if schema is not None else None) or "label"
    has_label = label in file.names and label not in (options.node_id, kind) and label not in options.ignore
    ignored = {*options.ignore, *(schema.ignored if schema is not None else ())} - {kind}
    taken = {options.node_id, *ignored, *([label] if has_label else []), *([] if kind is None else [kind])}
    attributes = [name for name in file.names if name not in taken]
    return NodeColumns(label if has_label else None, kind, attributes, tuple(c for c in file.names if c in ignored))


def require_same_columns(path: AnyPath, names: Sequence[str], schema: Schema) -> None:
    """Refuse columns other than those a model was trained on.

    Raises:
        InputError: If one is missing or new.
    """
    expected = [column.name for column in schema.columns]
    missing = [name for name in expected if name not in names]
    extra = [name for name in names if name not in expected]
    if missing:
        raise InputError(f"{path} line 1: no column '{missing[0]}', which the model was trained on; add it")
    if extra:
        raise InputError(
            f"{path} line 1: column '{extra[0]}' was not there when the model was trained; remove it or leave it out "
            f"(ignore=, --ignore {extra[0]})"
        )


def unique_ids(file: NamedTables, texts: Any) -> IdTable:
    """Return the ids of a file by number.

    Raises:
        InputError: If one occurs twice.
    """
    ids = IdTable(texts)
    if ids.repeated is not None:
        row, first = ids.repeated
        note(
            InputError(
                f"{file.path} {file.location(row)}: id '{texts[row].as_py()}' is already on {file.location(first)}; "
                "keep one of them"
            )
        )
    return ids
