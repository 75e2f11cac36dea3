"""Kernels that draw paths, stars and triangles with a tail.

Every path (or star, or triangle with a tail) of a node is equally likely. Sets of nodes whose induced subgraph differs
from the pattern are dropped, so every instance is equally likely.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, first_above, stream_of
from infomotif._core.hash_table import table_size
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.draws import longest_row
from infomotif.motifs.kernels.members import member_order, write_if_new
from infomotif.motifs.kernels.triangle_pairs import draw_common
from infomotif.typing import Array, Int


@kernel
def another(
    stream: np.uint64, draw: int, indptr: Array, indices: Array, node: Int, first: Int, second: Int
) -> tuple[Int, int]:
    """Draw a neighbour of ``node`` other than two given nodes; return it and the next draw's number."""
    size = indptr[node + 1] - indptr[node]
    while True:
        x = np.int64(indices[indptr[node] + below(stream, draw, size)])
        draw += 1
        if x != first and x != second:
            return x, draw


@kernel
def tree_weights(
    v: int, indptr: Array, indices: Array, ahead: Array, leaf: Array, end: Array, middle: Array
) -> tuple[Int, Int, Int, Int]:
    """Fill cumulative numbers of 3-edge trees over a node's neighbours, by the node's position in the tree."""
    first = indptr[v]
    degree = np.int64(indptr[v + 1] - first)
    as_leaf = np.int64(0)
    as_end = np.int64(0)
    as_middle = np.int64(0)
    for j in range(degree):
        a = indices[first + j]
        more = np.int64(indptr[a + 1] - indptr[a] - 1)
        as_leaf += more * (more - 1) // 2
        as_end += ahead[indptr[a + 1]] - ahead[indptr[a]] - (degree - 1)
        as_middle += (degree - 1) * more
        leaf[j] = as_leaf
        end[j] = as_end
        middle[j] = as_middle
    return degree * (degree - 1) * (degree - 2) // 6, as_leaf, as_end, as_middle


@kernel
def count_trees(start: int, stop: int, indptr: Array, indices: Array, ahead: Array, stars: bool, counts: Array) -> None:
    """Count the stars, or the paths, that :func:`draw_four` chooses from at each node."""
    longest = 1
    for v in range(start, stop):
        longest = max(longest, indptr[v + 1] - indptr[v])
    scratch = np.empty((3, longest), np.int64)
    for v in range(start, stop):
        star, leaf, end, middle = tree_weights(v, indptr, indices, ahead, scratch[0], scratch[1], scratch[2])
        counts[v] = star + leaf if stars else end + middle


@kernel
def propose_tree(
    stream: np.uint64,
    draw: int,
    v: int,
    pick: int,
    weights: Array,
    kinds: Array,
    indptr: Array,
    indices: Array,
    ahead: Array,
    four: Array,
) -> int:
    """Write the nodes of a tree, whose kind ``pick`` determines; return the next draw's number."""
    first = indptr[v]
    degree = indptr[v + 1] - first
    star, leaf, end = kinds[0], kinds[1], kinds[2]
    four[0] = v
    if pick < star:
        four[1], draw = another(stream, draw, indptr, indices, v, v, v)
        four[2], draw = another(stream, draw, indptr, indices, v, four[1], v)
        four[3], draw = another(stream, draw, indptr, indices, v, four[1], four[2])
        return draw
    pick -= star
    if pick < leaf:
        four[1] = indices[first + first_above(weights[0], degree, pick)]
        four[2], draw = another(stream, draw, indptr, indices, four[1], v, v)
        four[3], draw = another(stream, draw, indptr, indices, four[1], v, four[2])
        return draw
    pick -= leaf
    if pick < end:
        a = indices[first + first_above(weights[1], degree, pick)]
        four[1] = a
        four[2] = v
        while four[2] == v:
            four[2] = indices[weighted_entry(stream, draw, indptr, ahead, a)]
            draw += 1
        four[3], draw = another(stream, draw, indptr, indices, four[2], a, a)
        return draw
    a = indices[first + first_above(weights[2], degree, pick - end)]
    four[1] = a
    four[2], draw = another(stream, draw, indptr, indices, v, a, a)
    four[3], draw = another(stream, draw, indptr, indices, a, v, v)
    return draw


@kernel
def weighted_entry(stream: np.uint64, draw: int, indptr: Array, ahead: Array, node: Int) -> int:
    """Draw an entry of a node's row by the cumulative weights ``ahead``."""
    first = indptr[node]
    low = ahead[first]
    goal = low + below(stream, draw, ahead[indptr[node + 1]] - low)
    entry: int = first + first_above(ahead[first + 1 :], indptr[node + 1] - first, goal)
    return entry


