"""Distances in hops, directions ignored."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from infomotif.graph import Graph
from infomotif.typing import Array


def hop_distances(graph: Graph, node: ArrayLike, limit: int | None = None) -> Array:
    """Return how many hops each node is away from ``node``, or the nearest of several; -1 where it is out of reach.

    Args:
        graph: The graph.
        node: Where to start: a node, or several.
        limit: How far to look; everywhere by default.

    Example:
        >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], num_nodes=5, directed=True)
        >>> hop_distances(path, 1).tolist(), hop_distances(path, 0, limit=1).tolist()
        ([1, 0, 1, 2, -1], [0, 1, -1, -1, -1])
    """
    indptr, indices = graph.undirected.indptr, graph.undirected.indices
    distance = np.full(graph.num_nodes, -1)
    front, hops = np.atleast_1d(np.asarray(node, dtype=np.int64)), 0
    distance[front] = 0
    while len(front) and (limit is None or hops < limit):
        hops += 1
        near = np.unique(np.concatenate([indices[indptr[v] : indptr[v + 1]] for v in front.tolist()]))
        front = near[distance[near] < 0]
        distance[front] = hops
    return distance
