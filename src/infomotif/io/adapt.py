"""Graphs of other libraries as a Graph."""

from __future__ import annotations

from typing import Any

from infomotif.errors import InputError
from infomotif.graph import Graph


def as_graph(graph: Any) -> Graph:
    """Return ``graph`` as a :class:`Graph`: one already, a PyG ``Data`` or a NetworkX graph.

    Raises:
        InputError: If it is none of these.

    Example:
        >>> import networkx as nx
        >>> as_graph(nx.path_graph(3)).num_edges
        2
    """
    if isinstance(graph, Graph):
        return graph
    if hasattr(graph, "edge_index"):
        from infomotif.io.formats.pyg import from_pyg

        return from_pyg(graph)
    if hasattr(graph, "adj") and hasattr(graph, "is_directed"):
        from infomotif.io.formats.networkx import from_networkx

        return from_networkx(graph)
    raise InputError(f"graph must be an infomotif.Graph, a PyG Data or a NetworkX graph (got {type(graph).__name__})")
