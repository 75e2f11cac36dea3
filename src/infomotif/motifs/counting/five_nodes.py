"""Exact orbit counts of all graphlets of two to five nodes, in the order of ORCA, without enumerating them.

A homomorphism of a rooted graph maps its root to a node and its edges to edges; its nodes may fall together. How many
there are follows from degrees, common neighbours and cliques. The nodes that a homomorphism reaches induce a graphlet,
so homomorphisms are sums of orbit counts with constant factors: a triangular system of 73 equations per node. Cycles of
five nodes are counted as such, each at its node of highest degree: their homomorphisms would take a look at every edge
within two steps of each node. Hocevar and Demsar (2014) count the same orbits by equations between them.
"""

from __future__ import annotations

from functools import cache
from itertools import product
from typing import NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels import five_nodes as kernels
from infomotif.typing import Array

ORBITS = 73
CYCLE = 34

GRAPHLETS = (
    ("ab", (0, 0)),
    ("ac bc", (1, 1, 2)),
    ("ab ac bc", (3, 3, 3)),
    ("ad bc cd", (4, 4, 5, 5)),
    ("ad bd cd", (6, 6, 6, 7)),
    ("ab ad bc cd", (8, 8, 8, 8)),
    ("ad bc bd cd", (9, 10, 10, 11)),
    ("ac ad bc bd cd", (12, 12, 13, 13)),
    ("ab ac ad bc bd cd", (14, 14, 14, 14)),
    ("ad bc ce de", (15, 15, 16, 16, 17)),
    ("ad be ce de", (18, 19, 19, 20, 21)),
    ("ae be ce de", (22, 22, 22, 22, 23)),
    ("ae bd cd ce de", (24, 24, 25, 26, 26)),
    ("ab be cd ce de", (27, 28, 29, 29, 30)),
    ("ae be cd ce de", (31, 31, 32, 32, 33)),
    ("ab ae bc cd de", (34, 34, 34, 34, 34)),
    ("ae bc bd ce de", (35, 36, 37, 37, 38)),
    ("ae bd be cd ce de", (39, 40, 40, 41, 42)),
    ("ab ae be cd ce de", (43, 43, 43, 43, 44)),
    ("ac bd be cd ce de", (45, 46, 47, 48, 48)),
    ("ad ae bd be cd ce", (49, 49, 49, 50, 50)),
    ("ab ad be cd ce de", (51, 51, 52, 53, 53)),
    ("ad ae bd be cd ce de", (54, 54, 54, 55, 55)),
    ("ae bc bd be cd ce de", (56, 57, 57, 57, 58)),
    ("ad ae bc be cd ce de", (59, 59, 60, 60, 61)),
    ("ab ac bd be cd ce de", (62, 63, 63, 64, 64)),
    ("ad ae bc bd be cd ce de", (65, 66, 66, 67, 67)),
    ("ab ad ae bc be cd ce de", (68, 68, 68, 68, 69)),
    ("ac ad ae bc bd be cd ce de", (70, 70, 71, 71, 71)),
    ("ab ac ad ae bc bd be cd ce de", (72, 72, 72, 72, 72)),
)
"""The connected graphs of two to five nodes, and the orbit of each node in the numbering of Przulj and ORCA."""


_FIVE = {orbit for _, orbits in GRAPHLETS if len(orbits) == 5 for orbit in orbits}


class RankedGraph(NamedTuple):
    """An undirected graph whose nodes are numbered by degree.

    Attributes:
        ptr: Row pointers [n + 1].
        idx: Neighbours, ascending [2 m].
        up: Where the neighbours of higher rank begin in each row [n].
        reverse: Entry (x, v) of each entry (v, x) [2 m].
        shared: Common neighbours of the ends of each entry [2 m].
        first: Where the list of these begins in ``third`` [2 m].
        third: The common neighbours of each edge, three entries per triangle.
        work: Cumulative estimate of the work per node, to balance threads by [n + 1].
    """

    ptr: Array
    idx: Array
    up: Array
    reverse: Array
    shared: Array
    first: Array
    third: Array
    work: Array


