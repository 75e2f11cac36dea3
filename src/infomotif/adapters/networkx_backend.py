"""A NetworkX backend: triads, triangles and squares by the motif engine, with results equal to NetworkX's.

This module is the object of the entry point ``networkx.backends``: NetworkX finds its functions by their names.

Example:
    >>> import networkx as nx
    >>> graph = convert_from_nx(nx.karate_club_graph())
    >>> round(transitivity(graph), 3), triangles(graph, 0)
    (0.256, 18)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sized
from functools import cached_property
from itertools import chain
from typing import Any

import networkx as nx
import numpy as np
import scipy.sparse as sp

from infomotif._core.parallel import parallel_ranges
from infomotif.graph import Graph
from infomotif.graph.csr import index_type
from infomotif.motifs import catalog
from infomotif.motifs.catalog import SETS
from infomotif.motifs.counting import census
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.listing import iterate_instances
from infomotif.motifs.counting.triads import CLOSED
from infomotif.motifs.kernels.graphlets import node_four_cycles
from infomotif.motifs.pattern import BOTH, OUT
from infomotif.typing import Array

_BATCH = 100_000
_MIN_ENTRIES = 500
_MIN_SHARE_OF_NODES = 0.1


class BackendGraph:
    """A NetworkX graph as the engine counts it; NetworkX keeps it in the cache of the graph that it comes from.

    Args:
        counted: The edges between different nodes, by node number.
        nodes: The nodes, in NetworkX's order.
        loops: Numbers of the nodes with a self loop.
        attributes: The graph's own attributes.
    """

    __networkx_backend__ = "infomotif"

    def __init__(self, counted: Graph, nodes: list[Any], loops: Array, attributes: dict[str, Any]) -> None:
        self.counted, self.nodes, self.loops, self.graph = counted, nodes, loops, attributes

    def is_directed(self) -> bool:
        """Return whether edges have a direction."""
        return self.counted.directed

    def is_multigraph(self) -> bool:
        """Return False: multigraphs are not converted."""
        return False

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.nodes)

    def __iter__(self) -> Iterator[Any]:
        """Iterate over the nodes."""
        return iter(self.nodes)

    def __contains__(self, node: object) -> bool:
        """Return whether this is a node; what cannot be hashed is none."""
        try:
            return node in self._adj
        except TypeError:
            return False

    @cached_property
    def _adj(self) -> dict[Any, int]:
        # By NetworkX's name, because nbunch_iter() of NetworkX runs on it, so that errors are the same.
        return {node: number for number, node in enumerate(self.nodes)}

    def chosen(self, nodes: Any) -> tuple[list[Any], Array | slice]:
        """Return the nodes that an argument of NetworkX means, and their numbers."""
        if nodes is None:
            return self.nodes, slice(None)
        named = list(nx.Graph.nbunch_iter(self, nodes))
        return named, np.array([self._adj[node] for node in named], dtype=np.int64)

    @cached_property
    def view(self) -> DyadGraph:
        """The neighbours of each node with the directions of the edges."""
        return DyadGraph(self.counted, directed=self.counted.directed)

    @cached_property
    def degrees(self) -> Array:
        """Number of neighbours of each node [n]."""
        return np.diff(self.view.indptr).astype(np.int64)

    @cached_property
    def triangles(self) -> Array:
        """Triangles of each node, directions ignored [n]."""
        return census.triangles(self.view)

    @cached_property
    def closed(self) -> Array:
        """Instances of the seven closed triads that contain each node [n, 7]."""
        orbits, starts = census.closed_orbits(self.view), [0]
        for name in CLOSED[:-1]:
            starts.append(starts[-1] + len(catalog()[name].orbits))
        return np.asarray(np.add.reduceat(orbits, starts, axis=1))

    @cached_property
    def squares(self) -> Array:
        """Cycles of four nodes that contain each node, with or without chords [n]."""
        view, order, rank = self.view, self.view.forward.order, self.view.forward.rank
        work = np.concatenate([[0], np.cumsum(self.degrees[order])])
        parts = parallel_ranges(node_four_cycles, work, view.indptr, view.indices, order, rank, pieces=1)
        return np.asarray(sum(parts))


def convert_from_nx(graph: Any, **options: Any) -> BackendGraph:
    """Turn a NetworkX graph into one of the backend; attributes of nodes and edges are not needed.

    Raises:
        NotImplementedError: If it is a multigraph, so that NetworkX falls back to its own functions.

    Example:
        >>> import networkx as nx
        >>> len(convert_from_nx(nx.path_graph(3)))
        3
    """
    if isinstance(graph, BackendGraph):
        return graph
    if graph.is_multigraph():
        raise NotImplementedError("infomotif does not convert multigraphs; use nx.Graph(G) or nx.DiGraph(G)")
    nodes = list(graph)
    n = len(nodes)
    rows = [row for _, row in graph.adjacency()]
    lengths = np.fromiter(map(len, rows), np.int64, n)
    targets: Iterable[Any] = chain.from_iterable(rows)
    # Nodes that are already numbered in order need no lookup per edge.
    if nodes != list(range(n)):
        number = {node: v for v, node in enumerate(nodes)}
        targets = map(number.__getitem__, targets)
    indices = np.fromiter(targets, np.int64, int(lengths.sum()))
    source = np.repeat(np.arange(n), lengths)
    loop = source == indices
    loops = source[loop]
    if len(loops):
        indices = indices[~loop]
        lengths[loops] -= 1
    index = index_type(n, 2 * len(indices))
    indptr = np.zeros(n + 1, index)
    np.cumsum(lengths, out=indptr[1:])
    matrix = sp.csr_array((np.ones(len(indices), np.int8), indices.astype(index), indptr), shape=(n, n))
    matrix.sort_indices()
    counted = Graph(matrix.indptr, matrix.indices, directed=graph.is_directed())
    return BackendGraph(counted, nodes, loops, dict(graph.graph) if options.get("preserve_graph_attrs") else {})


def convert_to_nx(result: Any, **options: Any) -> Any:
    """Turn a graph of the backend into a NetworkX graph; other results are returned as they are.

    Example:
        >>> import networkx as nx
        >>> convert_to_nx(convert_from_nx(nx.path_graph(3))).edges
        EdgeView([(0, 1), (1, 2)])
    """
    if not isinstance(result, BackendGraph):
        return result
    out = nx.DiGraph() if result.is_directed() else nx.Graph()
    out.add_nodes_from(result.nodes)
    out.graph.update(result.graph)
    source, target = result.counted.edges()
    name = result.nodes.__getitem__
    out.add_edges_from(zip(map(name, source.tolist()), map(name, target.tolist()), strict=True))
    out.add_edges_from((name(v), name(v)) for v in result.loops.tolist())
    return out


def can_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Tell NetworkX whether the backend runs a call: True, or the reason why not.

    Example:
        >>> import networkx as nx
        >>> can_run("clustering", (nx.path_graph(3),), {"weight": "strength"})
        'weights are not used'
    """
    graph = args[0] if args else kwargs["G"]
    if graph.is_multigraph():
        return "multigraphs are not converted"
    weight = args[2] if len(args) > 2 else kwargs.get("weight")
    if name in ("clustering", "average_clustering") and weight is not None:
        return "weights are not used"
    if name == "square_clustering" and graph.is_directed():
        return "only undirected graphs have squares"
    # NetworkX passes arguments by position, also those that were not given.
    if name == "all_triangles" and (args[1] if len(args) > 1 else kwargs.get("nbunch")) is not None:
        return "only all triangles are listed"
    return True


