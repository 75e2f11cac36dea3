"""Data frames of pandas, polars and pyarrow, and all others that speak the Arrow interface."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.schema import Schema
from infomotif.io.formats.csv import read_tables
from infomotif.io.options import Fill, ReadOptions, column_names
from infomotif.io.tables.file import missing_column
from infomotif.io.tables.table import Codes, Table
from infomotif.typing import AnyPath

if TYPE_CHECKING:
    import pyarrow as pa

_INDEX = re.compile(r"__index_level_\d+__")


class FrameTables:
    """A data frame as a source of tables, as a file is one: it is the only table.

    Args:
        frame: Anything with ``__arrow_c_stream__``, or a dictionary of columns.
        path: What messages call it.

    Attributes:
        names: The names of the columns.

    Raises:
        InputError: If it is not a data frame, or two columns have the same name.
    """

    whole = True

    def __init__(self, frame: Any, path: str) -> None:
        """Take the columns over, without a copy where Arrow can."""
        self.path: AnyPath = path
        self._data = _as_table(frame, path)
        self.names = [str(name) for name in self._data.column_names]
        self._codes: dict[str, Codes] = {}

    def require(self, column: str, option: str) -> None:
        """Refuse a frame that lacks a column; the message names the nearest.

        Raises:
            InputError: If the column is not there.
        """
        if column not in self.names:
            keyword = "node_id" if option == "--id" else option.replace("--", "").replace("-", "_")
            raise InputError(
                f"{self.path}: {missing_column(column, self.names)} (choose with {keyword} of from_dataframe)"
            )

    def location(self, row: int) -> str:
        """Return the location of a row, counted from 0."""
        return f"row {row}"

    def tables(self, columns: Sequence[str], types: Mapping[str, Any]) -> Iterator[Table]:
        """Yield some columns of all rows."""
        yield Table(self.path, self._data.select(list(columns)), self.location, codes=self._codes)

    def type_of(self, name: str, seen: set[Any]) -> Any:
        """Return the Arrow type of a column."""
        return self._data.schema.field(name).type


def from_dataframe(
    edges: Any,
    nodes: Any = None,
    *,
    label: str | None = None,
    source: str = "source",
    target: str = "target",
    weight: str | None = None,
    node_id: str = "id",
    node_type: str | None = None,
    edge_type: str | None = None,
    sign: str | None = None,
    drop_unsigned: bool = False,
    directed: bool = True,
    fill: Fill = None,
    ignore: Sequence[str] = (),
    categorical: Sequence[str] = (),
    numeric: Sequence[str] = (),
    unknown: str = "error",
    max_categories: int = 1000,
    schema: Schema | Mapping[str, Any] | None = None,
    name: str = "graph",
) -> Graph:
    """Turn a data frame of edges, and one of nodes, into a Graph; columns are read as :func:`read_csv` reads them.

    Args:
        edges: A frame of pandas, polars or pyarrow, any other object with ``__arrow_c_stream__``, or a dictionary of
            columns.
        nodes: The frame of nodes, or None: the nodes are then those of the edges.
        label: The label column; None takes ``label`` where there is one.
        source: The column of an edge's start.
        target: The column of an edge's end.
        weight: The column of an edge's weight; None takes ``weight`` where there is one.
        node_id: The column of a node's id.
        node_type: The column of a node's type, as in ``read_csv``.
        edge_type: The column of an edge's type.
        sign: The column of an edge's sign, as in ``read_csv``.
        drop_unsigned: Whether edges whose sign is empty or 0 are dropped and counted; else they are refused.
        directed: Whether an edge has a direction.
        fill: What replaces missing attribute values, as in ``read_csv``.
        ignore: Columns of the nodes that are not attributes.
        categorical: Columns that become one-hot although they hold numbers.
        numeric: Columns that stay numbers although their whole numbers look like codes.
        unknown: ``"error"`` refuses edges that name a node without a row, ``"drop"`` drops and counts them.
        max_categories: The most values that a categorical column may have.
        schema: The attributes as a model was trained on them, as in ``read_csv``.
        name: What the graph is called.

    Raises:
        InputError: If anything is wrong with a frame; the message names row, column and remedy.

    Example:
        >>> import pandas as pd
        >>> from_dataframe(pd.DataFrame({"source": ["a", "b"], "target": ["b", "c"]}))
        Graph('graph', 3 nodes, 2 directed edges, no attributes, no labels)
    """
    options = ReadOptions(
        label=label, source=source, target=target, weight=weight, node_id=node_id, node_type=node_type,
        edge_type=edge_type, sign=sign, drop_unsigned=drop_unsigned, directed=directed, fill=fill,
        ignore=column_names(ignore), categorical=column_names(categorical), numeric=column_names(numeric),
        unknown=unknown, max_categories=max_categories, schema=schema, name=name,
    )  # fmt: skip
    frame = None if nodes is None else FrameTables(nodes, "nodes")
    return read_tables(FrameTables(edges, "edges"), frame, options)


def _as_table(frame: Any, path: str) -> pa.Table:
    import pyarrow as pa

    if not hasattr(frame, "__arrow_c_stream__") and not isinstance(frame, Mapping):
        raise InputError(
            f"{path} must be a data frame of pandas, polars or pyarrow (got {type(frame).__name__}); "
            "arrays belong into from_edge_index or from_scipy"
        )
    try:
        table = pa.table(frame)
    except (pa.ArrowException, TypeError, ValueError) as error:
        reason = str(error).strip().splitlines()[0][:200] if str(error).strip() else type(error).__name__
        raise InputError(f"{path}: the data frame cannot be read ({reason}); give each column one type") from None
    names = [str(name) for name in table.column_names]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise InputError(f"{path}: two columns are called '{twice}'; rename one of them")
    # Arrow carries the nameless index of pandas along as a column.
    return pa.table({name: _plain_text(table.column(name)) for name in names if not _INDEX.fullmatch(name)})


def _plain_text(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """Return a column with text as Arrow's plain text; polars and pandas have other kinds, and categories."""
    import pyarrow as pa

    if not pa.types.is_dictionary(column.type):
        return column.cast(pa.large_string()) if pa.types.is_string_view(column.type) else column
    parts = [_plain_text(pa.chunked_array([chunk.dictionary])).combine_chunks() for chunk in column.chunks]
    taken = [part.take(chunk.indices) for part, chunk in zip(parts, column.chunks, strict=True)]
    return pa.chunked_array(taken, type=None if taken else pa.large_string())
