"""Kernels over all triangles; in the degree-ordered orientation each is found once, at its node of lowest rank."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import inlined, kernel
from infomotif.motifs.kernels.dyads import flipped
from infomotif.typing import Array


@kernel
def node_triangles(start: int, stop: int, fptr: Array, findex: Array) -> Array:
    """Count the triangles of each ranked node; the last entry has no meaning."""
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
            # Reading both ends of every row here lets the processor prefetch the rows.
            touched += findex[fptr[v] - 1] + findex[fptr[v + 1] - 1]
        at_u = 0
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            closed = 0
            for f in range(fptr[v], fptr[v + 1]):
                w = findex[f]
                if mark[w]:
                    closed += 1
                    counts[w] += 1
            counts[v] += closed
            at_u += closed
        counts[u] += at_u
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0
    counts[n] = touched
    return counts


@kernel
def triangle_orbits(
    start: int, stop: int, fptr: Array, findex: Array, fcodes: Array, order: Array, orbit: Array
) -> Array:
    """Count the closed orbits of each node [n * 15 + 1]: one axis compiles faster; the last entry has no meaning."""
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
def triangle_orbits_at_nodes(
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
    """Count the closed orbits of each node of a range, counts[v - base, 15]; a triangle is found at each of its nodes.

    The other two nodes of a triangle of v are neighbours of v that one forward edge joins.
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
    """Count the triangles of each wanted class that contain each forward edge."""
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
    """Copy the counts of forward edges to both entries of the symmetric rows."""
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


@inlined
def write_triangle(
    x: int, y: int, z: int, xy: int, xz: int, yz: int, member_order: Array, out: Array, row: int
) -> None:
    """Write a triangle's members in pattern order; nodes are sorted first, so that equal triangles give equal rows."""
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
        which = member_order[config, p]
        out[row, p] = x if which == 0 else y if which == 1 else z


@kernel
def list_triangles(
    fptr: Array,
    findex: Array,
    fcodes: Array,
    order: Array,
    column: Array,
    member_order: Array,
    listed: Array,
    cursor: Array,
    members: Array,
) -> None:
    """Write the triangles of every listed node to its rows; cursor[c, v] is where the next one of class c goes."""
    n = fptr.shape[0] - 1
    mark = np.zeros(n, np.uint8)
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
                        x, y, z = order[u], order[v], order[w]
                        for node in (x, y, z):
                            if listed[node]:
                                row = cursor[c, node]
                                cursor[c, node] += 1
                                write_triangle(x, y, z, fcodes[e], mark[w], fcodes[f], member_order, members, row)
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0
