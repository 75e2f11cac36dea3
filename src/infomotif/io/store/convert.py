"""From CSV or parquet files that do not fit into memory to a graph store."""

from __future__ import annotations

import contextlib
import shutil
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from infomotif._core.progress import progress
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.colours import refuse_two_types
from infomotif.graph.csr import index_type
from infomotif.io.formats.csv import require_nodes
from infomotif.io.options import Fill, ReadOptions, column_names, graph_name
from infomotif.io.store.arrays import array_file
from infomotif.io.store.external_sort import Limits, payload_type, write_rows
from infomotif.io.store.store import describe, fixed_width, half, map_store, open_store, store_folder
from infomotif.io.tables.edges import EdgeTables
from infomotif.io.tables.file import BLOCK, TableFile
from infomotif.io.tables.ids import IdTable, counted
from infomotif.io.tables.labels import require_labels
from infomotif.io.tables.nodes import Nodes, read_nodes
from infomotif.typing import AnyPath

MEMORY = 2 << 30
_MIN_MEMORY = 64 << 20
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
    delimiter: str | None = None,
    name: str | None = None,
    float16: bool = False,
    memory: int = MEMORY,
    overwrite: bool = False,
    show: bool | None = None,
) -> Graph:
    r"""Convert a CSV or parquet pair of any size to a graph store; the graph is the one that ``read_csv`` reads.

    Edges and attributes are read in blocks and sorted on disk, so that memory does not grow with them. What does stay
    in memory is about 100 bytes per node, its id included.

    Args:
        edges: The file of edges.
        nodes: The file of nodes, or None.
        folder: The store to make, whole or not at all.
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
        ignore: Columns of the nodes file that are not attributes.
        categorical: Columns that become one-hot although they hold numbers.
        numeric: Columns that stay numbers although their whole numbers look like codes.
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
    options = ReadOptions(
        label=label, source=source, target=target, weight=weight, node_id=node_id, node_type=node_type,
        edge_type=edge_type, sign=sign, drop_unsigned=drop_unsigned, directed=directed, fill=fill,
        ignore=column_names(ignore), categorical=column_names(categorical), numeric=column_names(numeric),
        unknown=unknown, max_categories=max_categories, delimiter=delimiter, name=name,
    )  # fmt: skip
    return convert(edges, nodes, folder, options, float16=float16, memory=memory, overwrite=overwrite, show=show)


def convert(
    edges: AnyPath,
    nodes: AnyPath | None,
    folder: AnyPath,
    options: ReadOptions,
    *,
    float16: bool = False,
    memory: int = MEMORY,
    overwrite: bool = False,
    show: bool | None = None,
    block: int = BLOCK,
    limits: Limits | None = None,
) -> Graph:
    """Convert a pair of files as :func:`convert_csv` does.

    Args:
        edges: The file of edges.
        nodes: The file of nodes, or None.
        folder: The store to make, whole or not at all.
        options: How the files are read.
        float16: Write dense attributes with 16 bits each.
        memory: About how many bytes may be used for sorting and reading, at least 64 MB.
        overwrite: Whether a graph store that is there already may be replaced.
        show: Whether to show a progress bar; by default on a terminal.
        block: How many bytes of a file are parsed at once, if the memory allows it.
        limits: How much is sorted at once; by default what the memory allows.

    Raises:
        InputError: If anything is wrong with a file; the message names file, line and remedy.
    """
    if memory < _MIN_MEMORY:
        raise InputError(f"memory must be at least {_MIN_MEMORY >> 20} MB (got {memory >> 20} MB)")
    require_nodes(nodes, options)
    reading: dict[str, Any] = {"whole": False, "block": min(block, memory // 32)}
    edge_file = TableFile(edges, options.delimiter, **reading)
    node_file = None if nodes is None else TableFile(nodes, options.delimiter, **reading)
    tables = EdgeTables(edge_file, options)
    work = 3 * edge_file.size + (0 if node_file is None else 3 * node_file.size)
    with (
        store_folder(folder, overwrite=overwrite) as aside,
        _scratch(aside) as scratch,
        progress("converting", work, enabled=show) as advance,
    ):
        edge_file.advance = advance
        notes: dict[str, int] = {}
        surveyed: Nodes | None = None
        if node_file is not None:
            node_file.advance = advance
            advance(0, "looking at the nodes")
            surveyed = read_nodes(node_file, options)
            advance(0, "attributes")
            notes = _write_attributes(surveyed, aside, float16)
            if surveyed.y is not None:
                np.save(aside / "y.npy", surveyed.y)
            if surveyed.types is not None:
                np.save(aside / "node-types.npy", surveyed.types.codes)
        ids = tables.ids() if surveyed is None else surveyed.ids
        _write_names(ids.ids, aside)
        advance(0, "edges")
        written = write_rows(
            tables.numbered(ids, nodes),
            len(ids),
            aside,
            scratch,
            directed=options.directed,
            payload=payload_type(weighted=tables.weighted, typed=tables.types is not None),
            limits=limits or Limits.within(memory // 2),
            advance=lambda part: advance(part * edge_file.size, "sorting edges"),
            conflict=partial(_conflict, ids, () if tables.types is None else tables.types.names, options.directed),
        )
        shutil.rmtree(scratch)
        advance(0, "fingerprint")
        schema = tables.with_types(None if surveyed is None else surveyed.schema)
        names = () if schema is None else schema.attribute_names
        describe(
            aside,
            name=graph_name(edges, options),
            directed=options.directed,
            notes={**tables.notes, **notes, **vars(written)},
            class_names=() if surveyed is None else surveyed.classes,
            schema=schema,
            attributes=len(names),
            attribute_names=names or None,
            node_type_names=() if surveyed is None or surveyed.types is None else surveyed.types.names,
            edge_type_names=() if tables.types is None else tables.types.names,
            attribute_types=None if surveyed is None else surveyed.attribute_types,
        )
        if options.label is not None and options.schema is None:
            require_labels(map_store(aside), f"{nodes}, column '{options.label}'")
    return open_store(folder)


def _conflict(ids: IdTable, names: Sequence[str], directed: bool, u: int, v: int, one: int, other: int) -> InputError:
    ends = [ids.ids[node].as_py() for node in (u, v)]
    return refuse_two_types(ends[0], ends[1], names[one], names[other], directed=directed)


@contextlib.contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    scratch = folder / "scratch"
    scratch.mkdir()
    try:
        yield scratch
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _write_attributes(nodes: Nodes, folder: Path, float16: bool) -> dict[str, int]:
    """Write the attributes table by table; return counts for the notes."""
    if not nodes.columns:
        return {}
    notes = {"filled_values": 0, "unseen_categories": 0}
    entries = [np.zeros(1, np.int64)]
    with contextlib.ExitStack() as stack:
        kind = np.float16 if float16 and not nodes.sparse else np.float32
        name = "x-data" if nodes.sparse else "x"
        values = stack.enter_context(array_file(folder / f"{name}.npy", kind, None if nodes.sparse else nodes.width))
        columns = stack.enter_context(array_file(folder / "x-indices.npy", np.int32)) if nodes.sparse else None
        for encoded in nodes.attributes():
            notes["filled_values"] += encoded.filled
            notes["unseen_categories"] += encoded.unseen
            x: Any = encoded.x
            if columns is None:
                values.append(half(x) if float16 else x)
                continue
            values.append(x.data)
            columns.append(x.indices)
            entries.append(np.diff(x.indptr))
    if nodes.sparse:
        total = np.cumsum(np.concatenate(entries))
        index = index_type(nodes.width, int(total[-1]))
        np.save(folder / "x-indptr.npy", total.astype(index))
        if index is not np.int32:
            _widen(folder / "x-indices.npy")
    return notes


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
