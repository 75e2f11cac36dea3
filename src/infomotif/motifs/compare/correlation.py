"""Graphlet correlations: how the orbits of a network's nodes go together, and how far two networks are apart."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif.motifs.index import MotifIndex
from infomotif.typing import Array

ORBITS = (0, 2, 5, 7, 8, 10, 11, 6, 9, 4, 1)
"""ORCA's numbers of the eleven orbits of up to four nodes that others do not determine, in the usual order."""


def graphlet_correlation_matrix(graph: Any) -> Array:
    """Return the graphlet correlation matrix (GCM-11) of a network; directions are ignored.

    These are Spearman's rank correlations of eleven orbit counts over the nodes (Yaveroğlu et al., 2014), with one more
    node whose counts are all 1. A column without any variation is correlated with no other.

    Args:
        graph: A :class:`Graph`, or anything else that :class:`.MotifIndex` takes, or an index.

    Returns:
        The matrix [11, 11]; rows and columns are the orbits 0, 2, 5, 7, 8, 10, 11, 6, 9, 4, 1 of ORCA.

    Example:
        >>> from infomotif import Graph
        >>> paw = Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2], num_nodes=4, directed=False)
        >>> graphlet_correlation_matrix(paw).shape
        (11, 11)
    """
    from scipy.stats import rankdata

    index = graph if isinstance(graph, MotifIndex) else MotifIndex(graph, ("undirected", "graphlets4"))
    counts = index.gdv(4)[:, ORBITS]
    ranks = rankdata(np.concatenate([counts, np.ones((1, len(ORBITS)), np.int64)]), axis=0)
    ranks -= ranks.mean(axis=0)
    length = np.linalg.norm(ranks, axis=0)
    unit = np.divide(ranks, length, out=np.zeros_like(ranks), where=length > 0)
    matrix = np.clip(unit.T @ unit, -1, 1)
    np.fill_diagonal(matrix, 1)
    return np.asarray(matrix)


def graphlet_correlation_distance(a: Any, b: Any) -> float:
    """Return the graphlet correlation distance (GCD-11) of two networks, whatever their sizes.

    It is the Euclidean distance of the upper halves of their graphlet correlation matrices, so it is 0 for networks
    with equal matrices and at most sqrt(220), about 14.8.

    Args:
        a: A network, as :func:`graphlet_correlation_matrix` takes it.
        b: Another one.

    Example:
        >>> from infomotif import load_dataset
        >>> karate = load_dataset("karate")
        >>> graphlet_correlation_distance(karate, karate)
        0.0
    """
    return float(distances(np.stack([graphlet_correlation_matrix(graph) for graph in (a, b)]))[0, 1])


def distances(matrices: Array) -> Array:
    """Return the distance of every two graphlet correlation matrices [N, N]."""
    halves = matrices[:, *np.triu_indices(len(ORBITS), 1)]
    return np.asarray(np.linalg.norm(halves[:, None] - halves[None], axis=2))
