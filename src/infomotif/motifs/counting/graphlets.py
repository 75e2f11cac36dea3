"""Exact orbit counts of 4-node motifs: formulas for the six undirected graphlets, and what samplers propose from."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.motifs.catalog import SETS, catalog
from infomotif.motifs.counting.digraphs import digraph_orbits
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels.graphlets import cliques_and_diamonds, node_four_cycles
from infomotif.motifs.kernels.proposals import count_trees
from infomotif.motifs.pattern import BOTH, Codes, Motif, connected, flip, permuted
from infomotif.typing import Array

PATH, STAR, CYCLE, PAW, DIAMOND, CLIQUE = SETS["graphlets4"]


def count_four_nodes(view: DyadGraph, motifs: Sequence[Motif]) -> dict[Motif, tuple[Array, Array | None]]:
    """Count 4-node motifs at each node in each orbit, and the proposals of samplers, scaled to instances.

    Returns:
        For each motif, counts [n, orbits], and proposals [n] or None if samplers count them.
    """
    # By pattern: a custom motif may have any name.
    standard = {catalog()[name]: name for name in SETS["graphlets4"]}
    undirected = [motif for motif in motifs if motif in standard]
    directed = [motif for motif in motifs if motif not in standard]
    counted = digraph_orbits(view, directed) if directed else {}
    known = graphlet_orbits(view) if undirected else {}
    for motif in undirected:
        name = standard[motif]
        counted[motif] = known[name], _proposals(view, name, known)
    return {motif: counted[motif] for motif in motifs}


@cache
def shape_of(motif: Motif) -> str:
    """Return the name of the graphlet that a 4-node motif is without its directions.

    Example:
        >>> shape_of(catalog()["paw"])
        'paw'
    """
    plain = Motif("", tuple(tuple(BOTH if code else 0 for code in row) for row in motif.codes), False)
    return next(name for name in SETS["graphlets4"] if catalog()[name] == plain)


def entry_triangles(view: DyadGraph) -> Array:
    """Return the number of triangles that contain both nodes of each entry of the rows."""
    return view.shared_triangles(np.zeros(27, np.int64), 1)[0]


def edge_triangles(view: DyadGraph) -> Array:
    """Return the number of triangles that contain each forward edge."""
    return np.asarray(view.forward_triangles(np.zeros(27, np.int64), 1)[0])


def _proposals(view: DyadGraph, shape: str, known: dict[str, Array]) -> Array | None:
    """Count the copies of a shape, induced or not, that samplers choose from at each node; None for other ways."""
    if shape == CYCLE:
        # Opposite nodes are not joined, so the only other choice is a diamond with the node as a tip.
        return np.asarray(known[CYCLE][:, 0] + known[DIAMOND][:, 1])
    if shape not in (PATH, STAR):
        return None
    counts = np.empty(view.num_nodes, np.int64)
    further = further_neighbours(view)
    parallel_ranges(count_trees, view.indptr, view.indptr, view.indices, further, shape == STAR, counts)
    return counts


def further_neighbours(view: DyadGraph) -> Array:
    """Return the cumulative number of neighbours of x besides v over the entries (v, x) of the rows [entries + 1]."""
    ahead = np.zeros(len(view.indices) + 1, np.int64)
    np.cumsum((np.diff(view.indptr) - 1)[view.indices], out=ahead[1:])
    return ahead


def graphlet_orbits(view: DyadGraph) -> dict[str, Array]:
    """Count the 11 orbits of the six graphlets at each node: all copies by formulas, then the induced ones among them.

    For example, the copies of path4 that end at v are the walks of three steps from v that visit no node twice. The
    induced counts follow by a linear system. ORCA (Hocevar and Demsar, 2014) counts the same orbits.
    """
    copies = _copies(view)
    columns = []
    for row in induced_from_copies():
        total = np.zeros(view.num_nodes, np.int64)
        for weight, copy in zip(row.tolist(), copies, strict=True):
            if weight:
                total += weight * copy
        columns.append(total)
    orbits, first = {}, 0
    for name in SETS["graphlets4"]:
        size = len(catalog()[name].orbits)
        orbits[name] = np.stack(columns[first : first + size], axis=1)
        first += size
    return orbits


def _copies(view: DyadGraph) -> list[Array]:
    """Count copies, induced or not, per orbit in the order of the catalog."""
    degree = np.diff(view.indptr).astype(np.int64)
    shared = entry_triangles(view)
    triangles = _row_sums(view, shared) // 2
    far = degree[view.indices]
    forward = view.forward
    cycle_work = np.concatenate([[0], np.cumsum(degree[forward.order])])
    cycles = sum(
        parallel_ranges(node_four_cycles, cycle_work, view.indptr, view.indices, forward.order, forward.rank, pieces=1)
    )
    cliques, tips = _cliques_and_tips(view)
    spokes = view.sums(degree - 1)
    return [
        view.sums(spokes) - degree * (degree - 1) - 2 * triangles,
        (degree - 1) * spokes - 2 * triangles,
        degree * (degree - 1) * (degree - 2) // 6,
        view.sums((degree - 1) * (degree - 2) // 2),
        cycles,
        triangles * (degree - 2),
        _row_sums(view, shared * (far - 2)),
        view.sums(triangles) - 2 * triangles,
        _row_sums(view, shared.astype(np.int64) * (shared - 1) // 2),
        tips,
        cliques,
    ]


def _cliques_and_tips(view: DyadGraph) -> Array:
    """Count the 4-cliques of each node, and the pairs of triangles on an edge that have it as a tip [2, n]."""
    forward = view.forward
    rows = (forward.indptr, forward.indices, edge_triangles(view))
    return np.asarray(sum(parallel_ranges(cliques_and_diamonds, forward.work, *rows, pieces=1))[:, forward.rank])


def _cumulated(values: Array) -> Array:
    return np.concatenate([[0], np.cumsum(values, dtype=np.int64)])


def _row_sums(view: DyadGraph, values: Array) -> Array:
    before = _cumulated(values)
    return np.asarray(before[view.indptr[1:]] - before[view.indptr[:-1]])


@cache
def induced_from_copies() -> Array:
    """Return the table [orbits, orbits] of whole numbers that turns counts of copies into induced counts."""
    return np.rint(np.linalg.inv(_copies_in_induced())).astype(np.int64)


@cache
def _copies_in_induced() -> Array:
    """Return a table [orbits, orbits] that turns induced counts into counts of copies.

    Entry [o, p] is the number of spanning copies of o's graphlet in p's that have orbit o at a node of orbit p.
    """
    graphlets = [catalog()[name] for name in SETS["graphlets4"]]
    orbits = [(motif, orbit) for motif in graphlets for orbit in motif.orbits]
    table = np.zeros((len(orbits), len(orbits)))
    for p, (host, host_orbit) in enumerate(orbits):
        for codes in _spanning_subgraphs(host.codes):
            copy = Motif("", codes, False)
            for o, (motif, orbit) in enumerate(orbits):
                table[o, p] += motif == copy and any(
                    order[i] == host_orbit[0] for order in _isomorphisms(motif.codes, codes) for i in orbit
                )
    return table


def _isomorphisms(pattern: Codes, codes: Codes) -> list[tuple[int, ...]]:
    return [p for p in permutations(range(len(codes))) if permuted(codes, p) == pattern]


def _spanning_subgraphs(codes: Codes) -> list[Codes]:
    """Return the connected spanning subgraphs, directions ignored."""
    k = len(codes)
    edges = [(i, j) for i, j in combinations(range(k), 2) if codes[i][j]]
    subgraphs = []
    for size in range(k - 1, len(edges) + 1):
        for kept in combinations(edges, size):
            pairs = {*kept, *((j, i) for i, j in kept)}
            part = tuple(tuple(BOTH if (i, j) in pairs else 0 for j in range(k)) for i in range(k))
            if connected(part):
                subgraphs.append(part)
    return subgraphs


@cache
def cycle_halves(codes: Codes) -> tuple[Array, Array]:
    """Return what joins a node of a 4-cycle and the one opposite to it.

    Returns:
        The different halves, codes from the node over a common neighbour to the opposite node [K, 2], and the numbers
        of both halves, the larger last, for each orbit that the node may be in [orbits, 2].

    Example:
        >>> halves, pairs = cycle_halves(((0, 1, 0, 2), (2, 0, 1, 0), (0, 2, 0, 1), (1, 0, 2, 0)))
        >>> halves.tolist(), pairs.tolist()
        ([[1, 1], [2, 2]], [[0, 1]])
    """
    joined = []
    for p in range(4):
        near = [q for q in range(4) if codes[p][q]]
        (far,) = set(range(4)) - {p, *near}
        joined.append(tuple(sorted((codes[p][q], codes[q][far]) for q in near)))
    halves = sorted({half for pair in joined for half in pair})
    pairs = sorted({tuple(sorted(halves.index(half) for half in pair)) for pair in joined})
    return np.array(halves, np.int64), np.array(pairs, np.int64)


@cache
def order_table(codes: Codes) -> tuple[Array, Array]:
    """Map the six codes of four ascending nodes to the order that makes them members of the pattern, or to -1.

    Returns:
        The orders [24, 4], and the row of ``orders`` for each of the 4096 combinations of codes.
    """
    pairs = list(combinations(range(4), 2))
    orders = list(permutations(range(4)))
    table = np.full(4**6, -1, np.int64)
    for number in range(len(orders) - 1, -1, -1):
        four = [[0] * 4 for _ in range(4)]
        for i, j in combinations(range(4), 2):
            four[orders[number][i]][orders[number][j]] = codes[i][j]
            four[orders[number][j]][orders[number][i]] = flip(codes[i][j])
        config = 0
        for i, j in pairs:
            config = 4 * config + four[i][j]
        table[config] = number
    return np.array(orders, np.int64), table
