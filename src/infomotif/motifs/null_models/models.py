"""How each null model makes a random graph."""

from __future__ import annotations

import numpy as np

from infomotif.graph import Graph
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.null_models.edge_arrays import EdgeArrays, make_graph
from infomotif.motifs.null_models.kernels import switch_alike, switch_arcs
from infomotif.motifs.null_models.rearrangements import (
    no_rearrangements_of_five,
    rearrangements,
    rearrangements_of_five,
)
from infomotif.motifs.null_models.switching import switch_edges
from infomotif.typing import Array

MAX_EDGES_OF_FIVE = 256
"""Up to how many edges moves among five nodes are tried: in larger graphs three edges hardly ever meet."""


def keep_reciprocal_degrees(graph: Graph, seed: np.uint64, switches: int) -> Graph:
    """Keep every node's in-, out- and reciprocal degree: switch ends, and rearrange edges among few nodes."""
    edges = EdgeArrays.of(graph)
    small = graph.directed and len(edges.source) <= MAX_EDGES_OF_FIVE
    five = rearrangements_of_five() if small else no_rearrangements_of_five()
    switch_edges(edges.source, edges.target, edges.singles, graph.num_nodes, switches, seed, *rearrangements(), *five)
    return edges.to_graph()


def keep_degrees(graph: Graph, seed: np.uint64, switches: int) -> Graph:
    """Keep every node's in- and out-degree: switch targets, and turn directed 3-cycles."""
    if not graph.directed:
        return keep_reciprocal_degrees(graph, seed, switches)
    source, target = (ends.astype(np.int64) for ends in graph.edges())
    switch_arcs(source, target, graph.num_nodes, switches, seed)
    return make_graph(graph, source, target)


def keep_joint_degrees(graph: Graph, seed: np.uint64, switches: int) -> Graph:
    """Keep every node's degrees, and how many edges join nodes of each two degrees: switch ends of equal degrees."""
    edges = EdgeArrays.of(graph)
    degrees = DyadGraph(graph, directed=True).degrees
    _, kind_of = np.unique(degrees, axis=0, return_inverse=True)
    ends = np.stack([edges.source, edges.target], axis=1).ravel()
    # The start and the end of a single edge are different sides, those of a mutual edge are not.
    side = np.tile([0, 1], len(edges.source))
    side[2 * edges.singles :] = 2
    _, group_of = np.unique(3 * kind_of.ravel()[ends] + side, return_inverse=True)
    members = np.argsort(group_of, kind="stable")
    first = np.concatenate([[0], np.cumsum(np.bincount(group_of))]).astype(np.int64)
    switch_alike(ends, graph.num_nodes, switches, seed, group_of, first, members)
    return EdgeArrays(graph, ends[::2], ends[1::2], edges.singles).to_graph()


def keep_edge_numbers(graph: Graph, seed: np.uint64, switches: int) -> Graph:
    """Keep the numbers of nodes, of single and of mutual edges (Erdős and Rényi): draw pairs of nodes at random."""
    edges = EdgeArrays.of(graph)
    rng = np.random.default_rng(int(seed))
    low, high = random_pairs(graph.num_nodes, len(edges.source), rng)
    turned = rng.random(len(low)) < 0.5
    source, target = np.where(turned, high, low), np.where(turned, low, high)
    return EdgeArrays(graph, source, target, edges.singles).to_graph()


def random_pairs(n: int, count: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Draw so many different pairs of different nodes, uniformly and in random order; the smaller node first.

    Example:
        >>> low, high = random_pairs(4, 6, np.random.default_rng(0))
        >>> sorted(zip(low.tolist(), high.tolist()))
        [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    """
    possible = n * (n - 1) // 2
    if 2 * count > possible:
        low, high = np.triu_indices(n, 1)
        chosen = rng.permutation(possible)[:count]
        return low[chosen].astype(np.int64), high[chosen].astype(np.int64)
    found = np.empty(0, np.int64)
    while len(found) < count:
        ends = rng.integers(0, n, (2, count - len(found) + 16))
        low, high = ends.min(axis=0), ends.max(axis=0)
        found = np.unique(np.concatenate([found, (low * n + high)[low != high]]))
    # The set of all pairs drawn so far is symmetric in the pairs, and so is a random part of it.
    found = rng.permutation(found)[:count]
    return found // n, found % n
