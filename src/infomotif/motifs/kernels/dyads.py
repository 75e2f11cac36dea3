"""Kernels that give each pair of neighbours its code and orient the graph from low to high degree."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import inlined, kernel
from infomotif.typing import Array, Int


@inlined
def flipped(code: int) -> int:
    """Return the code of a pair seen from its other end: 1 and 2 change places."""
    return 3 - code if code != 3 else 3


@kernel
def mark_edges(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    out_indptr: Array,
    out_indices: Array,
    in_indptr: Array,
    in_indices: Array,
    codes: Array,
) -> None:
    """Set 1 where the neighbour is a target and add 2 where it is a source; all rows ascend."""
    for v in range(start, stop):
        o = out_indptr[v]
        i = in_indptr[v]
        for e in range(indptr[v], indptr[v + 1]):
            x = indices[e]
            code = 0
            if o < out_indptr[v + 1] and out_indices[o] == x:
                code = 1
                o += 1
            if i < in_indptr[v + 1] and in_indices[i] == x:
                code += 2
                i += 1
            codes[e] = code


@kernel
def dyad_degrees(start: int, stop: int, indptr: Array, codes: Array, degrees: Array) -> None:
    """Count the neighbours of each code, degrees[v, code - 1]."""
    for v in range(start, stop):
        for e in range(indptr[v], indptr[v + 1]):
            degrees[v, codes[e] - 1] += 1


@kernel
def group_rows(
    start: int, stop: int, indptr: Array, indices: Array, codes: Array, offsets: Array, grouped: Array
) -> None:
    """Order each row by code, then by neighbour: group (v, code) starts at offsets[3 v + code - 1]."""
    cursor = np.empty(3, np.int64)
    for v in range(start, stop):
        for s in range(3):
            cursor[s] = offsets[3 * v + s]
        for e in range(indptr[v], indptr[v + 1]):
            s = codes[e] - 1
            grouped[cursor[s]] = indices[e]
            cursor[s] += 1


@kernel
def degree_order(indptr: Array, order: Array, rank: Array) -> None:
    """Rank nodes by degree, ties by number: counting sort."""
    n = indptr.shape[0] - 1
    highest = 0
    for v in range(n):
        highest = max(highest, indptr[v + 1] - indptr[v])
    starts = np.zeros(highest + 2, np.int64)
    for v in range(n):
        starts[indptr[v + 1] - indptr[v] + 1] += 1
    for d in range(highest + 1):
        starts[d + 1] += starts[d]
    for v in range(n):
        d = indptr[v + 1] - indptr[v]
        rank[v] = starts[d]
        order[starts[d]] = v
        starts[d] += 1


@kernel
def count_forward(start: int, stop: int, indptr: Array, indices: Array, rank: Array, degrees: Array) -> None:
    """Count the neighbours of higher rank of each node, by its rank; rows are read in order, as they may be on disk."""
    for v in range(start, stop):
        u = rank[v]
        higher = 0
        for e in range(indptr[v], indptr[v + 1]):
            if rank[indices[e]] > u:
                higher += 1
        degrees[u] = higher


@kernel
def fill_forward(
    start: int,
    stop: int,
    indptr: Array,
    indices: Array,
    codes: Array,
    rank: Array,
    fptr: Array,
    findex: Array,
    fcodes: Array,
) -> None:
    """Write the neighbours of higher rank, by rank number, with their codes."""
    for v in range(start, stop):
        u = rank[v]
        at = fptr[u]
        for e in range(indptr[v], indptr[v + 1]):
            w = rank[indices[e]]
            if w > u:
                findex[at] = w
                fcodes[at] = codes[e]
                at += 1


@kernel
def forward_work(fptr: Array, findex: Array, work: Array) -> None:
    """Write the cumulative number of lookups that finding the triangles of each ranked node takes."""
    n = fptr.shape[0] - 1
    for u in range(n):
        lookups = 1
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            lookups += 1 + fptr[v + 1] - fptr[v]
        work[u + 1] = work[u] + lookups


@kernel
def neighbour_sums(start: int, stop: int, indptr: Array, indices: Array, values: Array, sums: Array) -> None:
    """Sum a value over the neighbours of each node."""
    for v in range(start, stop):
        total = 0
        for e in range(indptr[v], indptr[v + 1]):
            total += values[indices[e]]
        sums[v] = total


@inlined
def code_between(indptr: Array, indices: Array, codes: Array, x: Int, y: Int) -> int:
    """Return the code of (x, y), 0 if they are not joined: binary search in the shorter row."""
    turned = indptr[x + 1] - indptr[x] > indptr[y + 1] - indptr[y]
    if turned:
        x, y = y, x
    low = indptr[x]
    high = indptr[x + 1]
    while low < high:
        middle = (low + high) >> 1
        if indices[middle] < y:
            low = middle + 1
        else:
            high = middle
    if low == indptr[x + 1] or indices[low] != y:
        return 0
    return flipped(codes[low]) if turned else codes[low] + 0
