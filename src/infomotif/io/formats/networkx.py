"""NetworkX graphs."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from itertools import chain
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.schema import Schema
from infomotif.io.formats.node_records import graph_from_records
from infomotif.io.options import MAX_FLOAT32, Fill, ReadOptions, column_names
from infomotif.io.tables.types import record_types, type_column

if TYPE_CHECKING:
    import networkx


def from_networkx(
    graph: networkx.Graph,
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
    """Turn a NetworkX graph into a Graph: node attributes become attributes, as the columns of a file would.

    Args:
        graph: Any NetworkX graph; parallel edges count once. ``graph.graph["node_default"]``, as NetworkX keeps it
            for GraphML, replaces attributes that a node lacks.
        label: The node attribute that is the label; None takes ``label`` where there is one.
        weight: The edge attribute that is the weight; None takes ``weight`` where there is one.
        node_type: The node attribute that is the type.
        edge_type: The edge attribute that is the type.
        sign: The edge attribute that is the sign: a number above or below 0, + or -.
        drop_unsigned: Whether edges whose sign is missing or 0 are dropped and counted; else they are refused.
        fill: What replaces missing values, as in ``read_csv``.
        ignore: Node attributes to leave out.
        categorical: Node attributes that become one-hot although they hold numbers.
        numeric: Node attributes that stay numbers although their whole numbers look like codes.
        schema: The attributes as a model was trained on them, as in ``read_csv``.
        name: What the graph is called.

    Raises:
        InputError: If a value is missing, not finite, or neither number, boolean nor text, or a weight is not a number.

    Example:
        >>> import networkx as nx
        >>> club = nx.path_graph(3)
        >>> nx.set_node_attributes(club, {0: 1.0, 1: 2.0, 2: 3.0}, "age")
        >>> from_networkx(club)
        Graph('graph', 3 nodes, 2 undirected edges, 1 attributes, no labels)
    """
    if not hasattr(graph, "is_directed") or not hasattr(graph, "adj"):
        raise InputError(f"expected a NetworkX graph (got {type(graph).__name__})")
    nodes = list(graph.nodes)
    options = ReadOptions(
        label=label, node_type=node_type, edge_type=edge_type, sign=sign, drop_unsigned=drop_unsigned, fill=fill,
        ignore=column_names(ignore), categorical=column_names(categorical), numeric=column_names(numeric),
        schema=schema,
    )  # fmt: skip
    types = None
    key, _ = type_column(options)
    if key is not None:
        listed = list(graph.edges(data=True))
        kinds = [data.get(key) for _, _, data in listed]
        types = record_types(kinds, options, lambda row: f"NetworkX edge ('{listed[row][0]}', '{listed[row][1]}')")
    ends, weights = _edges(graph, nodes, weight, in_order=key is not None)
    return graph_from_records(
        [str(node) for node in nodes],
        [dict(graph.nodes[node]) for node in nodes],
        ends,
        options,
        where="NetworkX",
        location=lambda row: f"node '{nodes[row]}'",
        directed=graph.is_directed(),
        name=name or str(graph.name or "graph"),
        weights=weights,
        defaults=graph.graph.get("node_default"),
        edge_types=types,
    )


def edges_from_networkx(graph: networkx.Graph) -> Graph:
    """Turn a NetworkX graph into a Graph with its nodes and edges, and nothing else."""
    nodes = list(graph.nodes)
    source, target = _ends([row for _, row in graph.adjacency()], {node: v for v, node in enumerate(nodes)})
    once = slice(None) if graph.is_directed() else source <= target
    return Graph.from_edges(
        source[once],
        target[once],
        num_nodes=len(nodes),
        directed=graph.is_directed(),
        names=[str(node) for node in nodes],
        name=str(graph.name or "graph"),
    )


def _ends(rows: list[Any], number: Mapping[Any, int]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return start and end of every entry of the adjacency's rows."""
    source = np.repeat(np.arange(len(rows)), [len(row) for row in rows])
    return source, np.fromiter(map(number.__getitem__, chain.from_iterable(rows)), np.int64, len(source))


def _edges(
    graph: networkx.Graph, nodes: list[Any], weight: str | None, *, in_order: bool
) -> tuple[NDArray[np.int64], list[float] | NDArray[np.float64] | None]:
    """Return the ends of the edges by node number, and their weights if any; ``in_order`` as NetworkX lists them."""
    key = weight or "weight"
    number = {node: v for v, node in enumerate(nodes)}
    if not in_order and not graph.is_multigraph():
        # Rows of the adjacency, without a tuple per edge: three times as fast on 40,000 edges.
        rows = [row for _, row in graph.adjacency()]
        values = [data.get(key) if data else None for data in chain.from_iterable(row.values() for row in rows)]
        kinds = set(map(type, values))
        if (weight is None and kinds <= {type(None)}) or (kinds and kinds <= {int, float}):
            source, target = _ends(rows, number)
            once = slice(None) if graph.is_directed() else source <= target
            ends = np.stack([source[once], target[once]], axis=1)
            weights = None if kinds <= {type(None)} else np.array(values, np.float64)[once]
            if weights is None or (np.abs(weights) <= MAX_FLOAT32).all():
                return ends, weights
    edges = [(number[u], number[v], data) for u, v, data in graph.edges(data=True)]
    ends = np.array([(u, v) for u, v, _ in edges], dtype=np.int64).reshape(-1, 2)
    if weight is None and all(data.get(key) is None for _, _, data in edges):
        return ends, None
    return ends, [_weight(data.get(key), key, nodes[u], nodes[v]) for u, v, data in edges] or None


def _weight(value: Any, key: str, u: Any, v: Any) -> float:
    if value is None:
        raise InputError(f"NetworkX edge ('{u}', '{v}'): '{key}' is missing; add it or remove all of them")
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        number = math.nan
    if not abs(number) <= MAX_FLOAT32:
        raise InputError(f"NetworkX edge ('{u}', '{v}'): '{key}' is {value!r}, not a finite number; correct it")
    return number
