"""The edges of a pair of tables: ends by node number, weights and types."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif._core.reading.problems import note, noted, together
from infomotif.errors import InputError
from infomotif.graph.schema import Schema
from infomotif.io.options import MAX_FLOAT32, ReadOptions
from infomotif.io.tables.ids import IdTable, distinct_ids
from infomotif.io.tables.table import NamedTables, Table
from infomotif.io.tables.types import EdgeTypeColumn, type_column
from infomotif.typing import AnyPath, Array

Edges = tuple[Array, Array, Array | None, Array | None]
"""Start, end, weight and type of edges by node number."""


class EdgeTables:
    """An edges file, read as often as needed.

    Args:
        file: The file.
        options: Which columns are what.

    Attributes:
        weighted: Whether there is a column of weights.
        types: The column of types or signs, or None.
        dropped: How many edges were dropped because they name a node without a row.

    Raises:
        InputError: If a column is missing or has two meanings.
    """

    def __init__(self, file: NamedTables, options: ReadOptions) -> None:
        """Check the columns."""
        source, target, weight = options.source, options.target, options.weight
        kind, signed = type_column(options)
        named = {"--source": source, "--target": target, "--weight": weight}
        with together():
            for option, column in (named | {"--sign" if signed else "--edge-type": kind}).items():
                if column is not None:
                    with noted():
                        file.require(column, option)
        weight = weight or ("weight" if "weight" in file.names and kind != "weight" else None)
        if len({source, target, weight}) < 3:
            raise InputError(
                f"{file.path}: source, target and weight must be different columns (got {source}, {target}, {weight})"
            )
        if kind is not None and kind in (source, target, weight):
            raise InputError(f"{file.path}: column '{kind}' cannot be both an end or weight and a type; name another")
        self.weighted = weight is not None
        self.dropped = 0
        self._file, self._options, self._weight = file, options, weight
        self._columns = [name for name in (source, target, weight, kind) if name is not None]
        self.types = None if kind is None else EdgeTypeColumn(file, kind, options, signed=signed)

    @property
    def notes(self) -> dict[str, int]:
        """How many edges were dropped, and why."""
        return {"unknown_endpoints": self.dropped, "unsigned_edges": 0 if self.types is None else self.types.dropped}

    @property
    def fields(self) -> dict[str, Any]:
        """What the graph says of the types of its edges, apart from the type of each edge."""
        return {} if self.types is None else {"edge_type_names": self.types.names}

    def with_types(self, schema: Schema | None) -> Schema | None:
        """Return the schema with the types of the edges, unless it is that of a model."""
        if self.types is None or self._options.schema is not None:
            return schema
        return replace(schema or Schema(), edge_type=self.types.name, edge_types=self.types.names)

    def ids(self) -> IdTable:
        """Return the ids that the edges name, in order.

        Raises:
            InputError: If there are none.
        """
        ends = (column for table in self._tables() for column in _ends(table))
        ids = distinct_ids(part for column in ends for part in column.chunks)
        if not len(ids):
            raise InputError(
                f"{self._file.path}: no edge follows the column names in line 1; add edges, or a nodes file (--nodes)"
            )
        return IdTable(ids)

    def numbered(self, ids: IdTable, nodes: AnyPath | None) -> Iterator[Edges]:
        """Yield start, end and weight of the edges by node number; count those that are dropped.

        Args:
            ids: The ids of the nodes.
            nodes: The nodes file, for messages.

        Raises:
            InputError: If an edge names an unknown node that may not be dropped, a weight is not a finite number, or an
                edge has no sign and may not be dropped.
        """
        for table in self._tables():
            with together():
                weights, types, signed = None, None, None
                with noted():
                    weights = None if self._weight is None else _weights(table, self._weight)
                with noted():
                    types, signed = (None, None) if self.types is None else self.types.codes(table)
                start, stop = (ids.numbers(column) for column in _ends(table))
            unknown = (start < 0) | (stop < 0)
            if unknown.any() and self._options.unknown == "error":
                note(self._unknown_node(table, int(np.flatnonzero(unknown)[0]), start, ids, nodes))
            self.dropped += int((unknown if signed is None else unknown & signed).sum())
            kept = ~unknown if signed is None else ~unknown & signed
            if not kept.all():
                start, stop = start[kept], stop[kept]
                weights = None if weights is None else weights[kept]
                types = None if types is None else types[kept]
            yield start, stop, weights, types

    def _tables(self) -> Iterator[Table]:
        import pyarrow as pa

        kinds = dict.fromkeys(self._columns, pa.string())
        if self._weight is not None:
            kinds[self._weight] = pa.float64()
        return self._file.tables(self._columns, kinds)

    def _unknown_node(self, table: Table, row: int, start: Array, ids: IdTable, nodes: AnyPath | None) -> InputError:
        column = self._columns[0 if start[row] < 0 else 1]
        value = table.text(column)[row].as_py()
        hint = "remove the spaces around it" if value.strip() in ids else "add it, or drop such edges (--unknown drop)"
        where = table.where(row, column)
        return InputError(f"{where}: node '{value}' has no row in {nodes}{self._such_edges(ids)}; {hint}")

    def _such_edges(self, ids: IdTable) -> str:
        try:
            count = sum(int(np.any([ids.numbers(c) < 0 for c in _ends(t)], axis=0).sum()) for t in self._tables())
        except InputError:
            # What is wrong further down is reported once this is corrected.
            return ""
        return f" ({count:,} such edges)"


def _ends(table: Table) -> tuple[Any, Any]:
    ends = []
    with together():
        for name in table.data.column_names[:2]:
            with noted():
                ends.append(table.present(name, "node"))
    first, second = ends
    return first, second


def _weights(table: Table, name: str) -> NDArray[np.float32]:
    weights = table.numbers(name)
    # NaN fails the comparison too, so that it catches missing weights.
    bad = np.flatnonzero(~(np.abs(weights) <= MAX_FLOAT32))
    if len(bad):
        row = int(bad[0])
        finding = "missing" if np.isnan(weights[row]) else f"{weights[row]}, not a finite number"
        raise InputError(f"{table.where(row, name)}: the weight is {finding}; correct it")
    return weights.astype(np.float32)
