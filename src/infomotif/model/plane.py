"""A map of the nodes: representations laid out in two dimensions."""

from __future__ import annotations

import numpy as np

from infomotif.typing import Array

LANDMARKS = 750
"""How many nodes t-SNE lays out at most; the others follow."""
_WIDTH = 30
_PERPLEXITY = 15.0
_MIN_TSNE = 50
_NEAREST = 3


def plane(z: Array, *, seed: int = 0) -> tuple[Array, str]:
    """Lay out representations in the plane so that neighbours stay neighbours.

    Fewer than 50 nodes are projected onto their two principal components. Others are laid out by t-SNE; beyond 750
    nodes t-SNE places a sample of landmarks, and every other node lies between its three nearest ones.

    Args:
        z: Representations, [n, D].
        seed: Which sample and layout.

    Returns:
        Positions within 0 to 1, [n, 2], and the method that gave them.

    Example:
        >>> points, how = plane(np.eye(4))
        >>> points.shape, how
        ((4, 2), 'principal components')
    """
    reduced = _components(z, _WIDTH)
    if len(z) < _MIN_TSNE or np.ptp(reduced, axis=0).max(initial=0) == 0:
        return _framed(_components(z, 2)), "principal components"
    order = np.random.default_rng(seed).permutation(len(z))
    landmarks = np.sort(order[:LANDMARKS])
    laid_out = _tsne(reduced[landmarks], seed)
    if len(landmarks) == len(z):
        return _framed(laid_out), "t-SNE"
    return _framed(_between(reduced, reduced[landmarks], laid_out)), f"t-SNE of {LANDMARKS:,} landmarks"


def _tsne(points: Array, seed: int) -> Array:
    from sklearn.manifold import TSNE

    perplexity = min(_PERPLEXITY, (len(points) - 1) / 3)
    layout = TSNE(perplexity=perplexity, init="pca", max_iter=250, random_state=seed, learning_rate="auto")
    return np.asarray(layout.fit_transform(points.astype(np.float32)))


def _components(z: Array, width: int) -> Array:
    """Return the leading principal components, padded with zeros."""
    centred = np.asarray(z, dtype=np.float64) - z.mean(axis=0, keepdims=True)
    _, vectors = np.linalg.eigh(centred.T @ centred)
    components = centred @ vectors[:, ::-1][:, :width]
    return np.pad(components, ((0, 0), (0, max(0, 2 - components.shape[1]))))


def _between(points: Array, landmarks: Array, laid_out: Array) -> Array:
    from sklearn.neighbors import NearestNeighbors

    distance, nearest = NearestNeighbors(n_neighbors=_NEAREST).fit(landmarks).kneighbors(points)
    weight = 1 / (distance + 1e-9)
    weight /= weight.sum(axis=1, keepdims=True)
    return np.asarray((laid_out[nearest] * weight[:, :, None]).sum(axis=1))


def _framed(points: Array) -> Array:
    low, high = points.min(axis=0), points.max(axis=0)
    return np.asarray((points - low) / np.where(high > low, high - low, 1))
