"""Kernels that draw paws, diamonds and 4-cliques as an edge with two attachments, by the codes of their edges.

An attachment is a tip, a common neighbour of both ends, or a leaf, a neighbour of one end. A placement maps the
positions of a pattern to nodes so that the edge and what attaches the other two have the right codes. Every placement
of a node is equally likely; those that are instances are kept.

``plan`` has a row for each orbit of the pattern, with these columns:

- KIND: how the node takes part. END: it is an end x of the edge (x, y). LEAF: it is the leaf at x. TIP: it is a tip.
- NEAR: the code from the node to y (END) or to x (LEAF, TIP). FAR: to y (TIP). ALONG: from x to y (LEAF, TIP).
- FIRST, and the column after it: the codes from x and from y to the (other) tip.
- MORE: the second attachment of an END: TIPPED, LEAF_AT_X or LEAF_AT_Y. SECOND, and the column after it: its codes.
- ACROSS: the code from the first to the second tip of an END. Nodes with another code may be an instance as well, but
  in another orbit or order, in which they are drawn too.
- SIZE: the number of positions in the orbit.

``tips`` [m, C] has the number of common neighbours of each forward edge by both codes, ``column`` [4, 4] the column of
two codes. ``edge`` is the forward edge of each entry of the rows.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, first_above, stream_of
from infomotif._core.hash_table import table_size
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.draws import longest_row
from infomotif.motifs.kernels.dyads import code_between, flipped
from infomotif.motifs.kernels.members import member_order, write_if_new
from infomotif.typing import Array, Int

KIND, NEAR, FAR, ALONG, FIRST, MORE, SECOND, ACROSS, SIZE, COLUMNS = 0, 1, 2, 3, 4, 6, 7, 9, 10, 11
END, LEAF, TIP = 0, 1, 2
TIPPED, LEAF_AT_X, LEAF_AT_Y = 0, 1, 2


@kernel
def count_tips(fptr: Array, findex: Array, fcodes: Array, column: Array, tips: Array) -> None:
    """Count the common neighbours of the ends of each forward edge by both codes; column -1 is not wanted."""
    n = fptr.shape[0] - 1
    mark = np.zeros(n, fptr.dtype)
    for u in range(n):
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = e + 1
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            for f in range(fptr[v], fptr[v + 1]):
                g = mark[findex[f]] - 1
                if g >= 0:
                    c = column[fcodes[g], fcodes[f]]
                    if c >= 0:
                        tips[e, c] += 1
                    c = column[fcodes[e], flipped(fcodes[f])]
                    if c >= 0:
                        tips[g, c] += 1
                    c = column[flipped(fcodes[e]), flipped(fcodes[g])]
                    if c >= 0:
                        tips[f, c] += 1
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0


@kernel
def tips_of(x: Int, y: Int, first: int, second: int, edge: Int, rank: Array, column: Array, tips: Array) -> Int:
    """Return the number of common neighbours of x and y with these codes from x and from y."""
    if rank[x] > rank[y]:
        first, second = second, first
    return np.int64(tips[edge, column[first, second]])


@kernel
def sum_along(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    codes: Array,
    edge: Array,
    rank: Array,
    column: Array,
    tips: Array,
    leaf: Array,
    along: Array,
) -> None:
    """Cumulate over each row the tips that a leaf's plan sees on its entries (x, y)."""
    for x in range(start, stop):
        total = np.int64(0)
        for e in range(indptr[x], indptr[x + 1]):
            if codes[e] == leaf[ALONG]:
                total += tips_of(x, indices[e], leaf[FIRST], leaf[FIRST + 1], edge[e], rank, column, tips)
            along[e] = total


@kernel
def placements_at_tip(
    x: Int,
    f: Int,
    turned: bool,
    plan: Array,
    fcodes: Array,
    findex: Array,
    mark: Array,
    column: Array,
    tips: Array,
) -> Int:
    """Count the placements of another tip on forward edge f = (x, y), or (y, x) if ``turned``, for a node that is one.

    ``mark`` has the code from the node to its neighbours, by rank.
    """
    y = findex[f]
    code = fcodes[f]
    first, second = plan[FIRST], plan[FIRST + 1]
    if turned:
        x, y, code, first, second = y, x, flipped(code), second, first
    if mark[x] != plan[NEAR] or mark[y] != plan[FAR] or code != plan[ALONG]:
        return np.int64(0)
    # The node itself is no other tip.
    own = flipped(plan[NEAR]) == plan[FIRST] and flipped(plan[FAR]) == plan[FIRST + 1]
    ways: Int = np.int64(tips[f, column[first, second]]) - own
    return ways


