"""Kernels for open triads (wedges): a centre with two ends that are not joined."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import inlined, kernel
from infomotif.motifs.kernels.dyads import code_between, flipped
from infomotif.typing import Array


@kernel
def triad_orbits(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    codes: Array,
    degrees: Array,
    closed: Array,
    correction: Array,
    open_class: Array,
    centre_orbit: Array,
    end_orbit: Array,
    open_column: Array,
    closed_column: Array,
    raw_column: Array,
    base: int,
    counts: Array,
    raw: Array,
) -> None:
    """Write the wanted orbits to their columns of ``counts``, the open ones without enumerating wedges.

    The open ones are all wedges, which follow from degrees, minus those that triangles close. ``raw`` gets all wedges
    of each wanted open class, closed or not. Column -1 means not wanted. Rows of ``closed``, ``counts`` and ``raw``
    start at node ``base``.
    """
    orbits = np.empty(15, np.int64)
    for v in range(start, stop):
        orbits[:] = 0
        for a in range(3):
            da = np.int64(degrees[v, a])
            for b in range(a, 3):
                wedges = da * (da - 1) // 2 if a == b else da * degrees[v, b]
                orbits[centre_orbit[a, b]] += wedges
        for e in range(indptr[v], indptr[v + 1]):
            c = indices[e]
            s = codes[e]
            code_back = flipped(s) - 1
            orbits[end_orbit[code_back, code_back]] -= 1
            for b in range(3):
                orbits[end_orbit[code_back, b]] += degrees[c, b]
        for a in range(3):
            for b in range(a, 3):
                column = raw_column[open_class[a, b]]
                if column >= 0:
                    raw[v - base, column] = orbits[centre_orbit[a, b]] + orbits[end_orbit[a, b]]
                    if end_orbit[a, b] != end_orbit[b, a]:
                        raw[v - base, column] += orbits[end_orbit[b, a]]
        for p in range(15):
            triangles = closed[v - base, p]
            if triangles:
                for o in range(15):
                    orbits[o] -= correction[o, p] * triangles
            if closed_column[p] >= 0:
                counts[v - base, closed_column[p]] = triangles
        for o in range(15):
            if open_column[o] >= 0:
                counts[v - base, open_column[o]] = orbits[o]


@inlined
def write_wedge(centre: int, x: int, y: int, a: int, b: int, member_order: Array, out: Array, row: int) -> None:
    """Write an open triad's members in pattern order; a and b are the centre's codes, counted from 0."""
    if a == b and x > y:
        x, y = y, x
    out[row, member_order[a, b, 0]] = centre
    out[row, member_order[a, b, 1]] = x
    out[row, member_order[a, b, 2]] = y


@kernel
def list_wedges(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    codes: Array,
    column: Array,
    member_order: Array,
    listed: Array,
    cursor: Array,
    members: Array,
) -> None:
    """Write the open triads of every listed node to its rows; cursor[c, v] is where the next one of class c goes."""
    mark = np.zeros(indptr.shape[0] - 1, np.uint8)
    for v in range(start, stop):
        if not listed[v]:
            continue
        for e in range(indptr[v], indptr[v + 1]):
            mark[indices[e]] = 1
        mark[v] = 1
        for e in range(indptr[v], indptr[v + 1]):
            x = indices[e]
            s = codes[e]
            code_back = flipped(s) - 1
            for f in range(indptr[x], indptr[x + 1]):
                y = indices[f]
                b = codes[f] - 1
                c = column[code_back, b]
                if c >= 0 and not mark[y]:
                    write_wedge(x, v, y, code_back, b, member_order, members, cursor[c, v])
                    cursor[c, v] += 1
            for f in range(e + 1, indptr[v + 1]):
                c = column[s - 1, codes[f] - 1]
                if c >= 0 and code_between(indptr, indices, codes, x, indices[f]) == 0:
                    write_wedge(v, x, indices[f], s - 1, codes[f] - 1, member_order, members, cursor[c, v])
                    cursor[c, v] += 1
        for e in range(indptr[v], indptr[v + 1]):
            mark[indices[e]] = 0
        mark[v] = 0
