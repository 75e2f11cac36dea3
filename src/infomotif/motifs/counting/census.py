"""The census: how many induced instances of each motif contain each node, per orbit, exactly."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges, thread_count
from infomotif.errors import InputError
from infomotif.motifs.catalog import SETS, catalog
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.graphlets import count_four_nodes, graphlet_orbits, induced_from_copies
from infomotif.motifs.counting.large import count_large
from infomotif.motifs.counting.matching import MAX_STEPS
from infomotif.motifs.counting.triads import OPEN, ORBITS, first_orbit, triad_of, triad_tables
from infomotif.motifs.kernels.small import small_orbits
from infomotif.motifs.kernels.triangles import node_triangles, triangle_orbits, triangle_orbits_at_nodes
from infomotif.motifs.kernels.wedges import triad_orbits
from infomotif.motifs.pattern import Motif
from infomotif.typing import Array

MAX_ACCUMULATOR_BYTES = 512 << 20
MAX_SMALL_NODES = 64


class Count(NamedTuple):
    """The census of one motif.

    Attributes:
        orbits: Instances that contain a node in each orbit [n, orbits].
        proposals: Instances, induced or not, from which samplers keep the induced ones [n], or None.
    """

    orbits: Array
    proposals: Array | None


def count_motifs(view: DyadGraph, motifs: Sequence[Motif], *, max_steps: float = MAX_STEPS) -> list[Count]:
    """Count the instances of each motif at each node in each orbit.

    Args:
        view: The graph as the motifs see it, with or without directions.
        motifs: Motifs, either all directed or all undirected.
        max_steps: How many candidates the search of a motif of five or six nodes may examine, by an estimate.

    Returns:
        One count per motif, in the order given.
    """
    threes = [motif for motif in motifs if motif.size == 3]
    fours = [motif for motif in motifs if motif.size == 4]
    larger = [motif for motif in motifs if motif.size > 4]
    count_of: dict[Motif, Count] = {}
    if threes:
        n = view.num_nodes
        if view.directed:
            count_of.update(_count_directed(view, threes, closed_orbits(view), 0, n))
        else:
            count_of.update(_count_undirected(view, threes, triangles(view), 0, n))
    if fours:
        count_of.update({motif: Count(*pair) for motif, pair in count_four_nodes(view, fours).items()})
    if larger:
        counted = count_large(view, larger, max_steps)
        count_of.update({motif: Count(orbits, None) for motif, orbits in counted.items()})
    return [count_of[motif] for motif in motifs]


def orbit_counts(view: DyadGraph, motifs: Sequence[Motif]) -> Array:
    """Count the instances of motifs at each node in each orbit, without what samplers need [n, orbits].

    Args:
        view: The graph as the motifs see it, with or without directions.
        motifs: Motifs, either all directed or all undirected.
    """
    standard = {} if view.directed else standard_graphlets()
    known = graphlet_orbits(view) if any(motif in standard for motif in motifs) else {}
    others = [motif for motif in motifs if motif not in standard]
    count_of = dict(zip(others, count_motifs(view, others), strict=True))
    parts = [count_of[m].orbits if m in count_of else known[standard[m]] for m in motifs]
    return np.concatenate(parts, axis=1)


def small_orbit_counts(source: Array, target: Array, n: int, motifs: Sequence[Motif]) -> Array | None:
    """Count as :func:`orbit_counts` does in a small undirected graph, given by its edges.

    Returns:
        Counts [n, orbits], or None if the graph is not small, or a motif is not one of the catalog without directions.
    """
    columns = _small_columns(tuple(motifs)) if n <= MAX_SMALL_NODES else None
    return None if columns is None else small_orbits(source, target, n, induced_from_copies())[:, columns]


@cache
def _small_columns(motifs: tuple[Motif, ...]) -> Array | None:
    """Return the columns of :func:`small_orbits` that belong to motifs, or None if one is not counted there."""
    first, columns_of = 0, {}
    for name in (*SETS["undirected"], *SETS["graphlets4"]):
        size = len(catalog()[name].orbits)
        columns_of[catalog()[name]] = range(first, first + size)
        first += size
    if not all(motif in columns_of for motif in motifs):
        return None
    return np.array([column for motif in motifs for column in columns_of[motif]], dtype=np.int64)


@cache
def standard_graphlets() -> dict[Motif, str]:
    """Return the names of the six 4-node graphlets by pattern, as a custom motif may have any name."""
    return {catalog()[name]: name for name in SETS["graphlets4"]}


def count_range(view: DyadGraph, motifs: Sequence[Motif], start: int, stop: int) -> list[Count]:
    """Count as :func:`count_motifs` does, but only for the nodes from ``start`` to ``stop``.

    Ranges are independent, so machines can share them; their rows together are the census of the whole graph.

    Raises:
        InputError: If a motif has more than three nodes.
    """
    large = next((motif for motif in motifs if motif.size != 3), None)
    if large is not None:
        raise InputError(f"node ranges are counted only for motifs of three nodes (got '{large.name}'); leave it out")
    closed = np.empty((stop - start, ORBITS), np.int64)
    forward, rows = view.forward, view.indptr[start : stop + 1]
    work = np.concatenate([[0], np.cumsum(np.diff(rows), dtype=np.int64)])
    parallel_ranges(
        _shifted(triangle_orbits_at_nodes, start),
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
    count_of = count(view, motifs, closed if view.directed else closed.sum(axis=1), start, stop)
    return [count_of[motif] for motif in motifs]


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
    count_of = {}
    for motif in motifs:
        if motif.closed:
            count_of[motif] = Count(closed[:, None], None)
            continue
        degree = np.diff(view.indptr).astype(np.int64)
        degrees = degree[start:stop]
        centre, end = degrees * (degrees - 1) // 2, view.sums(degree - 1, start, stop)
        count_of[motif] = Count(np.stack([centre - closed, end - 2 * closed], axis=1), centre + end)
    return count_of


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
    """Return the kernel for ranges whose numbers are relative to node ``first``."""
    return lambda start, stop, *args: function(start + first, stop + first, *args)


def _accumulators(size: int) -> int:
    # Every thread adds up into a separate array.
    return min(thread_count(), max(1, MAX_ACCUMULATOR_BYTES // max(1, size)))


def _sum(parts: list[Array]) -> Array:
    total = parts[0]
    for part in parts[1:]:
        total += part
    return total