@kernel
def attached_weights(
    v: int,
    plan: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    degrees: Array,
    edge: Array,
    rank: Array,
    fptr: Array,
    findex: Array,
    fcodes: Array,
    column: Array,
    tips: Array,
    along: Array,
    mark: Array,
    weights: Array,
) -> Int:
    """Fill the cumulative number of placements over the row of v, for one orbit; return the total, times its size.

    ``mark`` must have the codes from v to its neighbours, by rank, if the node is a tip.
    """
    total = np.int64(0)
    for j in range(indptr[v + 1] - indptr[v]):
        e = indptr[v] + j
        x = np.int64(indices[e])
        if plan[KIND] == TIP:
            u = rank[x]
            if mark[u] == plan[NEAR] or mark[u] == plan[FAR]:
                for f in range(fptr[u], fptr[u + 1]):
                    if mark[findex[f]]:
                        total += placements_at_tip(u, f, False, plan, fcodes, findex, mark, column, tips)
                        total += placements_at_tip(u, f, True, plan, fcodes, findex, mark, column, tips)
        elif codes[e] == plan[NEAR]:
            if plan[KIND] == LEAF:
                total += along[indptr[x + 1] - 1]
            else:
                first = tips_of(v, x, plan[FIRST], plan[FIRST + 1], edge[e], rank, column, tips)
                if plan[MORE] == TIPPED:
                    second = tips_of(v, x, plan[SECOND], plan[SECOND + 1], edge[e], rank, column, tips)
                    if plan[FIRST] == plan[SECOND] and plan[FIRST + 1] == plan[SECOND + 1]:
                        second -= 1
                else:
                    second = np.int64(degrees[v if plan[MORE] == LEAF_AT_X else x, plan[SECOND] - 1])
                total += first * max(np.int64(0), second)
        weights[j] = total
    weight: Int = total * plan[SIZE]
    return weight


@kernel
def mark_by_rank(v: int, indptr: Array, indices: Array, codes: Array, rank: Array, mark: Array, clear: bool) -> None:
    """Mark the neighbours of v, by rank, with their codes, or clear the marks."""
    for e in range(indptr[v], indptr[v + 1]):
        mark[rank[indices[e]]] = 0 if clear else codes[e]


@kernel
def count_attached(
    start: int,
    stop: int,
    plan: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    degrees: Array,
    edge: Array,
    rank: Array,
    fptr: Array,
    findex: Array,
    fcodes: Array,
    column: Array,
    tips: Array,
    along: Array,
    counts: Array,
) -> None:
    """Count the placements that :func:`draw_attached` chooses from at each node, times the sizes of the orbits."""
    longest = 1
    for v in range(start, stop):
        longest = max(longest, indptr[v + 1] - indptr[v])
    weights = np.empty(longest, np.int64)
    mark = np.zeros(indptr.shape[0] - 1, np.uint8)
    for v in range(start, stop):
        mark_by_rank(v, indptr, indices, codes, rank, mark, False)
        total = np.int64(0)
        for o in range(plan.shape[0]):
            total += attached_weights(
                v, plan[o], indptr, indices, codes, degrees, edge, rank, fptr, findex, fcodes, column, tips, along,
                mark, weights,
            )  # fmt: skip
        counts[v] = total
        mark_by_rank(v, indptr, indices, codes, rank, mark, True)


@kernel
def draw_tip(
    stream: np.uint64,
    draw: int,
    x: Int,
    y: Int,
    first: int,
    second: int,
    indptr: Array,
    indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
) -> tuple[Int, int]:
    """Draw a common neighbour of x and y with these codes, of which there is one; return it and the next draw's number.

    Nodes of the shorter group are drawn until one fits: on average its length over the number of such neighbours.
    """
    if (
        offsets[3 * x + first] - offsets[3 * x + first - 1]
        > offsets[3 * y + second] - offsets[3 * y + second - 1]
    ):  # fmt: skip
        x, y, first, second = y, x, second, first
    start = offsets[3 * x + first - 1]
    size = offsets[3 * x + first] - start
    while True:
        z = np.int64(grouped[start + below(stream, draw, size)])
        draw += 1
        if z != y and code_between(indptr, indices, codes, y, z) == second:
            return z, draw


