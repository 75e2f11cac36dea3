"""The edges file of a pair: ends by node number, and weights."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.io.tables.bytes import AnyPath
from infomotif.io.tables.encode import floats
from infomotif.io.tables.labels import in_order
from infomotif.io.tables.table import Table, Wanted, header, read_table, require_column

if TYPE_CHECKING:
    import pyarrow as pa


def read_edges(path: AnyPath, source: str, target: str, weight: str | None, delimiter: str | None) -> Table:
    """Read the columns source, target and weight (if any) of an edges file, in this order.

    Raises:
        InputError: If anything is wrong with the file.
    """
    weight = edge_columns(path, source, target, weight, delimiter)
    wanted: dict[str, Wanted] = {source: "text", target: "text"}
    if weight is not None:
        wanted[weight] = "number"
    return read_table(path, wanted, only=list(wanted), delimiter=delimiter)


def edge_columns(path: AnyPath, source: str, target: str, weight: str | None, delimiter: str | None) -> str | None:
    """Check that an edges file has its columns; return that of the weight, None if there is none.

    Raises:
        InputError: If a column is missing or has two roles.
    """
    names = header(path, delimiter)
    require_column(names, source, path, "--source")
    require_column(names, target, path, "--target")
    if weight is not None:
        require_column(names, weight, path, "--weight")
    weight = weight or ("weight" if "weight" in names else None)
    if len({source, target, weight}) < 3:
        raise InputError(
            f"{path}: source, target and weight must be different columns (got {source}, {target}, {weight})"
        )
    return weight


def ids_of_edges(ends: Table) -> pa.Array:
    """Return the ids that the edges name, in order.

    Raises:
        InputError: If there are none.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    source, target = (ends.present(name, "node").cast(pa.string()) for name in ends.data.column_names[:2])
    ids = pc.unique(pa.chunked_array([*source.chunks, *target.chunks], type=pa.string()))
    if not len(ids):
        raise no_edges(ends.path)
    return pa.array(in_order(ids.to_pylist()), type=pa.string())


def no_edges(path: AnyPath) -> InputError:
    """Return the error for an edges file without edges that has no nodes file beside it."""
    return InputError(f"{path}: no edge follows the column names in line 1; add edges, or a nodes file (--nodes)")


def unknown_node(
    ends: Table, row: int, starts: NDArray[Any], nodes: AnyPath | None, holds: Callable[[str], bool], count: str = ""
) -> InputError:
    """Return the error for an edge that names a node without a row."""
    column = ends.data.column_names[0 if starts[row] < 0 else 1]
    value = ends.text(column)[row].as_py()
    hint = "remove the spaces around it" if holds(value.strip()) else "add it, or drop such edges (--unknown drop)"
    return InputError(f"{ends.where(row, column)}: node '{value}' has no row in {nodes}{count}; {hint}")


def number_ends(ends: Table, ids: pa.Array, unknown: str, nodes: AnyPath | None) -> tuple[Any, Any, Any, int]:
    """Return start, end and weight of each edge by node number, and how many edges were dropped.

    Raises:
        InputError: If an edge names an unknown node and ``unknown`` is ``"error"``, or a weight is no finite number.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    numbers = []
    for name in ends.data.column_names[:2]:
        column = ends.present(name, "node").cast(pa.string())
        numbers.append(np.asarray(pc.fill_null(pc.index_in(column, value_set=ids), -1)))
    weights = edge_weights(ends)
    bad = (numbers[0] < 0) | (numbers[1] < 0)
    dropped = int(bad.sum())
    if dropped and unknown == "error":
        row, known = int(np.flatnonzero(bad)[0]), set(ids.to_pylist())
        raise unknown_node(ends, row, numbers[0], nodes, known.__contains__, f" ({dropped:,} such edges)")
    if dropped:
        keep = ~bad
        numbers = [column[keep] for column in numbers]
        weights = None if weights is None else weights[keep]
    return numbers[0], numbers[1], weights, dropped


def edge_weights(ends: Table) -> NDArray[np.float32] | None:
    """Return the weight of each edge, None without such a column.

    Raises:
        InputError: If one is missing or not finite.
    """
    if len(ends.data.column_names) < 3:
        return None
    name = ends.data.column_names[2]
    weights = floats(ends, name)
    # NaN fails the comparison too, so that it catches missing weights.
    bad = np.flatnonzero(~(np.abs(weights) <= np.finfo(np.float32).max))
    if len(bad):
        row = int(bad[0])
        found = "missing" if np.isnan(weights[row]) else f"{weights[row]}, not a finite number"
        raise InputError(f"{ends.where(row, name)}: the weight is {found}; correct it")
    return weights.astype(np.float32)
