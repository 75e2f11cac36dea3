"""Kernel that computes core numbers by peeling."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.typing import Array


@kernel
def core_numbers(indptr: Array, indices: Array) -> Array:
    """Return the core number of each node, in time linear in the edges (Batagelj and Zaversnik).

    Nodes are ordered by the number of neighbours that remain. Removing the next one moves each neighbour that has more
    to the front of its group of equals, which then begins one position later.
    """
    n = len(indptr) - 1
    remaining = np.empty(n, np.int64)
    highest = 0
    for v in range(n):
        remaining[v] = indptr[v + 1] - indptr[v]
        highest = max(highest, remaining[v])
    first = np.zeros(highest + 2, np.int64)
    for v in range(n):
        first[remaining[v] + 1] += 1
    for degree in range(highest + 1):
        first[degree + 1] += first[degree]
    order, position = np.empty(n, np.int64), np.empty(n, np.int64)
    following = first.copy()
    for v in range(n):
        position[v] = following[remaining[v]]
        order[position[v]] = v
        following[remaining[v]] += 1
    for i in range(n):
        v = order[i]
        for j in range(indptr[v], indptr[v + 1]):
            u = indices[j]
            if remaining[u] <= remaining[v]:
                continue
            front = max(first[remaining[u]], i + 1)
            other = order[front]
            order[position[u]], position[other] = other, position[u]
            order[front], position[u] = u, front
            first[remaining[u]] = front + 1
            remaining[u] -= 1
    return remaining
