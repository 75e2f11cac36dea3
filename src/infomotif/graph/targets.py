"""Targets: the nodes that labels are about. On a typed graph these are the nodes of the types that have labels."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from infomotif.errors import unknown_name
from infomotif.graph.graph import Graph
from infomotif.typing import Array


def target_types(graph: Graph) -> tuple[str, ...]:
    """Return the node types that have at least one labelled node; none without node types or labels.

    Example:
        >>> kinds = ["movie", "actor", "actor"]
        >>> graph = Graph.from_edges([0, 0], [1, 2], num_nodes=3, directed=False, node_types=kinds, y=[1, -1, -1])
        >>> target_types(graph)
        ('movie',)
    """
    if graph.node_types is None or graph.y is None:
        return ()
    return tuple(graph.node_type_names[code] for code in np.unique(graph.node_types[graph.y >= 0]).tolist())


def unlabelled_types(graph: Graph) -> tuple[str, ...]:
    """Return the node types without any label, where another type has labels.

    Example:
        >>> graph = Graph.from_edges([0], [1], num_nodes=2, directed=False, node_types=["movie", "actor"], y=[1, -1])
        >>> unlabelled_types(graph)
        ('actor',)
    """
    labelled = target_types(graph)
    return tuple(name for name in graph.node_type_names if labelled and name not in labelled)


def nodes_of_types(graph: Graph, types: Sequence[str]) -> Array:
    """Return the numbers of the nodes of some types, ascending.

    Raises:
        InputError: If the graph has no such type.
    """
    for name in types:
        if name not in graph.node_type_names:
            raise unknown_name("node type", name, graph.node_type_names)
    codes = [graph.node_type_names.index(name) for name in types]
    of_node = np.empty(0, np.uint8) if graph.node_types is None else graph.node_types
    return np.flatnonzero(np.isin(of_node, codes))


def target_nodes(graph: Graph) -> Array | None:
    """Return the nodes that labels are about; None if these are all nodes.

    Example:
        >>> kinds = ["movie", "actor", "movie"]
        >>> graph = Graph.from_edges([0, 2], [1, 1], num_nodes=3, directed=False, node_types=kinds, y=[1, -1, -1])
        >>> target_nodes(graph).tolist()
        [0, 2]
    """
    types = target_types(graph)
    nodes = nodes_of_types(graph, types) if types else None
    return None if nodes is None or len(nodes) == graph.num_nodes else nodes
