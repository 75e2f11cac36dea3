"""Compiled sampling of neighbours."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif.motifs.kernels.randomness import below, stream_of
from infomotif.parallel import kernel

Array = NDArray[Any]


@kernel
def sampled_lengths(indptr: Array, nodes: Array, fanout: int) -> Array:
    """Return how many neighbours are drawn for each node; a fanout of 0 takes all."""
    lengths = np.empty(len(nodes), np.int64)
    for i in range(len(nodes)):
        degree = indptr[nodes[i] + 1] - indptr[nodes[i]]
        lengths[i] = degree if fanout == 0 else min(degree, fanout)
    return lengths


@kernel
def sample_neighbours(
    indptr: Array, indices: Array, nodes: Array, fanout: int, seed: Any, ends: Array, out: Array
) -> None:
    """Write the neighbours of each node: all of few, a uniform subset of many (Floyd's algorithm)."""
    chosen = np.empty(max(1, fanout), np.int64)
    for i in range(len(nodes)):
        first = indptr[nodes[i]]
        degree = indptr[nodes[i] + 1] - first
        count = degree if fanout == 0 else min(degree, fanout)
        at = ends[i] - count
        if count == degree:
            for j in range(degree):
                out[at + j] = indices[first + j]
            continue
        stream = stream_of(seed, nodes[i])
        for j in range(count):
            last = degree - count + j
            pick = below(stream, j, last + 1)
            for k in range(j):
                if chosen[k] == pick:
                    pick = last
                    break
            chosen[j] = pick
        chosen[:count].sort()
        for j in range(count):
            out[at + j] = indices[first + chosen[j]]


@kernel
def number_new(drawn: Array, place: Array, known: int, found: Array) -> int:
    """Replace nodes in ``drawn`` by their places, giving new ones the next place and listing them in ``found``."""
    count = 0
    for i in range(len(drawn)):
        node = drawn[i]
        if place[node] < 0:
            place[node] = known + count
            found[count] = node
            count += 1
        drawn[i] = place[node]
    return count
