"""Kernels that rearrange the edges among few nodes, which keeps every node's in-, out- and reciprocal degree."""

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
def remove_key(table: Array, values: Array, key: int) -> None:
    """Free a key's slot and move back the keys that were stored behind it, with their values."""
    size = table.shape[0] - 1
    hole = find_slot(table, key)
    table[hole] = -1
    slot = (hole + 1) & size
    while table[slot] >= 0:
        home = np.int64(mixed(np.uint64(table[slot])) & np.uint64(size))
        if ((slot - home) & size) >= ((slot - hole) & size):
            table[hole] = table[slot]
            values[hole] = values[slot]
            table[slot] = -1
            hole = slot
        slot = (slot + 1) & size


@kernel
def involved_nodes(a: int, b: int, c: int, d: int, nodes: Array) -> int:
    """Write the ends of two edges, ascending, each once; return their number."""
    nodes[0], nodes[1] = min(a, b), max(a, b)
    return add_node(d, add_node(c, 2, nodes), nodes)


@kernel
def add_node(x: int, size: int, nodes: Array) -> int:
    """Insert a node into ascending nodes unless it is there; return their number."""
    at = size
    while at > 0 and nodes[at - 1] > x:
        at -= 1
    if at > 0 and nodes[at - 1] == x:
        return size
    for i in range(size, at, -1):
        nodes[i] = nodes[i - 1]
    nodes[at] = x
    return size + 1


@kernel
def matchings(codes: Array) -> int:
    """Count the pairs of edges that cover four nodes, whose pairs come in the order 01 02 03 12 13 23."""
    found = 0
    for p in range(3):
        if codes[p] > 0 and codes[5 - p] > 0:
            found += 1
    return found


@kernel
def pair_key(x: int, y: int, n: int) -> int:
    """Return one number for two nodes, whatever their order."""
    return min(x, y) * n + max(x, y)


@kernel
def store(table: Array, values: Array, key: int, value: int) -> None:
    """Write a key that the table does not hold, and its value."""
    slot = find_slot(table, key)
    table[slot] = key
    values[slot] = value


@kernel
def switch_ends(
    e: int, f: int, turned: bool, source: Array, target: Array, n: int, table: Array, values: Array
) -> bool:
    """Exchange the targets of two edges, the second one turned around or not; return whether that was possible."""
    a = source[e]
    b = target[e]
    c = target[f] if turned else source[f]
    d = source[f] if turned else target[f]
    if a == d or c == b or a == c or b == d:
        return False
    ad = pair_key(a, d, n)
    cb = pair_key(c, b, n)
    if table[find_slot(table, ad)] >= 0 or table[find_slot(table, cb)] >= 0:
        return False
    remove_key(table, values, pair_key(a, b, n))
    remove_key(table, values, pair_key(c, d, n))
    store(table, values, ad, e)
    store(table, values, cb, f)
    target[e] = d
    source[f] = c
    target[f] = b
    return True


@kernel
def read_codes(
    nodes: Array, k: int, source: Array, singles: int, n: int, table: Array, values: Array, keys: Array, codes: Array
) -> int:
    """Write the keys and codes of the pairs of k ascending nodes; return their arrangement's number."""
    pairs = 0
    config = 0
    for i in range(k):
        for j in range(i + 1, k):
            keys[pairs] = nodes[i] * n + nodes[j]
            slot = find_slot(table, keys[pairs])
            code = 0
            if table[slot] >= 0:
                held = values[slot]
                code = 3 if held >= singles else 1 if source[held] == nodes[i] else 2
            codes[pairs] = code
            config = 4 * config + code
            pairs += 1
    return config


@kernel
def unpack(config: int, pairs: int, codes: Array) -> None:
    """Write the codes of an arrangement's pairs."""
    for p in range(pairs - 1, -1, -1):
        codes[p] = config % 4
        config //= 4


