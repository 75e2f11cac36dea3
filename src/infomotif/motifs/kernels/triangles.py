"""Kernels over all triangles, each met once: at its node of lowest rank, in the degree-ordered orientation."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.dyads import flipped
from infomotif.typing import Array


@kernel
def node_triangles(start: int, stop: int, fptr: Array, findex: Array) -> Array:
    """Count the triangles of each ranked node; the last entry means nothing."""
    n = fptr.shape[0] - 1
    counts = np.zeros(n + 1, np.int64)
    mark = np.zeros(n, np.uint8)
    touched = 0
    for u in range(start, stop):
        if fptr[u + 1] - fptr[u] < 2:
            continue
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            mark[v] = 1
            # Reading both ends of every row here lets the processor fetch the rows at the same time.
            touched += findex[fptr[v] - 1] + findex[fptr[v + 1] - 1]
        mine = 0
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            found = 0
            for f in range(fptr[v], fptr[v + 1]):
                w = findex[f]
                if mark[w]:
                    found += 1
                    counts[w] += 1
            counts[v] += found
            mine += found
        counts[u] += mine
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0
    counts[n] = touched
    return counts


@kernel
def triangle_orbits(
    start: int, stop: int, fptr: Array, findex: Array, fcodes: Array, order: Array, orbit: Array
) -> Array:
    """Count the closed orbits of each node, [n * 15 + 1]: one dimension compiles faster, the last entry is void."""
    n = fptr.shape[0] - 1
    counts = np.zeros(15 * n + 1, np.int64)
    mark = np.zeros(n, np.uint8)
    touched = 0
    for u in range(start, stop):
        if fptr[u + 1] - fptr[u] < 2:
            continue
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            mark[v] = fcodes[e]
            touched += findex[fptr[v] - 1] + findex[fptr[v + 1] - 1]
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            first = 9 * (fcodes[e] - 1)
            for f in range(fptr[v], fptr[v + 1]):
                w = findex[f]
                if mark[w]:
                    row = first + 3 * (mark[w] - 1) + fcodes[f] - 1
                    counts[15 * np.int64(order[u]) + orbit[row, 0]] += 1
                    counts[15 * np.int64(order[v]) + orbit[row, 1]] += 1
                    counts[15 * np.int64(order[w]) + orbit[row, 2]] += 1
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0
    counts[15 * n] = touched
    return counts


@kernel
def own_triangle_orbits(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    codes: Array,
    rank: Array,
    fptr: Array,
    findex: Array,
    fcodes: Array,
    orbit: Array,
    base: int,
    counts: Array,
) -> None:
    """Count the closed orbits of each node of a range, counts[v - base, 15]; a triangle is met at each of its nodes.

    The two others of a triangle of v are joined by one forward edge, from a neighbour of v to a neighbour of v.
    """
    mark = np.zeros(fptr.shape[0] - 1, np.uint8)
    for v in range(start, stop):
        for p in range(15):
            counts[v - base, p] = 0
        if indptr[v + 1] - indptr[v] < 2:
            continue
        for e in range(indptr[v], indptr[v + 1]):
            mark[rank[indices[e]]] = codes[e]
        for e in range(indptr[v], indptr[v + 1]):
            x = rank[indices[e]]
            first = 9 * (codes[e] - 1)
            for f in range(fptr[x], fptr[x + 1]):
                other = mark[findex[f]]
                if other:
                    counts[v - base, orbit[first + 3 * (other - 1) + fcodes[f] - 1, 0]] += 1
        for e in range(indptr[v], indptr[v + 1]):
            mark[rank[indices[e]]] = 0


@kernel
def edge_triangles(fptr: Array, findex: Array, fcodes: Array, column: Array, counts: Array) -> None:
    """Count, for each forward edge, the triangles of each wanted class that contain it."""
    n = fptr.shape[0] - 1
    mark = np.zeros(n, fptr.dtype)
    for u in range(n):
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = e + 1
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            first = 9 * (fcodes[e] - 1)
            for f in range(fptr[v], fptr[v + 1]):
                third = mark[findex[f]] - 1
                if third >= 0:
                    c = column[first + 3 * (fcodes[third] - 1) + fcodes[f] - 1]
                    if c >= 0:
                        counts[c, e] += 1
                        counts[c, f] += 1
                        counts[c, third] += 1
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0


@kernel
def spread_edge_counts(indptr: Array, indices: Array, rank: Array, fptr: Array, forward: Array, entries: Array) -> None:
    """Copy counts of forward edges to both entries of the symmetric rows."""
    n = indptr.shape[0] - 1
    for v in range(n):
        at = fptr[rank[v]]
        for e in range(indptr[v], indptr[v + 1]):
            if rank[indices[e]] > rank[v]:
                entries[e] = forward[at]
                at += 1
    cursor = indptr[:n].copy()
    for v in range(n):
        for e in range(indptr[v], indptr[v + 1]):
            x = indices[e]
            back = cursor[x]
            cursor[x] += 1
            if rank[x] > rank[v]:
                entries[back] = entries[e]


@kernel
def place_triangle(x: int, y: int, z: int, xy: int, xz: int, yz: int, place: Array, out: Array, row: int) -> None:
    """Write a triangle's members in pattern order; nodes are sorted first, so that the order is one and the same."""
    if x > y:
        x, y = y, x
        xz, yz = yz, xz
        xy = flipped(xy)
    if y > z:
        y, z = z, y
        xy, xz = xz, xy
        yz = flipped(yz)
    if x > y:
        x, y = y, x
        xz, yz = yz, xz
        xy = flipped(xy)
    config = 9 * (xy - 1) + 3 * (xz - 1) + yz - 1
    for p in range(3):
        who = place[config, p]
        out[row, p] = x if who == 0 else y if who == 1 else z


@kernel
def list_triangles(
    fptr: Array,
    findex: Array,
    fcodes: Array,
    order: Array,
    column: Array,
    place: Array,
    listed: Array,
    cursor: Array,
    members: Array,
) -> None:
    """Write the triangles of every listed node to its rows; cursor[c, v] is where the next one of class c goes."""
    n = fptr.shape[0] - 1
    mark = np.zeros(n, np.uint8)
    three = np.empty(3, np.int64)
    for u in range(n):
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = fcodes[e]
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            first = 9 * (fcodes[e] - 1)
            for f in range(fptr[v], fptr[v + 1]):
                w = findex[f]
                if mark[w]:
                    c = column[first + 3 * (mark[w] - 1) + fcodes[f] - 1]
                    if c >= 0:
                        three[0] = order[u]
                        three[1] = order[v]
                        three[2] = order[w]
                        for i in range(3):
                            if listed[three[i]]:
                                row = cursor[c, three[i]]
                                cursor[c, three[i]] += 1
                                place_triangle(
                                    three[0], three[1], three[2], fcodes[e], mark[w], fcodes[f], place, members, row
                                )
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0
