"""Random graphs that keep types: only ends of edges of one type, between nodes of the same types, are switched."""

from __future__ import annotations

import numpy as np

from infomotif.graph import Graph
from infomotif.motifs.colours.view import ColouredView
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.null_models.kernels import switch_alike
from infomotif.typing import Array


def keep_coloured_degrees(graph: Graph, seed: np.uint64, switches: int) -> Graph:
    """Keep every node's degree of each class of edges: their types in both directions, and the types of their ends."""
    return _switched(graph, seed, switches, np.zeros(graph.num_nodes, np.int64))


def keep_coloured_joint_degrees(graph: Graph, seed: np.uint64, switches: int) -> Graph:
    """Keep these degrees, and how many edges of each class join nodes of each two degrees."""
    degrees = DyadGraph(graph, directed=True).degrees
    return _switched(graph, seed, switches, np.unique(degrees, axis=0, return_inverse=True)[1].ravel())


def _switched(graph: Graph, seed: np.uint64, switches: int, kind_of: Array) -> Graph:
    """Switch ends of edges of one class, whose nodes are of one kind."""
    view = DyadGraph(graph, directed=True)
    colours = ColouredView(graph, view)
    first = np.repeat(np.arange(graph.num_nodes), np.diff(view.indptr))
    once = first < view.indices
    ends = np.stack([first[once], view.indices[once]], axis=1).astype(np.int64)
    there, back = colours.out[once].astype(np.int64), colours.back[once].astype(np.int64)
    types = colours.types.astype(np.int64)
    # Both ways to look at an edge; the smaller one is its class, so that it does not depend on the nodes' numbers.
    keys = [
        ((types[ends[:, i]] << 8 | types[ends[:, 1 - i]]) << 32) + (one << 16) + two
        for i, one, two in ((0, there, back), (1, back, there))
    ]
    turned = keys[1] < keys[0]
    ends[turned] = ends[turned][:, ::-1]
    there, back = np.where(turned, back, there), np.where(turned, there, back)
    _, edge_class = np.unique(np.minimum(*keys), return_inverse=True)
    # The ends of an edge that looks the same from both are of one side.
    side = np.where((keys[0] == keys[1])[:, None], 2, np.array([0, 1]))
    flat = ends.ravel()
    group = (edge_class[:, None] * 3 + side).ravel() * (1 + int(kind_of.max(initial=0))) + kind_of[flat]
    _, group_of = np.unique(group, return_inverse=True)
    members = np.argsort(group_of, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(group_of))]).astype(np.int64)
    switch_alike(flat, graph.num_nodes, switches, seed, group_of, starts, members)
    return _graph(graph, flat[::2], flat[1::2], there, back)


def _graph(like: Graph, first: Array, second: Array, there: Array, back: Array) -> Graph:
    """Return the graph of edges with types in both directions, with the nodes of the old one."""
    source, target, types = first, second, there
    if like.directed:
        out, into = there > 0, back > 0
        source = np.concatenate([first[out], second[into]])
        target = np.concatenate([second[out], first[into]])
        types = np.concatenate([there[out], back[into]])
    return Graph.from_edges(
        source,
        target,
        num_nodes=like.num_nodes,
        directed=like.directed,
        node_types=like.node_types,
        node_type_names=like.node_type_names or None,
        edge_types=None if like.edge_types is None else types - 1,
        edge_type_names=like.edge_type_names or None,
        name=like.name,
    )
