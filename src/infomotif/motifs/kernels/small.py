"""A kernel that counts all orbits of a small graph at once, by its dense adjacency: graphs that come in thousands."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.typing import Array


@kernel
def small_orbits(source: Array, target: Array, n: int, inverse: Array) -> Array:
    """Count the orbits of wedge, triangle and the six 4-node graphlets of each node, in the catalog's order [n, 14].

    Copies are counted first, induced or not, as in ``counting.graphlets``; ``inverse`` turns them into induced ones.
    """
    joined = np.zeros((n, n), np.int64)
    for e in range(source.shape[0]):
        if source[e] != target[e]:
            joined[source[e], target[e]] = 1
            joined[target[e], source[e]] = 1
    degree = np.zeros(n, np.int64)
    rows = np.empty((n, n), np.int64)
    for v in range(n):
        for w in range(n):
            if joined[v, w]:
                rows[v, degree[v]] = w
                degree[v] += 1
    common = np.zeros((n, n), np.int64)
    for v in range(n):
        for i in range(degree[v]):
            for j in range(degree[v]):
                common[rows[v, i], rows[v, j]] += 1
    triangles = np.zeros(n, np.int64)
    spokes = np.zeros(n, np.int64)
    for v in range(n):
        for i in range(degree[v]):
            triangles[v] += common[v, rows[v, i]]
            spokes[v] += degree[rows[v, i]] - 1
        triangles[v] //= 2
    counts = np.zeros((n, 14), np.int64)
    copies = np.zeros(11, np.int64)
    for v in range(n):
        d, t = degree[v], triangles[v]
        copies[:] = 0
        copies[0] = -d * (d - 1) - 2 * t
        copies[1] = (d - 1) * spokes[v] - 2 * t
        copies[2] = d * (d - 1) * (d - 2) // 6
        copies[5] = t * (d - 2)
        copies[7] = -2 * t
        for i in range(d):
            x = rows[v, i]
            shared = common[v, x]
            copies[0] += spokes[x]
            copies[3] += (degree[x] - 1) * (degree[x] - 2) // 2
            copies[6] += shared * (degree[x] - 2)
            copies[7] += triangles[x]
            copies[8] += shared * (shared - 1) // 2
            for j in range(i):
                y = rows[v, j]
                if joined[x, y]:
                    copies[9] += common[x, y] - 1
                    for k in range(j):
                        z = rows[v, k]
                        copies[10] += joined[x, z] * joined[y, z]
        for w in range(n):
            if w != v:
                copies[4] += common[v, w] * (common[v, w] - 1) // 2
        counts[v, 0] = d * (d - 1) // 2 - t
        counts[v, 1] = spokes[v] - 2 * t
        counts[v, 2] = t
        for o in range(11):
            for p in range(11):
                counts[v, 3 + o] += inverse[o, p] * copies[p]
    return counts
