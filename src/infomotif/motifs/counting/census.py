"""Exact counts: how many induced instances of each motif contain each node, and in which role."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges, thread_count
from infomotif.errors import InputError
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.graphlets import count_four_nodes
from infomotif.motifs.counting.triads import OPEN, ORBITS, first_orbit, triad_of, triad_tables
from infomotif.motifs.kernels.triangles import node_triangles, own_triangle_orbits, triangle_orbits
from infomotif.motifs.kernels.wedges import triad_orbits
from infomotif.motifs.pattern import Motif
from infomotif.typing import Array

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
        n = view.num_nodes
        if view.directed:
            found.update(_count_directed(view, threes, closed_orbits(view), 0, n))
        else:
            found.update(_count_undirected(view, threes, triangles(view), 0, n))
    if fours:
        found.update({motif: Count(*pair) for motif, pair in count_four_nodes(view, fours).items()})
    return [found[motif] for motif in motifs]


def count_range(view: DyadGraph, motifs: Sequence[Motif], start: int, stop: int) -> list[Count]:
    """Count what :func:`count_motifs` counts, for the nodes from ``start`` to ``stop`` alone.

    Ranges are counted independently, on other machines too; their rows together are the census of the whole graph.

    Raises:
        InputError: If a motif has more than three nodes.
    """
    large = next((motif for motif in motifs if motif.size != 3), None)
    if large is not None:
        raise InputError(f"node ranges are counted for motifs of three nodes (got '{large.name}'); leave it out")
    closed = np.empty((stop - start, ORBITS), np.int64)
    forward, rows = view.forward, view.indptr[start : stop + 1]
    work = np.concatenate([[0], np.cumsum(np.diff(rows), dtype=np.int64)])
    parallel_ranges(
        _shifted(own_triangle_orbits, start),
        work,
        view.indptr,
        view.indices,
        view.codes,
        forward.rank,
        forward.indptr,
        forward.indices,
        forward.codes,
        triad_tables().closed_orbit,
        start,
        closed,
    )
    count = _count_directed if view.directed else _count_undirected
    found = count(view, motifs, closed if view.directed else closed.sum(axis=1), start, stop)
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
    return np.asarray(_sum(parts)[forward.rank])


def closed_orbits(view: DyadGraph) -> Array:
    """Count the 15 orbits of the closed triads of each node [n, 15]."""
    forward = view.forward
    threads = _accumulators(8 * ORBITS * view.num_nodes)
    rows = (forward.indptr, forward.indices, forward.codes, forward.order)
    table = triad_tables().closed_orbit
    parts = parallel_ranges(triangle_orbits, forward.work, *rows, table, threads=threads, pieces=1)
    return _sum(parts)[:-1].reshape(-1, ORBITS)


def _count_undirected(
    view: DyadGraph, motifs: Sequence[Motif], closed: Array, start: int, stop: int
) -> dict[Motif, Count]:
    found = {}
    for motif in motifs:
        if motif.closed:
            found[motif] = Count(closed[:, None], None)
            continue
        degree = np.diff(view.indptr).astype(np.int64)
        own = degree[start:stop]
        centre, end = own * (own - 1) // 2, view.sums(degree - 1, start, stop)
        found[motif] = Count(np.stack([centre - closed, end - 2 * closed], axis=1), centre + end)
    return found


def _count_directed(
    view: DyadGraph, motifs: Sequence[Motif], closed: Array, start: int, stop: int
) -> dict[Motif, Count]:
    columns = {True: np.full(ORBITS, -1, np.int64), False: np.full(ORBITS, -1, np.int64)}
    raw_column = np.full(len(OPEN), -1, np.int64)
    slices, width = [], 0
    opened = [motif for motif in motifs if not motif.closed]
    for motif in motifs:
        name, size = triad_of(motif), len(motif.orbits)
        first = first_orbit(name)
        columns[motif.closed][first : first + size] = np.arange(width, width + size)
        if not motif.closed:
            raw_column[OPEN.index(name)] = opened.index(motif)
        slices.append(slice(width, width + size))
        width += size
    orbits = np.empty((stop - start, width), np.int64)
    raw = np.empty((stop - start, len(opened)), np.int64)
    tables = triad_tables()
    parallel_ranges(
        _shifted(triad_orbits, start),
        view.indptr[start : stop + 1],
        view.indptr,
        view.indices,
        view.codes,
        view.degrees,
        closed,
        tables.correction,
        tables.open_class,
        tables.centre_orbit,
        tables.end_orbit,
        columns[False],
        columns[True],
        raw_column,
        start,
        orbits,
        raw,
    )
    return {
        motif: Count(orbits[:, part], None if motif.closed else raw[:, opened.index(motif)])
        for motif, part in zip(motifs, slices, strict=True)
    }


def _shifted(function: Callable[..., Any], first: int) -> Callable[..., Any]:
    """Let a kernel over nodes run over ranges that are counted from ``first``."""
    return lambda start, stop, *args: function(start + first, stop + first, *args)


def _accumulators(size: int) -> int:
    # Every thread adds up into an array of its own.
    return min(thread_count(), max(1, _ACCUMULATOR_BYTES // max(1, size)))


def _sum(parts: list[Array]) -> Array:
    total = parts[0]
    for part in parts[1:]:
        total += part
    return total
