"""Kernels that draw triads: from lists, and from the adjacency."""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import add_if_new, below, first_above, stream_of, table_size
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.dyads import code_between
from infomotif.motifs.kernels.triangles import place_triangle
from infomotif.typing import Array


@kernel
def draw_listed(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    mine: int,
    row_start: Array,
    rows: Array,
    counts: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Copy min(q, count) listed rows of each node: all of them, or the first places of a shuffle."""
    k = rows.shape[1]
    most = 0
    for i in range(start, stop):
        if route[i] == mine:
            most = max(most, counts[nodes[i]])
    shuffle = np.empty(most, np.int64)
    for j in range(most):
        shuffle[j] = j
    moved = np.empty(most, np.int64)
    for i in range(start, stop):
        if route[i] != mine:
            continue
        v = nodes[i]
        first = row_start[v]
        count = counts[v]
        base = indptr[i]
        need = indptr[i + 1] - base
        if need == count:
            for j in range(need):
                for p in range(k):
                    out[base + j, p] = rows[first + j, p]
            continue
        stream = stream_of(seed, v)
        for j in range(need):
            other = j + below(stream, j, count - j)
            moved[j] = other
            chosen = shuffle[other]
            shuffle[other] = shuffle[j]
            shuffle[j] = chosen
            for p in range(k):
                out[base + j, p] = rows[first + chosen, p]
        for j in range(need):
            shuffle[moved[j]] = moved[j]
            shuffle[j] = j


@kernel
def draw_open(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    mine: int,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
    a: int,
    b: int,
    at_centre: int,
    at_a: int,
    at_b: int,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw open triads whose centre has codes a and b: propose any wedge of the node uniformly, keep the induced.

    A node is the centre, the end with code a or the end with code b. The kind is drawn anew with every proposal, by
    the exact number of wedges of each kind, so that every wedge has the same chance; those that are closed are dropped.
    """
    n = graph_indptr.shape[0] - 1
    longest = 1
    for i in range(start, stop):
        if route[i] == mine:
            longest = max(longest, graph_indptr[nodes[i] + 1] - graph_indptr[nodes[i]])
    prefix_a = np.empty(longest, np.int64)
    prefix_b = np.empty(longest, np.int64)
    size = table_size(start, stop, route, mine, indptr)
    keys = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    same = a == b
    back_a = 3 - a if a != 3 else 3
    back_b = 3 - b if b != 3 else 3
    for i in range(start, stop):
        if route[i] != mine:
            continue
        v = nodes[i]
        stream = stream_of(seed, v)
        first_a = offsets[3 * v + a - 1]
        first_b = offsets[3 * v + b - 1]
        da = np.int64(offsets[3 * v + a] - first_a)
        db = np.int64(offsets[3 * v + b] - first_b)
        as_centre = da * (da - 1) // 2 if same else da * db
        near_a = offsets[3 * v + back_a - 1]
        size_a = offsets[3 * v + back_a] - near_a
        total = np.int64(0)
        for j in range(size_a):
            c = grouped[near_a + j]
            total += offsets[3 * c + b] - offsets[3 * c + b - 1] - (1 if same else 0)
            prefix_a[j] = total
        as_a = total
        near_b = offsets[3 * v + back_b - 1]
        size_b = offsets[3 * v + back_b] - near_b if not same else 0
        total = np.int64(0)
        for j in range(size_b):
            c = grouped[near_b + j]
            total += offsets[3 * c + a] - offsets[3 * c + a - 1]
            prefix_b[j] = total
        as_b = total
        draw = 0
        row = indptr[i]
        while row < indptr[i + 1]:
            pick = below(stream, draw, as_centre + as_a + as_b)
            draw += 1
            centre = v
            x = v
            y = v
            if pick < as_centre:
                if same:
                    # Number pick of all pairs i < j: row j of a triangle table holds j pairs.
                    high = np.int64((1.0 + np.sqrt(1.0 + 8.0 * pick)) / 2.0)
                    while high * (high - 1) // 2 > pick:
                        high -= 1
                    while (high + 1) * high // 2 <= pick:
                        high += 1
                    x = grouped[first_a + pick - high * (high - 1) // 2]
                    y = grouped[first_a + high]
                else:
                    x = grouped[first_a + pick // db]
                    y = grouped[first_b + pick % db]
                joined = code_between(graph_indptr, graph_indices, codes, x, y)
            elif pick < as_centre + as_a:
                pick -= as_centre
                place = first_above(prefix_a, size_a, pick)
                centre = grouped[near_a + place]
                rest = pick - (prefix_a[place - 1] if place > 0 else 0)
                y = grouped[offsets[3 * centre + b - 1] + rest]
                if same and y >= v:
                    # The group holds v itself at its place in ascending order: step over it.
                    y = grouped[offsets[3 * centre + b - 1] + rest + 1]
                joined = code_between(graph_indptr, graph_indices, codes, v, y)
            else:
                pick -= as_centre + as_a
                place = first_above(prefix_b, size_b, pick)
                centre = grouped[near_b + place]
                rest = pick - (prefix_b[place - 1] if place > 0 else 0)
                x = grouped[offsets[3 * centre + a - 1] + rest]
                joined = code_between(graph_indptr, graph_indices, codes, v, x)
            if joined != 0:
                continue
            if same and x > y:
                x, y = y, x
            # The two members besides v name the instance: an induced wedge has one centre.
            first = centre if centre != v else x
            second = y if y != v else x
            if add_if_new(keys, stamps, i, min(first, second) * n + max(first, second)):
                out[row, at_centre] = centre
                out[row, at_a] = x
                out[row, at_b] = y
                row += 1


@kernel
def draw_closed(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    mine: int,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    shared: Array,
    wanted: Array,
    place: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw triangles of one class: a neighbour by the number of instances shared with it, then one of these."""
    n = graph_indptr.shape[0] - 1
    longest = 1
    for i in range(start, stop):
        if route[i] == mine:
            longest = max(longest, graph_indptr[nodes[i] + 1] - graph_indptr[nodes[i]])
    prefix = np.empty(longest, np.int64)
    size = table_size(start, stop, route, mine, indptr)
    keys = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    for i in range(start, stop):
        if route[i] != mine:
            continue
        v = nodes[i]
        stream = stream_of(seed, v)
        first = graph_indptr[v]
        degree = graph_indptr[v + 1] - first
        total = np.int64(0)
        for j in range(degree):
            total += shared[first + j]
            prefix[j] = total
        draw = 0
        row = indptr[i]
        while row < indptr[i + 1]:
            pick = below(stream, draw, total)
            draw += 1
            e = first_above(prefix, degree, pick)
            rest = pick - (prefix[e - 1] if e > 0 else 0)
            x = graph_indices[first + e]
            vx = codes[first + e]
            # Walk the shorter row; the codes are turned to the order (v, x, y).
            swapped = graph_indptr[x + 1] - graph_indptr[x] > degree
            walk = v if swapped else x
            other = x if swapped else v
            for f in range(graph_indptr[walk], graph_indptr[walk + 1]):
                y = graph_indices[f]
                if y == other:
                    continue
                far = code_between(graph_indptr, graph_indices, codes, other, y)
                if far == 0:
                    continue
                vy = codes[f] if swapped else far
                xy = far if swapped else codes[f]
                if wanted[9 * (vx - 1) + 3 * (vy - 1) + xy - 1] < 0:
                    continue
                if rest == 0:
                    if add_if_new(keys, stamps, i, min(x, y) * n + max(x, y)):
                        place_triangle(v, x, y, vx, vy, xy, place, out, row)
                        row += 1
                    break
                rest -= 1
