"""Exact counts: how many induced instances of each motif contain each node, and in which role."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from infomotif.motifs.dyads import DyadGraph
from infomotif.motifs.graphlets import count_four_nodes
from infomotif.motifs.kernels.triangles import node_triangles, triangle_orbits
from infomotif.motifs.kernels.wedges import open_orbits
from infomotif.motifs.pattern import Motif
from infomotif.motifs.triads import CLOSED, OPEN, ORBITS, first_orbit, triad_of, triad_tables
from infomotif.parallel import parallel_ranges, thread_count

Array = NDArray[Any]

_ACCUMULATOR_BYTES = 512 << 20


class Count(NamedTuple):
    """The census of one motif.

    Attributes:
        orbits: Instances in which a node has each role [n, orbits].
        proposals: Instances that need not be induced, of which samplers keep the induced ones [n], or None.
    """

    orbits: Array
    proposals: Array | None


def count_motifs(view: DyadGraph, motifs: Sequence[Motif]) -> list[Count]:
    """Count the instances of each motif at each node, in each role.

    Args:
        view: The graph as the motifs see it, with or without directions.
        motifs: Motifs that all are directed, or all are not.

    Returns:
        One count a motif, in the order given.
    """
    threes = [motif for motif in motifs if motif.size == 3]
    fours = [motif for motif in motifs if motif.size == 4]
    found: dict[Motif, Count] = {}
    if threes:
        found.update(_count_directed(view, threes) if view.directed else _count_undirected(view, threes))
    if fours:
        found.update({motif: Count(*pair) for motif, pair in count_four_nodes(view, fours).items()})
    return [found[motif] for motif in motifs]


def triangles(view: DyadGraph) -> Array:
    """Count the triangles of each node, directions ignored [n]."""
    forward = view.forward
    parts = parallel_ranges(
        node_triangles,
        forward.work,
        forward.indptr,
        forward.indices,
        threads=_accumulators(8 * view.num_nodes),
        pieces=1,
    )
    return _by_node(parts, forward.rank)


def closed_orbits(view: DyadGraph) -> Array:
    """Count the 15 orbits of the closed triads of each node [n, 15]."""
    forward = view.forward
    threads = _accumulators(8 * ORBITS * view.num_nodes)
    table = triad_tables().closed_orbit
    parts = parallel_ranges(
        triangle_orbits, forward.work, forward.indptr, forward.indices, forward.codes, table, threads=threads, pieces=1
    )
    return _by_node([part.reshape(-1, ORBITS) for part in parts], forward.rank)


def _count_undirected(view: DyadGraph, motifs: Sequence[Motif]) -> dict[Motif, Count]:
    closed = triangles(view)
    found = {}
    for motif in motifs:
        if motif.closed:
            found[motif] = Count(closed[:, None], None)
            continue
        degree = np.diff(view.indptr).astype(np.int64)
        centre, end = degree * (degree - 1) // 2, view.sums(degree - 1)
        found[motif] = Count(np.stack([centre - closed, end - 2 * closed], axis=1), centre + end)
    return found


def _count_directed(view: DyadGraph, motifs: Sequence[Motif]) -> dict[Motif, Count]:
    closed = closed_orbits(view)
    n = view.num_nodes
    opened, raw = np.zeros((n, ORBITS), np.int64), np.zeros((n, len(OPEN)), np.int64)
    if not all(motif.closed for motif in motifs):
        tables = triad_tables()
        parallel_ranges(
            open_orbits,
            view.indptr,
            view.indptr,
            view.indices,
            view.codes,
            view.degrees,
            closed,
            tables.correction,
            tables.open_class,
            tables.centre_orbit,
            tables.end_orbit,
            opened,
            raw,
        )
    found = {}
    for motif in motifs:
        name = triad_of(motif)
        first = first_orbit(name)
        columns = slice(first, first + len(motif.orbits))
        if name in CLOSED:
            found[motif] = Count(closed[:, columns], None)
        else:
            found[motif] = Count(opened[:, columns], raw[:, OPEN.index(name)])
    return found


def _accumulators(size: int) -> int:
    # Every thread adds up into an array of its own.
    return min(thread_count(), max(1, _ACCUMULATOR_BYTES // max(1, size)))


def _by_node(parts: list[Array], rank: Array) -> Array:
    total = parts[0]
    for part in parts[1:]:
        total += part
    return total[rank]
