"""Tables: CSV or parquet pairs, a file of edges and a file of nodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from infomotif._core.files import whole_file
from infomotif._core.reading.problems import noted, together
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.checks import as_float32
from infomotif.graph.exporters import edge_values
from infomotif.graph.schema import Column, Schema
from infomotif.io.options import Fill, ReadOptions, column_names, graph_name
from infomotif.io.tables.edges import EdgeTables
from infomotif.io.tables.file import TableFile
from infomotif.io.tables.ids import IdTable
from infomotif.io.tables.labels import require_class_names, require_labels
from infomotif.io.tables.nodes import read_nodes
from infomotif.io.tables.table import NamedTables

if TYPE_CHECKING:
    from infomotif.typing import AnyPath


def read_csv(
    edges: AnyPath,
    nodes: AnyPath | None = None,
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
    schema: Schema | Mapping[str, Any] | None = None,
    name: str | None = None,
) -> Graph:
    r"""Read a graph from a CSV or parquet file of edges and one of nodes, plain or gz.

    Ids are text, exactly as written. Every column of the nodes file other than id and label is an attribute:
    numbers and booleans as they are, text one-hot (``column=value``). A node whose label is missing is to be
    predicted. An empty field is a missing value; among labels and in a column of numbers so are NA, NaN, null and None.
    Without a nodes file the nodes are those of the edges.

    Args:
        edges: The file of edges.
        nodes: The file of nodes, or None.
        label: The label column; None takes ``label`` where there is one.
        source: The column of an edge's start.
        target: The column of an edge's end.
        weight: The column of an edge's weight; None takes ``weight`` where there is one.
        node_id: The column of a node's id.
        node_type: The column of a node's type. A column that no node of a type has is not one of that type: its nodes
            have 0 there.
        edge_type: The column of an edge's type.
        sign: The column of an edge's sign: a number above or below 0, + or -. Signs are the edge types + and -.
        drop_unsigned: Whether edges whose sign is empty or 0 are dropped and counted; else they are refused.
        directed: Whether an edge has a direction.
        fill: What replaces missing attribute values: a number, ``"mean"`` (of the column) or ``"zero"``; a
            missing category becomes all zeros. None refuses missing values.
        ignore: Columns of the nodes file that are not attributes.
        categorical: Columns that become one-hot although they hold numbers.
        numeric: Columns that stay numbers although their whole numbers look like codes.
        unknown: ``"error"`` refuses edges that name a node without a row, ``"drop"`` drops and counts them.
        max_categories: The most values that a categorical column may have.
        delimiter: What separates the fields; by default what the first line suggests.
        schema: ``graph.schema`` of the graph that a model was trained on, or the model's ``schema_``. The attributes
            are then exactly the same; a category that is new is all zeros and counted in the notes.
        name: What the graph is called; by default after the edges file.

    Raises:
        InputError: If anything is wrong with a file; the message names file, line and remedy.

    Example:
        >>> import tempfile, pathlib
        >>> folder = pathlib.Path(tempfile.mkdtemp())
        >>> _ = (folder / "edges.csv").write_text("source,target\n007,b\nb,c\n")
        >>> _ = (folder / "nodes.csv").write_text("id,topic,age,city\n007,x,1,Bonn\nb,y,2,Ulm\nc,,3,Ulm\n")
        >>> graph = read_csv(folder / "edges.csv", folder / "nodes.csv", label="topic")
        >>> graph
        Graph('edges', 3 nodes, 2 directed edges, 3 attributes, 2 classes)
        >>> graph.attribute_names, graph.y.tolist(), graph.names.tolist()
        (('age', 'city=Bonn', 'city=Ulm'), [0, 1, -1], ['007', 'b', 'c'])
    """
    options = ReadOptions(
        label=label, source=source, target=target, weight=weight, node_id=node_id, node_type=node_type,
        edge_type=edge_type, sign=sign, drop_unsigned=drop_unsigned, directed=directed, fill=fill,
        ignore=column_names(ignore), categorical=column_names(categorical), numeric=column_names(numeric),
        unknown=unknown, max_categories=max_categories, delimiter=delimiter, schema=schema, name=name,
    )  # fmt: skip
    return read(edges, nodes, options)


def read(edges: AnyPath, nodes: AnyPath | None, options: ReadOptions) -> Graph:
    """Read a pair of files as :func:`read_csv` does.

    Raises:
        InputError: If anything is wrong with a file; the message names file, line and remedy.
    """
    require_nodes(nodes, options)
    with together():
        node_table = None
        with noted():
            node_table = None if nodes is None else TableFile(nodes, options.delimiter)
        edge_table = TableFile(edges, options.delimiter)
    return read_tables(edge_table, node_table, options)


def read_tables(edges: NamedTables, nodes: NamedTables | None, options: ReadOptions) -> Graph:
    """Read a table of edges and one of nodes: files or data frames.

    Raises:
        InputError: If anything is wrong with them.
    """
    require_nodes(nodes, options)
    found: tuple[IdTable | None, dict[str, Any], dict[str, int]] = (None, {}, {})
    with together():
        with noted():
            found = found if nodes is None else _nodes(nodes, options)
        tables = EdgeTables(edges, options)
        ids = tables.ids() if found[0] is None else found[0]
        ((start, stop, weights, types),) = tables.numbered(ids, None if nodes is None else nodes.path)
    _, fields, notes = found
    fields["schema"] = tables.with_types(fields.get("schema"))
    graph = Graph.from_edges(
        start,
        stop,
        num_nodes=len(ids),
        directed=options.directed,
        weights=weights,
        edge_types=types,
        names=ids.ids.to_pylist(),
        name=graph_name(edges.path, options),
        notes={**tables.notes, **notes},
        **tables.fields,
        **fields,
    )
    if options.label is not None and options.schema is None:
        require_labels(graph, f"{'' if nodes is None else nodes.path}, column '{options.label}'")
    return graph


def _nodes(file: NamedTables, options: ReadOptions) -> tuple[IdTable, dict[str, Any], dict[str, int]]:
    """Return the ids, what else the nodes file says of the graph, and notes."""
    nodes = read_nodes(file, options)
    fields, notes = nodes.fields, {}
    for encoded in nodes.attributes():
        fields |= {
            "x": encoded.x,
            "attribute_names": nodes.schema.attribute_names,
            "attribute_types": nodes.attribute_types,
        }
        notes = {"filled_values": encoded.filled, "unseen_categories": encoded.unseen}
    return nodes.ids, fields, notes


def require_nodes(nodes: object | None, options: ReadOptions) -> None:
    """Refuse options that need a nodes file where there is none.

    Raises:
        InputError: If a label column is named, or a model was trained with attributes.
    """
    if nodes is None and options.label is not None:
        raise InputError(f"a label column ('{options.label}') needs a nodes file (nodes=, --nodes)")
    if nodes is None and options.node_type is not None:
        raise InputError(f"a column of node types ('{options.node_type}') needs a nodes file (nodes=, --nodes)")
    if nodes is None and options.schema is not None and options.schema.columns:
        raise InputError("the model was trained with attributes; give the nodes file too (nodes=, --nodes)")


def written_schema(graph: Graph) -> Schema:
    """Return the schema of what :func:`write_csv` writes: every attribute a number, the classes in their order.

    Example:
        >>> graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, x=[[1], [2]], attribute_names=["age"])
        >>> written_schema(graph).columns
        (Column(name='age', kind='numeric', categories=(), fill=None, inferred=False),)
    """
    owners = [-1] * graph.num_attributes if graph.attribute_types is None else graph.attribute_types.tolist()
    types = [(graph.node_type_names[owner],) if owner >= 0 else () for owner in owners]
    columns = tuple(Column(name, "numeric", types=of) for name, of in zip(graph.attribute_names, types, strict=True))
    node_type = None if graph.node_types is None else "type"
    edge_type = None if graph.edge_types is None else "sign" if graph.signed else "type"
    label = None if graph.y is None else "label"
    return Schema(
        columns, label, graph.class_names, (), node_type, graph.node_type_names, edge_type, graph.edge_type_names
    )


def write_csv(graph: Graph, edges: AnyPath, nodes: AnyPath) -> None:
    r"""Write a graph as CSV: edges (source, target, weight if any) and nodes (id, label if any, attributes).

    Types of nodes and edges are in the columns ``type``, signs in the column ``sign`` as 1 and -1. Attributes that only
    one node type has are empty for the others. An undirected edge is written once. A path that ends in .gz is
    compressed.

    Raises:
        InputError: If a name cannot be written to such a file.

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
        InputError: If a name cannot be written to such a file.
    """
    import pyarrow.parquet as pq

    _write(graph, edges, nodes, pq.write_table, packed=False)


def write(graph: Graph, edges: AnyPath, nodes: AnyPath | None) -> None:
    """Write a pair of files, parquet if the name of the edges file says so, else CSV.

    Raises:
        InputError: If there is no nodes file, or a name cannot be written to such a file.
    """
    if nodes is None:
        raise InputError(f"{edges}: tables need a nodes file too (nodes=)")
    (write_parquet if Path(edges).suffix.lower() == ".parquet" else write_csv)(graph, edges, nodes)


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
    if graph.edge_types is not None:
        name, values = edge_values(graph)
        columns[name] = pa.array(values).take(pa.array(graph.edge_types[once]))
    return columns


def _node_columns(graph: Graph) -> dict[str, Any]:
    import pyarrow as pa

    names: list[str] = graph.names.tolist()
    require_class_names(graph.class_names)
    if "" in names:
        raise InputError("an empty name cannot be written, as an empty field means a missing value; name the node")
    columns: dict[str, Any] = {"id": pa.array(names, type=pa.string())}
    if graph.y is not None:
        classes: list[str | None] = [*graph.class_names, None]
        columns["label"] = pa.array([classes[int(c)] for c in graph.y], type=pa.string())
    if graph.node_types is not None:
        columns["type"] = pa.array(graph.node_type_names).take(pa.array(graph.node_types))
    x = None if graph.x is None else sp.csc_array(as_float32(graph.x))
    for j, name in enumerate(graph.attribute_names):
        if name in columns or name in ("id", "label") or not name:
            raise InputError(f"attribute names must differ from each other and from id and label (got '{name}')")
        if x is not None:
            lacking = None
            if graph.attribute_types is not None and graph.attribute_types[j] >= 0:
                lacking = graph.node_types != graph.attribute_types[j]
            columns[name] = pa.array(x[:, [j]].toarray()[:, 0], mask=lacking)
    return columns
