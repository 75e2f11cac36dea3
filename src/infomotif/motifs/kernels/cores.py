"""Compiled peeling: core numbers."""

from __future__ import annotations

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.typing import Array


@kernel
def core_numbers(indptr: Array, indices: Array) -> Array:
    """Return the core number of each node, in time linear in the edges (Batagelj and Zaversnik).

    Nodes stand in the order of the neighbours they have left; taking the next one moves each neighbour with more
    to the front of its own group, which then begins one place later.
    """
    n = len(indptr) - 1
    left = np.empty(n, np.int64)
    most = 0
    for v in range(n):
        left[v] = indptr[v + 1] - indptr[v]
        most = max(most, left[v])
    first = np.zeros(most + 2, np.int64)
    for v in range(n):
        first[left[v] + 1] += 1
    for degree in range(most + 1):
        first[degree + 1] += first[degree]
    order, place = np.empty(n, np.int64), np.empty(n, np.int64)
    following = first.copy()
    for v in range(n):
        place[v] = following[left[v]]
        order[place[v]] = v
        following[left[v]] += 1
    for i in range(n):
        v = order[i]
        for j in range(indptr[v], indptr[v + 1]):
            u = indices[j]
            if left[u] <= left[v]:
                continue
            front = max(first[left[u]], i + 1)
            other = order[front]
            order[place[u]], place[other] = other, place[u]
            order[front], place[u] = u, front
            first[left[u]] = front + 1
            left[u] -= 1
    return left
