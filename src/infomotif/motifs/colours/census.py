"""The coloured census: instances of coloured motifs at each node in each orbit, exactly.

Motifs of three nodes are counted together, in one pass over the triangles and one over the edges: wedges follow from
the numbers of neighbours of each class, minus those that triangles close. Larger ones are found by search and filtered.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs.colours import kernels
from infomotif.motifs.colours.classes import MAX_TABLE, Additions, EdgeClasses, classes_naming
from infomotif.motifs.colours.matching import TypeFilter, base_of
from infomotif.motifs.colours.view import ColouredView, Wanted
from infomotif.motifs.counting.accumulate import accumulate
from infomotif.motifs.counting.census import Count, count_motifs
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.listing import iterate_instances
from infomotif.motifs.counting.matching import MAX_STEPS, search_cost
from infomotif.motifs.pattern import Motif
from infomotif.typing import Array

_BATCH = 200_000
_MAX_DEGREE_BYTES = 256 << 20


def count_any(
    graph: Graph,
    views: Mapping[bool, DyadGraph],
    motifs: Sequence[Motif],
    *,
    coloured_view: Callable[[bool], ColouredView] | None = None,
    max_steps: float = MAX_STEPS,
) -> list[Count]:
    """Count motifs of any kind, with directions and types or without.

    Args:
        graph: The graph.
        views: The graph as motifs see it, with directions and without, as far as the motifs need it.
        motifs: The motifs.
        coloured_view: Gives the graph with its types, with directions or without, if the caller has it.
        max_steps: As for :func:`.count_motifs`.

    Returns:
        One count per motif, in the order given.
    """
    count_of: dict[Motif, Count] = {}
    for kind, view in views.items():
        plain = [motif for motif in motifs if motif.directed == kind and not motif.coloured]
        count_of.update(zip(plain, count_motifs(view, plain, max_steps=max_steps), strict=True))
        coloured = [motif for motif in motifs if motif.directed == kind and motif.coloured]
        if coloured:
            typed = ColouredView(graph, view) if coloured_view is None else coloured_view(kind)
            counted = count_coloured(typed, coloured, max_steps=max_steps)
            count_of.update({m: Count(orbits, None) for m, orbits in zip(coloured, counted, strict=True)})
    return [count_of[motif] for motif in motifs]


def count_coloured(view: ColouredView, motifs: Sequence[Motif], *, max_steps: float = MAX_STEPS) -> list[Array]:
    """Count the instances of coloured motifs at each node in each orbit.

    Args:
        view: The graph with its types, as the motifs see it.
        motifs: Motifs that name types, either all directed or all undirected.
        max_steps: How many candidates the search of a motif of four or more nodes may examine, by an estimate.

    Returns:
        Counts [n, orbits] for each motif.

    Raises:
        InputError: If a type is unknown, or a search would take too long.
    """
    wanted = {motif: view.wanted(motif) for motif in motifs}
    count_of: dict[Motif, Array] = {}
    threes = [motif for motif in motifs if motif.size == 3]
    if threes:
        count_of.update(_count_three(view, threes, wanted))
    larger: dict[Motif, list[Motif]] = {}
    for motif in motifs:
        if motif.size > 3:
            larger.setdefault(base_of(motif), []).append(motif)
    for base, group in larger.items():
        _refuse_long_search(view, base, group[0], max_steps)
        count_of.update(_count_by_listing(view, base, group))
    return [count_of[motif] for motif in motifs]


def _count_three(view: ColouredView, motifs: Sequence[Motif], wanted: dict[Motif, Wanted]) -> dict[Motif, Array]:
    classes = classes_naming(view, [wanted[motif] for motif in motifs])
    too_wide = classes.table_size > MAX_TABLE
    if (too_wide or 4 * view.view.num_nodes * 2 * len(motifs) > _MAX_DEGREE_BYTES) and len(motifs) > 1:
        # Fewer motifs name fewer types, so that there are fewer classes.
        half = len(motifs) // 2
        return _count_three(view, motifs[:half], wanted) | _count_three(view, motifs[half:], wanted)
    if too_wide:
        return _count_by_listing(view, base_of(motifs[0]), motifs)
    columns = np.cumsum([0, *(len(motif.orbits) for motif in motifs)])
    counts = np.zeros((view.view.num_nodes, int(columns[-1])), np.int64)
    _add_wedges(classes, motifs, wanted, columns, counts)
    forward = view.view.forward
    rows = (forward.indptr, forward.indices, *classes.of_forward, forward.order)
    added = _additions(classes, motifs, wanted, columns)
    accumulate(kernels.coloured_triangles, forward.work, counts, *rows, *added)
    return {motif: counts[:, columns[t] : columns[t + 1]] for t, motif in enumerate(motifs)}


def _orbit_of(motif: Motif) -> list[int]:
    return [next(o for o, orbit in enumerate(motif.orbits) if p in orbit) for p in range(motif.size)]


def _additions(classes: EdgeClasses, motifs: Sequence[Motif], wanted: dict[Motif, Wanted], columns: Array) -> Additions:
    """Return what triangles add: 1 to closed motifs, and -1 to wedges that they close."""
    rows, signs, targets = [], [], []
    for t, motif in enumerate(motifs):
        orbit, sign = _orbit_of(motif), 1 if motif.closed else -1
        fits = {
            pair: np.flatnonzero(classes.fitting(motif, wanted[motif], *pair)) for pair in permutations(range(3), 2)
        }
        for p in permutations(range(3)):
            # The nodes u, v, w of a triangle take the positions p; two that the motif does not join may have any class.
            three = classes.consistent(fits[p[0], p[1]], fits[p[0], p[2]], fits[p[1], p[2]])
            rows.append(classes.triangle(*three))
            signs.append(sign)
            targets.append([columns[t] + orbit[i] for i in p])
    sizes = [len(row) for row in rows]
    columns_of = np.repeat(np.array(targets, np.int64).reshape(-1, 3), sizes, axis=0)
    key = (np.concatenate(rows)[:, None] * 3 + np.arange(3)) * int(columns[-1]) + columns_of
    signs_of = np.repeat(np.repeat(np.array(signs, np.float64), sizes), 3)
    known, place = np.unique(key.ravel(), return_inverse=True)
    weight = np.bincount(place, signs_of, minlength=len(known)).astype(np.int64)
    column = known % int(columns[-1])
    # Equivalent ways to put the nodes into the positions are one instance.
    of_column = np.repeat(np.arange(len(motifs)), np.diff(columns))
    weight //= np.array([len(motif.automorphisms) for motif in motifs])[of_column[column]]
    row = known // int(columns[-1])
    first = np.zeros(classes.table_size + 1, np.int32)
    np.cumsum(np.bincount(row // 3, minlength=classes.table_size), out=first[1:])
    return Additions(first, (row % 3).astype(np.uint8), column.astype(np.int32), weight)


def _add_wedges(
    classes: EdgeClasses, motifs: Sequence[Motif], wanted: dict[Motif, Wanted], columns: Array, counts: Array
) -> None:
    """Add the wedges of open motifs, closed or not, to the counts of their centres and ends."""
    slot_of: dict[bytes, int] = {}
    masks: list[Array] = []

    def slot(mask: Array) -> int:
        if mask.tobytes() not in slot_of:
            slot_of[mask.tobytes()] = len(masks)
            masks.append(mask)
        return slot_of[mask.tobytes()]

    centres: list[tuple[int, ...]] = []
    ends: list[tuple[int, int, int, int]] = []
    for t, motif in enumerate(motifs):
        if motif.closed:
            continue
        orbit = columns[t] + np.array(_orbit_of(motif))
        centre = next(i for i in range(3) if sum(map(bool, motif.codes[i])) == 2)
        first, second = (i for i in range(3) if i != centre)
        fits = {end: classes.fitting(motif, wanted[motif], centre, end) for end in (first, second)}
        both = fits[first] & fits[second]
        size = len(motif.automorphisms)
        shared = slot(both) if both.any() else -1
        centres.append((slot(fits[first]), slot(fits[second]), shared, size, int(orbit[centre])))
        # Two equivalent ends are the same column, to which one of them adds all.
        for end, other in ((first, second), (second, first))[: 3 - size]:
            for c in np.flatnonzero(fits[end]).tolist():
                ends.append((c, slot(fits[other]), int(fits[other][c]), int(orbit[end])))
    if not centres:
        return
    view = classes.view.view
    pairs = np.argwhere(np.stack(masks, axis=1))
    first_slot = np.searchsorted(pairs[:, 0], np.arange(classes.width + 1))
    degrees = np.zeros((view.num_nodes, len(masks)), np.int32)
    slots = np.ascontiguousarray(pairs[:, 1])
    parallel_ranges(kernels.slot_degrees, view.indptr, view.indptr, classes.of_entry, first_slot, slots, degrees)
    table = np.array(sorted(ends), np.int64).reshape(-1, 4)
    first_end = np.searchsorted(table[:, 0], np.arange(classes.width + 1))
    parallel_ranges(
        kernels.coloured_wedges,
        view.indptr,
        view.indptr,
        view.indices,
        classes.of_entry,
        classes.flipped,
        degrees,
        np.array(centres, np.int64),
        first_end,
        np.ascontiguousarray(table[:, 1:]),
        counts,
    )


def _count_by_listing(view: ColouredView, base: Motif, motifs: Sequence[Motif]) -> dict[Motif, Array]:
    n = view.view.num_nodes
    filters = {motif: TypeFilter(view, motif, base) for motif in motifs}
    counts = {motif: np.zeros(n * len(motif.orbits), np.int64) for motif in motifs}
    for members in iterate_instances(view.view, base, _BATCH):
        for motif, matching in filters.items():
            rows, _ = matching.rows(members)
            width = len(motif.orbits)
            for p, o in enumerate(_orbit_of(motif)):
                counts[motif] += np.bincount(rows[:, p].astype(np.int64) * width + o, minlength=n * width)
    return {motif: count.reshape(n, -1) for motif, count in counts.items()}


def _refuse_long_search(view: ColouredView, base: Motif, motif: Motif, max_steps: float) -> None:
    cost = search_cost(view.view, base)
    if cost.steps > max_steps:
        raise InputError(
            f"finding the instances of motif '{motif.name}' takes about {cost.steps:.1e} steps of search, more than "
            f"max_steps={max_steps:.1e}; raise max_steps to count it anyway, or take a pattern of three nodes"
        )
