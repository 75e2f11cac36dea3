"""The edges of a pair of tables: ends by node number, and weights."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.io.options import MAX_FLOAT32, ReadOptions
from infomotif.io.tables.ids import IdTable, distinct_ids
from infomotif.io.tables.table import NamedTables, Table
from infomotif.typing import AnyPath, Array

Edges = tuple[Array, Array, Array | None]
"""Start, end and weight of edges by node number."""


class EdgeTables:
    """An edges file, read as often as needed.

    Args:
        file: The file.
        options: Which columns are what.

    Attributes:
        weighted: Whether there is a column of weights.
        dropped: How many edges were dropped because they name a node without a row.

    Raises:
        InputError: If a column is missing or has two meanings.
    """

    def __init__(self, file: NamedTables, options: ReadOptions) -> None:
        """Check the columns."""
        source, target, weight = options.source, options.target, options.weight
        file.require(source, "--source")
        file.require(target, "--target")
        if weight is not None:
            file.require(weight, "--weight")
        weight = weight or ("weight" if "weight" in file.names else None)
        if len({source, target, weight}) < 3:
            raise InputError(
                f"{file.path}: source, target and weight must be different columns (got {source}, {target}, {weight})"
            )
        self.weighted = weight is not None
        self.dropped = 0
        self._file, self._options = file, options
        self._columns = [source, target, *([] if weight is None else [weight])]

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
            InputError: If an edge names an unknown node that may not be dropped, or a weight is not a finite number.
        """
        for table in self._tables():
            start, stop = (ids.numbers(column) for column in _ends(table))
            weights = _weights(table)
            unknown = (start < 0) | (stop < 0)
            if unknown.any():
                if self._options.unknown == "error":
                    raise self._unknown_node(table, int(np.flatnonzero(unknown)[0]), start, ids, nodes)
                self.dropped += int(unknown.sum())
                start, stop = start[~unknown], stop[~unknown]
                weights = None if weights is None else weights[~unknown]
            yield start, stop, weights

    def _tables(self) -> Iterator[Table]:
        import pyarrow as pa

        types = dict(zip(self._columns, (pa.string(), pa.string(), pa.float64()), strict=False))
        return self._file.tables(self._columns, types)

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
    first, second = (table.present(name, "node") for name in table.data.column_names[:2])
    return first, second


def _weights(table: Table) -> NDArray[np.float32] | None:
    if len(table.data.column_names) < 3:
        return None
    name = table.data.column_names[2]
    weights = table.numbers(name)
    # NaN fails the comparison too, so that it catches missing weights.
    bad = np.flatnonzero(~(np.abs(weights) <= MAX_FLOAT32))
    if len(bad):
        row = int(bad[0])
        finding = "missing" if np.isnan(weights[row]) else f"{weights[row]}, not a finite number"
        raise InputError(f"{table.where(row, name)}: the weight is {finding}; correct it")
    return weights.astype(np.float32)
