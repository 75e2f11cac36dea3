"""Kernels that draw and enumerate the 4-cycles of a node through the nodes opposite to it, by the codes of the edges.

A cycle v - a - w - b - v is an opposite node w and two halves: a common neighbour a with the codes of (v, a) and
(a, w), and b likewise. ``halves`` [K, 2] are the different pairs of codes that a half may have, ``pairs`` [orbits, 2]
the numbers of both halves, the larger last, for each orbit that v may be in. Rows are ordered by code: group (v, code)
starts at ``offsets[3 v + code - 1]``.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, first_above, stream_of
from infomotif._core.hash_table import table_size
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.draws import pair_number
from infomotif.motifs.kernels.dyads import code_between, flipped
from infomotif.motifs.kernels.members import (
    draw_ranks,
    member_order,
    rank_table_size,
    write_four,
    write_if_new,
)
from infomotif.typing import Array, Int

ITSELF = 4
"""The mark of the node itself; its neighbours have their codes."""


@kernel
def mark_row(v: int, indptr: Array, indices: Array, codes: Array, mark: Array) -> None:
    """Mark a node, and its neighbours with their codes."""
    mark[v] = ITSELF
    for e in range(indptr[v], indptr[v + 1]):
        mark[indices[e]] = codes[e]


@kernel
def clear_row(v: int, indptr: Array, indices: Array, mark: Array) -> None:
    """Take the marks of a node and its neighbours away."""
    mark[v] = 0
    for e in range(indptr[v], indptr[v + 1]):
        mark[indices[e]] = 0


@kernel
def ways_of(first: int, second: int, w: Int, base: Int, paths: Array) -> Int:
    """Count the choices of two halves with these numbers between a node and w, chords included."""
    here = max(np.int64(0), paths[first, w] - base)
    there = here - 1 if first == second else max(np.int64(0), paths[second, w] - base)
    ways: Int = here * there // 2 if first == second else here * there
    return ways


@kernel
def opposite_nodes(
    v: int,
    base: Int,
    offsets: Array,
    grouped: Array,
    halves: Array,
    pairs: Array,
    mark: Array,
    paths: Array,
    seen: Array,
    opposite: Array,
    cycles: Array,
) -> int:
    """Find the nodes not joined to v through which there are cycles, chords included; return their number.

    ``cycles`` gets the cumulative number of cycles through them. Counts in ``paths`` [K, n] start at ``base``, which
    must exceed every earlier count, so that they need not be cleared; ``seen`` has the last base a node was found at.
    """
    found = 0
    for k in range(halves.shape[0]):
        ways = paths[k]
        twice = False
        mixed = False
        for o in range(pairs.shape[0]):
            if pairs[o, 1] == k:
                twice = twice or pairs[o, 0] == k
                mixed = mixed or pairs[o, 0] != k
        for e in range(offsets[3 * v + halves[k, 0] - 1], offsets[3 * v + halves[k, 0]]):
            a = np.int64(grouped[e])
            for f in range(offsets[3 * a + halves[k, 1] - 1], offsets[3 * a + halves[k, 1]]):
                w = grouped[f]
                count = ways[w]
                count = base + 1 if count < base else count + 1
                ways[w] = count
                # Smaller halves are complete, so the first way to w shows at the first or second path of this one.
                if not ((mixed and count == base + 1) or (twice and count == base + 2)):
                    continue
                if mark[w] or seen[w] == base:
                    continue
                for o in range(pairs.shape[0]):
                    if pairs[o, 1] == k and ways_of(pairs[o, 0], k, w, base, paths) > 0:
                        seen[w] = base
                        opposite[found] = w
                        found += 1
                        break
    total = np.int64(0)
    for j in range(found):
        for o in range(pairs.shape[0]):
            total += ways_of(pairs[o, 0], pairs[o, 1], opposite[j], base, paths)
        cycles[j] = total
    return found


@kernel
def shared_neighbours(
    v: int, w: Int, half: Array, most: int, offsets: Array, grouped: Array, mark: Array, common: Array
) -> int:
    """Write the first common neighbours, at most ``most``, of v and w whose codes are this half; return their number.

    Of both groups the shorter is walked; the row of v is marked. A long group of w is searched from the last position
    found.
    """
    found = 0
    start = offsets[3 * v + half[0] - 1]
    stop = offsets[3 * v + half[0]]
    first = offsets[3 * w + flipped(half[1]) - 1]
    last = offsets[3 * w + flipped(half[1])]
    if last - first <= 8 * (stop - start):
        for f in range(first, last):
            x = grouped[f]
            if mark[x] == half[0]:
                common[found] = x
                found += 1
                if found == most:
                    break
        return found
    for e in range(start, stop):
        x = grouped[e]
        low = first
        high = last
        while low < high:
            middle = (low + high) >> 1
            if grouped[middle] < x:
                low = middle + 1
            else:
                high = middle
        first = low
        if low < last and grouped[low] == x:
            common[found] = x
            found += 1
            if found == most:
                break
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
    offsets: Array,
    grouped: Array,
    halves: Array,
    pairs: Array,
    orders: Array,
    order_of: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw cycles: an opposite node by its number of cycles, then two halves; drop those with a chord."""
    n = graph_indptr.shape[0] - 1
    mark = np.zeros(n, np.uint8)
    paths = np.zeros((halves.shape[0], n), np.int64)
    seen = np.zeros(n, np.int64)
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
        mark_row(v, graph_indptr, graph_indices, codes, mark)
        found = opposite_nodes(v, base, offsets, grouped, halves, pairs, mark, paths, seen, opposite, cycles)
        draw = 0
        row = indptr[i]
        while row < indptr[i + 1]:
            pick = below(stream, draw, cycles[found - 1])
            draw += 1
            j = first_above(cycles, found, pick)
            w = np.int64(opposite[j])
            rest = pick - (cycles[j - 1] if j > 0 else 0)
            o = 0
            ways = ways_of(pairs[0, 0], pairs[0, 1], w, base, paths)
            while rest >= ways:
                rest -= ways
                o += 1
                ways = ways_of(pairs[o, 0], pairs[o, 1], w, base, paths)
            first, second = pairs[o, 0], pairs[o, 1]
            if first == second:
                low, high = pair_number(rest)
            else:
                there = paths[second, w] - base
                low, high = rest // there, rest % there
            shared_neighbours(v, w, halves[first], low + 1, offsets, grouped, mark, common)
            four[2] = common[low]
            shared_neighbours(v, w, halves[second], high + 1, offsets, grouped, mark, common)
            four[0], four[1], four[3] = v, w, common[high]
            if code_between(graph_indptr, graph_indices, codes, four[2], four[3]):
                continue
            number = member_order(four, graph_indptr, graph_indices, codes, order_of)
            if write_if_new(four, orders[number], out, row, rows, stamps, i):
                row += 1
        base += graph_indptr[v + 1] - graph_indptr[v] + 1
        clear_row(v, graph_indptr, graph_indices, mark)


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
    offsets: Array,
    grouped: Array,
    halves: Array,
    pairs: Array,
    orders: Array,
    order_of: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Enumerate the cycles of each node and write those with a drawn rank; all of them if there is room."""
    n = graph_indptr.shape[0] - 1
    mark = np.zeros(n, np.uint8)
    paths = np.zeros((halves.shape[0], n), np.int64)
    seen = np.zeros(n, np.int64)
    opposite = np.empty(n, graph_indices.dtype)
    cycles = np.empty(n, np.int64)
    common = np.empty((2, n), graph_indices.dtype)
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
        mark_row(v, graph_indptr, graph_indices, codes, mark)
        found = opposite_nodes(v, base, offsets, grouped, halves, pairs, mark, paths, seen, opposite, cycles)
        at = 0
        passed = 0
        for j in range(found):
            w = np.int64(opposite[j])
            for o in range(pairs.shape[0]):
                if at == need:
                    break
                first, second = pairs[o, 0], pairs[o, 1]
                if ways_of(first, second, w, base, paths) == 0:
                    continue
                firsts = shared_neighbours(v, w, halves[first], n, offsets, grouped, mark, common[0])
                seconds = shared_neighbours(v, w, halves[second], n, offsets, grouped, mark, common[1])
                for p in range(seconds):
                    for r in range(p if first == second else firsts):
                        if code_between(graph_indptr, graph_indices, codes, common[0, r], common[1, p]):
                            continue
                        if at < need and (whole or ranks[at] == passed):
                            four[0], four[1], four[2], four[3] = v, w, common[0, r], common[1, p]
                            number = member_order(four, graph_indptr, graph_indices, codes, order_of)
                            write_four(four, orders[number], out, indptr[i] + at)
                            at += 1
                        passed += 1
        base += graph_indptr[v + 1] - graph_indptr[v] + 1
        clear_row(v, graph_indptr, graph_indices, mark)
