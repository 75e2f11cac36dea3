"""Kernels that draw instances of any pattern through one of its spanning trees.

A placement maps the positions of the pattern to nodes so that the edges of the tree become edges with the right codes,
and so that no step along the tree turns back at once. How many there are follows from messages: the number of
placements of the part of the tree behind an edge, for each edge of the graph. So a placement can be drawn uniformly.
Those that are instances are kept.
"""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import GOLDEN, first_above, mixed, stream_of
from infomotif._core.hash_table import table_size
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.dyads import code_between
from infomotif.typing import Array


@kernel
def uniform(stream: np.uint64, draw: int) -> float:
    """Return number ``draw`` of the stream, uniform in [0, 1)."""
    return float(mixed(stream + GOLDEN * np.uint64(draw)) >> np.uint64(11)) * 2.0**-53


@kernel
def send_messages(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    codes: Array,
    reverse: Array,
    code: int,
    edge: int,
    behind: Array,
    messages: Array,
    sums: Array,
) -> None:
    """Fill the messages of a tree edge over the entries of the rows, and their sum per row.

    ``behind`` are the tree edges that follow; their messages are known. A message of an entry (x, y) is the number of
    ways to place what is behind y without returning to x.
    """
    for x in range(start, stop):
        total = 0.0
        for e in range(indptr[x], indptr[x + 1]):
            ways = 0.0
            if codes[e] == code:
                ways = 1.0
                for j in range(behind.shape[0]):
                    ways *= max(0.0, sums[behind[j], indices[e]] - messages[behind[j], reverse[e]])
            messages[edge, e] = ways
            total += ways
        sums[edge, x] = total


@kernel
def cumulate_rows(start: int, stop: int, indptr: Array, messages: Array) -> None:
    """Replace the messages of each row by their cumulative sums."""
    for j in range(messages.shape[0]):
        for x in range(start, stop):
            total = 0.0
            for e in range(indptr[x], indptr[x + 1]):
                total += messages[j, e]
                messages[j, e] = total


@kernel
def place_tree(
    stream: np.uint64,
    draw: int,
    parent: Array,
    edge: Array,
    required: Array,
    indptr: Array,
    indices: Array,
    codes: Array,
    reverse: Array,
    cumulated: Array,
    nodes: Array,
    back: Array,
) -> bool:
    """Place the tree step by step from ``nodes[0]``; return whether the nodes are an instance.

    ``required`` has the code from an earlier step (column) to a step (row). Every step uses one number of the stream.
    """
    for s in range(1, nodes.shape[0]):
        x = nodes[parent[s]]
        first = indptr[x]
        size = indptr[x + 1] - first
        row = cumulated[edge[s]]
        total = row[first + size - 1]
        turn = back[parent[s]]
        before = 0.0
        excluded = 0.0
        if turn >= 0:
            before = row[turn - 1] if turn > first else 0.0
            excluded = row[turn] - before
        goal = uniform(stream, draw + s) * (total - excluded)
        if turn >= 0 and goal >= before:
            goal += excluded
        e = first + min(size - 1, first_above(row[first:], size, goal))
        y = np.int64(indices[e])
        for j in range(s):
            if y == nodes[j]:
                return False
            if j != parent[s] and code_between(indptr, indices, codes, nodes[j], y) != required[s, j]:
                return False
        nodes[s] = y
        back[s] = reverse[e]
    return True


@kernel
def write_members_if_new(
    members: Array, automorphisms: Array, out: Array, row: int, rows: Array, stamps: Array, stamp: int
) -> bool:
    """Write members in pattern order, of equivalent orders the smallest, unless an earlier row of the stamp has them.

    ``rows`` and ``stamps`` are an open-addressing table of the rows written so far; a new stamp empties it.
    """
    k = members.shape[0]
    best = 0
    for a in range(1, automorphisms.shape[0]):
        for p in range(k):
            here = members[automorphisms[a, p]]
            there = members[automorphisms[best, p]]
            if here != there:
                if here < there:
                    best = a
                break
    size = np.uint64(rows.shape[0] - 1)
    key = np.uint64(0)
    for p in range(k):
        key = mixed(key + np.uint64(members[automorphisms[best, p]]))
    slot = np.int64(key & size)
    while stamps[slot] == stamp:
        same = True
        for p in range(k):
            same = same and out[rows[slot], p] == members[automorphisms[best, p]]
        if same:
            return False
        slot = (slot + 1) & np.int64(size)
    stamps[slot] = stamp
    rows[slot] = row
    for p in range(k):
        out[row, p] = members[automorphisms[best, p]]
    return True


@kernel
def draw_trees(
    start: int,
    stop: int,
    nodes: Array,
    route: Array,
    way: int,
    graph_indptr: Array,
    graph_indices: Array,
    codes: Array,
    reverse: Array,
    cumulated: Array,
    weights: Array,
    order: Array,
    parent: Array,
    edge: Array,
    required: Array,
    automorphisms: Array,
    seed: np.uint64,
    indptr: Array,
    out: Array,
) -> None:
    """Draw instances: an orbit for the node by ``weights`` [n, orbits], then a placement of the tree from there."""
    k = order.shape[1]
    placed = np.empty(k, np.int64)
    back = np.full(k, -1, np.int64)
    members = np.empty(k, np.int64)
    prefix = np.empty(weights.shape[1], np.float64)
    size = table_size(start, stop, route, way, indptr)
    rows = np.empty(size, np.int64)
    stamps = np.full(size, -1, np.int64)
    for i in range(start, stop):
        if route[i] != way:
            continue
        v = nodes[i]
        stream = stream_of(seed, v)
        total = 0.0
        for o in range(weights.shape[1]):
            total += weights[v, o]
            prefix[o] = total
        placed[0] = v
        draw = 0
        row = indptr[i]
        while row < indptr[i + 1]:
            goal = uniform(stream, draw) * total
            o = min(prefix.shape[0] - 1, first_above(prefix, prefix.shape[0], goal))
            if place_tree(
                stream, draw, parent[o], edge[o], required[o], graph_indptr, graph_indices, codes, reverse, cumulated,
                placed, back,
            ):  # fmt: skip
                for s in range(k):
                    members[order[o, s]] = placed[s]
                if write_members_if_new(members, automorphisms, out, row, rows, stamps, i):
                    row += 1
            draw += k
