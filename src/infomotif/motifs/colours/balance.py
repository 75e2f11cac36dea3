"""Structural balance of signed graphs: a triangle is balanced if the product of its signs is positive."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.adapt import as_graph
from infomotif.motifs.catalog import get_motif
from infomotif.motifs.colours.census import count_coloured
from infomotif.motifs.colours.view import ColouredView
from infomotif.motifs.counting.census import triangles
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.null_models import DEFAULT_NULL
from infomotif.motifs.significance import significance
from infomotif.typing import Array

BALANCED = ("a-[+]-b, a-[+]-c, b-[+]-c", "a-[+]-b, a-[-]-c, b-[-]-c")
"""Triangles of three friends, and of two friends with a common enemy."""
UNBALANCED = ("a-[+]-b, a-[+]-c, b-[-]-c", "a-[-]-b, a-[-]-c, b-[-]-c")
"""Triangles of a friend of two enemies, and of three enemies."""


@dataclass(frozen=True, eq=False)
class Balance:
    """How balanced a signed graph is, and each of its nodes; directions are ignored.

    Attributes:
        graph: The graph.
        balanced: Triangles of each node with an even number of negative edges [n].
        unbalanced: Triangles of each node with an odd number of them [n].
        mixed: Triangles of each node with a pair whose two directions have different signs, so neither [n].
        by_chance: Share of balanced triangles in each random graph, if there are any [R].

    Example:
        >>> graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=4, directed=False, edge_types=list("+--+"))
        >>> found = balance(graph)
        >>> found.share, found.node_share.tolist()
        (1.0, [1.0, 1.0, 1.0, nan])
    """

    graph: Graph
    balanced: Array
    unbalanced: Array
    mixed: Array
    by_chance: Array = field(default_factory=lambda: np.empty(0))

    @property
    def totals(self) -> dict[str, int]:
        """Number of balanced, unbalanced and mixed triangles in the graph."""
        return {name: int(getattr(self, name).sum()) // 3 for name in ("balanced", "unbalanced", "mixed")}

    @property
    def share(self) -> float:
        """Share of balanced triangles among those that are balanced or not; NaN if there are none."""
        return float(_share(np.array([self.balanced.sum()]), np.array([self.unbalanced.sum()]))[0])

    @property
    def node_share(self) -> Array:
        """The same share among the triangles of each node [n]."""
        return _share(self.balanced, self.unbalanced)

    @property
    def z(self) -> float:
        """How many standard deviations the share is above that of random graphs; NaN without them."""
        if len(self.by_chance) < 2 or not self.by_chance.std(ddof=1) > 0:
            return float("nan")
        return float((self.share - self.by_chance.mean()) / self.by_chance.std(ddof=1))

    def to_frame(self, *, kind: str | None = None) -> Any:
        """Return one row per node as a data frame; ``kind`` as for :meth:`.MotifIndex.to_frame`."""
        from infomotif._core.display.frames import to_frame

        nodes = np.arange(self.graph.num_nodes) if self.graph.numbered else self.graph.names
        counts = [(name, getattr(self, name)) for name in ("balanced", "unbalanced", "mixed")]
        return to_frame([("node", nodes), *counts, ("share", self.node_share)], kind)

    def __repr__(self) -> str:
        """Say how balanced the graph is, in one line."""
        found = self.totals
        mixed = f", {found['mixed']:,} mixed" if found["mixed"] else ""
        shown = "no triangles" if np.isnan(self.share) else f"{100 * self.share:.1f} % of the triangles are balanced"
        counts = f"{found['balanced']:,} of {found['balanced'] + found['unbalanced']:,}{mixed}"
        chance = f", by chance {100 * self.by_chance.mean():.1f} %, z {self.z:+.1f}" if len(self.by_chance) else ""
        return f"Balance('{self.graph.name}', {shown}: {counts}{chance})"


def balance(
    graph: Any, *, random_graphs: int = 0, null: str = DEFAULT_NULL, random_state: int = 0, show_progress: bool = False
) -> Balance:
    """Return the structural balance of a signed graph and of each of its nodes.

    A triangle is balanced if it has an even number of negative edges: a friend of a friend is a friend, and so is an
    enemy of an enemy. Directions are ignored; a pair whose two directions have different signs makes a triangle mixed.

    Args:
        graph: A signed :class:`Graph`.
        random_graphs: Compare with so many random graphs in which every node keeps its degrees of each sign.
        null: What random graphs keep, as for :func:`.significance`.
        random_state: Seed of the random graphs.
        show_progress: Whether to show a progress bar.

    Raises:
        InputError: If the edges have no signs.

    Example:
        >>> signs = ["+", "+", "-"]
        >>> balance(Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False, edge_types=signs))
        Balance('graph', 0.0 % of the triangles are balanced: 0 of 1)
    """
    graph = as_graph(graph)
    if not graph.signed:
        raise InputError("balance needs a signed graph; name the column of the signs (sign=, --sign)")
    view = DyadGraph(graph, directed=False)
    motifs = [get_motif(pattern) for pattern in (*BALANCED, *UNBALANCED)]
    counts = [orbits.sum(axis=1) for orbits in count_coloured(ColouredView(graph, view), motifs)]
    balanced, unbalanced = counts[0] + counts[1], counts[2] + counts[3]
    shares = np.empty(0)
    if random_graphs:
        options: dict[str, Any] = {"null": null, "random_state": random_state, "show_progress": show_progress}
        drawn = significance(graph, motifs, samples=random_graphs, **options).samples
        shares = _share(drawn[:, :2].sum(axis=1), drawn[:, 2:].sum(axis=1))
    return Balance(graph, balanced, unbalanced, triangles(view) - balanced - unbalanced, shares)


def _share(balanced: Array, unbalanced: Array) -> Array:
    both = balanced + unbalanced
    return np.asarray(np.divide(balanced, both, out=np.full(len(both), np.nan), where=both > 0))
