"""Kernels that count copies of directed 4-node patterns at each node, by the codes of their edges.

Nodes are numbered by degree; entries of a row ascend, and those from ``up`` on are of higher rank. A copy has the edges
of a pattern with exactly its codes; further edges may join its nodes. Tables map the codes of a copy, counted from 0,
to the column of ``out`` in which it counts at its root, or to -1. For each edge u < v, ``closing`` has the number of
common neighbours z by 3 * code(u, z) + code(v, z).
"""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.typing import Array, Int


@kernel
def ranked_rows(
    indptr: Array,
    indices: Array,
    codes: Array,
    order: Array,
    rank: Array,
    ptr: Array,
    idx: Array,
    code: Array,
    up: Array,
    edge: Array,
) -> None:
    """Write the rows by rank, ascending, codes counted from 0, and the number of each entry's edge."""
    n = order.shape[0]
    for u in range(n):
        v = order[u]
        ptr[u + 1] = ptr[u] + indptr[v + 1] - indptr[v]
        up[u] = ptr[u]
    cursor = ptr[:n].copy()
    for u in range(n):
        v = order[u]
        for e in range(indptr[v], indptr[v + 1]):
            x = rank[indices[e]]
            if x < u:
                up[u] += 1
            # Rows are filled in the order of u, so they ascend; x sees the pair from its other end.
            idx[cursor[x]] = u
            code[cursor[x]] = turned(codes[e] - 1)
            cursor[x] += 1
    cursor = ptr[:n].copy()
    number = 0
    for u in range(n):
        for e in range(up[u], ptr[u + 1]):
            edge[e] = number
            edge[cursor[idx[e]]] = number
            cursor[idx[e]] += 1
            number += 1


@kernel
def turned(code: int) -> int:
    """Return a code, counted from 0, as the other end of the pair sees it: 0 and 1 change places."""
    return 1 - code if code != 2 else 2


@kernel
def count_closing(ptr: Array, idx: Array, code: Array, up: Array, edge: Array, closing: Array) -> None:
    """Count the common neighbours of the ends of each edge by both codes [m, 9]."""
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
                    closing[edge[e], 3 * code[g] + code[f]] += 1
                    closing[edge[g], 3 * code[e] + turned(code[f])] += 1
                    closing[edge[f], 3 * turned(code[e]) + turned(code[g])] += 1
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = -1


@kernel
def node_sums(
    start: int,
    stop: int,
    ptr: Array,
    idx: Array,
    code: Array,
    edge: Array,
    degree: Array,
    closing: Array,
    triangle_class: Array,
    reach: Array,
    triangles: Array,
) -> None:
    """Sum per node: paths of two steps by their codes [n, 9], and triangles by class [n, 15]."""
    for v in range(start, stop):
        for e in range(ptr[v], ptr[v + 1]):
            x = idx[e]
            k = code[e]
            for b in range(3):
                reach[v, 3 * k + b] += degree[x, b] - (b == turned(k))
            for a in range(3):
                for b in range(3):
                    found = closing[edge[e], 3 * a + b] if v < x else closing[edge[e], 3 * b + a]
                    triangles[v, triangle_class[k, a, b]] += found
        for r in range(triangles.shape[1]):
            # Both other corners of a triangle count it.
            triangles[v, r] //= 2


@kernel
def copies_of_trees(
    start: int,
    stop: int,
    ptr: Array,
    idx: Array,
    code: Array,
    edge: Array,
    degree: Array,
    closing: Array,
    reach: Array,
    star: Array,
    leaf: Array,
    end: Array,
    middle: Array,
    out: Array,
) -> None:
    """Count stars and paths. Table indices: star and leaf by codes from the centre outwards, path by codes along it.

    ``leaf``, ``end`` and ``middle`` begin with the code from the root to its neighbour; for ``middle`` the code of the
    root's other neighbour and that of the neighbour's other neighbour follow.
    """
    near = np.empty(3, np.int64)
    for v in range(start, stop):
        for a in range(3):
            for b in range(a, 3):
                for c in range(b, 3):
                    if star[a, b, c] >= 0:
                        out[v, star[a, b, c]] += choose_three(degree[v], a, b, c)
        for e in range(ptr[v], ptr[v + 1]):
            x = idx[e]
            k = code[e]
            back = turned(k)
            for b in range(3):
                near[b] = degree[x, b] - (b == back)
            for b in range(3):
                for c in range(b, 3):
                    if leaf[k, b, c] >= 0:
                        out[v, leaf[k, b, c]] += near[b] * (near[b] - 1) // 2 if b == c else near[b] * near[c]
            for a in range(3):
                for b in range(3):
                    column = middle[k, a, b]
                    if column >= 0:
                        closed = closing[edge[e], 3 * a + b] if v < x else closing[edge[e], 3 * b + a]
                        out[v, column] += (degree[v, a] - (a == k)) * near[b] - closed
                    column = end[k, a, b]
                    if column >= 0:
                        # Paths v - x - y - z without those that return to v, as y or as z.
                        there = turned(b)
                        closed = closing[edge[e], 3 * there + a] if v < x else closing[edge[e], 3 * a + there]
                        found = reach[x, 3 * a + b] - closed
                        if a == back:
                            found -= degree[v, b] - (b == k)
                        out[v, column] += found


