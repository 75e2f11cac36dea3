"""Heat wavelets of a graph: exp(-s L) for several scales s, from eigenvectors or by Chebyshev polynomials."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components
from scipy.sparse.linalg import eigsh
from scipy.special import ive
from threadpoolctl import threadpool_limits

from infomotif.graph import Graph
from infomotif.typing import Array

EXACT_NODES = 1000
"""Graphs of at most this many nodes are decomposed; larger ones are approximated."""

_BLOCK_BYTES = 32 << 20
_TAIL = 1e-10
_SHIFT = -1e-3


def laplacian(graph: Graph) -> sp.csr_array:
    """Return L = D - A of the graph without directions, [n, n].

    Example:
        >>> laplacian(Graph.from_edges([0], [1], num_nodes=2, directed=False)).toarray().tolist()
        [[1.0, -1.0], [-1.0, 1.0]]
    """
    n, (indptr, indices, _) = graph.num_nodes, graph.undirected
    adjacency = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(n, n))
    return sp.csr_array(sp.diags_array(graph.degrees.astype(np.float64)) - adjacency)


def spectral_range(matrix: sp.csr_array) -> tuple[float, float]:
    """Return the smallest eigenvalue above 0 and the largest, both of the largest component; (0, 0) without edges.

    Example:
        >>> low, high = spectral_range(laplacian(Graph.from_edges([0, 1], [1, 2], num_nodes=4, directed=False)))
        >>> round(low, 6), round(high, 6)
        (1.0, 3.0)
    """
    _, component = connected_components(matrix, directed=False)
    inside = np.flatnonzero(component == np.bincount(component).argmax()) if len(component) else component
    if len(inside) < 2:
        return 0.0, 0.0
    part = sp.csr_array(matrix[inside][:, inside])
    if len(inside) <= EXACT_NODES:
        values = _eigenvalues(part.toarray())
        return float(values[1]), float(values[-1])
    start = np.random.default_rng(0).random(len(inside))
    high = float(eigsh(part, k=1, which="LA", v0=start, return_eigenvectors=False, tol=1e-6)[0])
    # The smallest values lie close together, so that only the inverse separates them; a small shift makes it exist.
    smallest = eigsh(sp.csc_array(part), k=2, sigma=_SHIFT, v0=start, return_eigenvectors=False, tol=1e-6)
    return float(smallest.max()), high


def exact_wavelets(matrix: sp.csr_array, scales: Array) -> Iterator[tuple[int, Array]]:
    """Yield (0, exp(-s L) of each scale [scales, n, n]) from the eigenvectors of L."""
    with threadpool_limits(1):
        values, vectors = np.linalg.eigh(matrix.toarray())
        yield 0, np.stack([(vectors * np.exp(-s * values)) @ vectors.T for s in scales])


def chebyshev_wavelets(
    matrix: sp.csr_array, scales: Array, largest: float, *, block: int | None = None
) -> Iterator[tuple[int, Array]]:
    """Yield (first node, rows of exp(-s L) of a block of nodes [scales, block, n]), block by block.

    On [0, largest] the coefficients of exp(-s x) are (2 - [k = 0]) (-1)^k exp(-a) I_k(a) with a = s largest / 2; the
    series ends where the rest is below 1e-10. The wavelets are symmetric, so columns serve as rows.

    Args:
        matrix: The Laplacian L.
        scales: The scales s.
        largest: At least the largest eigenvalue of L.
        block: How many nodes at a time; by default as many as keep a buffer within 32 MB.
    """
    n, half = matrix.shape[0], largest / 2
    size = block or max(_BLOCK_BYTES // (8 * max(n, 1)), 1)
    coefficients = [_coefficients(s * half) for s in scales]
    degree = max(len(c) for c in coefficients)
    # L / half - I has its eigenvalues in [-1, 1].
    shifted = sp.csr_array(matrix / half - sp.eye_array(n)) if half > 0 else sp.csr_array((n, n))
    for first in range(0, n, size):
        width = min(size, n - first)
        before: Array = np.zeros((n, width))
        before[np.arange(first, first + width), np.arange(width)] = 1.0
        now: Array = np.asarray(shifted @ before)
        sums = [c[0] * before + (c[1] * now if len(c) > 1 else 0.0) for c in coefficients]
        for k in range(2, degree):
            following: Array = np.asarray(shifted @ now)
            following *= 2
            following -= before
            before, now = now, following
            for c, total in zip(coefficients, sums, strict=True):
                if k < len(c):
                    total += c[k] * now
        yield first, np.stack([np.ascontiguousarray(total.T) for total in sums])


def _coefficients(a: float) -> Array:
    order = np.arange(math.ceil(a + 12 * math.sqrt(a + 4)) + 12)
    values = np.where(order == 0, 1.0, 2.0) * (-1.0) ** order * ive(order, a)
    rest = np.cumsum(np.abs(values)[::-1])[::-1]
    return np.asarray(values[: max(int((rest > _TAIL).sum()), 1)])


def _eigenvalues(matrix: Array) -> Array:
    with threadpool_limits(1):
        return np.linalg.eigvalsh(matrix)
