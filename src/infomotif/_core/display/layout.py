"""Positions of the nodes of a small graph: stress of hop distances, then springs; equal input gives equal pictures."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import shortest_path

from infomotif.typing import Array

_STRESS_STEPS = 60
_SPRING_STEPS = 80
_APART_STEPS = 40


def spring_layout(n: int, edges: Array, *, centre: int | None = None, seed: int = 0) -> Array:
    """Return positions within -1 to 1, [n, 2], such that joined nodes are near each other and no two coincide.

    Time and memory grow with the square of n: for graphs that a person can look at.

    Args:
        n: Number of nodes.
        edges: Pairs of nodes, [m, 2]; directions do not matter.
        centre: The node that stays in the middle of the others, if any.
        seed: Which of many layouts.

    Example:
        >>> points = spring_layout(3, np.array([[0, 1], [1, 2]]))
        >>> bool(np.linalg.norm(points[0] - points[2]) > np.linalg.norm(points[0] - points[1]))
        True
    """
    if n <= 1:
        return np.zeros((n, 2))
    joined = np.zeros((n, n))
    joined[edges[:, 0], edges[:, 1]] = joined[edges[:, 1], edges[:, 0]] = 1
    points = np.random.default_rng(seed).normal(size=(n, 2))
    points = _stress(points, _distances(joined))
    points = _springs(points, joined, centre)
    return _framed(_apart(_framed(points)))


def _distances(joined: Array) -> Array:
    hops = np.asarray(shortest_path(sp.csr_array(joined), unweighted=True, directed=False))
    reached = hops[np.isfinite(hops)]
    # Components that no path joins lie as far apart as the widest of them, and a hop more.
    return np.where(np.isfinite(hops), hops, reached.max(initial=1) + 1)


def _stress(points: Array, distance: Array) -> Array:
    """Bring distances in the plane close to hop distances, near pairs first (SMACOF)."""
    n = len(points)
    weight = 1 / np.where(distance > 0, distance, 1) ** 2
    np.fill_diagonal(weight, 0)
    laplacian = np.diag(weight.sum(axis=1)) - weight
    inverse = np.linalg.pinv(laplacian)
    for _ in range(_STRESS_STEPS):
        apart = np.linalg.norm(points[:, None] - points[None], axis=2)
        ratio = weight * distance / np.maximum(apart, 1e-9)
        ratio[np.arange(n), np.arange(n)] = 0
        pull = np.diag(ratio.sum(axis=1)) - ratio
        points = inverse @ (pull @ points)
    return np.asarray(points)


def _springs(points: Array, joined: Array, centre: int | None) -> Array:
    """Let edges pull and all nodes push (Fruchterman and Reingold), in steps that get smaller."""
    n = len(points)
    ideal = 1.0
    points = points * ideal * np.sqrt(n) / max(1e-9, 2 * float(np.abs(points - points.mean(axis=0)).max()))
    for step in np.linspace(0.1 * np.sqrt(n), 0.01, _SPRING_STEPS):
        offset = points[:, None] - points[None]
        apart = np.maximum(np.linalg.norm(offset, axis=2), 0.01)
        force = ideal**2 / apart**2 - joined * apart / ideal
        move = (offset * force[:, :, None]).sum(axis=1) - 0.05 * (points - points.mean(axis=0))
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        points = points + move / length * np.minimum(length, step)
        if centre is not None:
            points = points - points[centre]
    return points


def _framed(points: Array) -> Array:
    """Turn the longer side to the horizontal and scale to the frame."""
    centred = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    # The singular vectors have arbitrary signs; the first node decides, so that the picture is always the same.
    turned = centred @ axes.T
    turned = turned * np.where(turned[0] < 0, -1, 1)
    low, high = turned.min(axis=0), turned.max(axis=0)
    return np.asarray((turned - (low + high) / 2) / max(1e-9, float((high - low).max()) / 2))


def _apart(points: Array) -> Array:
    """Push nodes that nearly coincide away from each other."""
    n = len(points)
    least = 1.1 / np.sqrt(n)
    for _ in range(_APART_STEPS):
        offset = points[:, None] - points[None]
        apart = np.linalg.norm(offset, axis=2)
        np.fill_diagonal(apart, np.inf)
        close = np.maximum(0, least - apart)
        if not close.any():
            break
        # Nodes at the same place have no direction to go: their numbers give one.
        angle = np.arange(n)[:, None] * 2.4 + 1e-3
        direction = np.where(apart[:, :, None] > 1e-9, offset / np.maximum(apart, 1e-9)[:, :, None], 0)
        same = (apart <= 1e-9).any(axis=1, keepdims=True)
        points = points + 0.4 * (direction * close[:, :, None]).sum(axis=1)
        points = points + np.where(same, 0.3 * least * np.concatenate([np.cos(angle), np.sin(angle)], axis=1), 0)
    return points
