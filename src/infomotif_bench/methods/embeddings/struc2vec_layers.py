"""The layered graph of struc2vec: layer k joins nodes by how similar their surroundings of k hops are."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.csr import CSR
from infomotif.typing import Array
from infomotif_bench.methods.kernels.dtw import pair_distances
from infomotif_bench.methods.kernels.rings import ring_sequences

MAX_PAIRS = 20_000_000
MAX_DEGREES = 400_000_000
MAX_DISTANCES = 400_000_000


@dataclass(frozen=True)
class Layers:
    """The layers, as one graph to walk in.

    Attributes:
        rows: Neighbours of v in layer k, by weight, in row k * n + v.
        up: Probability that a change of layer leads up, one value per row.
    """

    rows: CSR
    up: Array


def structural_distances(graph: Graph, first: Array, second: Array, *, layers: int | None, compress: bool) -> Array:
    """Return f_k of each pair of nodes, [layers + 1, pairs]: how much the degrees of rings 0 to k differ.

    The value is infinite where one of the two has no node at distance k.

    Example:
        >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], num_nodes=4, directed=False)
        >>> structural_distances(path, np.array([0, 0]), np.array([1, 3]), layers=1, compress=True).tolist()
        [[1.0, 0.0], [2.0, 0.0]]
    """
    n = graph.num_nodes
    if not compress and n * n > MAX_DEGREES:
        raise InputError(f"{n:,} nodes are too many for full degree sequences: set compress to True")
    indptr, indices = graph.undirected.indptr, graph.undirected.indices
    far = n if layers is None else min(layers, n)
    parts = parallel_ranges(ring_sequences, n, indptr, indices, far, compress)
    rings, lengths, degrees, counts = (np.concatenate(part) for part in zip(*parts, strict=True))
    rings_of = np.concatenate([[0], np.cumsum(rings)])
    ends = np.concatenate([[0], np.cumsum(lengths)])
    deepest = int(rings.max(initial=1))
    if deepest * len(first) > MAX_DISTANCES:
        raise InputError(f"{deepest:,} rings of {len(first):,} pairs of nodes are too many to compare: lower layers")
    distances = np.empty((deepest, len(first)))
    parallel_ranges(pair_distances, len(first), first, second, rings_of, ends, degrees, counts, distances)
    return distances


def all_pairs(num_nodes: int) -> tuple[Array, Array]:
    """Return every pair of nodes once.

    Raises:
        InputError: If there are too many to compare.
    """
    if num_nodes * (num_nodes - 1) // 2 > MAX_PAIRS:
        raise InputError(f"{num_nodes:,} nodes are too many to compare all pairs: set similar_degree to True")
    first, second = np.triu_indices(num_nodes, 1)
    return first, second


def pairs_of_similar_degree(graph: Graph, generator: np.random.Generator) -> tuple[Array, Array]:
    """Return each node with the log2 n nodes before and after it in the order of degrees.

    Nodes of equal degree are ordered by the sum of their neighbours' degrees, and at random where these are equal too,
    so that node numbers have no effect.

    Example:
        >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3], num_nodes=4, directed=False)
        >>> first, second = pairs_of_similar_degree(star, np.random.default_rng(0))
        >>> len(first)
        5
    """
    n, degrees = graph.num_nodes, graph.degrees
    around = np.add.reduceat(np.append(degrees[graph.undirected.indices], 0), graph.undirected.indptr[:-1])
    order = np.lexsort((generator.permutation(n), np.where(degrees > 0, around, 0), degrees))
    reach = min(math.ceil(math.log2(n)), n - 1) if n > 1 else 0
    before = [order[: n - gap] for gap in range(1, reach + 1)]
    after = [order[gap:] for gap in range(1, reach + 1)]
    nothing = np.empty(0, np.int64)
    return np.concatenate([nothing, *before]), np.concatenate([nothing, *after])


def build_layers(num_nodes: int, first: Array, second: Array, distances: Array) -> Layers:
    """Join the pairs of each layer with weight exp(-f_k), and each node with its copies one layer up and down.

    A step up weighs log(e + the number of the node's edges that are heavier than the layer's mean), a step down 1.
    """
    n, parts, ups = num_nodes, [], []
    for f in distances:
        there = np.isfinite(f)
        ends = np.concatenate([first[there], second[there]]), np.concatenate([second[there], first[there]])
        order = np.lexsort(ends[::-1])
        rows, far = ends[0][order], np.tile(f[there], 2)[order]
        indptr = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=n))])
        weights = np.exp(-far)
        heavy = np.bincount(rows[weights > weights.mean()], minlength=n) if len(rows) else np.zeros(n)
        ups.append(np.log(math.e + heavy))
        nearest = np.full(n, np.inf)
        np.minimum.at(nearest, rows, far)
        # A common factor per row changes no probability and keeps the weights of far rows from vanishing.
        parts.append((indptr, ends[1][order], np.exp(nearest[rows] - far)))
    starts = np.cumsum([0, *(len(part[1]) for part in parts)])
    indptr = np.concatenate([[0], *(part[0][1:] + start for part, start in zip(parts, starts[:-1], strict=True))])
    joined = np.diff(indptr).reshape(-1, n) > 0
    higher = np.vstack([joined[1:], np.zeros((1, n), np.bool_)])
    up = np.where(higher, np.stack(ups), 0.0)
    down = np.ones_like(up)
    down[0] = 0.0
    chance = np.divide(up, up + down, out=np.zeros_like(up), where=up > 0)
    indices = np.concatenate([part[1] for part in parts]).astype(np.int32)
    weights = np.concatenate([part[2] for part in parts])
    return Layers(CSR(indptr, indices, weights), chance.ravel())
