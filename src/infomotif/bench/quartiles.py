"""Quartiles of test nodes by what surrounds them: label fraction and attribute diversity, as the paper defines them."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph
from infomotif.training.splits import Split

Array = NDArray[Any]
QUARTILES = ("Q1", "Q2", "Q3", "Q4")


def two_hops(graph: Graph) -> sp.csr_array:
    """Return who is within two hops of whom, directions ignored, nobody of themselves [n, n].

    Example:
        >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 3], num_nodes=4, directed=False)
        >>> two_hops(graph).toarray().astype(int).tolist()
        [[0, 1, 1, 0], [1, 0, 1, 1], [1, 1, 0, 1], [0, 1, 1, 0]]
    """
    indptr, indices = graph.undirected.indptr, graph.undirected.indices
    shape = (graph.num_nodes, graph.num_nodes)
    near = sp.csr_array((np.ones(len(indices), dtype=np.float32), indices, indptr), shape=shape)
    reach = sp.csr_array(near + near @ near)
    reach.setdiag(0)
    reach.eliminate_zeros()
    reach.data[:] = 1
    return reach


def label_fraction(graph: Graph, train: Array) -> Array:
    """Return the share of training nodes among each node's 2-hop neighbours, 0 without neighbours, [n]."""
    reach = two_hops(graph)
    labelled = np.zeros(graph.num_nodes)
    labelled[train] = 1
    return _mean_over(reach, reach @ labelled)


def attribute_diversity(graph: Graph) -> Array:
    """Return each node's mean cosine distance to its 2-hop neighbours, [n].

    Rows without any attribute are at distance 1 of all.

    Example:
        >>> graph = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False, x=[[1.0, 0], [1, 0], [0, 1]])
        >>> attribute_diversity(graph).tolist()
        [0.5, 0.5, 1.0]
    """
    if graph.x is None:
        raise InputError(f"{graph.name} has no attributes to differ in")
    reach, x = two_hops(graph), sp.csr_array(graph.x).astype(np.float64)
    size = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
    unit = sp.csr_array(sp.diags_array(np.divide(1.0, size, out=np.zeros(len(size)), where=size > 0)) @ x)
    similar = np.asarray(unit.multiply(reach @ unit).sum(axis=1)).ravel()
    return 1 - _mean_over(reach, similar)


def measure(name: str, graph: Graph, split: Split) -> Array:
    """Return the measure of this name for the test nodes of a split, in their order."""
    if name == "label_fraction":
        return np.asarray(label_fraction(graph, split.train)[split.test])
    if name == "attribute_diversity":
        return np.asarray(attribute_diversity(graph)[split.test])
    raise unknown_name("measure", name, ("label_fraction", "attribute_diversity"))


def quartile_of(values: Array) -> Array:
    """Return the quartile 0 to 3 of each value; equal values stay together, so quartiles may differ in size.

    Example:
        >>> quartile_of(np.array([4.0, 1, 3, 2])).tolist()
        [3, 0, 2, 1]
    """
    edges = np.quantile(values, [0.25, 0.5, 0.75])
    return np.asarray(np.searchsorted(edges, values, side="left"))


def _mean_over(reach: sp.csr_array, total: Array) -> Array:
    count = np.diff(reach.indptr)
    return np.divide(total, count, out=np.zeros(len(count)), where=count > 0)
