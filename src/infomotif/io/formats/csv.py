"""CSV or parquet pairs: a file of edges and a file of nodes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.schema import Schema, as_schema
from infomotif.io.tables.bytes import AnyPath
from infomotif.io.tables.edges import ids_of_edges, number_ends, read_edges
from infomotif.io.tables.encode import Fill
from infomotif.io.tables.labels import require_labels
from infomotif.io.tables.nodes import read_nodes

_UNKNOWN = ("error", "drop")


def read_csv(
    edges: AnyPath,
    nodes: AnyPath | None = None,
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
    schema: Schema | Mapping[str, Any] | None = None,
    name: str | None = None,
) -> Graph:
    r"""Read a graph from a CSV or parquet file of edges and one of nodes, plain or gz.

    Ids are text, exactly as they stand. Every column of the nodes file besides id and label is an attribute:
    numbers and booleans as they are, text one-hot (``column=value``). A node whose label is missing is one to
    predict. An empty field is a missing value; among labels and in a column of numbers so are NA, NaN, null and None.
    Without a nodes file the nodes are those of the edges.

    Args:
        edges: The file of edges.
        nodes: The file of nodes, or None.
        label: The label column; None takes ``label`` where there is one.
        source: The column of an edge's start.
        target: The column of an edge's end.
        weight: The column of an edge's weight; None takes ``weight`` where there is one.
        node_id: The column of a node's id.
        directed: Whether an edge has a direction.
        fill: What stands for missing attribute values: a number, ``"mean"`` (of the column) or ``"zero"``; a
            missing category becomes all zeros. None refuses missing values.
        ignore: Columns of the nodes file that are no attributes.
        categorical: Columns that become one-hot although they hold numbers.
        unknown: ``"error"`` refuses edges that name a node without a row, ``"drop"`` drops and counts them.
        max_categories: The most values that a categorical column may have.
        delimiter: What separates the fields; by default what the first line suggests.
        schema: ``graph.schema`` of the graph that a model was trained on, or the model's ``schema_``. The attributes
            are then exactly the same; a category that was not there then is all zeros and counted in the notes.
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
    if unknown not in _UNKNOWN:
        raise InputError(f"unknown must be one of {', '.join(_UNKNOWN)} (got '{unknown}')")
    if nodes is None and label is not None:
        raise InputError(f"a label column ('{label}') needs a nodes file (nodes=, --nodes)")
    schema = as_schema(schema)
    if nodes is None and schema is not None and schema.columns:
        raise InputError("the model was trained with attributes; give the nodes file too (nodes=, --nodes)")
    fields: dict[str, Any] = {}
    if nodes is not None:
        fields = read_nodes(nodes, node_id, label, fill, ignore, categorical, max_categories, delimiter, schema)
    ends = read_edges(edges, source, target, weight, delimiter)
    ids = fields.pop("ids", None)
    ids = ids_of_edges(ends) if ids is None else ids
    start, stop, weights, dropped = number_ends(ends, ids, unknown, nodes)
    del ends
    notes = fields.pop("notes", {})
    graph = Graph.from_edges(
        start,
        stop,
        num_nodes=len(ids),
        directed=directed,
        weights=weights,
        names=ids.to_pylist(),
        name=name or Path(edges).name.removesuffix(".gz").split(".")[0],
        notes={"unknown_endpoints": dropped, **notes},
        **fields,
    )
    if label is not None and schema is None:
        require_labels(graph, f"{nodes}, column '{label}'")
    return graph
