"""Schema: which columns became which attributes, so that new files give the same ones."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

from infomotif.errors import InputError

Kind = Literal["numeric", "boolean", "categorical"]
_KINDS = ("numeric", "boolean", "categorical")


@dataclass(frozen=True)
class Column:
    """One attribute column of a nodes file.

    Args:
        name: The column's name.
        kind: ``numeric`` and ``boolean`` columns are one attribute, a ``categorical`` one is one-hot.
        categories: The values of a categorical column, in the order of its attributes.
        fill: What replaces a missing value; None refuses missing values. A missing category is all zeros.
        inferred: Whether the categories are whole numbers that look like codes, although nobody declared them.
        types: The node types that have the column; none means all. Nodes of other types have 0.
    """

    name: str
    kind: Kind
    categories: tuple[str, ...] = ()
    fill: float | None = None
    inferred: bool = False
    types: tuple[str, ...] = field(default=(), repr=False)

    @property
    def attribute_names(self) -> tuple[str, ...]:
        """The names of the attributes that the column becomes."""
        if self.kind == "categorical":
            return tuple(f"{self.name}={value}" for value in self.categories)
        return (self.name,)


@dataclass(frozen=True)
class Schema:
    """The columns of a nodes file, as a model was trained on them.

    Args:
        columns: The attribute columns in order.
        label: The label column, or None.
        classes: The classes in order.
        ignored: Columns that are not attributes.
        node_type: The column of the nodes' types, or None.
        node_types: The node types in order.
        edge_type: The column of the edges' types or signs, or None.
        edge_types: The edge types in order.

    Example:
        >>> schema = Schema((Column("age", "numeric"), Column("city", "categorical", ("Bonn", "Ulm"))), "topic")
        >>> schema.attribute_names
        ('age', 'city=Bonn', 'city=Ulm')
        >>> Schema.from_dict(schema.to_dict()) == schema
        True
    """

    columns: tuple[Column, ...] = ()
    label: str | None = None
    classes: tuple[str, ...] = ()
    ignored: tuple[str, ...] = ()
    node_type: str | None = field(default=None, repr=False)
    node_types: tuple[str, ...] = field(default=(), repr=False)
    edge_type: str | None = field(default=None, repr=False)
    edge_types: tuple[str, ...] = field(default=(), repr=False)

    @property
    def codes(self) -> tuple[str, ...]:
        """The columns of whole numbers that were taken for codes and became categories."""
        return tuple(column.name for column in self.columns if column.inferred)

    @property
    def attribute_names(self) -> tuple[str, ...]:
        """The names of all attributes in order."""
        return tuple(name for column in self.columns for name in column.attribute_names)

    def to_dict(self) -> dict[str, Any]:
        """Return plain lists and texts, ready for JSON."""
        out: dict[str, Any] = {
            "label": self.label,
            "classes": list(self.classes),
            "ignored": list(self.ignored),
            "columns": [_column_to_dict(column) for column in self.columns],
        }
        for column, names, what in _types_of(self):
            if column is not None:
                out |= {what: column, f"{what}s": list(names)}
        return out

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> Schema:
        """Return the schema that :meth:`to_dict` wrote.

        Raises:
            InputError: If the value is not such a dictionary.
        """
        try:
            return cls(
                columns=tuple(_column_from_dict(column) for column in value["columns"]),
                label=None if value["label"] is None else str(value["label"]),
                classes=tuple(str(name) for name in value["classes"]),
                ignored=tuple(str(name) for name in value["ignored"]),
                node_type=None if value.get("node_type") is None else str(value["node_type"]),
                node_types=tuple(str(name) for name in value.get("node_types", ())),
                edge_type=None if value.get("edge_type") is None else str(value["edge_type"]),
                edge_types=tuple(str(name) for name in value.get("edge_types", ())),
            )
        except (KeyError, TypeError, ValueError) as error:
            raise InputError(f"not a column schema: {error!r}; use what Schema.to_dict() wrote") from None


def as_schema(value: Schema | Mapping[str, Any] | None) -> Schema | None:
    """Return ``value`` as a schema: a schema, None, or the dictionary in which a model keeps it.

    Raises:
        InputError: If it is none of these.

    Example:
        >>> as_schema(Schema(label="topic").to_dict())
        Schema(columns=(), label='topic', classes=(), ignored=())
    """
    return value if value is None or isinstance(value, Schema) else Schema.from_dict(value)


def _types_of(schema: Schema) -> tuple[tuple[str | None, tuple[str, ...], str], ...]:
    return (schema.node_type, schema.node_types, "node_type"), (schema.edge_type, schema.edge_types, "edge_type")


def _column_to_dict(column: Column) -> dict[str, Any]:
    out: dict[str, Any] = {"name": column.name, "kind": column.kind}
    if column.kind == "categorical":
        out["categories"] = list(column.categories)
    if column.fill is not None:
        out["fill"] = column.fill
    if column.inferred:
        out["inferred"] = True
    if column.types:
        out["types"] = list(column.types)
    return out


def _column_from_dict(value: Mapping[str, Any]) -> Column:
    if value["kind"] not in _KINDS:
        raise ValueError(f"kind must be one of {', '.join(_KINDS)} (got '{value['kind']}')")
    fill = value.get("fill")
    categories = tuple(str(c) for c in value.get("categories", ()))
    inferred = value.get("inferred", False) is True
    types = tuple(str(name) for name in value.get("types", ()))
    fill = None if fill is None else float(fill)
    return Column(str(value["name"]), value["kind"], categories, fill, inferred, types)