def orbit_counts5(graph: Graph) -> Array:
    """Count the graphlets of two to five nodes that contain each node, per orbit [n, 73]; directions are ignored.

    Columns are ORCA's orbits 0 to 72, the graphlet degree vector. Memory is about 130 bytes per edge, 12 bytes per
    triangle and 2,000 bytes per node.

    Args:
        graph: The graph.

    Raises:
        InputError: If counts may exceed 64 bits, which takes a node of more than 50,000 neighbours.

    Example:
        >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], num_nodes=4, directed=False)
        >>> np.flatnonzero(orbit_counts5(square)[0]).tolist()
        [0, 1, 2, 8]
    """
    return five_node_orbits(DyadGraph(graph, directed=False))


def five_node_orbits(view: DyadGraph) -> Array:
    """Count as :func:`orbit_counts5` does in a graph seen without directions."""
    _check_range(view)
    ranked = ranked_graph(view)
    counts = np.empty((ORBITS, view.num_nodes), np.int64)
    maps = _homomorphisms(ranked)
    for orbit, factors in _equations():
        rest = maps[orbit].copy()
        for known, factor in factors:
            if known != orbit:
                rest -= factor * counts[known]
        counts[orbit] = rest // dict(factors)[orbit]
    return np.ascontiguousarray(counts[:, view.forward.rank].T)


def _check_range(view: DyadGraph) -> None:
    """Reject a graph with more homomorphisms than 64 bits hold; no graph has more than one of its spanning trees."""
    d = np.diff(view.indptr).astype(np.float64)
    rows = np.repeat(np.arange(view.num_nodes), np.diff(view.indptr))

    def along(values: Array) -> Array:
        return np.bincount(rows, values[view.indices], view.num_nodes)

    two = along(d)
    three, stars = along(two), along(d * d)
    trees = [along(three), d * three, two * two, along(stars), along(d * two), d * stars, d * d * two]
    if max(float(tree.max(initial=0)) for tree in [*trees, along(d**3), d**4]) >= 2**63:
        raise InputError(
            f"counts of five nodes exceed 64 bits: a node has {int(d.max()):,} neighbours; leave out the largest hubs"
        )


@cache
def _equations() -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """Return, for each orbit in the order of solution, the orbits that its homomorphisms reach, with their numbers.

    A homomorphism reaches fewer nodes than its graph has, or as many and no fewer edges. So graphs with few nodes come
    first, and those with many edges first among these.
    """
    ordered = sorted(GRAPHLETS, key=lambda graphlet: (len(graphlet[1]), -len(graphlet[0])))
    equations = []
    for edges, orbits in ordered:
        k = len(orbits)
        images: dict[int, dict[int, int]] = {orbit: {} for orbit in orbits}
        for host_edges, host_orbits in ordered:
            joined = _matrix(host_edges, len(host_orbits))
            maps = _surjections(k, len(host_orbits))
            for pair in edges.split():
                maps = maps[joined[maps[:, _position(pair[0])], maps[:, _position(pair[1])]]]
            for orbit in images:
                roots = maps[:, orbits.index(orbit)]
                for host_orbit in set(host_orbits):
                    number = int((roots == host_orbits.index(host_orbit)).sum())
                    if number:
                        images[orbit][host_orbit] = number
        if CYCLE in images:
            # Cycles of five nodes are counted without repeated nodes, so they reach five nodes.
            images[CYCLE] = {host: number for host, number in images[CYCLE].items() if host in _FIVE}
        equations += [(orbit, tuple(found.items())) for orbit, found in images.items()]
    return tuple(equations)


def _position(letter: str) -> int:
    return "abcde".index(letter)


def _matrix(edges: str, k: int) -> Array:
    joined = np.zeros((k, k), np.bool_)
    for pair in edges.split():
        i, j = _position(pair[0]), _position(pair[1])
        joined[i, j] = joined[j, i] = True
    return joined


@cache
def _surjections(k: int, onto: int) -> Array:
    """Return all maps of k positions that reach each of ``onto`` positions [maps, k]."""
    maps = [m for m in product(range(onto), repeat=k) if len(set(m)) == onto]
    return np.array(maps, np.int64).reshape(-1, k)