@kernel
def choose_three(degree: Array, a: int, b: int, c: int) -> Int:
    """Count the sets of three neighbours with codes a <= b <= c."""
    x, y, z = np.int64(degree[a]), np.int64(degree[b]), np.int64(degree[c])
    if a == b and b == c:
        return x * (x - 1) * (x - 2) // 6
    if a == b:
        return x * (x - 1) // 2 * z
    if b == c:
        return y * (y - 1) // 2 * x
    return x * y * z


@kernel
def copies_on_edges(
    start: int,
    stop: int,
    ptr: Array,
    idx: Array,
    code: Array,
    edge: Array,
    degree: Array,
    closing: Array,
    triangles: Array,
    triangle_class: Array,
    corners: Array,
    tailed: Array,
    corner: Array,
    tail: Array,
    chord: Array,
    out: Array,
) -> None:
    """Count triangles with a tail, and pairs of triangles at the ends of the edge that they share.

    Table indices: ``tailed`` class of the triangle at the root, tail; ``corner`` codes root to the tailed corner, root
    to the third corner, tailed to third, tail; ``tail`` code to the corner, class of the triangle there; ``chord`` code
    of the edge, both types of common neighbours. ``corners`` has the codes of each class from the root.
    """
    closed = np.empty(9, np.int64)
    for v in range(start, stop):
        for r in range(triangles.shape[1]):
            for m in range(3):
                if tailed[r, m] >= 0:
                    free = degree[v, m] - (corners[r, 0] == m) - (corners[r, 1] == m)
                    out[v, tailed[r, m]] += triangles[v, r] * free
        for e in range(ptr[v], ptr[v + 1]):
            x = idx[e]
            k = code[e]
            back = turned(k)
            for r in range(triangles.shape[1]):
                if tail[k, r] >= 0:
                    out[v, tail[k, r]] += triangles[x, r]
            for a in range(3):
                for b in range(3):
                    closed[3 * a + b] = closing[edge[e], 3 * a + b] if v < x else closing[edge[e], 3 * b + a]
            for t in range(9):
                if closed[t] == 0:
                    continue
                a, b = t // 3, t % 3
                # The tail must not be a corner of the triangle.
                inside = tail[k, triangle_class[back, b, a]]
                if inside >= 0:
                    out[v, inside] -= closed[t]
                for m in range(3):
                    if corner[k, a, b, m] >= 0:
                        out[v, corner[k, a, b, m]] += closed[t] * (degree[x, m] - (m == back) - (m == b))
                if chord[k, t, t] >= 0:
                    out[v, chord[k, t, t]] += closed[t] * (closed[t] - 1) // 2
                for s in range(t):
                    if chord[k, t, s] >= 0:
                        out[v, chord[k, t, s]] += closed[t] * closed[s]


@kernel
def add_tips(out: Array, z: int, base: Int, first: int, kind: int, closing: Array, tip: Array) -> None:
    """Count the further triangles on an edge at the tip z of one; ``kind`` is the type of z, seen from the edge."""
    for t in range(9):
        column = tip[first, kind, t]
        if column >= 0:
            out[z, column] += closing[base, t] - (t == kind)


@kernel
def copies_at_tips(
    start: int, stop: int, ptr: Array, idx: Array, code: Array, up: Array, edge: Array, closing: Array, tip: Array,
    out: Array,
) -> None:  # fmt: skip
    """Count pairs of triangles on an edge at their tips; table: code of the edge, type of the root, of the other."""
    n = ptr.shape[0] - 1
    mark = np.full(n, -1, np.int64)
    for u in range(start, stop):
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = e
        for e in range(up[u], ptr[u + 1]):
            v = idx[e]
            for f in range(up[v], ptr[v + 1]):
                g = mark[idx[f]]
                if g >= 0:
                    uv, uw, vw = code[e], code[g], code[f]
                    add_tips(out, idx[f], edge[e], uv, 3 * uw + vw, closing, tip)
                    add_tips(out, v, edge[g], uw, 3 * uv + turned(vw), closing, tip)
                    add_tips(out, u, edge[f], vw, 3 * turned(uv) + turned(uw), closing, tip)
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = -1


