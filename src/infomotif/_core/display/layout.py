"""Positions of the nodes of a small graph: stress of hop distances, then springs; equal input gives equal pictures."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components, shortest_path
from scipy.spatial.distance import cdist

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
    ones = np.ones(len(edges))
    joined = sp.csr_array((ones, (edges[:, 0], edges[:, 1])), shape=(n, n))
    count, part = connected_components(joined, directed=False)
    dense = np.minimum(1, (joined + joined.T).toarray())
    pieces = []
    for number in range(count):
        nodes = np.flatnonzero(part == number)
        middle = None if centre is None or part[centre] != number else int(np.searchsorted(nodes, centre))
        pieces.append((nodes, _component(dense[np.ix_(nodes, nodes)], middle, seed)))
    points = np.zeros((n, 2))
    for (nodes, piece), spot in zip(pieces, _packed([len(nodes) for nodes, _ in pieces]), strict=True):
        points[nodes] = np.sqrt(len(nodes)) * piece + spot
    return _fitted(points)


def _component(joined: Array, centre: int | None, seed: int) -> Array:
    """Return positions within -1 to 1 of the nodes of a connected graph."""
    n = len(joined)
    if n == 1:
        return np.zeros((1, 2))
    points = np.random.default_rng(seed).normal(size=(n, 2))
    points = _stress(points, np.asarray(shortest_path(sp.csr_array(joined), unweighted=True, directed=False)))
    return _turned(_apart(_turned(_springs(points, joined, centre))))


def _packed(sizes: list[int]) -> Array:
    """Return where to put components, each in a disc: the largest first, each as near to the middle as can be."""
    radius = np.sqrt(np.array(sizes, dtype=np.float64)) + 0.6
    spots = np.zeros((len(sizes), 2))
    done: list[int] = []
    for i in np.argsort(-radius, kind="stable").tolist():
        for turn in range(100_000):
            angle, away = 2.4 * turn, 0.25 * np.sqrt(turn)
            spots[i] = away * np.cos(angle), away * np.sin(angle)
            if not done or (np.linalg.norm(spots[done] - spots[i], axis=1) >= radius[done] + radius[i]).all():
                break
        done.append(i)
    return spots


def _stress(points: Array, distance: Array) -> Array:
    """Bring distances in the plane close to hop distances, near pairs first (SMACOF)."""
    n = len(points)
    weight = 1 / np.where(distance > 0, distance, 1) ** 2
    np.fill_diagonal(weight, 0)
    # The Laplacian has no inverse, but moved by a constant it has: positions are only fixed up to a shift.
    inverse = np.linalg.inv(np.diag(weight.sum(axis=1)) - weight + 1 / n)
    wanted = weight * distance
    for _ in range(_STRESS_STEPS):
        ratio = wanted / np.maximum(cdist(points, points), 1e-9)
        points = inverse @ _pairwise(ratio, points)
    return np.asarray(points)


def _springs(points: Array, joined: Array, centre: int | None) -> Array:
    """Let edges pull and all nodes push (Fruchterman and Reingold), in steps that get smaller."""
    n = len(points)
    points = points * np.sqrt(n) / max(1e-9, 2 * float(np.abs(points - points.mean(axis=0)).max()))
    for step in np.linspace(0.1 * np.sqrt(n), 0.01, _SPRING_STEPS):
        apart = np.maximum(cdist(points, points), 0.01)
        move = _pairwise(1 / apart**2 - joined * apart, points) - 0.05 * (points - points.mean(axis=0))
        length = np.maximum(np.linalg.norm(move, axis=1, keepdims=True), 1e-9)
        points = points + move / length * np.minimum(length, step)
        if centre is not None:
            points = points - points[centre]
    return points


def _pairwise(strength: Array, points: Array) -> Array:
    """Return for each node the sum of strength times the way from every other node to it, [n, 2]."""
    return np.asarray(strength.sum(axis=1)[:, None] * points - strength @ points)


def _turned(points: Array) -> Array:
    """Turn the longer side to the horizontal and scale to the frame."""
    centred = points - points.mean(axis=0)
    _, _, axes = np.linalg.svd(centred, full_matrices=False)
    turned = centred @ axes.T
    # The singular vectors have arbitrary signs; the first node decides, so that the picture is always the same.
    return _fitted(turned * np.where(turned[0] < 0, -1, 1))


def _fitted(points: Array) -> Array:
    """Move and scale to -1 to 1, both directions by the same factor."""
    low, high = points.min(axis=0), points.max(axis=0)
    return np.asarray((points - (low + high) / 2) / max(1e-9, float((high - low).max()) / 2))


def _apart(points: Array) -> Array:
    """Push nodes that nearly coincide away from each other."""
    n = len(points)
    least = 1.1 / np.sqrt(n)
    # Nodes at the same place have no direction to go: their numbers give one.
    angle = 2.4 * np.arange(n)
    points = points + 1e-3 * least * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    for _ in range(_APART_STEPS):
        apart = np.maximum(cdist(points, points), 1e-9)
        np.fill_diagonal(apart, np.inf)
        close = np.maximum(0, least - apart)
        if not close.any():
            break
        points = points + 0.4 * _pairwise(close / apart, points)
    return points
