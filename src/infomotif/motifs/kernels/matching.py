"""Kernels that enumerate the instances of any small pattern at a node by matching its positions step by step.

The search keeps its whole state in one array, so that it can stop anywhere and continue later. state[0] is the depth.
For step s, the entries NODE + s, NEXT + s, LAST + s and FROM + s hold the matched node, the next candidate, the end of
the candidates, and the earlier step whose neighbours are the candidates. The last entry holds the plan. A pattern has
two plans: one matches neighbours of the first node first, the other moves away from it first.

Of equivalent ways to match an instance the smallest counts. ``smaller`` says which earlier steps must have matched a
smaller node than a step; candidates ascend, so the search begins behind these nodes.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, stream_of
from infomotif._core.hash_table import table_size
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.dyads import code_between
from infomotif.motifs.kernels.members import draw_ranks
from infomotif.motifs.pattern import MAX_NODES
from infomotif.typing import Array, Int

NODE, NEXT, LAST, FROM = (1 + part * MAX_NODES for part in range(4))
PLAN = 1 + 4 * MAX_NODES
MARKED = PLAN + 1
STATE_SIZE = MARKED + 1
MATCHED = 1 << 15


@kernel
def open_step(state: Array, step: int, required: Array, smaller: Array, offsets: Array, grouped: Array) -> None:
    """Choose the shortest row of candidates for a step: a group of neighbours of an earlier node."""
    best = np.int64(-1)
    bound = np.int64(-1)
    plan = state[PLAN]
    for j in range(step):
        code = required[plan, step, j]
        if code:
            group = 3 * state[NODE + j] + code - 1
            size = offsets[group + 1] - offsets[group]
            if best < 0 or size < best:
                best = np.int64(size)
                state[NEXT + step] = offsets[group]
                state[LAST + step] = offsets[group + 1]
                state[FROM + step] = j
        if smaller[plan, step, j]:
            bound = max(bound, state[NODE + j])
    state[0] = step
    if bound >= 0:
        low, high = state[NEXT + step], state[LAST + step]
        while low < high:
            middle = (low + high) >> 1
            if grouped[middle] <= bound:
                low = middle + 1
            else:
                high = middle
        state[NEXT + step] = low


@kernel
def turn_marks(state: Array, step: int, mark: Array, indptr: Array, indices: Array, codes: Array) -> None:
    """Set or clear the marks of a step's node: its code with every neighbour, and a bit at the node itself."""
    x = state[NODE + step]
    for e in range(indptr[x], indptr[x + 1]):
        mark[indices[e]] ^= codes[e] << (2 * step)
    mark[x] ^= MATCHED
    state[MARKED] ^= 1 << step


@kernel
def mark_step(state: Array, step: int, mark: Array, indptr: Array, indices: Array, codes: Array) -> None:
    """Mark the neighbours of a step's node unless they are many more than the candidates of the next step."""
    x = state[NODE + step]
    if indptr[x + 1] - indptr[x] <= 8 * (state[LAST + step + 1] - state[NEXT + step + 1]) + 16:
        turn_marks(state, step, mark, indptr, indices, codes)


@kernel
def begin_matching(state: Array, node: Int, required: Array, smaller: Array, offsets: Array, grouped: Array) -> None:
    """Start the search at a node: pairs of its neighbours first, unless there are fewer paths of two steps."""
    state[NODE] = node
    state[MARKED] = 0
    degree = np.int64(offsets[3 * node + 3] - offsets[3 * node])
    reach = np.int64(0)
    for e in range(offsets[3 * node], offsets[3 * node + 3]):
        reach += offsets[3 * grouped[e] + 3] - offsets[3 * grouped[e]]
        if reach >= degree * degree:
            break
    state[PLAN] = 0 if reach >= degree * degree else 1
    open_step(state, 1, required, smaller, offsets, grouped)


