"""Exact counts of the graphlets of three and four nodes that contain each edge, per edge orbit."""

from __future__ import annotations

from functools import cache
from itertools import combinations, permutations
from typing import Any, NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.graph import Graph
from infomotif.io.adapt import as_structure
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.five_nodes import ranked_graph, row_sums
from infomotif.motifs.kernels import edge_orbits as kernels
from infomotif.typing import Array

EDGE_GRAPHLETS = (
    ("ab bc", (0, 0)),
    ("ab bc ac", (1, 1, 1)),
    ("ab bc cd", (2, 3, 2)),
    ("ab ac ad", (4, 4, 4)),
    ("ab bc cd ad", (5, 5, 5, 5)),
    ("ad bc ab ac", (6, 7, 8, 8)),
    ("ac ad bc bd ab", (9, 9, 9, 9, 10)),
    ("ab ac ad bc bd cd", (11, 11, 11, 11, 11, 11)),
)
"""The connected graphs of three and four nodes, and the orbit of each edge in the numbering of ORCA."""


EDGE_ORBITS = (
    "wedge", "triangle", "path4:end", "path4:middle", "star4", "cycle4", "paw:tail", "paw:far", "paw:near",
    "diamond:side", "diamond:chord", "clique4",
)  # fmt: skip
"""Our names of ORCA's edge orbits from 0 on."""


class EdgeOrbits(NamedTuple):
    """Graphlets that contain each edge.

    Attributes:
        edges: Ends of each edge, the smaller first, ascending [m, 2].
        counts: Graphlets that contain the edge in each of the 12 edge orbits [m, 12].

    Example:
        >>> paw = Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], num_nodes=4, directed=False)
        >>> orbits = edge_orbit_counts(paw)
        >>> orbits.closure.tolist()
        [1.0, 0.5, 0.5, 0.0]
        >>> orbits.to_frame(kind="arrow").column_names[:4]
        ['source', 'target', 'wedge', 'triangle']
    """

    edges: Array
    counts: Array

    @property
    def closure(self) -> Array:
        """Triangles divided by all connected triples that contain the edge; 0 where there is none [m]."""
        triangles = self.counts[:, 1]
        return np.asarray(triangles / np.maximum(self.counts[:, 0] + triangles, 1))

    def to_frame(self, graph: Graph | None = None, *, kind: str | None = None) -> Any:
        """Return one row per edge as a data frame: its ends, the counts in each orbit, and the closure.

        Args:
            graph: The graph, if ends should have the names of its nodes and not their numbers.
            kind: As for :meth:`.MotifIndex.to_frame`.
        """
        from infomotif._core.display.frames import to_frame

        ends: list[Any] = [np.ascontiguousarray(side) for side in self.edges.T]
        if graph is not None and not graph.numbered:
            ends = [graph.names_of(side) for side in ends]
        columns = [(name, np.ascontiguousarray(self.counts[:, o])) for o, name in enumerate(EDGE_ORBITS)]
        return to_frame([("source", ends[0]), ("target", ends[1]), *columns, ("closure", self.closure)], kind)