def should_run(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool | str:
    """Tell NetworkX whether the backend is worth a conversion: not for small graphs or few nodes.

    Example:
        >>> import networkx as nx
        >>> should_run("triangles", (nx.path_graph(3),), {})
        'the graph is small'
    """
    graph = args[0] if args else kwargs["G"]
    if _is_small(graph):
        return "the graph is small"
    chosen = args[1] if len(args) > 1 else kwargs.get("nodelist" if name == "triadic_census" else "nodes")
    if chosen is None or name in ("triadic_census", "all_triangles"):
        return True
    if chosen in graph or (isinstance(chosen, Sized) and len(chosen) < _MIN_SHARE_OF_NODES * len(graph)):
        return "the nodes are few"
    return True


def triadic_census(G: BackendGraph, nodelist: Any = None) -> dict[str, int]:
    """Count the 16 triads; with ``nodelist`` those that contain one of its nodes, all others being subtracted."""
    counted = _triads(G.counted, G.view)
    if nodelist is None:
        return counted
    named, numbers = G.chosen(nodelist)
    if len(nodelist) != len(set(named)):
        raise ValueError("nodelist includes duplicate nodes or nodes not in G")
    if len(named) == len(G):
        return counted
    if len(G.loops):
        raise NotImplementedError("infomotif does not count the triads of some nodes in a graph with self loops")
    rest = np.ones(len(G), np.bool_)
    rest[numbers] = False
    others = G.counted.subgraph(rest)
    subtracted = _triads(others, DyadGraph(others, directed=True))
    return {name: count - subtracted[name] for name, count in counted.items()}


def triangles(G: BackendGraph, nodes: Any = None) -> dict[Any, int] | int:
    """Count the triangles of each node."""
    found: dict[Any, int] | int = _by_node(G, nodes, G.triangles)
    return found


def all_triangles(G: BackendGraph, nbunch: None = None) -> Iterator[tuple[Any, Any, Any]]:
    """Yield each triangle once, its nodes in the graph's order."""
    name = G.nodes.__getitem__
    for rows in iterate_instances(G.view, catalog()["M7"], _BATCH):
        columns = np.sort(rows, axis=1).T.tolist()
        yield from zip(*(map(name, column) for column in columns), strict=True)


def is_triad(G: BackendGraph) -> bool:
    """Return whether the graph is directed and has three nodes and no self loop."""
    return len(G) == 3 and G.is_directed() and not len(G.loops)


def triad_type(G: BackendGraph) -> str:
    """Return the name of a triad."""
    if not is_triad(G):
        raise nx.NetworkXAlgorithmError("G is not a triad (order-3 DiGraph)")
    return next(name for name, count in _triads(G.counted, G.view).items() if count)


def transitivity(G: BackendGraph) -> float:
    """Return the share of pairs of (out-)neighbours that an edge joins."""
    out = np.diff(G.counted.csr.indptr).astype(np.int64)
    if G.is_directed():
        joined = sum(c * t for c, t in zip((G.closed.sum(axis=0) // 3).tolist(), _transitive_triples(), strict=True))
    else:
        joined = 2 * int(G.triangles.sum())
    return joined / int((out * (out - 1)).sum()) if joined else 0


def clustering(G: BackendGraph, nodes: Any = None, weight: None = None) -> dict[Any, float] | float:
    """Return the clustering coefficient of each node, in a directed graph that of Fagiolo."""
    if G.is_directed():
        closed = 2 * G.closed @ np.array([_edges_product(name) for name in CLOSED])
        mutual = G.view.degrees[:, BOTH - 1].astype(np.int64)
        total = G.degrees + mutual
        pairs = 2 * (total * (total - 1) - 2 * mutual)
    else:
        closed, pairs = 2 * G.triangles, G.degrees * (G.degrees - 1)
    # NetworkX gives the whole number 0 to nodes without triangles.
    found: dict[Any, float] | float = _by_node(G, nodes, closed / np.maximum(pairs, 1), zero=True)
    return found


def average_clustering(
    G: BackendGraph,
    nodes: Any = None,
    weight: None = None,
    count_zeros: bool = True,
) -> float:
    """Return the mean clustering coefficient."""
    coefficients: Any = clustering(G, nodes)
    values = coefficients.values()
    if not count_zeros:
        values = [value for value in values if value]
    # Python's sum, as in NetworkX, so that not even the last bit differs.
    return float(sum(values) / len(values))


def square_clustering(G: BackendGraph, nodes: Any = None) -> dict[Any, float] | float:
    """Return the share of possible squares that exist at each node."""
    degrees, squares = G.degrees, G.squares
    around = (degrees - 1) * G.view.sums(degrees)
    possible = around - degrees * (degrees - 1) - 2 * G.triangles - squares
    values = np.where(possible > 0, squares / np.maximum(possible, 1), -1)
    named, numbers = G.chosen(nodes)
    found = {node: value if value >= 0 else 0 for node, value in zip(named, values[numbers].tolist(), strict=True)}
    return found[nodes] if nodes in G else found


def generalized_degree(G: BackendGraph, nodes: Any = None) -> dict[Any, Counter[int]] | Counter[int]:
    """Count, at each node, the edges by the number of triangles that contain them."""
    (shared,) = G.view.shared_triangles(np.zeros(27, np.int64), 1)
    rows = np.repeat(np.arange(len(G)), G.degrees)
    order = np.lexsort((shared, rows))
    rows, shared = rows[order], shared[order]
    first = np.flatnonzero(np.diff(rows, prepend=-1) | np.diff(shared, prepend=-1))
    counts = np.diff(first, append=len(rows))
    found: list[dict[int, int]] = [{} for _ in G.nodes]
    for v, triangles_, edges in zip(rows[first].tolist(), shared[first].tolist(), counts.tolist(), strict=True):
        found[v][triangles_] = edges
    named, numbers = G.chosen(nodes)
    listed = found if isinstance(numbers, slice) else [found[v] for v in numbers]
    counters = {node: Counter(degrees) for node, degrees in zip(named, listed, strict=True)}
    return counters[nodes] if nodes in G else counters


def _is_small(graph: Any) -> bool:
    entries = 0
    for _, row in graph.adjacency():
        entries += len(row)
        if entries >= _MIN_ENTRIES:
            return False
    return True


def _by_node(graph: BackendGraph, nodes: Any, values: Array, *, zero: bool = False) -> Any:
    named, numbers = graph.chosen(nodes)
    listed = values[numbers].tolist()
    found = dict(zip(named, [value or 0 for value in listed] if zero else listed, strict=True))
    return found[nodes] if nodes in graph else found


def _triads(graph: Graph, view: DyadGraph) -> dict[str, int]:
    """Return the triad census of a graph without self loops, in NetworkX's order."""
    n = graph.num_nodes
    motifs = [catalog()[name] for name in SETS["triads"]]
    connected = {
        motif.name: int(count.orbits.sum()) // 3
        for motif, count in zip(motifs, census.count_motifs(view, motifs), strict=True)
    }
    pairs = {code: int(view.degrees[:, code - 1].sum()) for code in (OUT, BOTH)}
    pairs[BOTH] //= 2
    # Every pair is in n - 2 triads; those of connected triads are known, and the others have a third node apart.
    open_pairs = {
        code: number * (n - 2) - sum(_codes(motif.name).count(code) * connected[motif.name] for motif in motifs)
        for code, number in pairs.items()
    }
    counted = {"003": 0, "012": open_pairs[OUT], "102": open_pairs[BOTH], **connected}
    counted["003"] = n * (n - 1) * (n - 2) // 6 - sum(counted.values())
    return counted


def _codes(name: str) -> list[int]:
    """Return the kinds of the pairs of a triad: 0 without an edge, 1 for one edge, 3 for both."""
    codes = catalog()[name].codes
    return [code if code in (0, BOTH) else OUT for code in (codes[0][1], codes[0][2], codes[1][2])]


def _edges_product(name: str) -> int:
    """Return how many directed triangles a closed triad has: the product of the edges between its pairs."""
    return int(np.prod([2 if code == BOTH else 1 for code in _codes(name)]))


def _transitive_triples() -> list[int]:
    """Return how many triples v->w->x with v->x each closed triad has."""
    arrow = [[[code in (OUT, BOTH) for code in row] for row in catalog()[name].codes] for name in CLOSED]
    orders = [(0, 1, 2), (0, 2, 1), (1, 0, 2), (1, 2, 0), (2, 0, 1), (2, 1, 0)]
    return [sum(a[v][w] and a[w][x] and a[v][x] for v, w, x in orders) for a in arrow]
