"""Where a node sits in the graph: degree, motif counts, core number, clustering, PageRank."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from infomotif.baselines.memory import Recent
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex

Array = NDArray[Any]

_DAMPING = 0.85
_features = Recent(size=4)


def structural_features(graph: Graph) -> Array:
    """Return a row of structural features a node, [n, F]; labels and attributes play no part.

    log degree, log motif counts of the graph's own set (and of triangles), log in- and out-degree if there are
    directions, core number, clustering coefficient, log PageRank.

    Example:
        >>> import infomotif as im
        >>> structural_features(im.load_dataset("karate")).shape
        (34, 6)
    """
    bare = graph.replace(x=None, y=None, class_names=())
    return _features.get(bare.fingerprint(), lambda: _compute(bare))


def core_numbers(graph: Graph) -> Array:
    """Return the largest k of each node such that it is in a subgraph of minimum degree k, [n].

    Example:
        >>> graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=5, directed=False)
        >>> core_numbers(graph).tolist()
        [2, 2, 2, 1, 0]
    """
    matrix = _adjacency(graph)
    left = graph.degrees.astype(np.int64).copy()
    core = np.zeros(graph.num_nodes, dtype=np.int64)
    alive = np.ones(graph.num_nodes, dtype=np.bool_)
    k = 0
    while alive.any():
        peeled = alive & (left <= k)
        if not peeled.any():
            k = int(left[alive].min())
            continue
        core[peeled] = k
        alive &= ~peeled
        left -= (matrix[:, peeled].sum(axis=1)).astype(np.int64)
    return core


def page_rank(graph: Graph, *, tolerance: float = 1e-10) -> Array:
    """Return PageRank without directions, damping 0.85, summing to 1, [n].

    Example:
        >>> graph = Graph.from_edges([0, 1], [1, 0], num_nodes=2, directed=True)
        >>> page_rank(graph).tolist()
        [0.5, 0.5]
    """
    n, degrees = graph.num_nodes, graph.degrees.astype(np.float64)
    matrix = _adjacency(graph)
    share = np.divide(1.0, degrees, out=np.zeros(n), where=degrees > 0)
    rank = np.full(n, 1.0 / n)
    for _ in range(1000):
        loose = rank[degrees == 0].sum()
        following = _DAMPING * (matrix @ (rank * share) + loose / n) + (1 - _DAMPING) / n
        if np.abs(following - rank).sum() < tolerance:
            return np.asarray(following)
        rank = following
    return rank


def clustering(graph: Graph, triangles: Array) -> Array:
    """Return the share of each node's pairs of neighbours that are neighbours, 0 below two neighbours, [n]."""
    degrees = graph.degrees.astype(np.float64)
    pairs = degrees * (degrees - 1) / 2
    return np.divide(triangles, pairs, out=np.zeros(graph.num_nodes), where=pairs > 0)


def _compute(graph: Graph) -> Array:
    own = MotifIndex(graph)
    plain = own if not graph.directed else MotifIndex(graph, "undirected")
    triangles = plain.counts[:, [m.name for m in plain.motifs].index("M7")].astype(np.float64)
    columns = [np.log1p(graph.degrees), *np.log1p(own.counts.astype(np.float64)).T]
    if graph.directed:
        columns += [np.log1p(np.diff(graph.csr.indptr)), np.log1p(np.diff(graph.reverse.indptr)), np.log1p(triangles)]
    columns += [core_numbers(graph), clustering(graph, triangles), np.log(page_rank(graph))]
    return np.stack([np.asarray(column, dtype=np.float64) for column in columns], axis=1)


def _adjacency(graph: Graph) -> sp.csr_array:
    indptr, indices = graph.undirected.indptr, graph.undirected.indices
    ones = np.ones(len(indices))
    return sp.csr_array((ones, indices, indptr), shape=(graph.num_nodes, graph.num_nodes))
