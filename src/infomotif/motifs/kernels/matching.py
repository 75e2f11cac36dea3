"""Kernels that enumerate the instances of any small pattern at a node by matching its positions step by step.

The search keeps its whole state in one array, so that it can stop anywhere and continue later. state[0] is the depth.
For step s, the entries 1 + s, 5 + s, 9 + s and 13 + s hold the matched node, the next candidate, the end of the
candidates, and the earlier step whose neighbours are the candidates. The last entry holds the plan. A pattern has two
plans: one matches neighbours of the first node first, the other moves away from it first.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.hash_table import table_size
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.dyads import code_between
from infomotif.motifs.kernels.members import draw_ranks
from infomotif.typing import Array

STATE_SIZE = 18
PLAN = STATE_SIZE - 1


@kernel
def open_step(state: Array, step: int, required: Array, offsets: Array) -> None:
    """Choose the shortest row of candidates for a step: a group of neighbours of an earlier node."""
    best = np.int64(-1)
    for j in range(step):
        code = required[state[PLAN], step, j]
        if code:
            group = 3 * state[1 + j] + code - 1
            size = offsets[group + 1] - offsets[group]
            if best < 0 or size < best:
                best = np.int64(size)
                state[5 + step] = offsets[group]
                state[9 + step] = offsets[group + 1]
                state[13 + step] = j
    state[0] = step


@kernel
def begin_matching(state: Array, node: int, required: Array, offsets: Array, grouped: Array) -> None:
    """Start the search at a node: pairs of its neighbours first, unless there are fewer paths of two steps."""
    state[1] = node
    degree = np.int64(offsets[3 * node + 3] - offsets[3 * node])
    reach = np.int64(0)
    for e in range(offsets[3 * node], offsets[3 * node + 3]):
        reach += offsets[3 * grouped[e] + 3] - offsets[3 * grouped[e]]
        if reach >= degree * degree:
            break
    state[PLAN] = 0 if reach >= degree * degree else 1
    open_step(state, 1, required, offsets)


@kernel
def next_match(
    state: Array,
    required: Array,
    stabiliser: Array,
    peers: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
) -> bool:
    """Advance to the next instance; of equivalent ways to match it only the smallest counts.

    Steps in ``peers`` must not match a smaller node than the first step does.
    """
    k = required.shape[1]
    plan = state[PLAN]
    step = state[0]
    while step >= 1:
        if state[5 + step] == state[9 + step]:
            step -= 1
            continue
        x = np.int64(grouped[state[5 + step]])
        state[5 + step] += 1
        fits = not peers[plan, step] or x > state[1]
        j = 0
        while fits and j < step:
            if x == state[1 + j]:
                fits = False
            elif j != state[13 + step]:
                fits = code_between(indptr, indices, codes, state[1 + j], x) == required[plan, step, j]
            j += 1
        if not fits:
            continue
        state[1 + step] = x
        if step < k - 1:
            step += 1
            open_step(state, step, required, offsets)
            continue
        smallest = True
        for a in range(stabiliser.shape[1]):
            for s in range(k):
                here = state[1 + s]
                there = state[1 + stabiliser[plan, a, s]]
                if here != there:
                    smallest = smallest and here < there
                    break
        if smallest:
            state[0] = step
            return True
    state[0] = 0
    return False


@kernel
def write_match(state: Array, order: Array, automorphisms: Array, out: Array, row: int) -> None:
    """Write the matched nodes in pattern order; of equivalent orders the smallest."""
    k = order.shape[1]
    nodes = np.empty(k, np.int64)
    for s in range(k):
        nodes[order[state[PLAN], s]] = state[1 + s]
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
    required: Array,
    stabiliser: Array,
    peers: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    offsets: Array,
    grouped: Array,
    counts: Array,
) -> None:
    """Count the instances in which each node takes the first step's position."""
    state = np.zeros(STATE_SIZE, np.int64)
    for v in range(start, stop):
        begin_matching(state, v, required, offsets, grouped)
        while next_match(state, required, stabiliser, peers, indptr, indices, codes, offsets, grouped):
            counts[v] += 1


@kernel
def list_matches(
    start: int,
    stop: int,
    order: Array,
    required: Array,
    stabiliser: Array,
    automorphisms: Array,
    peers: Array,
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
    for v in range(start, stop):
        if listed[v]:
            begin_matching(state, v, required, offsets, grouped)
            while next_match(state, required, stabiliser, peers, indptr, indices, codes, offsets, grouped):
                write_match(state, order, automorphisms, members, cursor[v])
                cursor[v] += 1


@kernel
def fill_matches(
    state: Array,
    node: int,
    last: int,
    order: Array,
    required: Array,
    stabiliser: Array,
    automorphisms: Array,
    peers: Array,
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
            begin_matching(state, node, required, offsets, grouped)
        while row < out.shape[0] and next_match(
            state, required, stabiliser, peers, indptr, indices, codes, offsets, grouped
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
    stabiliser: Array,
    automorphisms: Array,
    peers: Array,
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
        begin_matching(state, v, required, offsets, grouped)
        while at < need and ranks[at] < last:
            next_match(state, required, stabiliser, peers, graph_indptr, graph_indices, codes, offsets, grouped)
            if ranks[at] == seen:
                write_match(state, order, automorphisms, out, indptr[i] + at)
                at += 1
            seen += 1
