"""ColouredView: the graph as coloured motifs see it, and the types that a motif names as numbers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph
from infomotif.graph.colours import JOINT
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.pattern import Motif
from infomotif.typing import Array


class Wanted(NamedTuple):
    """The types that a motif names.

    Attributes:
        types: Type of the node in each position, -1 for any [k].
        edges: 1 + the type of the edge from one position to another, 0 for any [k, k].
    """

    types: Array
    edges: Array


class ColouredView:
    """Symmetric rows with types.

    Args:
        graph: The graph.
        view: The graph as motifs without types see it, with directions or without.

    Attributes:
        view: As given.
        types: Type of each node; all 0 without node types [n].
        out: 1 + the type of the edge to each neighbour, 0 without one, in the order of the rows.
        back: The same for the edge from each neighbour. Without directions both are the type of the edge.
        edge_names: Names of the edge types; joint types among them where directions do not matter.
        classes: Classes of typed edges that were made so far, by the types that they distinguish.
    """

    def __init__(self, graph: Graph, view: DyadGraph) -> None:
        """Look up the types of both directions."""
        self.graph, self.view = graph, view
        self.classes: dict[tuple[frozenset[int], frozenset[int]], Any] = {}
        self.types: Array = np.zeros(graph.num_nodes, np.uint8) if graph.node_types is None else graph.node_types
        self.edge_names: tuple[str, ...] = ()
        if graph.edge_types is None:
            self.out, self.back = (view.codes & 1).astype(np.uint16), (view.codes >> 1).astype(np.uint16)
        elif view.directed and graph.pair_types is not None:
            self.out, self.back = graph.pair_types
            self.edge_names = graph.edge_type_names
        elif graph.undirected_edge_types is not None:
            self.out = self.back = graph.undirected_edge_types.codes.astype(np.uint16) + np.uint16(1)
            self.edge_names = graph.undirected_edge_types.names

    def wanted(self, motif: Motif) -> Wanted:
        """Return the types that a motif names as numbers of this graph.

        Raises:
            InputError: If the graph does not have them.
        """
        k = motif.size
        types, edges = np.full(k, -1, np.int64), np.zeros((k, k), np.int64)
        for i, name in enumerate(motif.node_types):
            if name:
                types[i] = self._number(name, "node", self.graph.node_type_names, motif)
        for i, row in enumerate(motif.edge_types):
            for j, name in enumerate(row):
                if name:
                    edges[i, j] = 1 + self._edge_number(name, motif)
        return Wanted(types, edges)

    def _edge_number(self, name: str, motif: Motif) -> int:
        known = self.graph.edge_type_names
        parts = name.split(JOINT)
        if self.view.directed or len(parts) != 2 or not set(parts) <= set(known):
            return self._number(name, "edge", self.edge_names or known, motif)
        joint = JOINT.join(sorted(parts, key=known.index))
        # A joint type that no pair has is not a mistake: there are no such instances.
        return self.edge_names.index(joint) if joint in self.edge_names else len(self.edge_names)

    def _number(self, name: str, what: str, known: Sequence[str], motif: Motif) -> int:
        if not known:
            raise InputError(
                f"motif '{motif.name}' names the {what} type '{name}' but the graph has no {what} types; name their "
                f"column (--{what}-type), or leave types out of the pattern"
            )
        if name not in known:
            raise unknown_name(f"{what} type", name, known)
        return list(known).index(name)
