"""Kernels that count homomorphisms of rooted graphs of up to five nodes.

Nodes are numbered by degree, so the entries of a row past ``up`` are few. An entry is an edge seen from one end; its
common neighbours are a slice of ``third``. Sums over homomorphisms need no care about repeated nodes: two nodes of the
small graph may fall on one.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.typing import Array


@kernel
def ranked_rows(indptr: Array, indices: Array, order: Array, rank: Array, ptr: Array, idx: Array, up: Array) -> None:
    """Write the rows by rank, ascending, and where the neighbours of higher rank begin."""
    n = order.shape[0]
    for u in range(n):
        v = order[u]
        ptr[u + 1] = ptr[u] + indptr[v + 1] - indptr[v]
    cursor = ptr[:n].copy()
    for u in range(n):
        v = order[u]
        for e in range(indptr[v], indptr[v + 1]):
            x = rank[indices[e]]
            if x < u:
                up[u] += 1
            # Rows are filled in the order of u, so they ascend.
            idx[cursor[x]] = u
            cursor[x] += 1
        up[u] += ptr[u]


@kernel
def reverse_entries(ptr: Array, idx: Array, reverse: Array) -> None:
    """Write the entry (x, v) of each entry (v, x)."""
    n = ptr.shape[0] - 1
    cursor = ptr[:n].copy()
    for v in range(n):
        for e in range(ptr[v], ptr[v + 1]):
            reverse[e] = cursor[idx[e]]
            cursor[idx[e]] += 1


@kernel
def count_shared(ptr: Array, idx: Array, up: Array, reverse: Array, shared: Array) -> None:
    """Count the common neighbours of the ends of each entry."""
    n = ptr.shape[0] - 1
    mark = np.full(n, -1, np.int64)
    for u in range(n):
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = e
        for e in range(up[u], ptr[u + 1]):
            v = idx[e]
            for f in range(up[v], ptr[v + 1]):
                g = mark[idx[f]]
                if g >= 0:
                    shared[e] += 1
                    shared[f] += 1
                    shared[g] += 1
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = -1
    for u in range(n):
        for e in range(up[u], ptr[u + 1]):
            shared[reverse[e]] = shared[e]


@kernel
def list_shared(ptr: Array, idx: Array, up: Array, reverse: Array, shared: Array, first: Array, third: Array) -> None:
    """Write the common neighbours of each edge; those of entry e are third[first[e] : first[e] + shared[e]]."""
    n = ptr.shape[0] - 1
    total = np.int64(0)
    for u in range(n):
        for e in range(up[u], ptr[u + 1]):
            first[e] = total
            total += shared[e]
    cursor = first.copy()
    mark = np.full(n, -1, np.int64)
    for u in range(n):
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = e
        for e in range(up[u], ptr[u + 1]):
            v = idx[e]
            for f in range(up[v], ptr[v + 1]):
                w = idx[f]
                g = mark[w]
                if g >= 0:
                    third[cursor[e]] = w
                    third[cursor[f]] = u
                    third[cursor[g]] = v
                    cursor[e] += 1
                    cursor[f] += 1
                    cursor[g] += 1
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = -1
            first[reverse[e]] = first[e]


@kernel
def two_steps(
    start: int, stop: int, ptr: Array, idx: Array, shared: Array, first: Array, third: Array, walks: Array
) -> Array:
    """Sum over walks of two steps from each node v to each node w: 4-cycles, K2,3, houses, K2,3 with an edge.

    ``walks`` gets the number of walks of three steps between the ends of each entry. Rows of the result, named by the
    orbits whose homomorphisms they count, are 8, 36, 37, 49, 50, 51, 62, 63 and 64.
    """
    n = ptr.shape[0] - 1
    sums = np.zeros((9, n), np.int64)
    paths = np.zeros(n, np.int64)
    by_degree = np.zeros(n, np.int64)
    by_triangles = np.zeros(n, np.int64)
    joined = np.zeros(n, np.int64)
    reached = np.empty(n, np.int64)
    mark = np.zeros(n, np.uint8)
    for v in range(start, stop):
        size = 0
        for e in range(ptr[v], ptr[v + 1]):
            a = idx[e]
            mark[a] = 1
            degree = ptr[a + 1] - ptr[a]
            for f in range(ptr[a], ptr[a + 1]):
                w = idx[f]
                if paths[w] == 0:
                    reached[size] = w
                    size += 1
                paths[w] += 1
                by_degree[w] += degree
                by_triangles[w] += shared[f]
        edges = np.int64(0)
        for e in range(ptr[v], ptr[v + 1]):
            a = idx[e]
            three = np.int64(0)
            squares = np.int64(0)
            for f in range(ptr[a], ptr[a + 1]):
                w = idx[f]
                three += paths[w]
                squares += paths[w] * paths[w]
                if mark[w] and shared[f] > 0:
                    edges += 1
                    ends = np.int64(0)
                    for j in range(first[f], first[f] + shared[f]):
                        joined[third[j]] += 1
                        ends += paths[third[j]]
                    sums[8, a] += ends
            walks[e] = three
            sums[3, a] += squares
        if edges:
            for e in range(ptr[v], ptr[v + 1]):
                a = idx[e]
                total = np.int64(0)
                for f in range(ptr[a], ptr[a + 1]):
                    total += joined[idx[f]]
                sums[6, a] += total
                mark[a] = 0
        else:
            for e in range(ptr[v], ptr[v + 1]):
                mark[idx[e]] = 0
        for j in range(size):
            w = reached[j]
            c = paths[w]
            sums[0, v] += c * c
            sums[1, v] += c * c * (ptr[w + 1] - ptr[w])
            sums[2, v] += c * by_degree[w]
            sums[4, v] += c * c * c
            sums[5, v] += c * by_triangles[w]
            sums[7, v] += c * joined[w]
        for j in range(size):
            w = reached[j]
            paths[w] = 0
            by_degree[w] = 0
            by_triangles[w] = 0
            joined[w] = 0
    return sums


@kernel
def five_cycle_walks(start: int, stop: int, ptr: Array, idx: Array, up: Array) -> Array:
    """Count closed walks of five steps at each of their nodes; each is found at its node u of highest rank.

    A walk is an edge between two nodes w and y below u, a common neighbour of u and w below u, and one of u and y.
    These two may fall together, or on y and w; :func:`folded_walks` counts such walks.
    """
    n = ptr.shape[0] - 1
    counts = np.zeros(n, np.int64)
    paths = np.zeros(n, np.int64)
    far = np.empty(n, np.int64)
    reached = np.empty(n, np.int64)
    for u in range(start, stop):
        size = 0
        for e in range(ptr[u], up[u]):
            a = idx[e]
            for f in range(ptr[a], ptr[a + 1]):
                w = idx[f]
                if w >= u:
                    break
                if paths[w] == 0:
                    reached[size] = w
                    size += 1
                paths[w] += 1
        both = np.int64(0)
        for j in range(size):
            w = reached[j]
            total = np.int64(0)
            for f in range(ptr[w], ptr[w + 1]):
                if idx[f] >= u:
                    break
                total += paths[idx[f]]
            far[w] = total
            counts[w] += paths[w] * total
            both += paths[w] * total
        # Every edge between w and y was met from both ends.
        counts[u] += both // 2
        for e in range(ptr[u], up[u]):
            a = idx[e]
            total = np.int64(0)
            for f in range(ptr[a], ptr[a + 1]):
                if idx[f] >= u:
                    break
                total += far[idx[f]]
            counts[a] += total
        for j in range(size):
            paths[reached[j]] = 0
    return counts


@kernel
def folded_walks(ptr: Array, idx: Array, up: Array) -> Array:
    """Count the walks of :func:`five_cycle_walks` that visit a node twice: a triangle and an edge at one corner.

    Either the edge leads from the triangle up to u, or the triangle contains u, and the edge leads below u. Neighbours
    at the end of that edge are a stretch of a row, so their counts are prefix sums over it.
    """
    n = ptr.shape[0] - 1
    counts = np.zeros(n, np.int64)
    above = np.zeros(idx.shape[0], np.int64)
    within = np.zeros(idx.shape[0], np.int64)
    mark = np.full(n, -1, np.int64)
    corners = np.empty(3, np.int64)
    behind = np.empty(3, np.int64)
    for x in range(n):
        for e in range(up[x], ptr[x + 1]):
            mark[idx[e]] = e
        for e in range(up[x], ptr[x + 1]):
            y = idx[e]
            for f in range(up[y], ptr[y + 1]):
                z = idx[f]
                g = mark[z]
                if g < 0:
                    continue
                corners[0], corners[1], corners[2] = x, y, z
                behind[0], behind[1], behind[2] = g + 1, f + 1, up[z]
                for c in range(3):
                    a = corners[c]
                    higher = ptr[a + 1] - behind[c]
                    if higher:
                        above[behind[c]] += 1
                    for d in range(3):
                        counts[corners[d]] += higher
                    counts[a] += higher
                # The triangle itself, walked with its highest edge twice, is met from two corners.
                lower = (g - ptr[x]) + (f - ptr[y])
                counts[z] += lower - 1
                counts[x] += lower + (g - ptr[x]) - 2
                counts[y] += lower + (f - ptr[y]) - 2
                within[g] += 1
                within[f] += 1
        for e in range(up[x], ptr[x + 1]):
            mark[idx[e]] = -1
    for a in range(n):
        total = np.int64(0)
        for e in range(ptr[a], ptr[a + 1]):
            total += above[e]
            counts[idx[e]] += total
        total = np.int64(0)
        for e in range(ptr[a + 1] - 1, ptr[a] - 1, -1):
            counts[idx[e]] += total
            total += within[e]
    return counts


@kernel
def neighbourhoods(
    start: int,
    stop: int,
    ptr: Array,
    idx: Array,
    shared: Array,
    first: Array,
    third: Array,
    degree: Array,
    cliques: Array,
    tails: Array,
    fans: Array,
) -> Array:
    """Sum over walks of two steps among the neighbours of each node: wheels and cliques.

    Each entry (h, x) gets the ordered edges between its common neighbours in ``cliques``, the sum of their degrees in
    ``tails``, and that of the triangles they share with h in ``fans``. Rows of the result are 66, 68, 69, 70 and 71.
    """
    n = ptr.shape[0] - 1
    sums = np.zeros((5, n), np.int64)
    common = np.zeros(n, np.int64)
    entry = np.zeros(n, np.int64)
    closed = np.zeros(n, np.uint8)
    reached = np.empty(n, np.int64)
    for h in range(start, stop):
        for e in range(ptr[h], ptr[h + 1]):
            entry[idx[e]] = e
        for e in range(ptr[h], ptr[h + 1]):
            x = idx[e]
            last = first[e] + shared[e]
            size = 0
            for j in range(first[e], last):
                p = third[j]
                g = entry[p]
                closed[p] = 1
                tails[e] += degree[p]
                fans[e] += shared[g]
                for i in range(first[g], first[g] + shared[g]):
                    y = third[i]
                    if common[y] == 0:
                        reached[size] = y
                        size += 1
                    common[y] += 1
            squares = np.int64(0)
            for j in range(size):
                squares += common[reached[j]] * common[reached[j]]
            sums[1, x] += squares
            sums[2, h] += squares
            for j in range(first[e], last):
                p = third[j]
                both = common[p]
                if both:
                    cliques[e] += both
                    sums[0, p] += shared[e] * both
                    sums[4, h] += both * both
                    g = entry[p]
                    total = np.int64(0)
                    for i in range(first[g], first[g] + shared[g]):
                        if closed[third[i]]:
                            total += common[third[i]]
                    sums[3, p] += total
            for j in range(first[e], last):
                closed[third[j]] = 0
            for j in range(size):
                common[reached[j]] = 0
    return sums


@kernel
def at_corner(
    sums: Array,
    v: int,
    x: int,
    y: int,
    vx: int,
    vy: int,
    xy: int,
    yx: int,
    degree: Array,
    shared: Array,
    walks: Array,
    cliques: Array,
    tails: Array,
    fans: Array,
) -> None:
    """Add what a triangle means to its corner v; the other corners come in both orders."""
    t = shared[xy]
    sums[0, v] += 2 * t
    sums[1, v] += 2 * degree[x] * degree[y]
    sums[2, v] += t * (degree[x] + degree[y])
    sums[3, v] += 2 * tails[xy]
    sums[4, v] += 2 * walks[xy]
    sums[5, v] += 2 * t * t
    sums[6, v] += fans[xy] + fans[yx]
    sums[7, v] += t * (shared[vx] + shared[vy])
    sums[8, v] += 2 * shared[vx] * shared[vy]
    sums[9, v] += 2 * cliques[xy]


@kernel
def triangle_sums(
    start: int,
    stop: int,
    ptr: Array,
    idx: Array,
    up: Array,
    reverse: Array,
    degree: Array,
    shared: Array,
    walks: Array,
    cliques: Array,
    tails: Array,
    fans: Array,
) -> Array:
    """Sum over the triangles of each node; rows of the result are 12, 25, 40, 46, 52, 54, 59, 60, 61 and 65."""
    n = ptr.shape[0] - 1
    sums = np.zeros((10, n), np.int64)
    mark = np.full(n, -1, np.int64)
    for u in range(start, stop):
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = e
        for e in range(up[u], ptr[u + 1]):
            v = idx[e]
            for f in range(up[v], ptr[v + 1]):
                w = idx[f]
                g = mark[w]
                if g >= 0:
                    rest = (degree, shared, walks, cliques, tails, fans)
                    at_corner(sums, u, v, w, e, g, f, reverse[f], *rest)
                    at_corner(sums, v, u, w, e, f, g, reverse[g], *rest)
                    at_corner(sums, w, u, v, g, f, e, reverse[e], *rest)
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = -1
    return sums


@kernel
def five_cliques(start: int, stop: int, ptr: Array, idx: Array, up: Array) -> Array:
    """Count the 5-cliques of each node; each is found once, at its node of lowest rank."""
    n = ptr.shape[0] - 1
    counts = np.zeros(n, np.int64)
    level = np.zeros(n, np.uint8)
    thirds = np.empty(n, np.int64)
    fourths = np.empty(n, np.int64)
    for u in range(start, stop):
        for e in range(up[u], ptr[u + 1]):
            level[idx[e]] = 1
        for e in range(up[u], ptr[u + 1]):
            v = idx[e]
            three = 0
            for f in range(up[v], ptr[v + 1]):
                if level[idx[f]]:
                    level[idx[f]] = 2
                    thirds[three] = idx[f]
                    three += 1
            for i in range(three):
                w = thirds[i]
                four = 0
                for f in range(up[w], ptr[w + 1]):
                    if level[idx[f]] == 2:
                        level[idx[f]] = 3
                        fourths[four] = idx[f]
                        four += 1
                found = np.int64(0)
                for j in range(four):
                    x = fourths[j]
                    here = np.int64(0)
                    for f in range(up[x], ptr[x + 1]):
                        if level[idx[f]] == 3:
                            counts[idx[f]] += 1
                            here += 1
                    counts[x] += here
                    found += here
                counts[w] += found
                counts[v] += found
                counts[u] += found
                for j in range(four):
                    level[fourths[j]] = 2
            for i in range(three):
                level[thirds[i]] = 1
        for e in range(up[u], ptr[u + 1]):
            level[idx[e]] = 0
    return counts
