"""Kernels that draw diamonds and 4-cliques as two triangles on an edge, and enumerate 4-cliques.

A pair of triangles on an edge is a diamond unless its two tips are joined, which makes it a clique. The triangles of a
node are found in the degree-ordered orientation: two of its neighbours that one forward edge joins.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, first_above, stream_of
from infomotif._core.hash_table import table_size
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.draws import longest_row
from infomotif.motifs.kernels.dyads import code_between
from infomotif.motifs.kernels.members import (
    draw_ranks,
    member_order,
    rank_table_size,
    write_four,
    write_if_new,
)
from infomotif.typing import Array, Int


@kernel
def draw_common(
    stream: np.uint64, draw: int, indptr: Array, indices: Array, codes: Array, x: Int, y: Int
) -> tuple[Int, int]:
    """Draw a common neighbour of two nodes that have one; return it and the next draw's number.

    Entries of the shorter row are drawn until one fits: on average its length over the number of common neighbours.
    """
    if indptr[x + 1] - indptr[x] > indptr[y + 1] - indptr[y]:
        x, y = y, x
    first = indptr[x]
    size = indptr[x + 1] - first
    while True:
        z = np.int64(indices[first + below(stream, draw, size)])
        draw += 1
        if z != y and code_between(indptr, indices, codes, y, z) != 0:
            return z, draw


@kernel
def chord_weights(v: int, indptr: Array, shared: Array, weights: Array) -> Int:
    """Fill the cumulative number of pairs of triangles on each edge of a node; return the total."""
    first = indptr[v]
    total = np.int64(0)
    for j in range(indptr[v + 1] - first):
        triangles = np.int64(shared[first + j])
        total += triangles * (triangles - 1) // 2
        weights[j] = total
    return total


@kernel
def tip_weights(
    v: int,
    indptr: Array,
    indices: Array,
    rank: Array,
    fptr: Array,
    findex: Array,
    along: Array,
    mark: Array,
    weights: Array,
) -> Int:
    """Fill the cumulative number of further triangles on the edges opposite to v; return the total.

    An edge counts at its end of lower rank. ``mark`` has the neighbours of v by rank, ``along`` the triangles of each
    forward edge.
    """
    first = indptr[v]
    total = np.int64(0)
    for j in range(indptr[v + 1] - first):
        x = rank[indices[first + j]]
        for f in range(fptr[x], fptr[x + 1]):
            if mark[findex[f]]:
                total += along[f] - 1
        weights[j] = total
    return total


@kernel
def opposite_edge(x: int, number: int, fptr: Array, findex: Array, along: Array, mark: Array) -> Int:
    """Return the other end of the edge from rank ``x`` whose further triangles include ``number``."""
    for f in range(fptr[x], fptr[x + 1]):
        if mark[findex[f]]:
            number -= along[f] - 1
            if number < 0:
                return np.int64(findex[f])
    return np.int64(-1)


@kernel
def draw_triangle_pairs(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    way: int,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    shared: Array,
    order: Array,
    rank: Array,
    fptr: Array,
    findex: Array,
    along: Array,
    tips: bool,
    orders: Array,
    order_of: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw instances of a pattern with two triangles on an edge; without ``tips`` the node is an end of that edge.

    Every node of a clique is an end of three of its edges, so cliques need no tips.
    """
    weights = np.empty((2, longest_row(start, stop, nodes, route, way, graph_indptr)), np.int64)
    mark = np.zeros(graph_indptr.shape[0] - 1, np.uint8)
    four = np.empty(4, np.int64)
    size = table_size(start, stop, route, way, indptr)
    rows = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    for i in range(start, stop):
        if route[i] != way:
            continue
        v = nodes[i]
        stream = stream_of(seed, v)
        first = graph_indptr[v]
        degree = graph_indptr[v + 1] - first
        on_chord = chord_weights(v, graph_indptr, shared, weights[0])
        at_tip: Int = np.int64(0)
        if tips:
            for e in range(first, first + degree):
                mark[rank[graph_indices[e]]] = 1
            at_tip = tip_weights(v, graph_indptr, graph_indices, rank, fptr, findex, along, mark, weights[1])
        draw = 0
        row = indptr[i]
        while row < indptr[i + 1]:
            pick = below(stream, draw, on_chord + at_tip)
            draw += 1
            if pick < on_chord:
                x = np.int64(graph_indices[first + first_above(weights[0], degree, pick)])
                y, draw = draw_common(stream, draw, graph_indptr, graph_indices, codes, v, x)
                z = y
                while z == y:
                    z, draw = draw_common(stream, draw, graph_indptr, graph_indices, codes, v, x)
            else:
                j = first_above(weights[1], degree, pick - on_chord)
                x = np.int64(graph_indices[first + j])
                number = pick - on_chord - (weights[1, j - 1] if j > 0 else 0)
                y = np.int64(order[opposite_edge(rank[x], number, fptr, findex, along, mark)])
                z = np.int64(v)
                while z == v:
                    z, draw = draw_common(stream, draw, graph_indptr, graph_indices, codes, x, y)
            four[0], four[1], four[2], four[3] = v, x, y, z
            number = member_order(four, graph_indptr, graph_indices, codes, order_of)
            if number >= 0 and write_if_new(four, orders[number], out, row, rows, stamps, i):
                row += 1
        if tips:
            for e in range(first, first + degree):
                mark[rank[graph_indices[e]]] = 0


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

    If the pattern is not ``directed``, every clique is an instance.
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
            mark[rank[graph_indices[e]]] = 1
        at = 0
        seen = 0
        for e in range(graph_indptr[v], graph_indptr[v + 1]):
            if at == need:
                break
            x = rank[graph_indices[e]]
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
