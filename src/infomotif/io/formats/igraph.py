"""igraph graphs."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.schema import Schema
from infomotif.io.formats.node_records import graph_from_records
from infomotif.io.options import MAX_FLOAT32, Fill, ReadOptions, column_names
from infomotif.io.tables.types import record_types, type_column

if TYPE_CHECKING:
    import igraph


def from_igraph(
    graph: igraph.Graph,
    *,
    label: str | None = None,
    weight: str | None = None,
    node_type: str | None = None,
    edge_type: str | None = None,
    sign: str | None = None,
    drop_unsigned: bool = False,
    fill: Fill = None,
    ignore: Collection[str] = (),
    categorical: Collection[str] = (),
    numeric: Collection[str] = (),
    schema: Schema | Mapping[str, Any] | None = None,
    name: str | None = None,
) -> Graph:
    """Turn an igraph graph into a Graph: vertex attributes become attributes, as the columns of a file would.

    Args:
        graph: Any igraph graph; parallel edges count once. The vertex attribute ``name`` names the nodes.
        label: The vertex attribute that is the label; None takes ``label`` where there is one.
        weight: The edge attribute that is the weight; None takes ``weight`` where there is one.
        node_type: The vertex attribute that is the type.
        edge_type: The edge attribute that is the type.
        sign: The edge attribute that is the sign: a number above or below 0, + or -.
        drop_unsigned: Whether edges whose sign is missing or 0 are dropped and counted; else they are refused.
        fill: What replaces missing values, as in ``read_csv``.
        ignore: Vertex attributes to leave out.
        categorical: Vertex attributes that become one-hot although they hold numbers.
        numeric: Vertex attributes that stay numbers although their whole numbers look like codes.
        schema: The attributes as a model was trained on them, as in ``read_csv``.
        name: What the graph is called.

    Raises:
        InputError: If a value is missing, not finite, or neither number, boolean nor text, or a weight is not a number.

    Example:
        >>> import igraph
        >>> from_igraph(igraph.Graph.Ring(4))
        Graph('graph', 4 nodes, 4 undirected edges, no attributes, no labels)
    """
    if not hasattr(graph, "vcount") or not hasattr(graph, "get_edgelist"):
        raise InputError(f"expected an igraph graph (got {type(graph).__name__})")
    ends = np.array(graph.get_edgelist(), dtype=np.int64).reshape(-1, 2)
    keys = [key for key in graph.vs.attributes() if key != "name"]
    columns = [graph.vs[key] for key in keys]
    n = graph.vcount()
    options = ReadOptions(
        label=label, node_type=node_type, edge_type=edge_type, sign=sign, drop_unsigned=drop_unsigned, fill=fill,
        ignore=column_names(ignore), categorical=column_names(categorical), numeric=column_names(numeric),
        schema=schema,
    )  # fmt: skip
    key, _ = type_column(options)
    kinds = [None] * len(ends) if key not in graph.es.attributes() else graph.es[key]
    types = record_types(kinds, options, lambda row: f"igraph edge {tuple(ends[row].tolist())}")
    title = name or str(graph["name"] if "name" in graph.attributes() else "graph")
    weights = _weights(graph, weight, ends)
    if (
        not keys
        and label is None
        and node_type is None
        and types is None
        and schema is None
        and "name" not in graph.vs.attributes()
    ):
        return Graph.from_edges(*ends.T, num_nodes=n, directed=graph.is_directed(), weights=weights, name=title)
    names = [str(v) for v in (graph.vs["name"] if "name" in graph.vs.attributes() else range(n))]
    return graph_from_records(
        names,
        [dict(zip(keys, values, strict=True)) for values in zip(*columns, strict=True)] if keys else [{}] * n,
        ends,
        options,
        where="igraph",
        location=lambda row: f"vertex '{names[row]}'",
        directed=graph.is_directed(),
        name=title,
        weights=weights,
        edge_types=types,
    )


def _weights(graph: igraph.Graph, key: str | None, ends: Any) -> list[float] | None:
    known = graph.es.attributes()
    if key is not None and key not in known:
        raise InputError(
            f"igraph: edges have no '{key}'; attributes: {', '.join(known) or 'none'} (choose with weight=)"
        )
    key = key or ("weight" if "weight" in known else None)
    if key is None or not len(ends):
        return None
    values = graph.es[key]
    for value, (u, v) in zip(values, ends.tolist(), strict=True):
        if isinstance(value, str) or not _finite(value):
            raise InputError(f"igraph edge ({u}, {v}): '{key}' is {value!r}, not a finite number; correct it")
    return [float(value) for value in values]


def _finite(value: Any) -> bool:
    try:
        return abs(float(value)) <= MAX_FLOAT32
    except (TypeError, ValueError, OverflowError):
        return False
