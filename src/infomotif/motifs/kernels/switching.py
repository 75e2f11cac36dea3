"""Kernels that shuffle edges by switching ends, which keeps every node's in-, out- and reciprocal degree."""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, mixed, stream_of
from infomotif._core.parallel import kernel
from infomotif.typing import Array, Int


@kernel
def find_slot(table: Array, key: int) -> Int:
    """Return where a key is, or the free slot where it would go (open addressing, free slots hold -1)."""
    size = table.shape[0] - 1
    slot = np.int64(mixed(np.uint64(key)) & np.uint64(size))
    while table[slot] >= 0 and table[slot] != key:
        slot = (slot + 1) & size
    return slot


@kernel
def remove_key(table: Array, key: int) -> None:
    """Free a key's slot and move back the keys that were stored behind it."""
    size = table.shape[0] - 1
    hole = find_slot(table, key)
    table[hole] = -1
    slot = (hole + 1) & size
    while table[slot] >= 0:
        home = np.int64(mixed(np.uint64(table[slot])) & np.uint64(size))
        if ((slot - home) & size) >= ((slot - hole) & size):
            table[hole] = table[slot]
            table[slot] = -1
            hole = slot
        slot = (slot + 1) & size


@kernel
def pair_key(x: int, y: int, n: int) -> int:
    """Return one number for two nodes, whatever their order."""
    return min(x, y) * n + max(x, y)


@kernel
def switch_edges(source: Array, target: Array, singles: int, n: int, rounds: int, seed: np.uint64) -> int:
    """Try ``rounds`` switches per edge, in place; return how many were possible.

    The first ``singles`` edges have one direction and switch targets among themselves; the rest are mutual and switch
    either end among themselves. A switch that would join a node to itself or two nodes twice is not made, which keeps
    all graphs with these degrees equally likely.
    """
    m = source.shape[0]
    size = 4
    while size < 2 * m:
        size *= 2
    table = np.full(size, -1, np.int64)
    for e in range(m):
        table[find_slot(table, pair_key(source[e], target[e], n))] = pair_key(source[e], target[e], n)
    stream = stream_of(seed, 0)
    done = 0
    for trial in range(rounds * m):
        e = below(stream, 3 * trial, m)
        first = 0 if e < singles else singles
        last = singles if e < singles else m
        f = first + below(stream, 3 * trial + 1, last - first)
        a = source[e]
        b = target[e]
        c = source[f]
        d = target[f]
        turned = e >= singles and below(stream, 3 * trial + 2, 2) == 1
        if turned:
            c, d = d, c
        if a == d or c == b or a == c or b == d:
            continue
        ad = pair_key(a, d, n)
        cb = pair_key(c, b, n)
        if table[find_slot(table, ad)] >= 0 or table[find_slot(table, cb)] >= 0:
            continue
        remove_key(table, pair_key(a, b, n))
        remove_key(table, pair_key(c, d, n))
        table[find_slot(table, ad)] = ad
        table[find_slot(table, cb)] = cb
        target[e] = d
        source[f] = c
        target[f] = b
        done += 1
    return done
