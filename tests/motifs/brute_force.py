"""Oracles that examine every subset of nodes in plain Python, and small random graphs for them."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations

import numpy as np
from hypothesis import strategies as st

from infomotif.graph import Graph
from infomotif.motifs import Motif

SHAPED = [
    "a->b, c->b, c->d, a->d",
    "a->b, a->c, a->d, b->c, b->d",
    "a->b, a->c, a->d, b->c, b->d, c->d",
]
"""Directed patterns whose shapes are the cycle, the diamond and the clique."""
CUSTOM = ["a->b, b->c, c<->d", "a->b, a->c, a->d, c->d", "a->b, b->c, c->d, d->a"]


def code_matrix(graph: Graph, directed: bool) -> np.ndarray:
    edges = np.zeros((graph.num_nodes, graph.num_nodes), np.int64)
    edges[graph.edges()] = 1
    if not directed:
        edges |= edges.T
    return edges + 2 * edges.T


@cache
def _order(found: tuple[tuple[int, ...], ...], wanted: tuple[tuple[int, ...], ...]) -> tuple[int, ...] | None:
    k = len(found)
    for order in permutations(range(k)):
        if all(found[order[i]][order[j]] == wanted[i][j] for i in range(k) for j in range(k)):
            return order
    return None


def all_instances(graph: Graph, motif: Motif) -> list[tuple[int, ...]]:
    """Return the members of every instance in pattern order, of equivalent orders the smallest, ascending."""
    codes = code_matrix(graph, motif.directed)
    instances = []
    for nodes in combinations(range(graph.num_nodes), motif.size):
        found = tuple(tuple(row) for row in codes[np.ix_(nodes, nodes)].tolist())
        order = _order(found, motif.codes)
        if order is not None:
            instances.append(tuple(nodes[i] for i in order))
    return sorted(instances)


def orbit_counts(graph: Graph, motif: Motif, instances: list[tuple[int, ...]]) -> np.ndarray:
    counts = np.zeros((graph.num_nodes, len(motif.orbits)), np.int64)
    for members in instances:
        for o, orbit in enumerate(motif.orbits):
            for position in orbit:
                counts[members[position], o] += 1
    return counts


def shared_instances(n: int, instances: list[tuple[int, ...]]) -> np.ndarray:
    shared = np.zeros((n, n), np.int64)
    for members in instances:
        for u, v in permutations(members, 2):
            shared[u, v] += 1
    return shared


@st.composite
def graphs(draw, directed: bool, most: int = 12) -> Graph:
    n = draw(st.integers(3, most))
    node = st.integers(0, n - 1)
    pairs = draw(st.lists(st.tuples(node, node), max_size=4 * n))
    source, target = [u for u, _ in pairs], [v for _, v in pairs]
    return Graph.from_edges(source, target, num_nodes=n, directed=directed)


def hub_graph(directed: bool, seed: int = 0) -> Graph:
    """Two hubs over a sparse random rest: nodes of very different degree, with and without triangles."""
    rng = np.random.default_rng(seed)
    n = 26
    source, target = [list(part) for part in rng.integers(0, n, (2, 110))]
    back = rng.random(110) < 0.4
    source, target = [*source, *np.array(target)[back]], [*target, *np.array(source)[back]]
    for hub, share in ((0, 0.9), (1, 0.5)):
        for v in np.flatnonzero(rng.random(n) < share).tolist():
            ends = [(hub, v), (v, hub)] if rng.random() < 0.4 else [(hub, v) if rng.random() < 0.5 else (v, hub)]
            source += [u for u, _ in ends]
            target += [w for _, w in ends]
    return Graph.from_edges(source, target, num_nodes=n, directed=directed)


def closed_hub_graph(directed: bool) -> Graph:
    """A hub of degree 40 over a ring with chords: short rows beside a long one, many diamonds, cycles and cliques."""
    rng = np.random.default_rng(4)
    ring, n = np.arange(1, 41), 41
    source = np.concatenate([np.zeros(40, np.int64), ring, ring, rng.integers(1, n, 25)])
    target = np.concatenate([ring, ring % 40 + 1, (ring + 1) % 40 + 1, rng.integers(1, n, 25)])
    return Graph.from_edges(source, target, num_nodes=n, directed=directed)


def random_graph(n: int, m: int, directed: bool, seed: int = 0) -> Graph:
    ends = np.random.default_rng(seed).integers(0, n, (2, m))
    return Graph.from_edges(ends[0], ends[1], num_nodes=n, directed=directed)
