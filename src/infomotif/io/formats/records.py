"""From nodes as dictionaries (NetworkX, GraphML) to a Graph, through the same columns as files."""

from __future__ import annotations

import numbers
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.schema import Schema, as_schema
from infomotif.io.tables.encode import Fill, encode
from infomotif.io.tables.labels import known_label
from infomotif.io.tables.nodes import number_labels, same_columns
from infomotif.io.tables.table import Table

if TYPE_CHECKING:
    import pyarrow as pa


def graph_from_records(
    ids: Sequence[str],
    records: Sequence[Mapping[str, Any]],
    ends: ArrayLike,
    *,
    where: str,
    place: Callable[[int], str],
    directed: bool,
    name: str,
    weights: ArrayLike | None = None,
    defaults: Mapping[str, Any] | None = None,
    label: str | None = None,
    fill: Fill = None,
    ignore: Collection[str] = (),
    categorical: Collection[str] = (),
    schema: Schema | Mapping[str, Any] | None = None,
) -> Graph:
    """Build a graph from one dictionary a node.

    Args:
        ids: Id of each node.
        records: Attributes and label of each node; a key that is absent or None is missing.
        ends: Start and end of each edge by node number [m, 2].
        where: What the data is, for messages.
        place: The place of a node in it, for messages.
        directed: Whether an edge has a direction.
        name: What the graph is called.
        weights: Weight of each edge, or None.
        defaults: What absent keys stand for; their order is the order of the attributes.
        label: The key of the label; None takes ``label`` where there is one.
        fill: What stands for missing values, as in ``read_csv``.
        ignore: Keys that are no attributes.
        categorical: Keys that become one-hot although they hold numbers.
        schema: The attributes as a model was trained on them, as in ``read_csv``.

    Raises:
        InputError: If a value is missing or of a kind that cannot be an attribute.
    """
    import pyarrow as pa

    schema = as_schema(schema)
    given = dict(defaults or {})
    keys = dict.fromkeys([*given, *(key for record in records for key in record)])
    if label is not None and label not in keys and schema is None:
        raise InputError(
            f"{where}: no node has '{label}'; keys: {', '.join(keys) or 'none'} (choose with label=, --label)"
        )
    label = label or (schema.label if schema is not None else None) or "label"
    ignored = {*ignore, *(schema.ignored if schema is not None else ())}
    keys_of: dict[str, Any] = {}
    for key in keys:
        if key == label or str(key) in ignored:
            continue
        if str(key) in keys_of:
            raise InputError(f"{where}: two keys are called '{key}', one a text and one not; rename one of them")
        keys_of[str(key)] = key
    names = list(keys_of)
    columns = {
        name: _column([r.get(key, given.get(key)) for r in records], name, where, place)
        for name, key in keys_of.items()
    }
    table = Table(where, pa.table(columns), place)
    fields: dict[str, Any] = {}
    if schema is not None:
        same_columns(where, names, schema)
    encoded = None
    if names:
        expected = None if schema is None else schema.columns
        encoded = encode(table, names, fill=fill, categorical=categorical, expected=expected)
        fields.update(x=encoded.x, notes=encoded.notes)
    classes: tuple[str, ...] = ()
    if label in keys and label not in ignored:
        labels = [known_label(r.get(label, given.get(label))) for r in records]
        labelled = Table(where, pa.table({label: pa.array(labels, type=pa.string())}), place)
        fields["y"], classes = number_labels(labelled, label, schema)
        fields["class_names"] = classes
    elif schema is not None and schema.classes:
        fields.update(y=np.full(len(ids), -1), class_names=schema.classes)
    made = Schema(
        () if encoded is None else encoded.columns, label if classes else None, classes, tuple(sorted(ignored))
    )
    fields["schema"] = schema or made
    if encoded is not None:
        fields["attribute_names"] = fields["schema"].attribute_names
    pairs = np.asarray(ends, dtype=np.int64).reshape(-1, 2)
    return Graph.from_edges(
        pairs[:, 0], pairs[:, 1], num_nodes=len(ids), directed=directed, weights=weights, names=ids, name=name, **fields
    )


def _column(values: list[Any], key: str, where: str, place: Callable[[int], str]) -> pa.Array:
    import pyarrow as pa

    kinds = {_kind(value) for value in values if value is not None}
    if kinds <= {"boolean"} and kinds:
        return pa.array([None if v is None else bool(v) for v in values], type=pa.bool_())
    if kinds <= {"boolean", "number"} and kinds:
        return pa.array([None if v is None else float(v) for v in values], type=pa.float64())
    if kinds <= {"text"}:
        return pa.array(values, type=pa.string() if kinds else pa.null())
    usual = "text" if "text" in kinds else "number"
    row = next(i for i, value in enumerate(values) if value is not None and _kind(value) != usual)
    raise InputError(
        f"{where} {place(row)}: '{key}' is {type(values[row]).__name__}, attributes must be all numbers, "
        "all booleans or all text; convert it or leave it out (ignore=)"
    )


def _kind(value: Any) -> str:
    if isinstance(value, bool | np.bool_):
        return "boolean"
    if isinstance(value, numbers.Real):
        return "number"
    return "text" if isinstance(value, str) else "other"