@kernel
def end_matching(state: Array, mark: Array, indptr: Array, indices: Array, codes: Array) -> None:
    """Clear all marks, so that the search may end before its last instance."""
    for step in range(state[0]):
        if state[MARKED] >> step & 1:
            turn_marks(state, step, mark, indptr, indices, codes)
    state[0] = 0


@kernel
def fits(state: Array, step: int, x: Int, required: Array, indptr: Array, indices: Array, codes: Array) -> bool:
    """Return whether a candidate of a step is new and has the required codes with earlier nodes that are not marked."""
    for j in range(step):
        if state[MARKED] >> j & 1:
            continue
        if x == state[NODE + j]:
            return False
        if j != state[FROM + step]:
            if code_between(indptr, indices, codes, state[NODE + j], x) != required[state[PLAN], step, j]:
                return False
    return True


@kernel
def next_match(
    state: Array,
    mark: Array,
    required: Array,
    smaller: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
) -> bool:
    """Advance to the next instance; return whether there is one.

    ``mark`` has the codes that matched nodes have with each node, two bits per step. It is 0 before and after a search.
    """
    last = required.shape[1] - 1
    step = state[0]
    while step >= 1:
        # What the marks of a candidate must be, as far as nodes are marked.
        wanted = np.int64(0)
        seen = np.int64(MATCHED)
        for j in range(step):
            if state[MARKED] >> j & 1:
                wanted |= required[state[PLAN], step, j] << (2 * j)
                seen |= 3 << (2 * j)
        every = state[MARKED] == (1 << step) - 1
        at, end = state[NEXT + step], state[LAST + step]
        x = np.int64(-1)
        while at < end:
            candidate = np.int64(grouped[at])
            at += 1
            if np.int64(mark[candidate]) & seen == wanted:
                if every or fits(state, step, candidate, required, indptr, indices, codes):
                    x = candidate
                    break
        state[NEXT + step] = at
        if x < 0:
            step -= 1
            if state[MARKED] >> step & 1:
                turn_marks(state, step, mark, indptr, indices, codes)
            continue
        state[NODE + step] = x
        if step == last:
            state[0] = step
            return True
        step += 1
        open_step(state, step, required, smaller, offsets, grouped)
        if not state[MARKED] & 1:
            turn_marks(state, 0, mark, indptr, indices, codes)
        if step > 1:
            mark_step(state, step - 1, mark, indptr, indices, codes)
    state[0] = 0
    return False


@kernel
def count_steps(
    probes: int,
    seed: np.uint64,
    weights: Array,
    required: Array,
    smaller: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
) -> tuple[float, float]:
    """Estimate how many candidates a search of the whole graph examines, and how many instances it finds.

    Knuth's estimator, without bias: random descents into the search tree, each weighted by the number of choices on its
    way. ``weights`` are the cumulative weights of the nodes to start from.
    """
    state = np.zeros(STATE_SIZE, np.int64)
    k = required.shape[1]
    total = weights[-1]
    stream = stream_of(seed, 0)
    draw = 0
    steps = 0.0
    matches = 0.0
    for _ in range(probes):
        v = np.searchsorted(weights, below(stream, draw, total), side="right") - 1
        draw += 1
        scale = total / (weights[v + 1] - weights[v])
        begin_matching(state, v, required, smaller, offsets, grouped)
        for step in range(1, k):
            choices = state[LAST + step] - state[NEXT + step]
            if choices == 0:
                break
            scale *= choices
            steps += scale
            x = np.int64(grouped[state[NEXT + step] + below(stream, draw, choices)])
            draw += 1
            if not fits(state, step, x, required, indptr, indices, codes):
                break
            state[NODE + step] = x
            if step == k - 1:
                matches += scale
            else:
                open_step(state, step + 1, required, smaller, offsets, grouped)
    return steps / probes, matches / probes


