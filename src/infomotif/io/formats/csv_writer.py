"""Writers of CSV and parquet pairs, and the schema with which they are read back exactly."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import scipy.sparse as sp

from infomotif._core.files import whole_file
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.checks import as_float32
from infomotif.graph.schema import Column, Schema
from infomotif.io.tables.bytes import AnyPath
from infomotif.io.tables.labels import require_class_names


def written_schema(graph: Graph) -> Schema:
    """Return the schema of what :func:`write_csv` writes: every attribute a number, the classes in their order.

    Example:
        >>> graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, x=[[1], [2]], attribute_names=["age"])
        >>> written_schema(graph).columns
        (Column(name='age', kind='numeric', categories=(), fill=None),)
    """
    columns = tuple(Column(name, "numeric") for name in graph.attribute_names)
    return Schema(columns, None if graph.y is None else "label", graph.class_names)


def write_csv(graph: Graph, edges: AnyPath, nodes: AnyPath) -> None:
    r"""Write a graph as CSV: edges (source, target, weight if any) and nodes (id, label if any, attributes).

    An undirected edge is written once. A path that ends in .gz is compressed.

    Raises:
        InputError: If a name cannot stand in such a file.

    Example:
        >>> import tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> graph = Graph.from_edges([0], [1], num_nodes=2, directed=True)
        >>> write_csv(graph, folder / "edges.csv", folder / "nodes.csv")
        >>> (folder / "edges.csv").read_text()
        '"source","target"\n"0","1"\n'
    """
    from pyarrow import csv

    _write(graph, edges, nodes, csv.write_csv, packed=True)


def write_parquet(graph: Graph, edges: AnyPath, nodes: AnyPath) -> None:
    """Write a graph as a parquet pair with the columns of :func:`write_csv`.

    Raises:
        InputError: If a name cannot stand in such a file.
    """
    import pyarrow.parquet as pq

    _write(graph, edges, nodes, pq.write_table, packed=False)


def _write(graph: Graph, edges: AnyPath, nodes: AnyPath, write: Callable[[Any, Any], None], *, packed: bool) -> None:
    import pyarrow as pa

    for path, columns in ((edges, _edge_columns(graph)), (nodes, _node_columns(graph))):
        with whole_file(path) as aside:
            if packed and Path(path).suffix == ".gz":
                with pa.CompressedOutputStream(str(aside), "gzip") as stream:
                    write(pa.table(columns), stream)
            else:
                write(pa.table(columns), str(aside))


def _edge_columns(graph: Graph) -> dict[str, Any]:
    import pyarrow as pa

    source, target = graph.edges()
    once = slice(None) if graph.directed else source < target
    names = pa.array(graph.names.tolist(), type=pa.string())
    columns = {"source": names.take(pa.array(source[once])), "target": names.take(pa.array(target[once]))}
    if graph.csr.weights is not None:
        columns["weight"] = pa.array(np.asarray(graph.csr.weights[once]))
    return columns


def _node_columns(graph: Graph) -> dict[str, Any]:
    import pyarrow as pa

    names: list[str] = graph.names.tolist()
    require_class_names(graph.class_names)
    if "" in names:
        raise InputError("an empty name cannot be written: an empty field means that the value is missing")
    columns: dict[str, Any] = {"id": pa.array(names, type=pa.string())}
    if graph.y is not None:
        classes: list[str | None] = [*graph.class_names, None]
        columns["label"] = pa.array([classes[int(c)] for c in graph.y], type=pa.string())
    x = None if graph.x is None else sp.csc_array(as_float32(graph.x))
    for j, name in enumerate(graph.attribute_names):
        if name in columns or name in ("id", "label") or not name:
            raise InputError(f"attribute names must differ from each other and from id and label (got '{name}')")
        if x is not None:
            columns[name] = pa.array(x[:, [j]].toarray()[:, 0])
    return columns
