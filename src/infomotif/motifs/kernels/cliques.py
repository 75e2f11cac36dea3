"""Kernels that list triangles and 4-cliques in the degree-ordered orientation, all of them or those of a node."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.members import draw_ranks, member_order, rank_table_size, write_four
from infomotif.motifs.kernels.triangles import write_triangle
from infomotif.typing import Array


@kernel
def fill_triangles(
    state: Array,
    mark: Array,
    fptr: Array,
    findex: Array,
    fcodes: Array,
    order: Array,
    column: Array,
    member_order: Array,
    out: Array,
) -> int:
    """Fill ``out`` with the next triangles of a wanted configuration; return their number.

    ``state`` holds the ranked node, its forward edge and the forward edge of that edge's end to continue with, and
    ``mark`` the codes of the ranked node's row. At first, the node is 0 and its edge -1.
    """
    n = fptr.shape[0] - 1
    u, e, f = state[0], state[1], state[2]
    row = 0
    while u < n:
        if e < 0:
            for k in range(fptr[u], fptr[u + 1]):
                mark[findex[k]] = fcodes[k]
            e = fptr[u]
            f = fptr[findex[e]] if e < fptr[u + 1] else 0
        while e < fptr[u + 1]:
            v = findex[e]
            first = 9 * (fcodes[e] - 1)
            while f < fptr[v + 1]:
                w = findex[f]
                if mark[w] and column[first + 3 * (mark[w] - 1) + fcodes[f] - 1] >= 0:
                    if row == out.shape[0]:
                        state[0], state[1], state[2] = u, e, f
                        return row
                    write_triangle(order[u], order[v], order[w], fcodes[e], mark[w], fcodes[f], member_order, out, row)
                    row += 1
                f += 1
            e += 1
            if e < fptr[u + 1]:
                f = fptr[findex[e]]
        for k in range(fptr[u], fptr[u + 1]):
            mark[findex[k]] = 0
        u += 1
        e = -1
    state[0] = u
    return row


@kernel
def fill_cliques(
    state: Array,
    mark: Array,
    common: Array,
    third: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    order: Array,
    fptr: Array,
    findex: Array,
    directed: bool,
    orders: Array,
    order_of: Array,
    out: Array,
) -> int:
    """Fill ``out`` with the next 4-cliques that match the pattern; return their number.

    ``state`` holds the ranked node, its forward edge, the third node's number, its forward edge and the number of third
    nodes; ``mark``, ``common`` and ``third`` belong to it. At first, the node is 0 and its edge -1.
    """
    n = fptr.shape[0] - 1
    u, e, j, g, found = state[0], state[1], state[2], state[3], state[4]
    four = np.empty(4, np.int64)
    every = order_of[-1]
    row = 0
    while u < n:
        if e < 0:
            for k in range(fptr[u], fptr[u + 1]):
                mark[findex[k]] = 1
            e = fptr[u]
            j = -1
        while e < fptr[u + 1]:
            v = findex[e]
            if j < 0:
                found = common_forward(e, v, fptr, findex, mark, common, third)
                j = 0
                g = fptr[third[0]] if found else 0
            while j < found:
                w = third[j]
                while g < fptr[w + 1]:
                    x = findex[g]
                    if common[x] == e:
                        if row == out.shape[0]:
                            state[0], state[1], state[2], state[3], state[4] = u, e, j, g, found
                            return row
                        four[0], four[1], four[2], four[3] = order[u], order[v], order[w], order[x]
                        number = every
                        if directed:
                            number = member_order(four, indptr, indices, codes, order_of)
                        else:
                            sort_four(four)
                        if number >= 0:
                            write_four(four, orders[number], out, row)
                            row += 1
                    g += 1
                j += 1
                if j < found:
                    g = fptr[third[j]]
            e += 1
            j = -1
        for k in range(fptr[u], fptr[u + 1]):
            mark[findex[k]] = 0
        u += 1
        e = -1
    state[0] = u
    return row


@kernel
def sort_four(four: Array) -> None:
    """Sort four numbers by five comparisons."""
    for p, r in ((0, 1), (2, 3), (0, 2), (1, 3), (1, 2)):
        if four[p] > four[r]:
            four[p], four[r] = four[r], four[p]


@kernel
def common_forward(e: int, v: int, fptr: Array, findex: Array, mark: Array, common: Array, third: Array) -> int:
    """Write the marked nodes of the row of v to ``third`` and set their entry of ``common``; return their number."""
    found = 0
    for f in range(fptr[v], fptr[v + 1]):
        w = findex[f]
        if mark[w]:
            common[w] = e
            third[found] = w
            found += 1
    return found


@kernel
def list_cliques(
    indptr: Array,
    indices: Array,
    codes: Array,
    order: Array,
    fptr: Array,
    findex: Array,
    fcodes: Array,
    directed: bool,
    orders: Array,
    order_of: Array,
    counts: Array,
    listed: Array,
    cursor: Array,
    members: Array,
) -> None:
    """Write the 4-cliques of every listed node to its rows; cursor[v] is where the next one goes.

    Nodes whose count is 0 are in no instance, so cliques with them are not looked at.
    """
    n = fptr.shape[0] - 1
    mark = np.zeros(n, np.uint8)
    common = np.full(n, -1, np.int64)
    third = np.empty(n, findex.dtype)
    second = np.zeros(n, np.uint8)
    four = np.empty(4, np.int64)
    every = order_of[-1]
    for u in range(n):
        if counts[order[u]] == 0:
            continue
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = fcodes[e] if counts[order[findex[e]]] > 0 else 0
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            if not mark[v]:
                continue
            found = common_forward(e, v, fptr, findex, mark, common, third)
            if directed and found > 1:
                for f in range(fptr[v], fptr[v + 1]):
                    second[findex[f]] = fcodes[f]
            for j in range(found):
                w = third[j]
                wanted = listed[order[u]] or listed[order[v]] or listed[order[w]]
                for g in range(fptr[w], fptr[w + 1]):
                    x = findex[g]
                    if common[x] == e and (wanted or listed[order[x]]):
                        if directed:
                            # In whatever order: a cheap look at the codes before the nodes are sorted.
                            config = 4 * (4 * (4 * fcodes[e] + mark[w]) + mark[x]) + second[w]
                            if order_of[4 * (4 * config + second[x]) + fcodes[g]] < 0:
                                continue
                        four[0], four[1], four[2], four[3] = order[u], order[v], order[w], order[x]
                        number = every
                        if directed:
                            number = member_order(four, indptr, indices, codes, order_of)
                        else:
                            sort_four(four)
                        if number >= 0:
                            for node in four:
                                if listed[node]:
                                    write_four(four, orders[number], members, cursor[node])
                                    cursor[node] += 1
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0


@kernel
def rank_cliques(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    way: int,
    counts: Array,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    order: Array,
    rank: Array,
    fptr: Array,
    findex: Array,
    directed: bool,
    orders: Array,
    order_of: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Enumerate the 4-cliques of each node and write those with a drawn rank; all of them if there is room.

    If the pattern is not ``directed``, every clique is an instance. Neighbours whose count is 0 are in none.
    """
    n = graph_indptr.shape[0] - 1
    mark = np.zeros(n, np.uint8)
    common = np.full(n, -1, np.int64)
    listed = np.empty(n, findex.dtype)
    four = np.empty(4, np.int64)
    size = rank_table_size(start, stop, nodes, route, way, counts, indptr)
    keys = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    ranks = np.empty(size // 4, np.int64)
    stamp = np.int64(-1)
    for i in range(start, stop):
        if route[i] != way:
            continue
        v = nodes[i]
        need = indptr[i + 1] - indptr[i]
        whole = need == counts[v]
        if not whole:
            draw_ranks(seed, v, i, counts[v], need, keys, stamps, ranks)
        for e in range(graph_indptr[v], graph_indptr[v + 1]):
            mark[rank[graph_indices[e]]] = counts[graph_indices[e]] > 0
        at = 0
        seen = 0
        for e in range(graph_indptr[v], graph_indptr[v + 1]):
            if at == need:
                break
            x = rank[graph_indices[e]]
            if not mark[x]:
                continue
            stamp += 1
            found = 0
            for f in range(fptr[x], fptr[x + 1]):
                if mark[findex[f]]:
                    common[findex[f]] = stamp
                    listed[found] = findex[f]
                    found += 1
            for j in range(found):
                y = listed[j]
                for g in range(fptr[y], fptr[y + 1]):
                    if common[findex[g]] != stamp:
                        continue
                    chosen = at < need and (whole or ranks[at] == seen)
                    if directed or chosen:
                        four[0], four[1], four[2], four[3] = v, order[x], order[y], order[findex[g]]
                        number = member_order(four, graph_indptr, graph_indices, codes, order_of)
                        if number < 0:
                            continue
                        if chosen:
                            write_four(four, orders[number], out, indptr[i] + at)
                            at += 1
                    seen += 1
        for e in range(graph_indptr[v], graph_indptr[v + 1]):
            mark[rank[graph_indices[e]]] = 0
