"""Compiled sampling of neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.counter_rng import below, stream_of
from infomotif._core.parallel import kernel
from infomotif.typing import Array


@kernel
def sampled_lengths(lo: int, hi: int, indptr: Array, nodes: Array, fanout: int, lengths: Array) -> None:
    """Write how many neighbours are drawn for each node; a fanout of 0 takes all."""
    for i in range(lo, hi):
        degree = indptr[nodes[i] + 1] - indptr[nodes[i]]
        lengths[i] = degree if fanout == 0 else min(degree, fanout)


@kernel
def sample_neighbours(
    lo: int, hi: int, indptr: Array, indices: Array, nodes: Array, fanout: int, seed: Any, ends: Array, out: Array,
    entries: Array,
) -> None:  # fmt: skip
    """Write the neighbours of each node: all if they are few, else a uniform subset (Floyd's algorithm).

    The position of each in ``indices`` is written to ``entries``, unless that is empty.
    """
    chosen = np.empty(max(1, fanout), np.int64)
    for i in range(lo, hi):
        first = indptr[nodes[i]]
        degree = indptr[nodes[i] + 1] - first
        count = degree if fanout == 0 else min(degree, fanout)
        at = ends[i] - count
        if count == degree:
            for j in range(degree):
                out[at + j] = indices[first + j]
                if len(entries):
                    entries[at + j] = first + j
            continue
        stream = stream_of(seed, nodes[i])
        for j in range(count):
            last = degree - count + j
            pick = below(stream, j, last + 1)
            # Picks are kept in order; the last position is larger than all before it.
            k = j
            while k > 0 and chosen[k - 1] >= pick:
                k -= 1
            if k < j and chosen[k] == pick:
                k, pick = j, last
            for moved in range(j, k, -1):
                chosen[moved] = chosen[moved - 1]
            chosen[k] = pick
        for j in range(count):
            out[at + j] = indices[first + chosen[j]]
            if len(entries):
                entries[at + j] = first + chosen[j]


@kernel
def mark_new(lo: int, hi: int, drawn: Array, row_of: Array, mark: Array) -> None:
    """Set the mark of nodes without a row."""
    for i in range(lo, hi):
        if row_of[drawn[i]] < 0:
            mark[drawn[i]] = 1


@kernel
def take_rows(lo: int, hi: int, row_of: Array, drawn: Array) -> None:
    """Replace nodes in ``drawn`` by their rows."""
    for i in range(lo, hi):
        drawn[i] = row_of[drawn[i]]


@kernel
def number_new(drawn: Array, row_of: Array, known: int, new_nodes: Array) -> int:
    """Replace nodes in ``drawn`` by their rows; new ones get the next row and are listed in ``new_nodes``."""
    count = 0
    for i in range(len(drawn)):
        node = drawn[i]
        if row_of[node] < 0:
            row_of[node] = known + count
            new_nodes[count] = node
            count += 1
        drawn[i] = row_of[node]
    return count


@kernel
def add_loops(indptr: Array, indices: Array, start: int, out_ptr: Array, out: Array) -> None:
    """Write the rows with the node itself in them; rows in ascending order stay so."""
    at = 0
    for v in range(len(indptr) - 1):
        node = start + v
        placed = False
        out_ptr[v] = at
        for p in range(indptr[v], indptr[v + 1]):
            if not placed and indices[p] > node:
                out[at] = node
                at += 1
                placed = True
            out[at] = indices[p]
            at += 1
        if not placed:
            out[at] = node
            at += 1
    out_ptr[len(indptr) - 1] = at


@kernel
def gcn_weights(lo: int, hi: int, indptr: Array, indices: Array, start: int, degrees: Array, out: Array) -> None:
    """Write GCN's weights of rows with loops; a sampled neighbour stands for as many as it was drawn from."""
    for v in range(lo, hi):
        node = start + v
        sampled = max(1, indptr[v + 1] - indptr[v] - 1)
        left = 1.0 / np.sqrt(degrees[node] + 1.0)
        share = degrees[node] / sampled
        for p in range(indptr[v], indptr[v + 1]):
            u = indices[p]
            out[p] = left * left if u == node else left * share / np.sqrt(degrees[u] + 1.0)


@kernel
def mean_weights(
    lo: int, hi: int, indptr: Array, indices: Array, edge_ptr: Array, edge_indices: Array, weights: Array, out: Array
) -> None:
    """Write the mean weight of the one or two directed edges between the ends of each undirected one."""
    for v in range(lo, hi):
        for p in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[p])
            total, count = 0.0, 0
            for source, target in ((v, u), (u, v)):
                first, last = edge_ptr[source], edge_ptr[source + 1]
                at = first + np.searchsorted(edge_indices[first:last], target)
                if at < last and edge_indices[at] == target:
                    total += weights[at]
                    count += 1
            out[p] = total / count


@kernel
def near_groups(indptr: Array, indices: Array, roots: Array, size: int, order: Array, starts: Array) -> int:
    """Write the nodes in groups of at most ``size``, each grown from the next of ``roots`` that no group has yet.

    Returns how many groups there are; group i is ``order[starts[i] : starts[i + 1]]``.
    """
    taken = np.zeros(len(indptr) - 1, np.bool_)
    count = groups = 0
    for root in roots:
        if taken[root]:
            continue
        taken[root] = True
        first = count
        order[count] = root
        count += 1
        at = first
        while at < count < first + size:
            for p in range(indptr[order[at]], indptr[order[at] + 1]):
                node = indices[p]
                if not taken[node] and count < first + size:
                    taken[node] = True
                    order[count] = node
                    count += 1
            at += 1
        starts[groups] = first
        groups += 1
    starts[groups] = count
    return groups
