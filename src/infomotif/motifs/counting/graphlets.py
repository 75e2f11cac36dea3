"""Exact orbit counts of 4-node motifs: by formulas for the six undirected graphlets, by search for the rest."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import combinations, permutations

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.motifs.catalog import SETS, catalog
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.matching import count_by_search
from infomotif.motifs.kernels.graphlets import cliques_and_diamonds, node_four_cycles
from infomotif.motifs.kernels.proposals import count_tails, count_trees
from infomotif.motifs.pattern import BOTH, Codes, Motif, connected, flip, permuted
from infomotif.typing import Array


def count_four_nodes(view: DyadGraph, motifs: Sequence[Motif]) -> dict[Motif, tuple[Array, Array]]:
    """Count 4-node motifs at each node in each orbit, and the proposals of samplers, scaled to instances.

    Returns:
        For each motif, counts [n, orbits] and proposals [n].
    """
    offered = {by_tails: _proposals(view, by_tails) for by_tails in {has_triangle(motif) for motif in motifs}}
    # By pattern: a custom motif may have any name.
    standard = {catalog()[name]: name for name in SETS["graphlets4"]}
    known = graphlet_orbits(view) if any(motif in standard for motif in motifs) else {}
    counted = {}
    for motif in motifs:
        orbits = known[standard[motif]] if motif in standard else count_by_search(view, motif)
        counted[motif] = orbits, offered[has_triangle(motif)] / _spanning_copies(motif)
    return counted


def has_triangle(motif: Motif) -> bool:
    """Return whether the motif contains a triangle, so that samplers propose triangles with a tail."""
    return any(
        motif.codes[i][j] and motif.codes[j][k] and motif.codes[i][k] for i, j, k in combinations(range(motif.size), 3)
    )


def proposal_weights(view: DyadGraph, by_tails: bool) -> Array:
    """Return the cumulative weights of the rows' entries for samplers: shared triangles or further neighbours."""
    if not by_tails:
        return further_neighbours(view)
    (shared,) = view.shared_triangles(np.zeros(27, np.int64), 1)
    return np.concatenate([[0], np.cumsum(shared, dtype=np.int64)])


def _proposals(view: DyadGraph, by_tails: bool) -> Array:
    counts = np.empty(view.num_nodes, np.int64)
    counter = count_tails if by_tails else count_trees
    parallel_ranges(counter, view.indptr, view.indptr, view.indices, proposal_weights(view, by_tails), counts)
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
    (shared,) = view.shared_triangles(np.zeros(27, np.int64), 1)
    triangles = _row_sums(view, shared) // 2
    far = degree[view.indices]
    forward = view.forward
    cycle_work = np.concatenate([[0], np.cumsum(degree[forward.order])])
    cycles = sum(
        parallel_ranges(node_four_cycles, cycle_work, view.indptr, view.indices, forward.order, forward.rank, pieces=1)
    )
    along = view.forward_triangles(np.zeros(27, np.int64), 1)[0]
    cliques, tips = sum(
        parallel_ranges(cliques_and_diamonds, forward.work, forward.indptr, forward.indices, along, pieces=1)
    )[:, forward.rank]
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


def _row_sums(view: DyadGraph, values: Array) -> Array:
    before = np.concatenate([[0], np.cumsum(values, dtype=np.int64)])
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


def _spanning_copies(motif: Motif) -> int:
    """Count the proposals that lead to the same instance: its spanning triangles with a tail or its spanning trees."""
    edges = 4 if has_triangle(motif) else 3
    parts = [Motif("", part, False) for part in _spanning_subgraphs(motif.codes)]
    return sum(part.pattern.count(",") + 1 == edges and has_triangle(part) == (edges == 4) for part in parts)


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