@kernel
def rearrange(
    pairs: int,
    keys: Array,
    old: Array,
    new: Array,
    freed: Array,
    source: Array,
    target: Array,
    n: int,
    table: Array,
    values: Array,
) -> None:
    """Replace the edges of an arrangement by those of another; single and mutual edges keep their kinds."""
    single = 0
    mutual = 0
    for p in range(pairs):
        if old[p] != new[p] and old[p] > 0:
            edge = values[find_slot(table, keys[p])]
            if old[p] == 3:
                freed[1, mutual] = edge
                mutual += 1
            else:
                freed[0, single] = edge
                single += 1
            remove_key(table, values, keys[p])
    for p in range(pairs):
        if old[p] != new[p] and new[p] > 0:
            if new[p] == 3:
                mutual -= 1
                edge = freed[1, mutual]
            else:
                single -= 1
                edge = freed[0, single]
            low, high = keys[p] // n, keys[p] % n
            source[edge] = high if new[p] == 2 else low
            target[edge] = low if new[p] == 2 else high
            store(table, values, keys[p], edge)


@kernel
def switch_edges(
    source: Array,
    target: Array,
    singles: int,
    n: int,
    rounds: int,
    seed: np.uint64,
    first: Array,
    count: Array,
    members: Array,
    first5: Array,
    count5: Array,
    members5: Array,
    covers5: Array,
) -> int:
    """Try ``rounds`` moves per edge, in place; return how many were made.

    The first ``singles`` edges have one direction, the rest are mutual. Three of four moves exchange the targets of two
    edges of one kind, unless that would join a node to itself or two nodes twice. The fourth takes any two edges and
    replaces all edges among their three or four nodes by another arrangement with the same degrees: number ``config``
    may become one of members[first[config] : first[config] + count[config]]. Four nodes are drawn as often as pairs of
    edges cover them, so a move that lowers this number is accepted in proportion. Unless the tables of five nodes are
    empty, every second of these moves takes three edges that touch five nodes. All keep all graphs equally likely.
    """
    m = source.shape[0]
    size = 4
    while size < 2 * m:
        size *= 2
    table = np.full(size, -1, np.int64)
    values = np.empty(size, np.int64)
    for e in range(m):
        store(table, values, pair_key(source[e], target[e], n), e)
    nodes = np.empty(6, np.int64)
    keys = np.empty(10, np.int64)
    old = np.empty(10, np.int64)
    new = np.empty(10, np.int64)
    freed = np.empty((2, 10), np.int64)
    stream = stream_of(seed, 0)
    stream5 = stream_of(seed, 1)
    done = 0
    for trial in range(rounds * m):
        e = below(stream, 4 * trial, m)
        if trial % 4:
            low = 0 if e < singles else singles
            f = low + below(stream, 4 * trial + 1, (singles if e < singles else m) - low)
            turned = e >= singles and below(stream, 4 * trial + 2, 2) == 1
            done += switch_ends(e, f, turned, source, target, n, table, values)
            continue
        f = below(stream, 4 * trial + 1, m)
        if e == f:
            continue
        k = involved_nodes(source[e], target[e], source[f], target[f], nodes)
        if trial % 8 == 4 and first5.shape[0]:
            g = below(stream5, trial, m)
            k = add_node(target[g], add_node(source[g], k, nodes), nodes)
            if k == 5:
                config = read_codes(nodes, k, source, singles, n, table, values, keys, old)
                rest = members5[first5[config] + below(stream, 4 * trial + 2, count5[config])]
                if rest != config and below(stream, 4 * trial + 3, covers5[config]) < covers5[rest]:
                    unpack(rest, 10, new)
                    rearrange(10, keys, old, new, freed, source, target, n, table, values)
                    done += 1
            continue
        config = read_codes(nodes, k, source, singles, n, table, values, keys, old)
        # Arrangements of three nodes come before those of four.
        at = config if k == 3 else 64 + config
        if count[at] == 1:
            continue
        other = first[at] + below(stream, 4 * trial + 2, count[at] - 1)
        rest = members[other] if members[other] < config else members[other + 1]
        pairs = k * (k - 1) // 2
        unpack(rest, pairs, new)
        if k == 4 and below(stream, 4 * trial + 3, matchings(old)) >= matchings(new):
            continue
        rearrange(pairs, keys, old, new, freed, source, target, n, table, values)
        done += 1
    return done
