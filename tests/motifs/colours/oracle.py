"""Coloured motifs by definition: every way to put nodes into the positions is tried."""

from __future__ import annotations

from itertools import permutations

import numpy as np

from infomotif.graph import Graph
from infomotif.motifs import Motif


def random_graph(
    n: int, m: int, *, directed: bool, node_types: int, edge_types: int, seed: int, signed: bool = False
) -> Graph:
    """Draw a graph with uniformly random edges and types; 0 types means none."""
    rng = np.random.default_rng(seed)
    pairs = [(u, v) for u in range(n) for v in range(n) if u != v and (directed or u < v)]
    ends = np.array([pairs[i] for i in rng.permutation(len(pairs))[:m]]).reshape(-1, 2)
    kinds = ["+", "-"] if signed else [f"k{i}" for i in range(edge_types)]
    return Graph.from_edges(
        ends[:, 0],
        ends[:, 1],
        num_nodes=n,
        directed=directed,
        node_types=rng.integers(0, node_types, n) if node_types else None,
        node_type_names=[f"t{i}" for i in range(node_types)] if node_types else None,
        edge_types=rng.integers(0, len(kinds), len(ends)) if kinds else None,
        edge_type_names=kinds or None,
    )


def occurrences(graph: Graph, motif: Motif) -> set[tuple[int, ...]]:
    """Return the members of each instance in the order of the pattern; of equivalent orders the smallest."""
    held = edge_names(graph)
    found = set()
    for nodes in permutations(range(graph.num_nodes), motif.size):
        if all(_fits(graph, held, motif, nodes, i, j) for i in range(motif.size) for j in range(motif.size)):
            found.add(min(tuple(nodes[a[i]] for i in range(motif.size)) for a in motif.automorphisms))
    return found


def orbit_counts(graph: Graph, motif: Motif) -> np.ndarray:
    """Count the instances at each node in each orbit."""
    counts = np.zeros((graph.num_nodes, len(motif.orbits)), np.int64)
    for members in occurrences(graph, motif):
        for o, orbit in enumerate(motif.orbits):
            for position in orbit:
                counts[members[position], o] += 1
    return counts


def edge_names(graph: Graph) -> dict[tuple[int, int], str]:
    """Return the type of each directed edge, "*" without types."""
    source, target = graph.edges()
    kinds = ["*"] * len(source)
    if graph.edge_types is not None:
        kinds = [graph.edge_type_names[t] for t in graph.edge_types.tolist()]
    return dict(zip(zip(source.tolist(), target.tolist(), strict=True), kinds, strict=True))


def _fits(graph: Graph, held: dict[tuple[int, int], str], motif: Motif, nodes: tuple[int, ...], i: int, j: int) -> bool:
    u, v = nodes[i], nodes[j]
    if i == j:
        wanted = motif.node_types[i] if motif.node_types else ""
        return not wanted or graph.node_type_names[int(graph.node_types[u])] == wanted  # type: ignore[index]
    there, back = held.get((u, v)), held.get((v, u))
    wanted = motif.edge_types[i][j] if motif.edge_types else ""
    if motif.directed:
        code = (there is not None) + 2 * (back is not None)
        return code == motif.codes[i][j] and (not wanted or there == wanted)
    joined = (
        sorted({kind for kind in (there, back) if kind is not None}, key=list(graph.edge_type_names).index)
        if (graph.edge_type_names)
        else [kind for kind in (there, back) if kind][:1]
    )
    return bool(joined) == bool(motif.codes[i][j]) and (not wanted or "&".join(joined) == wanted)
