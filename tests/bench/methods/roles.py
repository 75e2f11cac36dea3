"""Graphs in which some nodes have the same role, and how well an embedding shows it."""

from __future__ import annotations

import numpy as np
from scipy.spatial.distance import cdist

from infomotif.graph import Graph
from infomotif_bench.experiments.graphs import bench_graph


def mirrored_karate() -> tuple[Graph, np.ndarray]:
    """Two karate clubs joined at node 0, and the role of each node: nodes v and v + 34 are mirror images."""
    karate = bench_graph("karate")
    source, target = karate.edges()
    ends = np.concatenate([source, source + 34, [0]]), np.concatenate([target, target + 34, [34]])
    return Graph.from_edges(*ends, num_nodes=68, directed=False), np.tile(np.arange(34), 2)


def barbell(clique: int = 8, bridge: int = 6) -> tuple[Graph, np.ndarray]:
    """Two cliques at the ends of a path, and the role of each node: its distance from the nearer clique's inside."""
    pairs = [(a, b) for a in range(clique) for b in range(a)]
    pairs += [(a + clique + bridge, b + clique + bridge) for a, b in pairs]
    pairs += [(v, v + 1) for v in range(clique - 1, clique + bridge)]
    n = 2 * clique + bridge
    along = np.minimum(np.arange(n), n - 1 - np.arange(n))
    roles = np.where(along < clique - 1, 0, along - clique + 2)
    return Graph.from_edges(*np.array(pairs).T, num_nodes=n, directed=False), roles


def separation(embedding: np.ndarray, roles: np.ndarray) -> float:
    """Return the mean distance between nodes of one role over that between nodes of different roles."""
    distance = cdist(embedding, embedding)
    same = (roles[:, None] == roles) & ~np.eye(len(roles), dtype=bool)
    return float(distance[same].mean() / distance[roles[:, None] != roles].mean())
