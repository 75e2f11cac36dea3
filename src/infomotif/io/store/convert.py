"""From CSV or parquet files that do not fit into memory to a graph store."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from infomotif._core.progress import progress
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.build import index_type
from infomotif.graph.schema import Schema
from infomotif.io.store.arrays import array_file
from infomotif.io.store.external_sort import Edges, write_rows
from infomotif.io.store.store import describe, fixed_width, half, open_store, store_folder
from infomotif.io.tables.bytes import AnyPath
from infomotif.io.tables.chunks import BLOCK, Advance, file_size, table_chunks
from infomotif.io.tables.edges import edge_columns, edge_weights, no_edges, unknown_node
from infomotif.io.tables.encode import Fill, encode
from infomotif.io.tables.ids import IdTable, counted, distinct_ids
from infomotif.io.tables.labels import require_labels
from infomotif.io.tables.survey import Survey, survey_nodes
from infomotif.io.tables.table import Table

MEMORY = 2 << 30
_LEAST_MEMORY = 64 << 20
_NAMES = 1 << 18


def convert_csv(
    edges: AnyPath,
    nodes: AnyPath | None,
    folder: AnyPath,
    *,
    label: str | None = None,
    source: str = "source",
    target: str = "target",
    weight: str | None = None,
    node_id: str = "id",
    directed: bool = True,
    fill: Fill = None,
    ignore: Sequence[str] = (),
    categorical: Sequence[str] = (),
    unknown: str = "error",
    max_categories: int = 1000,
    delimiter: str | None = None,
    name: str | None = None,
    float16: bool = False,
    memory: int = MEMORY,
    overwrite: bool = False,
    show: bool | None = None,
) -> Graph:
    r"""Convert a CSV or parquet pair of any size to a graph store; the graph is the one that ``read_csv`` reads.

    Edges and attributes are read in blocks and sorted on disk, so that memory does not grow with them. What does stay
    in memory is about 100 bytes a node, its id included.

    Args:
        edges: The file of edges.
        nodes: The file of nodes, or None.
        folder: The store to make, whole or not at all.
        label: The label column; None takes ``label`` where there is one.
        source: The column of an edge's start.
        target: The column of an edge's end.
        weight: The column of an edge's weight; None takes ``weight`` where there is one.
        node_id: The column of a node's id.
        directed: Whether an edge has a direction.
        fill: What stands for missing attribute values, as in ``read_csv``.
        ignore: Columns of the nodes file that are no attributes.
        categorical: Columns that become one-hot although they hold numbers.
        unknown: ``"error"`` refuses edges that name a node without a row, ``"drop"`` drops and counts them.
        max_categories: The most values that a categorical column may have.
        delimiter: What separates the fields; by default what the first line suggests.
        name: What the graph is called; by default after the edges file.
        float16: Write dense attributes with 16 bits each.
        memory: About how many bytes may be used for sorting and reading, at least 64 MB.
        overwrite: Whether a graph store that is there already may be replaced.
        show: Whether to show a progress bar; by default on a terminal.

    Raises:
        InputError: If anything is wrong with a file; the message names file, line and remedy.

    Example:
        >>> import tempfile, pathlib
        >>> here = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (here / "edges.csv").write_text("source,target\n007,b\nb,c\n")
        >>> convert_csv(here / "edges.csv", None, here / "store")
        Graph('edges', 3 nodes, 2 directed edges, no attributes, no labels)
    """
    if unknown not in ("error", "drop"):
        raise InputError(f"unknown must be one of error, drop (got '{unknown}')")
    if memory < _LEAST_MEMORY:
        raise InputError(f"memory must be at least {_LEAST_MEMORY >> 20} MB (got {memory >> 20} MB)")
    if nodes is None and label is not None:
        raise InputError(f"a label column ('{label}') needs a nodes file (nodes=, --nodes)")
    weight = edge_columns(edges, source, target, weight, delimiter)
    block = min(BLOCK, memory // 32)
    work = 3 * file_size(edges) + (0 if nodes is None else 3 * file_size(nodes))
    with (
        store_folder(folder, overwrite=overwrite) as aside,
        _scratch(aside) as scratch,
        progress("converting", work, enabled=show) as advance,
    ):
        wanted = [source, target, *([] if weight is None else [weight])]
        reader = _EdgeReader(edges, wanted, delimiter, block, advance)
        notes: dict[str, int] = {}
        schema: Schema | None = None
        if nodes is None:
            ids = reader.ids()
            table = IdTable(ids)
        else:
            advance(0, "looking at the nodes")
            found = survey_nodes(
                nodes,
                node_id,
                label,
                fill,
                ignore,
                categorical,
                max_categories,
                delimiter,
                block=block,
                advance=advance,
            )  # fmt: skip
            ids, table, schema = found.ids, found.table, found.schema
            advance(0, "attributes")
            notes["filled_values"] = _write_attributes(nodes, found, fill, delimiter, aside, float16, block, advance)
            if found.y is not None:
                np.save(aside / "y.npy", found.y)
        _write_names(ids, aside)
        n = len(ids)
        del ids
        advance(0, "edges")
        written = write_rows(
            reader.numbered(table, unknown, nodes), n, aside, scratch, directed=directed, weighted=weight is not None,
            memory=memory // 2, advance=lambda part: advance(part * file_size(edges), "sorting edges"),
        )  # fmt: skip
        notes = {"unknown_endpoints": reader.dropped, **notes, **vars(written)}
        shutil.rmtree(scratch)
        advance(0, "fingerprint")
        columns = () if schema is None else schema.attribute_names
        describe(
            aside, name=name or Path(edges).name.removesuffix(".gz").split(".")[0], directed=directed, notes=notes,
            class_names=() if schema is None else schema.classes, schema=schema, attributes=len(columns),
            attribute_names=columns or None,
        )  # fmt: skip
        if label is not None:
            require_labels(open_store(aside), f"{nodes}, column '{label}'")
    return open_store(folder)


@contextlib.contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    scratch = folder / "scratch"
    scratch.mkdir()
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


class _EdgeReader:
    """The edges file, read in blocks as often as needed."""

    def __init__(self, path: AnyPath, columns: list[str], delimiter: str | None, block: int, advance: Advance) -> None:
        self.path, self.columns, self.delimiter, self.block, self.advance = path, columns, delimiter, block, advance
        self.dropped = 0

    def _tables(self) -> Iterator[Table]:
        import pyarrow as pa

        types = dict(zip(self.columns, (pa.string(), pa.string(), pa.float64()), strict=False))
        chunks = table_chunks(self.path, types, self.columns, self.delimiter, block=self.block, advance=self.advance)
        return (table for _, table in chunks)

    def ids(self) -> Any:
        """Return the ids that the edges name, in order.

        Raises:
            InputError: If there are none.
        """
        ids = distinct_ids(column for table in self._tables() for column in _ends(table))
        if not len(ids):
            raise no_edges(self.path)
        return ids

    def numbered(self, ids: IdTable, unknown: str, nodes: AnyPath | None) -> Iterator[Edges]:
        """Yield start, end and weight of the edges by node number; count those that are dropped.

        Raises:
            InputError: If an edge names an unknown node and ``unknown`` is ``"error"``, or a weight is no number.
        """
        for table in self._tables():
            start, stop = (ids.numbers(column) for column in _ends(table))
            weights = edge_weights(table)
            bad = (start < 0) | (stop < 0)
            if bad.any():
                if unknown == "error":
                    raise unknown_node(table, int(np.flatnonzero(bad)[0]), start, nodes, lambda text: _holds(ids, text))
                self.dropped += int(bad.sum())
                start, stop = start[~bad], stop[~bad]
                weights = None if weights is None else weights[~bad]
            yield start, stop, weights


def _ends(table: Table) -> tuple[Any, Any]:
    first, second = (table.present(name, "node").combine_chunks() for name in table.data.column_names[:2])
    return first, second


def _holds(ids: IdTable, text: str) -> bool:
    import pyarrow as pa

    return bool(ids.numbers(pa.array([text]))[0] >= 0)


def _write_attributes(
    path: AnyPath, found: Survey, fill: Fill, delimiter: str | None, folder: Path, float16: bool, block: int,
    advance: Advance,
) -> int:  # fmt: skip
    """Write the attributes block by block; return how many values were filled."""
    if not found.attributes:
        return 0
    filled, entries = 0, [np.zeros(1, np.int64)]
    width = len(found.schema.attribute_names)
    chunks = table_chunks(path, found.types, found.attributes, delimiter, block=block, advance=advance)
    with contextlib.ExitStack() as stack:
        kind = np.float16 if float16 and not found.sparse else np.float32
        name = "x-data" if found.sparse else "x"
        values = stack.enter_context(array_file(folder / f"{name}.npy", kind, None if found.sparse else width))
        columns = stack.enter_context(array_file(folder / "x-indices.npy", np.int32)) if found.sparse else None
        for _, table in chunks:
            encoded = encode(table, found.attributes, fill=fill, expected=found.schema.columns, sparse=found.sparse)
            filled += encoded.notes["filled_values"]
            x: Any = encoded.x
            if columns is None:
                values.append(half(x) if float16 else x)
                continue
            values.append(x.data)
            columns.append(x.indices)
            entries.append(np.diff(x.indptr))
    if found.sparse:
        total = np.cumsum(np.concatenate(entries))
        index = index_type(width, int(total[-1]))
        np.save(folder / "x-indptr.npy", total.astype(index))
        if index is not np.int32:
            _widen(folder / "x-indices.npy")
    return filled


def _widen(path: Path) -> None:
    narrow = np.load(path, mmap_mode="r")
    wide = path.with_name("wide.npy")
    with array_file(wide, np.int64) as file:
        for start in range(0, len(narrow), 1 << 22):
            file.append(narrow[start : start + (1 << 22)])
    wide.replace(path)


def _write_names(ids: Any, folder: Path) -> None:
    import pyarrow.compute as pc

    if counted(ids):
        return
    width = pc.max(pc.utf8_length(ids)).as_py()
    with array_file(folder / "names.npy", f"U{max(1, width)}") as file:
        for start in range(0, len(ids), _NAMES):
            file.append(fixed_width(ids[start : start + _NAMES].to_pylist(), width))
