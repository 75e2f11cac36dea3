"""Kernels that count walks, tails and cliques of each edge; nodes are numbered by degree as for five nodes."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.typing import Array


@kernel
def three_walks(start: int, stop: int, ptr: Array, idx: Array, walks: Array) -> None:
    """Count the walks of three steps between the ends of each entry."""
    paths = np.zeros(ptr.shape[0] - 1, np.int64)
    for v in range(start, stop):
        for e in range(ptr[v], ptr[v + 1]):
            for f in range(ptr[idx[e]], ptr[idx[e] + 1]):
                paths[idx[f]] += 1
        for e in range(ptr[v], ptr[v + 1]):
            total = np.int64(0)
            for f in range(ptr[idx[e]], ptr[idx[e] + 1]):
                total += paths[idx[f]]
            walks[e] = total
        for e in range(ptr[v], ptr[v + 1]):
            for f in range(ptr[idx[e]], ptr[idx[e] + 1]):
                paths[idx[f]] = 0


@kernel
def edge_sums(start: int, stop: int, ptr: Array, idx: Array, up: Array, degree: Array, shared: Array) -> Array:
    """Sum over the triangles and 4-cliques of each edge, kept at the entry of its end of lower rank [3, entries].

    The rows are the degrees of its triangles' third nodes, the triangles that these nodes share with either end, and
    the number of its 4-cliques.
    """
    n = ptr.shape[0] - 1
    sums = np.zeros((3, idx.shape[0]), np.int64)
    mark = np.full(n, -1, np.int64)
    common = np.full(n, -1, np.int64)
    stamp = np.full(n, -1, np.int64)
    for u in range(start, stop):
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = e
        for e in range(up[u], ptr[u + 1]):
            v = idx[e]
            for f in range(up[v], ptr[v + 1]):
                w = idx[f]
                g = mark[w]
                if g >= 0:
                    common[w] = f
                    stamp[w] = e
                    sums[0, e] += degree[w]
                    sums[0, f] += degree[u]
                    sums[0, g] += degree[v]
                    sums[1, e] += shared[f] + shared[g]
                    sums[1, f] += shared[e] + shared[g]
                    sums[1, g] += shared[e] + shared[f]
            for f in range(up[v], ptr[v + 1]):
                w = idx[f]
                if stamp[w] == e:
                    for h in range(up[w], ptr[w + 1]):
                        x = idx[h]
                        if stamp[x] == e:
                            sums[2, e] += 1
                            sums[2, f] += 1
                            sums[2, mark[w]] += 1
                            sums[2, h] += 1
                            sums[2, common[x]] += 1
                            sums[2, mark[x]] += 1
        for e in range(up[u], ptr[u + 1]):
            mark[idx[e]] = -1
    return sums
