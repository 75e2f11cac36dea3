"""Kernels that draw undirected paths and stars of four nodes.

Every path (or star) of a node is equally likely. Sets of nodes whose induced subgraph differs from the pattern are
dropped, so every instance is equally likely.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, first_above, stream_of
from infomotif._core.hash_table import table_size
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.draws import longest_row
from infomotif.motifs.kernels.members import member_order, write_if_new
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
def draw_four(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    way: int,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    stars: bool,
    cumulated: Array,
    orders: Array,
    order_of: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw instances of one 4-node pattern from stars or, without ``stars``, from paths.

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
            draw = propose_tree(stream, draw, v, pick, weights, kinds, graph_indptr, graph_indices, cumulated, four)
            number = member_order(four, graph_indptr, graph_indices, codes, order_of)
            if number >= 0 and write_if_new(four, orders[number], out, row, rows, stamps, i):
                row += 1
