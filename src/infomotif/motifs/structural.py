"""Structural features of nodes: degree, motif counts, core number, clustering coefficient, PageRank."""

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
"""Features per index that is still in use, so that trainings on one graph share them."""


class Columns(NamedTuple):
    """Named features of all nodes.

    Attributes:
        names: Name of each column.
        values: One row per node [n, F].
    """

    names: tuple[str, ...]
    values: Array


def structural_columns(graph: Graph, index: MotifIndex | None = None, *, centralities: bool = True) -> Columns:
    """Return features that depend on the edges only, not on labels or attributes.

    Args:
        graph: The graph.
        index: Its motifs; by default those of the set "auto".
        centralities: Whether to add core number, clustering coefficient and PageRank to log degree and log motif
            counts; for a directed graph also log in- and out-degree and log triangles.

    Example:
        >>> import infomotif as im
        >>> structural_columns(im.load_dataset("karate")).names
        ('log degree', 'log count of M6', 'log count of M7', 'core number', 'clustering', 'log PageRank')
    """
    index = MotifIndex(graph) if index is None else index
    cached = _computed.setdefault(index, {}) if index.graph is graph else {}
    if centralities not in cached:
        cached[centralities] = _compute(graph, index, centralities)
    return cached[centralities]


def _compute(graph: Graph, index: MotifIndex, centralities: bool) -> Columns:
    names = ["log degree", *(f"log count of {motif.name}" for motif in index.motifs)]
    values = [np.log1p(graph.degrees.astype(np.float64)), *np.log1p(index.counts.astype(np.float64)).T]
    if centralities:
        triangles = _triangles(graph, index)
        if graph.directed:
            names += ["log out-degree", "log in-degree", "log triangles"]
            values += [np.log1p(np.diff(csr.indptr).astype(np.float64)) for csr in (graph.csr, graph.reverse)]
            values.append(np.log1p(triangles))
        names += ["core number", "clustering", "log PageRank"]
        # Times n, so that the logarithm is about 0 on a graph of any size.
        ranks = np.log(graph.num_nodes * page_rank(graph))
        values += [core_numbers(graph).astype(np.float64), clustering(graph, triangles), ranks]
    table = np.stack(values, axis=1)
    table.flags.writeable = False
    return Columns(tuple(names), table)


def core_numbers(graph: Graph) -> Array:
    """Return the core number of each node: the largest k such that it is in a subgraph of minimum degree k [n].

    Example:
        >>> graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=5, directed=False)
        >>> core_numbers(graph).tolist()
        [2, 2, 2, 1, 0]
    """
    return cores.core_numbers(graph.undirected.indptr, graph.undirected.indices)


def page_rank(graph: Graph, *, tolerance: float = 1e-10) -> Array:
    """Return PageRank, directions ignored, damping 0.85, sum 1 [n].

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
        dangling = rank[degrees == 0].sum()
        following = _DAMPING * (matrix @ (rank * share) + dangling / n) + (1 - _DAMPING) / n
        if np.abs(following - rank).sum() < tolerance:
            return np.asarray(following)
        rank = following
    return rank


def clustering(graph: Graph, triangles: Array) -> Array:
    """Return the clustering coefficients: the share of each node's pairs of neighbours that are joined [n]."""
    degrees = graph.degrees.astype(np.float64)
    pairs = degrees * (degrees - 1) / 2
    return np.divide(triangles, pairs, out=np.zeros(graph.num_nodes), where=pairs > 0)


def _triangles(graph: Graph, index: MotifIndex) -> Array:
    """Return the number of triangles of each node, directions ignored [n]."""
    names = [motif.name for motif in index.motifs]
    if graph.directed or "M7" not in names:
        index = MotifIndex(graph.replace(x=None), "undirected")
        names = [motif.name for motif in index.motifs]
    return index.counts[:, names.index("M7")].astype(np.float64)