@kernel
def place(
    stream: np.uint64,
    draw: int,
    v: int,
    number: Int,
    plan: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
    order: Array,
    rank: Array,
    fptr: Array,
    findex: Array,
    fcodes: Array,
    column: Array,
    tips: Array,
    along: Array,
    mark: Array,
    weights: Array,
    four: Array,
) -> int:
    """Write the nodes of a placement; ``number`` chooses the entry of the row of v. Return the next draw's number."""
    start = indptr[v]
    j = first_above(weights, indptr[v + 1] - start, number)
    x = np.int64(indices[start + j])
    rows = (indptr, indices, codes, offsets, grouped)
    four[0], four[1] = v, x
    if plan[KIND] == TIP:
        number -= weights[j - 1] if j > 0 else 0
        u = rank[x]
        turned = False
        f = fptr[u]
        while True:
            if mark[findex[f]]:
                ways = placements_at_tip(u, f, False, plan, fcodes, findex, mark, column, tips)
                if number < ways:
                    break
                number -= ways
                ways = placements_at_tip(u, f, True, plan, fcodes, findex, mark, column, tips)
                if number < ways:
                    turned = True
                    break
                number -= ways
            f += 1
        y = np.int64(order[findex[f]])
        four[2] = y
        if turned:
            x, y = y, x
        four[3] = v
        while four[3] == v:
            four[3], draw = draw_tip(stream, draw, x, y, plan[FIRST], plan[FIRST + 1], *rows)
        return draw
    if plan[KIND] == LEAF:
        first = indptr[x]
        size = indptr[x + 1] - first
        e = first + first_above(along[first:], size, below(stream, draw, along[first + size - 1]))
        four[2] = indices[e]
        four[3], draw = draw_tip(stream, draw + 1, x, four[2], plan[FIRST], plan[FIRST + 1], *rows)
        return draw
    four[2], draw = draw_tip(stream, draw, v, x, plan[FIRST], plan[FIRST + 1], *rows)
    if plan[MORE] == TIPPED:
        four[3] = four[2]
        while four[3] == four[2]:
            four[3], draw = draw_tip(stream, draw, v, x, plan[SECOND], plan[SECOND + 1], *rows)
        return draw
    end = v if plan[MORE] == LEAF_AT_X else x
    group = offsets[3 * end + plan[SECOND] - 1]
    four[3] = grouped[group + below(stream, draw, offsets[3 * end + plan[SECOND]] - group)]
    return draw + 1


@kernel
def draw_attached(
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
    plan: Array,
    degrees: Array,
    edge: Array,
    order: Array,
    rank: Array,
    fptr: Array,
    findex: Array,
    fcodes: Array,
    column: Array,
    tips: Array,
    along: Array,
    orders: Array,
    order_of: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw instances: an orbit by its number of placements, then one of these; keep it if it is an instance."""
    weights = np.empty((plan.shape[0], longest_row(start, stop, nodes, route, way, graph_indptr)), np.int64)
    kinds = np.empty(plan.shape[0], np.int64)
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
        mark_by_rank(v, graph_indptr, graph_indices, codes, rank, mark, False)
        total = np.int64(0)
        for o in range(plan.shape[0]):
            total += attached_weights(
                v, plan[o], graph_indptr, graph_indices, codes, degrees, edge, rank, fptr, findex, fcodes, column,
                tips, along, mark, weights[o],
            )  # fmt: skip
            kinds[o] = total
        draw = 0
        row = indptr[i]
        while row < indptr[i + 1]:
            pick = below(stream, draw, total)
            o = first_above(kinds, plan.shape[0], pick)
            number = (pick - (kinds[o - 1] if o > 0 else 0)) // plan[o, SIZE]
            draw = place(
                stream, draw + 1, v, number, plan[o], graph_indptr, graph_indices, codes, offsets, grouped, order,
                rank, fptr, findex, fcodes, column, tips, along, mark, weights[o], four,
            )  # fmt: skip
            if plan[o, KIND] == END and plan[o, MORE] == TIPPED:
                if code_between(graph_indptr, graph_indices, codes, four[2], four[3]) != plan[o, ACROSS]:
                    continue
            found = member_order(four, graph_indptr, graph_indices, codes, order_of)
            if found >= 0 and write_if_new(four, orders[found], out, row, rows, stamps, i):
                row += 1
        mark_by_rank(v, graph_indptr, graph_indices, codes, rank, mark, True)
