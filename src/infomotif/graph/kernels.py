"""Compiled sorting of edges into compressed rows, and the types of edges in both directions."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.typing import Array


@kernel
def fill_rows(source: Array, target: Array, indptr: Array, indices: Array) -> int:
    """Write ascending targets without repeats, row by row; return how many there are.

    Edges are listed by target first, and then dealt out to their rows in that order: two passes instead of a sort.
    ``indptr`` [n + 1] must hold zeros.
    """
    n = indptr.shape[0] - 1
    bounds = np.zeros(n + 1, indptr.dtype)
    for e in range(source.shape[0]):
        bounds[target[e] + 1] += 1
        indptr[source[e] + 1] += 1
    for v in range(n):
        bounds[v + 1] += bounds[v]
        indptr[v + 1] += indptr[v]
    fill = bounds[:n].copy()
    by_target = np.empty(source.shape[0], indices.dtype)
    for e in range(source.shape[0]):
        t = target[e]
        by_target[fill[t]] = source[e]
        fill[t] += 1
    fill[:] = indptr[:n]
    for t in range(n):
        for e in range(bounds[t], bounds[t + 1]):
            s = by_target[e]
            if fill[s] == indptr[s] or indices[fill[s] - 1] != t:
                indices[fill[s]] = t
                fill[s] += 1
    total = 0
    first = 0
    for v in range(n):
        # Rows move up by the repeats before them.
        for e in range(first, fill[v]):
            indices[total] = indices[e]
            total += 1
        first = indptr[v + 1]
        indptr[v + 1] = total
    return total


@kernel
def spread_types(
    indptr: Array, indices: Array, out_indptr: Array, out_indices: Array, types: Array, out: Array, back: Array
) -> None:
    """Write 1 + the type of each directed edge to both of its entries in the symmetric rows; all rows ascend.

    ``out`` gets it where the edge leaves the row's node and ``back`` where it enters; both must hold zeros.
    """
    n = indptr.shape[0] - 1
    cursor = indptr[:n].copy()
    for v in range(n):
        o = out_indptr[v]
        for e in range(indptr[v], indptr[v + 1]):
            x = indices[e]
            # Nodes come in ascending order, so v is the next entry of the row of x.
            opposite = cursor[x]
            cursor[x] += 1
            if o < out_indptr[v + 1] and out_indices[o] == x:
                out[e] = types[o] + 1
                back[opposite] = types[o] + 1
                o += 1
