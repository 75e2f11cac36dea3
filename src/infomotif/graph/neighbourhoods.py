"""What surrounds a node: distances in hops, and the paper's two measures, label fraction and attribute diversity."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.checks import as_float32
from infomotif.typing import Array

# Pairs of nodes looked at in one block; bounds the memory on graphs with hubs.
_PAIRS_AT_ONCE = 4_000_000


def hop_distances(graph: Graph, node: ArrayLike, limit: int | None = None) -> Array:
    """Return how many hops each node is from ``node``, or from the nearest of several; -1 where none is reachable.

    Args:
        graph: The graph.
        node: The node or nodes to start from; directions are ignored.
        limit: How many hops to look; no limit by default.

    Example:
        >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], num_nodes=5, directed=True)
        >>> hop_distances(path, 1).tolist(), hop_distances(path, 0, limit=1).tolist()
        ([1, 0, 1, 2, -1], [0, 1, -1, -1, -1])
    """
    indptr, indices = graph.undirected.indptr, graph.undirected.indices
    distance = np.full(graph.num_nodes, -1)
    front, hops = np.atleast_1d(np.asarray(node, dtype=np.int64)), 0
    distance[front] = 0
    while len(front) and (limit is None or hops < limit):
        hops += 1
        near = np.unique(np.concatenate([indices[indptr[v] : indptr[v + 1]] for v in front.tolist()]))
        front = near[distance[near] < 0]
        distance[front] = hops
    return distance


def label_fraction(graph: Graph, train: ArrayLike, *, hops: int = 2, nodes: ArrayLike | None = None) -> Array:
    """Return the share of training nodes among the nodes within ``hops`` of each node, the node itself excluded.

    Args:
        graph: The graph; directions are ignored, as in message passing.
        train: Numbers of the training nodes.
        hops: How far to look.
        nodes: The nodes to look at, all by default.

    Returns:
        One value from 0 to 1 per node; 0 where no other node is within reach.

    Example:
        >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], num_nodes=4, directed=False)
        >>> label_fraction(path, [0]).tolist()
        [0.0, 0.3333333333333333, 0.3333333333333333, 0.0]
    """
    known = np.zeros(graph.num_nodes)
    known[np.asarray(train, dtype=np.int64)] = 1
    shares = [reach @ known / np.maximum(np.diff(reach.indptr), 1) for _, reach in _reaches(graph, hops, nodes)]
    return np.concatenate([np.empty(0), *shares])


def attribute_diversity(graph: Graph, *, hops: int = 2, nodes: ArrayLike | None = None) -> Array:
    """Return the mean cosine distance of each node's attributes to those of the nodes within ``hops`` of it.

    Args:
        graph: A graph with attributes; directions are ignored.
        hops: How far to look.
        nodes: The nodes to look at, all by default.

    Returns:
        One value per node, from 0 to 1 if no attribute is negative, larger where neighbours differ more. A node
        without any attribute, or with no other node within reach, has 1.

    Raises:
        InputError: If the graph has no attributes.

    Example:
        >>> x = [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0]]
        >>> path = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False, x=x)
        >>> attribute_diversity(path, hops=1).tolist()
        [0.0, 0.5, 1.0]
    """
    if graph.x is None:
        raise InputError(f"{graph.name} has no attributes, so attribute diversity is not defined")
    x: Any = sp.csr_array(as_float32(graph.x)).astype(np.float64)
    length = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
    x = sp.csr_array(sp.diags_array(1 / np.where(length == 0, 1, length)) @ x)
    values = []
    for block, reach in _reaches(graph, hops, nodes):
        size = np.diff(reach.indptr).astype(np.float64)
        similar = np.asarray((reach @ x).multiply(x[block]).sum(axis=1)).ravel()
        mean = similar / np.maximum(size, 1)
        # Rounding must not split nodes of equal diversity over two quartiles.
        values.append(np.round(1 - mean, 12))
    return np.concatenate([np.empty(0), *values])


def quartiles(values: ArrayLike) -> Array:
    """Return the quartile of each value, 0 (smallest) to 3; equal values stay together, so sizes may differ.

    Example:
        >>> quartiles([0.4, 0.1, 0.3, 0.2]).tolist()
        [3, 0, 2, 1]
    """
    array = np.asarray(values, dtype=np.float64)
    edges = np.quantile(array, [0.25, 0.5, 0.75]) if len(array) else array
    return np.asarray(np.searchsorted(edges, array, side="left"))


def _reaches(graph: Graph, hops: int, nodes: ArrayLike | None) -> Iterator[tuple[Array, sp.csr_array]]:
    """Yield blocks of nodes with the 0/1 matrix of the nodes within ``hops`` of each."""
    if hops < 1:
        raise InputError(f"hops must be a positive whole number (got {hops})")
    n = graph.num_nodes
    wanted = np.arange(n) if nodes is None else np.asarray(nodes, dtype=np.int64)
    indptr, indices = graph.undirected.indptr, graph.undirected.indices
    one_hop = sp.csr_array((np.ones(len(indices), dtype=np.float32), indices, indptr), shape=(n, n))
    # The number of two-step walks bounds how many nodes a row can reach.
    walks = np.minimum(one_hop @ graph.degrees.astype(np.float64) + 1, n)[wanted]
    block = np.cumsum(walks) // _PAIRS_AT_ONCE
    for number in np.unique(block):
        chosen = wanted[block == number]
        reach = one_hop[chosen]
        for _ in range(hops - 1):
            reach = sp.csr_array(reach @ one_hop + reach)
            reach.data[:] = 1
        itself = sp.csr_array((np.ones(len(chosen), np.float32), (np.arange(len(chosen)), chosen)), shape=reach.shape)
        reach = sp.csr_array(reach - reach.multiply(itself))
        reach.eliminate_zeros()
        yield chosen, reach
