"""NetworkX graphs."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, Any

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.schema import Schema
from infomotif.io.formats.node_records import graph_from_records
from infomotif.io.options import MAX_FLOAT32, Fill, ReadOptions, column_names

if TYPE_CHECKING:
    import networkx


def from_networkx(
    graph: networkx.Graph,
    *,
    label: str | None = None,
    weight: str | None = None,
    fill: Fill = None,
    ignore: Collection[str] = (),
    categorical: Collection[str] = (),
    schema: Schema | Mapping[str, Any] | None = None,
    name: str | None = None,
) -> Graph:
    """Turn a NetworkX graph into a Graph: node attributes become attributes, as the columns of a file would.

    Args:
        graph: Any NetworkX graph; parallel edges count once. ``graph.graph["node_default"]``, as NetworkX keeps it
            for GraphML, replaces attributes that a node lacks.
        label: The node attribute that is the label; None takes ``label`` where there is one.
        weight: The edge attribute that is the weight; None takes ``weight`` where there is one.
        fill: What replaces missing values, as in ``read_csv``.
        ignore: Node attributes to leave out.
        categorical: Node attributes that become one-hot although they hold numbers.
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
    number = {node: v for v, node in enumerate(nodes)}
    edges = [(number[u], number[v], data) for u, v, data in graph.edges(data=True)]
    key = weight or "weight"
    weighted = weight is not None or any(data.get(key) is not None for _, _, data in edges)
    weights = [_weight(data.get(key), key, nodes[u], nodes[v]) for u, v, data in edges] if weighted else []
    return graph_from_records(
        [str(node) for node in nodes],
        [dict(graph.nodes[node]) for node in nodes],
        [(u, v) for u, v, _ in edges],
        ReadOptions(
            label=label,
            fill=fill,
            ignore=column_names(ignore),
            categorical=column_names(categorical),
            schema=schema,
        ),
        where="NetworkX",
        location=lambda row: f"node '{nodes[row]}'",
        directed=graph.is_directed(),
        name=name or str(graph.name or "graph"),
        weights=weights or None,
        defaults=graph.graph.get("node_default"),
    )


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