def ranked_graph(view: DyadGraph, *, listed: bool = True) -> RankedGraph:
    """Number the nodes of a graph by degree and count common neighbours; list these too if ``listed``."""
    forward, n, entries, index = view.forward, view.num_nodes, len(view.indices), view.indices.dtype
    ptr, up = np.zeros(n + 1, np.int64), np.zeros(n, np.int64)
    idx, reverse = np.empty(entries, index), np.empty(entries, np.int64)
    kernels.ranked_rows(view.indptr, view.indices, forward.order, forward.rank, ptr, idx, up)
    kernels.reverse_entries(ptr, idx, reverse)
    shared, first = np.zeros(entries, np.int64), np.zeros(entries, np.int64)
    kernels.count_shared(ptr, idx, up, reverse, shared)
    third = np.empty(int(shared.sum()) // 2 if listed else 0, index)
    if listed:
        kernels.list_shared(ptr, idx, up, reverse, shared, first, third)
    steps = row_sums(ptr, np.diff(ptr)[idx])
    # Walks of three steps bound the edges within reach of two steps, and so does the graph.
    reach = np.minimum(row_sums(ptr, steps[idx]), entries)
    work = np.concatenate([[0], np.cumsum(steps + reach + 1)])
    return RankedGraph(ptr, idx, up, reverse, shared, first, third, work)


def _homomorphisms(ranked: RankedGraph) -> dict[int, Array]:
    """Count the homomorphisms of every rooted graphlet to each node, by orbit."""
    ptr, idx, up, reverse, shared, first, third, work = ranked
    degree = np.diff(ptr)
    walks, cliques, tails, fans = (np.zeros(len(idx), np.int64) for _ in range(4))
    maps: dict[int, Array] = {}
    lists = (ptr, idx, shared, first, third)
    rows = parallel_ranges(kernels.two_steps, work, *lists, walks, pieces=1)
    maps.update(zip((8, 36, 37, 49, 50, 51, 62, 63, 64), sum(rows), strict=True))
    cycles = sum(parallel_ranges(kernels.five_cycle_walks, work, ptr, idx, up, pieces=1))
    maps[CYCLE] = 2 * (cycles - kernels.folded_walks(ptr, idx, up))
    rows = parallel_ranges(kernels.neighbourhoods, work, *lists, degree, cliques, tails, fans, pieces=1)
    maps.update(zip((66, 68, 69, 70, 71), sum(rows), strict=True))
    edges = (ptr, idx, up, reverse, degree, shared, walks, cliques, tails, fans)
    rows = parallel_ranges(kernels.triangle_sums, work, *edges, pieces=1)
    maps.update(zip((12, 25, 40, 46, 52, 54, 59, 60, 61, 65), sum(rows), strict=True))
    maps[72] = 24 * sum(parallel_ranges(kernels.five_cliques, work, ptr, idx, up, pieces=1))

    def along(values: Array) -> Array:
        return row_sums(ptr, values[idx])

    def over(values: Array) -> Array:
        return row_sums(ptr, values)

    d, far = degree, degree[idx]
    two, three = along(d), along(along(d))
    triangles, squares = over(shared), over(shared * shared)
    tailed, around = over(shared * far), over(cliques)
    maps.update({0: d, 1: two, 2: d * d, 3: triangles, 4: three, 5: d * two, 6: along(d * d), 7: d**3})
    maps.update({9: along(triangles), 10: tailed, 11: d * triangles, 13: squares, 14: around})
    maps.update({15: along(three), 16: d * three, 17: two * two})
    maps.update({18: along(maps[6]), 19: along(d * two), 20: d * maps[6], 21: d * d * two})
    maps.update({22: along(d**3), 23: d**4, 24: along(tailed), 26: d * tailed})
    maps.update({27: along(maps[9]), 28: d * maps[9], 29: over(shared * two[idx]), 30: two * triangles})
    maps.update({31: along(d * triangles), 32: over(shared * far * far), 33: d * d * triangles})
    maps.update({35: along(maps[8]), 38: d * maps[8]})
    maps.update({39: along(squares), 41: over(shared * shared * far), 42: d * squares})
    maps.update({43: over(shared * triangles[idx]), 44: triangles * triangles})
    maps.update({45: along(maps[12]), 47: d * maps[12], 48: over(shared * tails)})
    maps.update({53: over(shared * walks), 55: over(shared**3)})
    maps.update({56: along(around), 57: over(cliques * far), 58: d * around, 67: over(cliques * shared)})
    return maps


def row_sums(ptr: Array, values: Array) -> Array:
    """Sum the entries of each row."""
    before = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
    return np.asarray(before[ptr[1:]] - before[ptr[:-1]])
