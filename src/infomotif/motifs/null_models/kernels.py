"""Chains of random moves over edges: with in- and out-degrees kept, and with the degrees across edges kept."""

from __future__ import annotations

import numpy as np

from infomotif._core.counter_rng import below, stream_of
from infomotif._core.parallel import kernel
from infomotif.motifs.null_models.switching import find_slot, pair_key, remove_key, store
from infomotif.typing import Array


@kernel
def table_size(m: int) -> int:
    """Return the size of a table for m keys: a power of two, at most half full."""
    size = 4
    while size < 2 * m:
        size *= 2
    return size


@kernel
def turn_cycle(e: int, f: int, source: Array, target: Array, n: int, table: Array, values: Array) -> bool:
    """Turn the directed 3-cycle that begins with two edges around; return whether it is one without mutual edges."""
    a, b, c = source[e], target[e], target[f]
    slot = find_slot(table, c * n + a)
    if a == c or table[slot] < 0:
        return False
    last = values[slot]
    for back in (b * n + a, c * n + b, a * n + c):
        if table[find_slot(table, back)] >= 0:
            return False
    for edge in (e, f, last):
        remove_key(table, values, source[edge] * n + target[edge])
        source[edge], target[edge] = target[edge], source[edge]
        store(table, values, source[edge] * n + target[edge], edge)
    return True


@kernel
def switch_arcs(source: Array, target: Array, n: int, rounds: int, seed: np.uint64) -> int:
    """Try ``rounds`` moves per directed edge, in place; return how many were made.

    A move takes two edges. If the second begins where the first ends and a third one closes a directed 3-cycle, the
    cycle turns around; else the edges exchange their targets, unless that joins a node to itself or repeats an edge.
    Every move is as likely as its reverse, so all graphs that can be reached are equally likely in the long run.
    """
    m = source.shape[0]
    table = np.full(table_size(m), -1, np.int64)
    values = np.empty(table.shape[0], np.int64)
    for e in range(m):
        store(table, values, source[e] * n + target[e], e)
    stream = stream_of(seed, 0)
    done = 0
    for trial in range(rounds * m):
        e = below(stream, 2 * trial, m)
        f = below(stream, 2 * trial + 1, m)
        a, b, c, d = source[e], target[e], source[f], target[f]
        if b == c:
            done += turn_cycle(e, f, source, target, n, table, values)
            continue
        if a in (c, d) or b == d:
            continue
        ad = a * n + d
        cb = c * n + b
        if table[find_slot(table, ad)] >= 0 or table[find_slot(table, cb)] >= 0:
            continue
        remove_key(table, values, a * n + b)
        remove_key(table, values, c * n + d)
        store(table, values, ad, e)
        store(table, values, cb, f)
        target[e] = d
        target[f] = b
        done += 1
    return done


@kernel
def switch_alike(
    ends: Array, n: int, rounds: int, seed: np.uint64, group_of: Array, first: Array, members: Array
) -> int:
    """Try ``rounds`` moves per edge, in place; return how many were made.

    Edge e has the ends 2 e and 2 e + 1. A move exchanges two ends of one group, members[first[g] : first[g + 1]],
    unless that joins a node to itself or two nodes twice. Groups do not change, so a move is as likely as its reverse.
    """
    m = ends.shape[0] // 2
    table = np.full(table_size(m), -1, np.int64)
    values = np.empty(table.shape[0], np.int64)
    for e in range(m):
        store(table, values, pair_key(ends[2 * e], ends[2 * e + 1], n), e)
    stream = stream_of(seed, 0)
    done = 0
    for trial in range(rounds * m):
        s = below(stream, 2 * trial, 2 * m)
        start = first[group_of[s]]
        t = members[start + below(stream, 2 * trial + 1, first[group_of[s] + 1] - start)]
        b, d = ends[s], ends[t]
        a, c = ends[s ^ 1], ends[t ^ 1]
        if s >> 1 == t >> 1 or a in (c, d) or b in (c, d):
            continue
        ad = pair_key(a, d, n)
        cb = pair_key(c, b, n)
        if table[find_slot(table, ad)] >= 0 or table[find_slot(table, cb)] >= 0:
            continue
        remove_key(table, values, pair_key(a, b, n))
        remove_key(table, values, pair_key(c, d, n))
        store(table, values, ad, s >> 1)
        store(table, values, cb, t >> 1)
        ends[s] = d
        ends[t] = b
        done += 1
    return done
