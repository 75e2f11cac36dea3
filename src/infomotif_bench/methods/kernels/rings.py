"""Rings of nodes at each distance, as ordered degree sequences."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.parallel import kernel


@kernel
def grown(values: Any, needed: Any) -> Any:
    """Return an array with room for ``needed`` values that begins with ``values``."""
    if needed <= values.shape[0]:
        return values
    larger = np.empty(max(needed, 2 * values.shape[0]), values.dtype)
    larger[: values.shape[0]] = values
    return larger


@kernel
def ring_sequences(start: Any, stop: Any, indptr: Any, indices: Any, layers: Any, compress: Any) -> Any:
    """Search breadth-first from each node, up to ``layers`` steps.

    Returns:
        How many rings each node has, how long each ring's sequence is, and the ascending degrees of all sequences with
        how often each occurs (always 1 if not ``compress``).
    """
    n = indptr.shape[0] - 1
    queue, seen = np.empty(n, np.int64), np.full(n, -1, np.int64)
    largest = 0
    for v in range(n):
        largest = max(largest, indptr[v + 1] - indptr[v])
    often, distinct = np.zeros(largest + 1, np.int64), np.empty(largest + 1, np.int64)
    rings, lengths = np.zeros(stop - start, np.int64), np.empty(1024, np.int64)
    degrees, counts = np.empty(1024, np.int32), np.empty(1024, np.int32)
    num_rings, size = 0, 0
    for u in range(start, stop):
        queue[0], seen[u] = u, u
        head, tail = 0, 1
        for layer in range(layers + 1):
            num_distinct = 0
            for i in range(head, tail):
                degree = indptr[queue[i] + 1] - indptr[queue[i]]
                if often[degree] == 0:
                    distinct[num_distinct] = degree
                    num_distinct += 1
                often[degree] += 1
            distinct[:num_distinct].sort()
            before = size
            needed = size + (num_distinct if compress else tail - head)
            degrees, counts = grown(degrees, needed), grown(counts, needed)
            for i in range(num_distinct):
                degree = distinct[i]
                copies = 1 if compress else often[degree]
                for _ in range(copies):
                    degrees[size] = degree
                    counts[size] = often[degree] // copies
                    size += 1
                often[degree] = 0
            lengths = grown(lengths, num_rings + 1)
            lengths[num_rings] = size - before
            num_rings += 1
            rings[u - start] += 1
            if layer == layers:
                break
            end = tail
            for i in range(head, tail):
                for e in range(indptr[queue[i]], indptr[queue[i] + 1]):
                    if seen[indices[e]] != u:
                        seen[indices[e]] = u
                        queue[end] = indices[e]
                        end += 1
            head, tail = tail, end
            if head == tail:
                break
    return rings, lengths[:num_rings].copy(), degrees[:size].copy(), counts[:size].copy()
