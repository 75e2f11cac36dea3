"""Graphs of other libraries as a Graph."""

from __future__ import annotations

from typing import Any

import scipy.sparse as sp

from infomotif.errors import InputError
from infomotif.graph import Graph


def as_structure(graph: Any) -> Graph:
    """Return ``graph`` as a :class:`Graph` for counting, which needs edges and names only.

    Attributes of a NetworkX graph are not read: values that a model could not take do not matter here.
    """
    if hasattr(graph, "adj") and hasattr(graph, "is_directed"):
        from infomotif.io.formats.networkx import edges_from_networkx

        return edges_from_networkx(graph)
    return as_graph(graph)


def as_graph(graph: Any) -> Graph:
    """Return ``graph`` as a :class:`Graph`.

    Args:
        graph: A :class:`Graph`, a PyG ``Data`` or ``HeteroData``, a NetworkX or igraph graph, a SciPy sparse adjacency
            matrix, an edge index [2, E], or a data frame of edges with the columns ``source`` and ``target``.

    Raises:
        InputError: If it is none of these.

    Example:
        >>> import networkx as nx
        >>> as_graph(nx.path_graph(3)).num_edges
        2
    """
    if isinstance(graph, Graph):
        return graph
    if hasattr(graph, "edge_index") or hasattr(graph, "edge_index_dict"):
        from infomotif.io.formats.pyg import from_pyg

        return from_pyg(graph)
    if hasattr(graph, "adj") and hasattr(graph, "is_directed"):
        from infomotif.io.formats.networkx import from_networkx

        return from_networkx(graph)
    if hasattr(graph, "get_edgelist"):
        from infomotif.io.formats.igraph import from_igraph

        return from_igraph(graph)
    if sp.issparse(graph):
        from infomotif.io.formats.arrays import from_scipy

        return from_scipy(graph)
    if hasattr(graph, "__arrow_c_stream__"):
        from infomotif.io.formats.dataframe import from_dataframe

        return from_dataframe(graph)
    if len(getattr(graph, "shape", ())) == 2:
        from infomotif.io.formats.arrays import from_edge_index

        return from_edge_index(graph)
    raise InputError(
        "graph must be an infomotif.Graph, a PyG Data, a NetworkX or igraph graph, a SciPy sparse matrix, an edge "
        f"index or a data frame of edges (got {type(graph).__name__})"
    )