@kernel
def tail_weights(
    v: int, indptr: Array, indices: Array, shared: Array, tail: Array, other: Array
) -> tuple[Int, Int, Int]:
    """Fill cumulative numbers of triangles with a tail over a node's neighbours, by the node's position in them.

    ``shared`` is the cumulative number of triangles of the entries. Tails that end in the triangle itself count too.
    """
    first = indptr[v]
    degree = np.int64(indptr[v + 1] - first)
    as_tail = np.int64(0)
    as_other = np.int64(0)
    for j in range(degree):
        a = indices[first + j]
        as_tail += (shared[indptr[a + 1]] - shared[indptr[a]]) // 2
        as_other += (shared[first + j + 1] - shared[first + j]) * (indptr[a + 1] - indptr[a] - 2)
        tail[j] = as_tail
        other[j] = as_other
    return (shared[indptr[v + 1]] - shared[first]) // 2 * (degree - 2), as_tail, as_other


@kernel
def propose_tail(
    stream: np.uint64,
    draw: int,
    v: int,
    pick: int,
    weights: Array,
    kinds: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    shared: Array,
    four: Array,
) -> int:
    """Write the nodes of a triangle with a tail, whose kind ``pick`` determines; return the next draw's number."""
    first = indptr[v]
    degree = indptr[v + 1] - first
    centre, tail = kinds[0], kinds[1]
    if pick < centre + tail:
        # The triangle's corner with the tail: the node itself, or a neighbour of which it is the tail.
        corner = v if pick < centre else np.int64(indices[first + first_above(weights[0], degree, pick - centre)])
        e = weighted_entry(stream, draw, indptr, shared, corner)
        four[0] = corner
        four[1] = indices[e]
        four[2], draw = draw_common(stream, draw + 1, indptr, indices, codes, corner, four[1])
        four[3] = v
        if corner == v:
            four[3], draw = another(stream, draw, indptr, indices, v, four[1], four[2])
        return draw
    e = first + first_above(weights[1], degree, pick - centre - tail)
    four[0] = v
    four[1] = indices[e]
    four[2], draw = draw_common(stream, draw, indptr, indices, codes, v, four[1])
    four[3], draw = another(stream, draw, indptr, indices, four[1], v, four[2])
    return draw


@kernel
def count_tails(start: int, stop: int, indptr: Array, indices: Array, shared: Array, counts: Array) -> None:
    """Count the triangles with a tail that :func:`draw_four` chooses from at each node."""
    longest = 1
    for v in range(start, stop):
        longest = max(longest, indptr[v + 1] - indptr[v])
    scratch = np.empty((2, longest), np.int64)
    for v in range(start, stop):
        centre, tail, other = tail_weights(v, indptr, indices, shared, scratch[0], scratch[1])
        counts[v] = centre + tail + other


@kernel
def draw_four(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    way: int,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    tails: bool,
    stars: bool,
    cumulated: Array,
    orders: Array,
    order_of: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw instances of one 4-node pattern from triangles with a tail, from stars or, without either, from paths.

    ``cumulated`` holds the cumulative weights of the entries of the rows.
    """
    weights = np.empty((3, longest_row(start, stop, nodes, route, way, graph_indptr)), np.int64)
    kinds = np.zeros(4, np.int64)
    four = np.empty(4, np.int64)
    size = table_size(start, stop, route, way, indptr)
    rows = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    for i in range(start, stop):
        if route[i] != way:
            continue
        v = nodes[i]
        stream = stream_of(seed, v)
        if tails:
            kinds[0], kinds[1], kinds[2] = tail_weights(
                v, graph_indptr, graph_indices, cumulated, weights[0], weights[1]
            )
        else:
            kinds[0], kinds[1], kinds[2], kinds[3] = tree_weights(
                v, graph_indptr, graph_indices, cumulated, weights[0], weights[1], weights[2]
            )
            dropped = 2 if stars else 0
            kinds[dropped] = kinds[dropped + 1] = 0
        total = kinds[0] + kinds[1] + kinds[2] + kinds[3]
        draw = 0
        row = indptr[i]
        while row < indptr[i + 1]:
            pick = below(stream, draw, total)
            draw += 1
            if tails:
                draw = propose_tail(
                    stream, draw, v, pick, weights, kinds, graph_indptr, graph_indices, codes, cumulated, four
                )
            else:
                draw = propose_tree(stream, draw, v, pick, weights, kinds, graph_indptr, graph_indices, cumulated, four)
            number = member_order(four, graph_indptr, graph_indices, codes, order_of)
            if number >= 0 and write_if_new(four, orders[number], out, row, rows, stamps, i):
                row += 1
