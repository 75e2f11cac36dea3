"""From nodes as dictionaries (NetworkX, GraphML) to a Graph, through the same survey as tables."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from infomotif._core.reading.problems import note, noted, raise_noted
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.colours import Colours
from infomotif.graph.schema import Column, Schema
from infomotif.io.options import ReadOptions
from infomotif.io.tables.encode import encode
from infomotif.io.tables.labels import known_label
from infomotif.io.tables.nodes import attribute_types, require_same_columns
from infomotif.io.tables.survey import ColumnSurvey, LabelSurvey
from infomotif.io.tables.table import InMemory, Table
from infomotif.io.tables.types import RecordTypes, TypeSurvey

if TYPE_CHECKING:
    import pyarrow as pa

MAX_EXACT = 2**53
"""Up to here every whole number is a float."""
Location = Callable[[int], str]
"""Gives the location of a node in the data, for messages."""


def graph_from_records(
    ids: Sequence[str],
    records: Sequence[Mapping[str, Any]],
    ends: ArrayLike,
    options: ReadOptions,
    *,
    where: str,
    location: Location,
    directed: bool,
    name: str,
    weights: ArrayLike | None = None,
    defaults: Mapping[str, Any] | None = None,
    edge_types: RecordTypes | None = None,
) -> Graph:
    """Build a graph from one dictionary per node.

    Args:
        ids: Id of each node.
        records: Attributes and label of each node; a key that is absent or None is missing.
        ends: Start and end of each edge by node number [m, 2].
        options: How the records are read: label, node_type, fill, ignore, categorical, numeric, schema,
            max_categories.
        where: What the data is, for messages.
        location: The location of a node in it, for messages.
        directed: Whether an edge has a direction.
        name: What the graph is called.
        weights: Weight of each edge, or None.
        defaults: Values of absent keys; their order is the order of the attributes.
        edge_types: Types of the edges, or None.

    Raises:
        InputError: If a value is missing or of a kind that cannot be an attribute.
    """
    import pyarrow as pa

    schema: Schema | None = options.schema
    given = dict(defaults or {})
    keys = dict.fromkeys([*given, *(key for record in records for key in record)])
    if options.label is not None and options.label not in keys and schema is None:
        shown = ", ".join(map(str, keys)) or "none"
        note(InputError(f"{where}: no node has '{options.label}'; keys: {shown} (choose with label=, --label)"))
    label = options.label or (schema.label if schema is not None else None) or "label"
    ignored = {*options.ignore, *(schema.ignored if schema is not None else ())}
    kind = options.node_type or (schema.node_type if schema is not None else None)
    if kind is not None and kind not in keys:
        shown = ", ".join(map(str, keys)) or "none"
        raise InputError(f"{where}: no node has '{kind}'; keys: {shown} (choose with node_type=, --node-type)")
    if kind == label:
        label = ""
    names = _attribute_keys((key for key in keys if key not in (label, kind) and str(key) not in ignored), where)
    if schema is not None:
        require_same_columns(where, list(names), schema)

    def values(key: Any) -> list[Any]:
        return [record.get(key, given.get(key)) for record in records]

    columns: tuple[Column, ...] = ()
    fields: dict[str, Any] = {}
    types: TypeSurvey | None = None
    data = {}
    for text, key in names.items():
        with noted():
            data[text] = _column(values(key), text, where, location)
    attributes = list(data)
    if kind is not None:
        data[kind] = pa.array([known_label(value) for value in values(kind)], type=pa.string())
        types = TypeSurvey(kind, "node", () if schema is None else schema.node_types)
    if data:
        table = Table(where, pa.table(data), location)
        survey = ColumnSurvey(attributes, options, InMemory(table), types)
        survey.look(table)
        columns = survey.columns()
    colours = None if types is None else Colours(types.numbers(), types.names)
    if names:
        encoded = encode(table, columns, types=colours)
        fields["x"], fields["attribute_types"] = encoded.x, attribute_types(columns, colours)
        fields["notes"] = {"filled_values": encoded.filled, "unseen_categories": encoded.unseen}
    if colours is not None:
        fields |= {"node_types": colours.codes, "node_type_names": colours.names}
    classes: tuple[str, ...] = ()
    if label in keys and label not in ignored:
        texts = pa.array([known_label(value) for value in values(label)], type=pa.string())
        labels = LabelSurvey(label, schema)
        labels.look(Table(where, pa.table({label: texts}), location))
        fields["y"], classes = labels.numbers(), labels.classes
    elif schema is not None and schema.classes:
        fields["y"], classes = np.full(len(ids), -1), schema.classes
    raise_noted()
    made = Schema(
        columns, label if classes else None, classes, tuple(sorted(ignored)), kind, fields.get("node_type_names", ())
    )
    if edge_types is not None:
        made = replace(made, edge_type=options.edge_type or options.sign, edge_types=edge_types.names)
    fields["schema"] = schema or made
    if names:
        fields["attribute_names"] = fields["schema"].attribute_names
    pairs = np.asarray(ends, dtype=np.int64).reshape(-1, 2)
    if edge_types is not None:
        kept = slice(None) if edge_types.kept is None else edge_types.kept
        fields |= {"edge_types": edge_types.codes[kept], "edge_type_names": edge_types.names}
        fields["notes"] = fields.get("notes", {}) | {"unsigned_edges": len(pairs) - len(pairs[kept])}
        pairs, weights = pairs[kept], None if weights is None else np.asarray(weights)[kept]
    return Graph.from_edges(
        pairs[:, 0],
        pairs[:, 1],
        num_nodes=len(ids),
        directed=directed,
        weights=weights,
        names=ids,
        name=name,
        class_names=classes,
        **fields,
    )


def _attribute_keys(keys: Iterable[Any], where: str) -> dict[str, Any]:
    """Return the keys by their text, which becomes the name of the attribute."""
    names: dict[str, Any] = {}
    for key in keys:
        if str(key) in names:
            raise InputError(f"{where}: two keys are called '{key}', one a text and one not; rename one of them")
        names[str(key)] = key
    return names


def _column(values: list[Any], key: str, where: str, location: Location) -> pa.Array:
    import pyarrow as pa

    kinds = {_kind(value) for value in values if value is not None}
    if kinds <= {"boolean"} and kinds:
        return pa.array([None if v is None else bool(v) for v in values], type=pa.bool_())
    if kinds <= {"boolean", "number"} and kinds:
        if all(v is None or (isinstance(v, numbers.Integral) and abs(int(v)) <= MAX_EXACT) for v in values):
            return pa.array([None if v is None else int(v) for v in values], type=pa.int64())
        return pa.array([None if v is None else float(v) for v in values], type=pa.float64())
    if kinds <= {"text"}:
        return pa.array(values, type=pa.string() if kinds else pa.null())
    usual = "text" if "text" in kinds else "number"
    row = next(i for i, value in enumerate(values) if value is not None and _kind(value) != usual)
    raise InputError(
        f"{where} {location(row)}: '{key}' is {type(values[row]).__name__}, attributes must be all numbers, "
        "all booleans or all text; convert it or leave it out (ignore=)"
    )


def _kind(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "boolean"
    if isinstance(value, numbers.Real):
        return "number"
    return "text" if isinstance(value, str) else "other"
