"""Kernels that count cycles, cliques and diamonds of four nodes."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.typing import Array


@kernel
def node_four_cycles(start: int, stop: int, indptr: Array, indices: Array, order: Array, rank: Array) -> Array:
    """Count the 4-cycles of each node, with or without chords; each is found once, at its node of highest rank."""
    n = indptr.shape[0] - 1
    counts = np.zeros(n, np.int64)
    paths = np.zeros(n, np.int64)
    for at in range(start, stop):
        u = order[at]
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if rank[v] < at:
                for f in range(indptr[v], indptr[v + 1]):
                    if rank[indices[f]] < at:
                        paths[indices[f]] += 1
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if rank[v] < at:
                for f in range(indptr[v], indptr[v + 1]):
                    w = indices[f]
                    if rank[w] < at:
                        counts[v] += paths[w] - 1
        for e in range(indptr[u], indptr[u + 1]):
            v = indices[e]
            if rank[v] < at:
                for f in range(indptr[v], indptr[v + 1]):
                    w = indices[f]
                    if rank[w] < at and paths[w]:
                        cycles = paths[w] * (paths[w] - 1) // 2
                        counts[u] += cycles
                        counts[w] += cycles
                        paths[w] = 0
    return counts


@kernel
def cliques_and_diamonds(start: int, stop: int, fptr: Array, findex: Array, triangles: Array) -> Array:
    """Count the 4-cliques of each ranked node, and the pairs of triangles on an edge that have it as a tip."""
    n = fptr.shape[0] - 1
    cliques = np.zeros(n, np.int64)
    tips = np.zeros(n, np.int64)
    mark = np.zeros(n, fptr.dtype)
    common = np.full(n, -1, np.int64)
    for u in range(start, stop):
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = e + 1
        for e in range(fptr[u], fptr[u + 1]):
            v = findex[e]
            for f in range(fptr[v], fptr[v + 1]):
                w = findex[f]
                third = mark[w] - 1
                if third >= 0:
                    common[w] = e
                    tips[u] += triangles[f] - 1
                    tips[v] += triangles[third] - 1
                    tips[w] += triangles[e] - 1
            for f in range(fptr[v], fptr[v + 1]):
                w = findex[f]
                if common[w] == e:
                    for g in range(fptr[w], fptr[w + 1]):
                        x = findex[g]
                        if common[x] == e:
                            cliques[u] += 1
                            cliques[v] += 1
                            cliques[w] += 1
                            cliques[x] += 1
        for e in range(fptr[u], fptr[u + 1]):
            mark[findex[e]] = 0
    return np.stack((cliques, tips))
