"""Kernels that draw triads, from lists or from the adjacency.

Each of them serves the nodes whose ``route`` is its ``way``.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, first_above, stream_of
from infomotif._core.hash_table import add_if_new, table_size
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.dyads import code_between, flipped
from infomotif.motifs.kernels.triangles import write_triangle
from infomotif.typing import Array, Int


@kernel
def draw_listed(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    way: int,
    row_start: Array,
    rows: Array,
    counts: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Copy min(q, count) listed rows of each node: all of them, or the first of a partial shuffle."""
    k = rows.shape[1]
    highest = 0
    for i in range(start, stop):
        if route[i] == way:
            highest = max(highest, counts[nodes[i]])
    shuffle = np.empty(highest, np.int64)
    for j in range(highest):
        shuffle[j] = j
    moved = np.empty(highest, np.int64)
    for i in range(start, stop):
        if route[i] != way:
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
def longest_row(start: int, stop: int, nodes: Array, route: Array, way: int, graph_indptr: Array) -> int:
    """Return the highest degree of the nodes that are drawn this way, at least 1."""
    longest = 1
    for i in range(start, stop):
        if route[i] == way:
            longest = max(longest, graph_indptr[nodes[i] + 1] - graph_indptr[nodes[i]])
    return longest


@kernel
def end_weights(v: int, code: int, other: int, offsets: Array, grouped: Array, weights: Array) -> Int:
    """Fill the cumulative number of wedges over the centres whose end with this code is v; return the total.

    ``other`` is the code of the other end; if both codes are the same, v itself is not counted as the other end.
    """
    group = 3 * v + flipped(code) - 1
    total = np.int64(0)
    for j in range(offsets[group + 1] - offsets[group]):
        centre = grouped[offsets[group] + j]
        total += offsets[3 * centre + other] - offsets[3 * centre + other - 1] - (1 if code == other else 0)
        weights[j] = total
    return total


@kernel
def pair_number(number: int) -> tuple[Int, Int]:
    """Return the pair i < j with this number: row j of a triangular table holds j pairs."""
    high = np.int64((1.0 + np.sqrt(1.0 + 8.0 * number)) / 2.0)
    while high * (high - 1) // 2 > number:
        high -= 1
    while (high + 1) * high // 2 <= number:
        high += 1
    return number - high * (high - 1) // 2, high


@kernel
def centre_wedge(v: int, number: int, a: int, b: int, offsets: Array, grouped: Array) -> tuple[Int, Int]:
    """Return both ends, with codes a and b, of one of the wedges whose centre is v."""
    first_a = offsets[3 * v + a - 1]
    if a == b:
        low, high = pair_number(number)
        return np.int64(grouped[first_a + low]), np.int64(grouped[first_a + high])
    first_b = offsets[3 * v + b - 1]
    size_b = np.int64(offsets[3 * v + b] - first_b)
    return np.int64(grouped[first_a + number // size_b]), np.int64(grouped[first_b + number % size_b])


@kernel
def end_wedge(
    v: int, number: int, code: int, other: int, weights: Array, offsets: Array, grouped: Array
) -> tuple[Int, Int]:
    """Return the centre and the other end of one of the wedges that :func:`end_weights` counts."""
    group = 3 * v + flipped(code) - 1
    at = first_above(weights, offsets[group + 1] - offsets[group], number)
    centre = np.int64(grouped[offsets[group] + at])
    entry = offsets[3 * centre + other - 1] + number - (weights[at - 1] if at > 0 else 0)
    if code == other and grouped[entry] >= v:
        # The group holds v itself, in ascending order: step over it.
        entry += 1
    return centre, np.int64(grouped[entry])


@kernel
def draw_open(
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
    wedge: tuple[int, int, int, int, int],
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw open triads: propose any wedge of the node uniformly, keep the induced ones.

    ``wedge`` holds the codes a and b of the ends as the centre sees them, and the positions of centre and ends. A node
    is the centre, the end with code a or the end with code b. Every proposal draws this again, by the exact number of
    wedges of each kind, so that every wedge has the same chance; closed ones are dropped.
    """
    a, b, at_centre, at_a, at_b = wedge
    n = graph_indptr.shape[0] - 1
    weights = np.empty((2, longest_row(start, stop, nodes, route, way, graph_indptr)), np.int64)
    size = table_size(start, stop, route, way, indptr)
    keys = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    for i in range(start, stop):
        if route[i] != way:
            continue
        v = nodes[i]
        stream = stream_of(seed, v)
        degree_a = np.int64(offsets[3 * v + a] - offsets[3 * v + a - 1])
        degree_b = np.int64(offsets[3 * v + b] - offsets[3 * v + b - 1])
        as_centre = degree_a * (degree_a - 1) // 2 if a == b else degree_a * degree_b
        as_a = end_weights(v, a, b, offsets, grouped, weights[0])
        as_b = end_weights(v, b, a, offsets, grouped, weights[1]) if a != b else np.int64(0)
        draw = 0
        row = indptr[i]
        while row < indptr[i + 1]:
            pick = below(stream, draw, as_centre + as_a + as_b)
            draw += 1
            centre = x = y = v
            if pick < as_centre:
                x, y = centre_wedge(v, pick, a, b, offsets, grouped)
            elif pick < as_centre + as_a:
                centre, y = end_wedge(v, pick - as_centre, a, b, weights[0], offsets, grouped)
            else:
                centre, x = end_wedge(v, pick - as_centre - as_a, b, a, weights[1], offsets, grouped)
            if code_between(graph_indptr, graph_indices, codes, x, y) != 0:
                continue
            if a == b and x > y:
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
    way: int,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    shared: Array,
    wanted: Array,
    member_order: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw triangles of one class: first a neighbour, by the number of shared instances, then one of these."""
    n = graph_indptr.shape[0] - 1
    prefix = np.empty(longest_row(start, stop, nodes, route, way, graph_indptr), np.int64)
    size = table_size(start, stop, route, way, indptr)
    keys = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    for i in range(start, stop):
        if route[i] != way:
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
                        write_triangle(v, x, y, vx, vy, xy, member_order, out, row)
                        row += 1
                    break
                rest -= 1