def edge_orbit_counts(graph: Any) -> EdgeOrbits:
    """Count the graphlets of three and four nodes that contain each edge, per edge orbit; directions are ignored.

    Columns are ORCA's edge orbits: 0 wedge, 1 triangle, 2 end and 3 middle of a path, 4 star, 5 cycle, 6 tail, 7 far
    edge and 8 near edge of a paw, 9 side and 10 chord of a diamond, 11 clique.

    Args:
        graph: A :class:`Graph`, or anything else that :class:`.MotifIndex` takes.

    Example:
        >>> paw = Graph.from_edges([0, 1, 0, 2], [1, 2, 2, 3], num_nodes=4, directed=False)
        >>> edge_orbit_counts(paw).counts[:, 6:9].tolist()
        [[0, 1, 0], [0, 0, 1], [0, 0, 1], [1, 0, 0]]
    """
    view = DyadGraph(as_structure(graph), directed=False)
    ptr, idx, up, reverse, shared, _, _, work = ranked_graph(view, listed=False)
    degree, walks = np.diff(ptr), np.empty(len(idx), np.int64)
    parallel_ranges(kernels.three_walks, work, ptr, idx, walks)
    rows = parallel_ranges(kernels.edge_sums, work, ptr, idx, up, degree, shared, pieces=1)
    tails, sides, cliques = sum(rows)
    start = np.repeat(np.arange(view.num_nodes), degree)
    once = idx > start
    u, v, t = start[once], idx[once], shared[once]
    du, dv = degree[u], degree[v]
    two, triangles = row_sums(ptr, degree[idx]), row_sums(ptr, shared) // 2
    copies = [
        du + dv - 2,
        t,
        two[u] + two[v] - 2 * (du + dv) + 2 - 2 * t,
        (du - 1) * (dv - 1) - t,
        ((du - 1) * (du - 2) + (dv - 1) * (dv - 2)) // 2,
        walks[once] - du - dv + 1,
        triangles[u] + triangles[v] - 2 * t,
        tails[once] - 2 * t,
        t * (du + dv - 4),
        sides[once] - 2 * t,
        t * (t - 1) // 2,
        cliques[once],
    ]
    counts = np.stack(copies, axis=1)
    for orbit, larger in _copies_in_induced():
        for other, factor in larger:
            counts[:, orbit] -= factor * counts[:, other]
    ends = view.forward.order[np.stack([u, v], axis=1)]
    ends.sort(axis=1)
    order = np.lexsort((ends[:, 1], ends[:, 0]))
    return EdgeOrbits(ends[order], counts[order])


def edge_cliques(view: DyadGraph) -> tuple[Array, Array, Array]:
    """Count the 4-cliques of each edge; return both ends of the edges, in any order, and the counts [m]."""
    ptr, idx, up, _, shared, _, _, work = ranked_graph(view, listed=False)
    degree = np.diff(ptr)
    _, _, cliques = sum(parallel_ranges(kernels.edge_sums, work, ptr, idx, up, degree, shared, pieces=1))
    start = np.repeat(np.arange(view.num_nodes), degree)
    once, order = idx > start, view.forward.order
    return order[start[once]], order[idx[once]], cliques[once]


@cache
def _copies_in_induced() -> tuple[tuple[int, tuple[tuple[int, int], ...]], ...]:
    """Return, per orbit, how often an edge of each larger graphlet has it in a copy; largest graphlets first."""
    ordered = sorted(EDGE_GRAPHLETS, key=lambda graphlet: -len(graphlet[1]))
    found: dict[int, dict[int, int]] = {orbit: {} for _, orbits in ordered for orbit in orbits}
    for text, orbits in ordered:
        edges = text.split()
        for host_orbit in set(orbits):
            edge = edges[orbits.index(host_orbit)]
            for size in range(2, len(edges)):
                for part in combinations(edges, size):
                    orbit = _orbit_in(part, edge, len(set(text)) - 1)
                    if orbit is not None:
                        found[orbit][host_orbit] = found[orbit].get(host_orbit, 0) + 1
    return tuple((orbit, tuple(larger.items())) for orbit, larger in found.items())


def _orbit_in(part: tuple[str, ...], edge: str, k: int) -> int | None:
    """Return the orbit of an edge in a graph, or None if the graph lacks it or is not connected with k nodes."""
    if edge not in part:
        return None
    for text, orbits in EDGE_GRAPHLETS:
        letters = sorted(set(text) - {" "})
        if len(letters) != k or len(orbits) != len(part):
            continue
        for order in permutations(letters):
            moved = {frozenset(order[letters.index(end)] for end in pair): pair for pair in part}
            places = {frozenset(pair): orbit for pair, orbit in zip(text.split(), orbits, strict=True)}
            if moved.keys() == places.keys():
                return next(places[ends] for ends, pair in moved.items() if pair == edge)
    return None
