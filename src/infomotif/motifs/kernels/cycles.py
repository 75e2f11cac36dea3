"""Kernels that draw and enumerate the 4-cycles of a node through the nodes opposite to it.

A cycle v - a - w - b - v is an opposite node w and two common neighbours a and b of v and w.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, first_above, stream_of
from infomotif._core.hash_table import table_size
from infomotif._core.parallel import kernel
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
def mark_row(v: int, indptr: Array, indices: Array, mark: Array, value: int) -> None:
    """Set the mark of a node and its neighbours."""
    mark[v] = value
    for e in range(indptr[v], indptr[v + 1]):
        mark[indices[e]] = value


@kernel
def opposite_nodes(
    v: int, base: Int, indptr: Array, indices: Array, mark: Array, paths: Array, opposite: Array, cycles: Array
) -> int:
    """Find the nodes not joined to v that share at least two neighbours with it; return their number.

    ``cycles`` gets the cumulative number of cycles through them, chords between the common neighbours included. Counts
    in ``paths`` start at ``base``, which must exceed every earlier count, so that they need not be cleared.
    """
    found = 0
    for e in range(indptr[v], indptr[v + 1]):
        a = indices[e]
        for f in range(indptr[a], indptr[a + 1]):
            w = indices[f]
            count = paths[w]
            count = base + 1 if count < base else count + 1
            paths[w] = count
            if count == base + 2 and mark[w] == 0:
                opposite[found] = w
                found += 1
    total = np.int64(0)
    for j in range(found):
        shared = paths[opposite[j]] - base
        total += shared * (shared - 1) // 2
        cycles[j] = total
    return found


@kernel
def shared_neighbours(v: int, w: int, indptr: Array, indices: Array, mark: Array, common: Array) -> int:
    """Write the common neighbours of v, whose neighbours are marked, and w; return their number.

    Of both rows the shorter is walked. A long row of w is searched from the last position found.
    """
    found = 0
    if indptr[w + 1] - indptr[w] <= 8 * (indptr[v + 1] - indptr[v]):
        for f in range(indptr[w], indptr[w + 1]):
            x = indices[f]
            if mark[x]:
                common[found] = x
                found += 1
        return found
    first = indptr[w]
    last = indptr[w + 1]
    for e in range(indptr[v], indptr[v + 1]):
        x = indices[e]
        low = first
        high = last
        while low < high:
            middle = (low + high) >> 1
            if indices[middle] < x:
                low = middle + 1
            else:
                high = middle
        first = low
        if low < last and indices[low] == x:
            common[found] = x
            found += 1
    return found


@kernel
def draw_cycles(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    way: int,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    orders: Array,
    order_of: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw cycles: an opposite node by its number of cycles, then two common neighbours; drop those with a chord."""
    n = graph_indptr.shape[0] - 1
    mark = np.zeros(n, np.uint8)
    paths = np.zeros(n, np.int64)
    opposite = np.empty(n, graph_indices.dtype)
    cycles = np.empty(n, np.int64)
    common = np.empty(n, graph_indices.dtype)
    four = np.empty(4, np.int64)
    size = table_size(start, stop, route, way, indptr)
    rows = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    base = np.int64(1)
    for i in range(start, stop):
        if route[i] != way:
            continue
        v = nodes[i]
        stream = stream_of(seed, v)
        mark_row(v, graph_indptr, graph_indices, mark, 1)
        found = opposite_nodes(v, base, graph_indptr, graph_indices, mark, paths, opposite, cycles)
        base += graph_indptr[v + 1] - graph_indptr[v] + 1
        draw = 0
        row = indptr[i]
        while row < indptr[i + 1]:
            w = opposite[first_above(cycles, found, below(stream, draw, cycles[found - 1]))]
            shared = shared_neighbours(v, w, graph_indptr, graph_indices, mark, common)
            first = below(stream, draw + 1, shared)
            second = below(stream, draw + 2, shared - 1)
            draw += 3
            four[0], four[1], four[2], four[3] = v, w, common[first], common[second + (second >= first)]
            number = member_order(four, graph_indptr, graph_indices, codes, order_of)
            if number >= 0 and write_if_new(four, orders[number], out, row, rows, stamps, i):
                row += 1
        mark_row(v, graph_indptr, graph_indices, mark, 0)


@kernel
def rank_cycles(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    way: int,
    counts: Array,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    directed: bool,
    orders: Array,
    order_of: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Enumerate the cycles of each node and write those with a drawn rank; all of them if there is room.

    If the pattern is not ``directed``, every cycle without a chord is an instance.
    """
    n = graph_indptr.shape[0] - 1
    mark = np.zeros(n, np.uint8)
    paths = np.zeros(n, np.int64)
    opposite = np.empty(n, graph_indices.dtype)
    cycles = np.empty(n, np.int64)
    common = np.empty(n, graph_indices.dtype)
    four = np.empty(4, np.int64)
    size = rank_table_size(start, stop, nodes, route, way, counts, indptr)
    keys = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    ranks = np.empty(size // 4, np.int64)
    base = np.int64(1)
    for i in range(start, stop):
        if route[i] != way:
            continue
        v = nodes[i]
        need = indptr[i + 1] - indptr[i]
        whole = need == counts[v]
        if not whole:
            draw_ranks(seed, v, i, counts[v], need, keys, stamps, ranks)
        mark_row(v, graph_indptr, graph_indices, mark, 1)
        found = opposite_nodes(v, base, graph_indptr, graph_indices, mark, paths, opposite, cycles)
        base += graph_indptr[v + 1] - graph_indptr[v] + 1
        at = 0
        seen = 0
        for j in range(found):
            if at == need:
                break
            shared = shared_neighbours(v, opposite[j], graph_indptr, graph_indices, mark, common)
            for p in range(shared):
                for r in range(p):
                    if code_between(graph_indptr, graph_indices, codes, common[r], common[p]):
                        continue
                    chosen = at < need and (whole or ranks[at] == seen)
                    if directed or chosen:
                        four[0], four[1], four[2], four[3] = v, opposite[j], common[r], common[p]
                        number = member_order(four, graph_indptr, graph_indices, codes, order_of)
                        if number < 0:
                            continue
                        if chosen:
                            write_four(four, orders[number], out, indptr[i] + at)
                            at += 1
                    seen += 1
        mark_row(v, graph_indptr, graph_indices, mark, 0)