@kernel
def write_match(state: Array, order: Array, automorphisms: Array, out: Array, row: int) -> None:
    """Write the matched nodes in pattern order; of equivalent orders the smallest."""
    k = order.shape[1]
    nodes = np.empty(k, np.int64)
    for s in range(k):
        nodes[order[state[PLAN], s]] = state[NODE + s]
    best = 0
    for a in range(1, automorphisms.shape[0]):
        for p in range(k):
            here = nodes[automorphisms[a, p]]
            there = nodes[automorphisms[best, p]]
            if here != there:
                if here < there:
                    best = a
                break
    for p in range(k):
        out[row, p] = nodes[automorphisms[best, p]]


@kernel
def count_matches(
    start: int,
    stop: int,
    orbit_of: Array,
    required: Array,
    smaller: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
    counts: Array,
) -> None:
    """Find each instance once and count it at its members; ``orbit_of`` has the orbit of each step [2, k]."""
    state = np.zeros(STATE_SIZE, np.int64)
    mark = np.zeros(indptr.shape[0] - 1, np.uint16)
    k = required.shape[1]
    for v in range(start, stop):
        begin_matching(state, v, required, smaller, offsets, grouped)
        while next_match(state, mark, required, smaller, indptr, indices, codes, offsets, grouped):
            for s in range(k):
                counts[state[NODE + s], orbit_of[state[PLAN], s]] += 1


@kernel
def list_matches(
    start: int,
    stop: int,
    order: Array,
    required: Array,
    smaller: Array,
    automorphisms: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
    listed: Array,
    cursor: Array,
    members: Array,
) -> None:
    """Write the instances of every listed node to its rows; cursor[v] is where the next one goes."""
    state = np.zeros(STATE_SIZE, np.int64)
    mark = np.zeros(indptr.shape[0] - 1, np.uint16)
    for v in range(start, stop):
        if listed[v]:
            begin_matching(state, v, required, smaller, offsets, grouped)
            while next_match(state, mark, required, smaller, indptr, indices, codes, offsets, grouped):
                write_match(state, order, automorphisms, members, cursor[v])
                cursor[v] += 1


@kernel
def fill_matches(
    state: Array,
    mark: Array,
    node: int,
    last: int,
    order: Array,
    required: Array,
    smaller: Array,
    automorphisms: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
    out: Array,
) -> tuple[int, int]:
    """Fill ``out`` with the next instances; return their number and the node to continue with."""
    row = 0
    while node < last:
        if state[0] == 0:
            begin_matching(state, node, required, smaller, offsets, grouped)
        while row < out.shape[0] and next_match(
            state, mark, required, smaller, indptr, indices, codes, offsets, grouped
        ):
            write_match(state, order, automorphisms, out, row)
            row += 1
        if state[0] != 0:
            return row, node
        node += 1
    return row, node


@kernel
def draw_ranked(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    way: int,
    counts: Array,
    before: Array,
    here: Array,
    order: Array,
    required: Array,
    smaller: Array,
    automorphisms: Array,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw ranks of a node's instances, then enumerate its instances in one orbit and keep those with a drawn rank.

    The instances of an orbit have the ranks from before[v] to before[v] + here[v] - 1.
    """
    size = table_size(start, stop, route, way, indptr)
    keys = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    # The table has at least four slots for each draw of any node.
    ranks = np.empty(size // 4, np.int64)
    state = np.zeros(STATE_SIZE, np.int64)
    mark = np.zeros(graph_indptr.shape[0] - 1, np.uint16)
    for i in range(start, stop):
        v = nodes[i]
        if route[i] != way or here[v] == 0:
            continue
        need = indptr[i + 1] - indptr[i]
        draw_ranks(seed, v, i, counts[v], need, keys, stamps, ranks)
        at = 0
        while at < need and ranks[at] < before[v]:
            at += 1
        seen = before[v]
        last = before[v] + here[v]
        begin_matching(state, v, required, smaller, offsets, grouped)
        while at < need and ranks[at] < last:
            next_match(state, mark, required, smaller, graph_indptr, graph_indices, codes, offsets, grouped)
            if ranks[at] == seen:
                write_match(state, order, automorphisms, out, indptr[i] + at)
                at += 1
            seen += 1
        end_matching(state, mark, graph_indptr, graph_indices, codes)
