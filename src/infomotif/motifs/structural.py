"""Where a node sits in the graph: degree, motif counts, core number, clustering, PageRank."""

from __future__ import annotations

from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import scipy.sparse as sp

from infomotif.graph import Graph
from infomotif.motifs.index import MotifIndex
from infomotif.motifs.kernels import cores
from infomotif.typing import Array

_DAMPING = 0.85
_computed: WeakKeyDictionary[MotifIndex, dict[bool, Columns]] = WeakKeyDictionary()
"""Columns of the indexes in use: trainings on one graph share them."""


class Columns(NamedTuple):
    """Named figures of all nodes.

    Attributes:
        names: What each column holds.
        values: A row a node, [n, F].
    """

    names: tuple[str, ...]
    values: Array


def structural_columns(graph: Graph, index: MotifIndex | None = None, *, centralities: bool = True) -> Columns:
    """Return what a node's place in the graph tells; labels and attributes play no part.

    Args:
        graph: The graph.
        index: Its motifs; by default the graph's own set.
        centralities: Whether core number, clustering coefficient and PageRank join log degree and log motif counts;
            with directions, log in- and out-degree and log triangles too.

    Example:
        >>> import infomotif as im
        >>> structural_columns(im.load_dataset("karate")).names
        ('log degree', 'log count of M6', 'log count of M7', 'core number', 'clustering', 'log PageRank')
    """
    own = MotifIndex(graph) if index is None else index
    kept = _computed.setdefault(own, {}) if own.graph is graph else {}
    if centralities not in kept:
        kept[centralities] = _compute(graph, own, centralities)
    return kept[centralities]


def _compute(graph: Graph, own: MotifIndex, centralities: bool) -> Columns:
    names = ["log degree", *(f"log count of {motif.name}" for motif in own.motifs)]
    values = [np.log1p(graph.degrees.astype(np.float64)), *np.log1p(own.counts.astype(np.float64)).T]
    if centralities:
        triangles = _triangles(graph, own)
        if graph.directed:
            names += ["log out-degree", "log in-degree", "log triangles"]
            values += [np.log1p(np.diff(csr.indptr).astype(np.float64)) for csr in (graph.csr, graph.reverse)]
            values.append(np.log1p(triangles))
        names += ["core number", "clustering", "log PageRank"]
        # Times n, so that the figure is about 0 on a graph of any size.
        ranks = np.log(graph.num_nodes * page_rank(graph))
        values += [core_numbers(graph).astype(np.float64), clustering(graph, triangles), ranks]
    table = np.stack(values, axis=1)
    table.flags.writeable = False
    return Columns(tuple(names), table)


def core_numbers(graph: Graph) -> Array:
    """Return the largest k of each node such that it is in a subgraph of minimum degree k, [n].

    Example:
        >>> graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=5, directed=False)
        >>> core_numbers(graph).tolist()
        [2, 2, 2, 1, 0]
    """
    return cores.core_numbers(graph.undirected.indptr, graph.undirected.indices)


def page_rank(graph: Graph, *, tolerance: float = 1e-10) -> Array:
    """Return PageRank without directions, damping 0.85, summing to 1, [n].

    Example:
        >>> graph = Graph.from_edges([0, 1], [1, 0], num_nodes=2, directed=True)
        >>> page_rank(graph).tolist()
        [0.5, 0.5]
    """
    n, degrees = graph.num_nodes, graph.degrees.astype(np.float64)
    if n == 0:
        return np.empty(0)
    indptr, indices = graph.undirected.indptr, graph.undirected.indices
    matrix = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(n, n))
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


def _triangles(graph: Graph, index: MotifIndex) -> Array:
    """Return in how many triangles each node is, directions aside, [n]."""
    names = [motif.name for motif in index.motifs]
    if graph.directed or "M7" not in names:
        index = MotifIndex(graph.replace(x=None), "undirected")
        names = [motif.name for motif in index.motifs]
    return index.counts[:, names.index("M7")].astype(np.float64)