@kernel
def copies_of_cycles(
    start: int, stop: int, ptr: Array, idx: Array, code: Array, up: Array, cycle: Array, beside: Array, out: Array
) -> None:
    """Count 4-cycles, each at its node u of highest rank.

    Tables: ``cycle`` types of both paths of two steps from the root to the opposite node; ``beside`` types of the path
    through the root and of the other path, both from u to the node opposite to it.
    """
    n = ptr.shape[0] - 1
    # Paths of two steps from u to w by type; the last column is their sum.
    paths = np.zeros((n, 10), np.int32)
    reached = np.empty(n, np.int64)
    sums = np.empty((3, 9), np.int64)
    own = np.empty(3, np.int64)
    for u in range(start, stop):
        size = 0
        for e in range(ptr[u], up[u]):
            v = idx[e]
            for f in range(ptr[v], ptr[v + 1]):
                w = idx[f]
                if w >= u:
                    break
                if paths[w, 9] == 0:
                    reached[size] = w
                    size += 1
                paths[w, 9] += 1
                paths[w, 3 * code[e] + code[f]] += 1
        for e in range(ptr[u], up[u]):
            v = idx[e]
            sums[:] = 0
            own[:] = 0
            some = False
            for f in range(ptr[v], ptr[v + 1]):
                w = idx[f]
                if w >= u:
                    break
                if paths[w, 9] > 1:
                    some = True
                    b = code[f]
                    own[b] += 1
                    for t in range(9):
                        sums[b, t] += paths[w, t]
            if some:
                for b in range(3):
                    kind = 3 * code[e] + b
                    sums[b, kind] -= own[b]
                    for t in range(9):
                        column = beside[kind, t]
                        if column >= 0:
                            out[v, column] += sums[b, t]
        for j in range(size):
            w = reached[j]
            if paths[w, 9] > 1:
                for t in range(9):
                    here = np.int64(paths[w, t])
                    if here:
                        both = here * (here - 1) // 2
                        add_cycles(out, u, w, t, t, both, cycle)
                        for s in range(t):
                            if paths[w, s]:
                                add_cycles(out, u, w, t, s, here * paths[w, s], cycle)
            paths[w, :] = 0


@kernel
def add_cycles(out: Array, u: int, w: Int, t: int, s: int, found: Int, cycle: Array) -> None:
    """Count cycles at two opposite nodes; ``t`` and ``s`` are the types of the paths from u to w."""
    if cycle[t, s] >= 0:
        out[u, cycle[t, s]] += found
    t, s = 3 * turned(t % 3) + turned(t // 3), 3 * turned(s % 3) + turned(s // 3)
    if cycle[t, s] >= 0:
        out[w, cycle[t, s]] += found


@kernel
def copies_of_cliques(
    start: int, stop: int, ptr: Array, idx: Array, code: Array, up: Array, clique: Array, out: Array
) -> None:
    """Count 4-cliques, each at its node of lowest rank; the table has the six codes as digits, and the member."""
    n = ptr.shape[0] - 1
    # Codes from the first and the second node, plus 1; 0 if they are not joined.
    first = np.zeros(n, np.int64)
    second = np.zeros(n, np.int64)
    third = np.empty(n, np.int64)
    four = np.empty(4, np.int64)
    for u in range(start, stop):
        for e in range(up[u], ptr[u + 1]):
            first[idx[e]] = code[e] + 1
        for e in range(up[u], ptr[u + 1]):
            v = idx[e]
            found = 0
            for f in range(up[v], ptr[v + 1]):
                if first[idx[f]]:
                    second[idx[f]] = code[f] + 1
                    third[found] = idx[f]
                    found += 1
            for j in range(found):
                w = third[j]
                for g in range(up[w], ptr[w + 1]):
                    x = idx[g]
                    if second[x]:
                        config = 9 * (3 * code[e] + first[w] - 1) + 3 * (first[x] - 1) + second[w] - 1
                        config = 9 * config + 3 * (second[x] - 1) + code[g]
                        four[0], four[1], four[2], four[3] = u, v, w, x
                        for p in range(4):
                            if clique[config, p] >= 0:
                                out[four[p], clique[config, p]] += 1
            for j in range(found):
                second[third[j]] = 0
        for e in range(up[u], ptr[u + 1]):
            first[idx[e]] = 0
