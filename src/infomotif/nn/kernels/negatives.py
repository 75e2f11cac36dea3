"""Compiled drawing of members that replace observed ones, and the test whether members are an instance."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.counter_rng import below, mixed, stream_of
from infomotif._core.parallel import kernel
from infomotif.motifs.kernels.dyads import code_between
from infomotif.typing import Array


@kernel
def signature(indptr: Array, indices: Array, codes: Array, members: Array) -> Any:
    """Return a number that isomorphic induced subgraphs share, from the dyads at each node in any order.

    Different numbers mean different subgraphs. The reverse holds for all motifs of three nodes and all undirected ones
    of four.
    """
    total = np.uint64(0)
    for i in range(len(members)):
        dyads = 0
        for j in range(len(members)):
            if i != j:
                code = code_between(indptr, indices, codes, members[i], members[j])
                if code > 0:
                    dyads += 8 ** (int(code) - 1)
        total += mixed(np.uint64(dyads + 1))
    return total


@kernel
def open_ends(
    lo: int,
    hi: int,
    indptr: Array,
    indices: Array,
    codes: Array,
    owners: Array,
    seed: Any,
    tries: int,
    members: Array,
) -> None:
    """Replace one co-member of each instance by a neighbour of the owner that makes it another subgraph."""
    n = len(indptr) - 1
    size = members.shape[1]
    for i in range(lo, hi):
        owner = owners[i]
        stream = stream_of(seed, i)
        column = below(stream, 0, size - 1)
        owner_column = 0
        while members[i, owner_column] != owner:
            owner_column += 1
        if column >= owner_column:
            column += 1
        before = members[i, column]
        observed = signature(indptr, indices, codes, members[i])
        degree = indptr[owner + 1] - indptr[owner]
        done = False
        for draw in range(1, tries + 1):
            other = np.int64(indices[indptr[owner] + below(stream, draw, degree)])
            taken = False
            for j in range(size):
                taken |= members[i, j] == other
            if taken:
                continue
            members[i, column] = other
            if signature(indptr, indices, codes, members[i]) != observed:
                done = True
                break
            members[i, column] = before
        if not done:
            members[i, column] = below(stream, tries + 1, n)


@kernel
def hash_members(owners: Array, salt: Any, num_nodes: int, members: Array) -> None:
    """Replace the co-members of each instance by nodes that a hash of owner and instance gives."""
    for i in range(len(members)):
        stream = stream_of(salt, owners[i])
        for j in range(members.shape[1]):
            # A sum, so that the order of members does not matter.
            stream += mixed(np.uint64(members[i, j]) + np.uint64(1))
        stream = mixed(stream)
        for j in range(members.shape[1]):
            if members[i, j] != owners[i]:
                members[i, j] = below(stream, j, num_nodes)


@kernel
def show_instances(
    lo: int,
    hi: int,
    indptr: Array,
    indices: Array,
    codes: Array,
    shown: Array,
    members: Array,
    table: Array,
    max_open: int,
    found: Array,
) -> None:
    """Write whether the nodes whose attributes each instance's members show are an instance of the motif.

    ``table`` has a true entry for each numbering of the motif's nodes: the codes of all pairs as digits of base 4.
    """
    size = members.shape[1]
    for i in range(lo, hi):
        number, place, open_pairs = 0, 1, 0
        for j in range(1, size):
            x = shown[members[i, j]]
            for k in range(j):
                code = code_between(indptr, indices, codes, shown[members[i, k]], x)
                open_pairs += code == 0
                # Few permuted members are neighbours, so most instances end here.
                if open_pairs > max_open:
                    break
                number += place * int(code)
                place *= 4
            if open_pairs > max_open:
                break
        found[i] = open_pairs <= max_open and table[number]


@kernel
def replace_marked(indptr: Array, marked: Array, pick: Array) -> bool:
    """Write for each instance the next that is not marked, of the same owner if it has one; false if there is none."""
    last = -1
    for i in range(len(marked)):
        if not marked[i]:
            last = i
            break
    if last < 0:
        return False
    # The first one follows the last, so that every instance has a next.
    for i in range(len(marked) - 1, -1, -1):
        if not marked[i]:
            last = i
        pick[i] = last
    for owner in range(len(indptr) - 1):
        first, end = indptr[owner], indptr[owner + 1]
        # The first of the owner, for those at its end.
        other = pick[first] if first < end else 0
        if other < first or other >= end:
            continue
        for i in range(first, end):
            if pick[i] < first or pick[i] >= end:
                pick[i] = other
    return True
