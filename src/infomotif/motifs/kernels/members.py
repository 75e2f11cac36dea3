"""Kernels that write the members of a 4-node instance, and that choose ranks among a node's instances."""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, mixed, stream_of
from infomotif._core.hash_table import add_if_new
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.dyads import code_between
from infomotif.typing import Array


@kernel
def member_order(four: Array, indptr: Array, indices: Array, codes: Array, order_of: Array) -> int:
    """Sort four nodes; return the order that makes them members of the pattern, or -1 if they are no instance.

    ``order_of`` maps the six codes of four ascending nodes to the number of an order, or to -1.
    """
    four.sort()
    if four[0] == four[1] or four[1] == four[2] or four[2] == four[3]:
        return -1
    config = 0
    for p in range(4):
        for r in range(p + 1, 4):
            config = 4 * config + code_between(indptr, indices, codes, four[p], four[r])
    number: int = order_of[config]
    return number


@kernel
def write_four(four: Array, order: Array, out: Array, row: int) -> None:
    """Write four ascending nodes in pattern order."""
    for p in range(4):
        out[row, p] = four[order[p]]


@kernel
def write_if_new(four: Array, order: Array, out: Array, row: int, rows: Array, stamps: Array, stamp: int) -> bool:
    """Write four ascending nodes in pattern order unless an earlier row with this stamp has them.

    ``rows`` and ``stamps`` are an open-addressing table of the rows written so far; a new stamp empties it.
    """
    size = np.uint64(rows.shape[0] - 1)
    key = np.uint64(0)
    for p in range(4):
        key = mixed(key + np.uint64(four[p]))
    slot = np.int64(key & size)
    while stamps[slot] == stamp:
        same = True
        for p in range(4):
            same = same and out[rows[slot], p] == four[order[p]]
        if same:
            return False
        slot = (slot + 1) & np.int64(size)
    stamps[slot] = stamp
    rows[slot] = row
    write_four(four, order, out, row)
    return True


@kernel
def rank_table_size(start: int, stop: int, nodes: Array, route: Array, way: int, counts: Array, indptr: Array) -> int:
    """Return a table size, a power of two, for the ranks of any node that does not get all its instances."""
    largest = 1
    for i in range(start, stop):
        need = indptr[i + 1] - indptr[i]
        if route[i] == way and need < counts[nodes[i]]:
            largest = max(largest, need)
    size = 4
    while size < 4 * largest:
        size *= 2
    return size


@kernel
def draw_ranks(
    seed: np.uint64, v: int, stamp: int, count: int, need: int, keys: Array, stamps: Array, ranks: Array
) -> None:
    """Fill ``ranks`` with ``need`` of the numbers below ``count``, ascending; the table has four slots per draw."""
    stream = stream_of(seed, v)
    for j in range(need):
        # Floyd's sampling: a rank that was drawn before is replaced by the largest one possible so far.
        top = count - need + j
        rank = below(stream, j, top + 1)
        if not add_if_new(keys, stamps, stamp, rank):
            rank = top
            add_if_new(keys, stamps, stamp, rank)
        ranks[j] = rank
    ranks[:need].sort()
