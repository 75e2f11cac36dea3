"""Motif encodings of nodes: degree, motif and orbit counts, centralities, their means over neighbours, quantiles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import scipy.sparse as sp

from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph
from infomotif.io.adapt import as_structure
from infomotif.motifs.index import ORCA_ORBITS, MotifIndex
from infomotif.motifs.kernels import cores
from infomotif.typing import Array

COLUMNS = ("degree", "counts", "centralities", "orbits")
"""Parts of an encoding that have columns of their own."""
DERIVED = ("neighbours", "quantiles")
"""Parts that are made of the columns of others."""
QUANTILES = 10
_DAMPING = 0.85
_ROUNDING = 1e-9
"""Values that differ by less than this share of their size count as equal."""
_of_index: WeakKeyDictionary[MotifIndex, dict[str, dict[str, Array]]] = WeakKeyDictionary()
_of_graph: WeakKeyDictionary[Graph, dict[str, dict[str, Array]]] = WeakKeyDictionary()
"""Columns per index or graph that is still in use, so that trainings on one graph share them."""


class Columns(NamedTuple):
    """Named columns of all nodes.

    Attributes:
        names: Name of each column.
        values: One row per node [n, F].
    """

    names: tuple[str, ...]
    values: Array


def motif_encodings(graph: Any, parts: str = "orbits", *, index: MotifIndex | None = None) -> Columns:
    """Return what a node's position in the graph says about it, as numbers: a structural encoding made of motif counts.

    Encodings depend on the edges only, not on labels, attributes or the order of the nodes.

    Args:
        graph: A :class:`Graph`, or anything else that :class:`MotifIndex` takes.
        parts: One or several of these, joined by ``+``. ``degree``: log degree and its square, on a directed graph also
            log in- and out-degree. ``counts``: log degree and log counts of the motifs of ``index``. ``centralities``:
            these, core number, clustering coefficient and log PageRank. ``orbits``: log degree, the log count of each
            orbit of the connected graphs of three and four nodes, and the three centralities; on a directed graph also
            the 30 positions in directed triads. ``neighbours`` adds the mean of each column over a node's neighbours,
            and ``quantiles`` the tenth of the nodes that each value is in, as an indicator.
        index: The graph's motifs, for ``counts`` and ``centralities``; by default those of the set "auto".

    Raises:
        InputError: If a part is unknown, or there are only parts that are made of others.

    Example:
        >>> import infomotif as im
        >>> karate = im.load_dataset("karate")
        >>> im.motif_encodings(karate, "centralities").names
        ('log degree', 'log count of M6', 'log count of M7', 'core number', 'clustering', 'log PageRank')
        >>> im.motif_encodings(karate).values.shape, im.motif_encodings(karate, "orbits+neighbours").values.shape
        ((34, 18), (34, 36))
    """
    chosen = check_parts(parts)
    names, values = encoding_columns(as_structure(graph), chosen, index)
    if "quantiles" not in chosen:
        return Columns(names, values)
    bounds = [quantile_bounds(column) for column in values.T]
    tenths = [np.eye(len(b) + 1)[quantile_of(column, b)] for column, b in zip(values.T, bounds, strict=True)]
    return Columns((*names, *quantile_names(names, bounds)), np.hstack([values, *tenths]))


def check_parts(parts: str) -> tuple[str, ...]:
    """Return the parts that a text joins by ``+``, each once, in a fixed order.

    Raises:
        InputError: If a part is unknown, or there are only parts that are made of others.

    Example:
        >>> check_parts("quantiles+degree")
        ('degree', 'quantiles')
    """
    if not isinstance(parts, str):
        raise InputError(f"parts must be text such as 'orbits+neighbours' (got {type(parts).__name__})")
    named = [part.strip() for part in parts.split("+")]
    for part in named:
        if part not in (*COLUMNS, *DERIVED):
            raise unknown_name("part of an encoding", part, (*COLUMNS, *DERIVED))
    if not set(named) & set(COLUMNS):
        raise InputError(f"{named[0]} are made of other columns; add {', '.join(COLUMNS[:-1])} or {COLUMNS[-1]} by +")
    return tuple(part for part in (*COLUMNS, *DERIVED) if part in named)


def encoding_columns(graph: Graph, parts: Iterable[str], index: MotifIndex | None = None) -> Columns:
    """Return the columns of an encoding, without quantiles; those that two parts share are there once.

    Args:
        graph: The graph.
        parts: Parts as :func:`check_parts` returns them.
        index: The graph's motifs, for ``counts`` and ``centralities``; by default those of the set "auto".
    """
    wanted = tuple(parts)
    columns: dict[str, Array] = {}
    for part in wanted:
        if part in COLUMNS:
            columns |= _part(graph, part, index)
    if "neighbours" in wanted:
        means = _neighbour_means(graph, np.stack(list(columns.values()), axis=1))
        columns |= {f"{name}, mean of neighbours": mean for name, mean in zip(list(columns), means.T, strict=True)}
    table = np.stack(list(columns.values()), axis=1)
    table.flags.writeable = False
    return Columns(tuple(columns), table)


def quantile_bounds(column: Array) -> tuple[float, ...]:
    """Return the lower bounds of the tenths of a column except the first; values that differ by rounding stay together.

    Bounds lie midway between two values, so that rounding does not decide, and no quantile is empty.

    Example:
        >>> quantile_bounds(np.array([0.0, 0.0, 1.0, 1.0]))
        (0.5,)
    """
    order = np.sort(column)
    steps = np.flatnonzero(np.diff(order) > _ROUNDING * np.maximum(1, abs(order[1:])))
    firsts = np.concatenate([[0], steps + 1])
    wanted = np.ceil(np.arange(1, QUANTILES) / QUANTILES * (len(order) - 1)).astype(np.int64)
    # The group of equal values in which each tenth begins; the first tenth needs no bound.
    groups = np.unique(np.searchsorted(firsts, wanted, side="right") - 1)
    return tuple(((order[firsts[g] - 1] + order[firsts[g]]) / 2).item() for g in groups[groups > 0])


def quantile_of(column: Array, bounds: Iterable[float]) -> Array:
    """Return the quantile of each value, from 0 on [n]."""
    return np.searchsorted(np.array(bounds), column, side="right").astype(np.uint8)


def quantile_names(names: Iterable[str], bounds: Iterable[tuple[float, ...]]) -> tuple[str, ...]:
    """Return the name of each quantile of each column.

    Example:
        >>> quantile_names(["degree"], [(2.5,)])
        ('degree, quantile 1 of 2', 'degree, quantile 2 of 2')
    """
    return tuple(
        f"{name}, quantile {i + 1} of {len(each) + 1}"
        for name, each in zip(names, bounds, strict=False)
        for i in range(len(each) + 1)
    )


def _part(graph: Graph, part: str, index: MotifIndex | None) -> dict[str, Array]:
    """Return the columns of a part by name."""
    if part in ("degree", "orbits"):
        kept = _of_graph.setdefault(graph, {})
        make = _degrees if part == "degree" else _orbits
        if part not in kept:
            kept[part] = make(graph)
        return kept[part]
    index = MotifIndex(graph) if index is None else index
    kept = _of_index.setdefault(index, {}) if index.graph is graph else {}
    if part not in kept:
        kept[part] = _counts(graph, index, part == "centralities")
    return kept[part]


def _degrees(graph: Graph) -> dict[str, Array]:
    degree = np.log1p(graph.degrees.astype(np.float64))
    columns = {"log degree": degree, "log degree squared": degree**2}
    return columns | _directed_degrees(graph) if graph.directed else columns


def _directed_degrees(graph: Graph) -> dict[str, Array]:
    pairs = (("out", graph.csr), ("in", graph.reverse))
    return {f"log {way}-degree": np.log1p(np.diff(csr.indptr).astype(np.float64)) for way, csr in pairs}


def _counts(graph: Graph, index: MotifIndex, centralities: bool) -> dict[str, Array]:
    columns = {"log degree": np.log1p(graph.degrees.astype(np.float64))}
    logs = np.log1p(index.counts.astype(np.float64))
    columns |= {f"log count of {motif.name}": column for motif, column in zip(index.motifs, logs.T, strict=True)}
    if not centralities:
        return columns
    triangles = _triangles(graph, index)
    if graph.directed:
        columns |= _directed_degrees(graph) | {"log triangles": np.log1p(triangles)}
    return columns | _centralities(graph, triangles)


def _orbits(graph: Graph) -> dict[str, Array]:
    plain = graph.replace(x=None)
    index = MotifIndex(plain, "triads" if graph.directed else ["undirected", "graphlets4"])
    vectors = index.gdv(4).astype(np.float64)
    logs = np.log1p(vectors)
    columns = {"log degree": logs[:, 0]}
    columns |= {f"log count of {name}": column for name, column in zip(ORCA_ORBITS[4], logs.T[1:], strict=True)}
    if graph.directed:
        positions = np.log1p(index.orbit_counts.astype(np.float64))
        columns |= _directed_degrees(graph)
        columns |= {f"log count of {name}": each for name, each in zip(index.orbit_names, positions.T, strict=True)}
    return columns | _centralities(graph, vectors[:, ORCA_ORBITS[4].index("M7:abc") + 1])


def _centralities(graph: Graph, triangles: Array) -> dict[str, Array]:
    # Times n, so that the logarithm is about 0 on a graph of any size.
    ranks = np.log(graph.num_nodes * page_rank(graph))
    cores_of = core_numbers(graph).astype(np.float64)
    return {"core number": cores_of, "clustering": clustering(graph, triangles), "log PageRank": ranks}


def _neighbour_means(graph: Graph, values: Array) -> Array:
    """Return the mean of each column over the neighbours of each node, 0 without any [n, F]."""
    n, (indptr, indices) = graph.num_nodes, graph.undirected[:2]
    adjacency = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(n, n))
    return np.asarray(adjacency @ values) / np.maximum(graph.degrees, 1)[:, None]


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
