"""The edges of a graph as two arrays, single ones before mutual ones, and back."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from infomotif.graph import Graph
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.pattern import BOTH, OUT
from infomotif.typing import Array


@dataclass(frozen=True)
class EdgeArrays:
    """Pairs of joined nodes, each once; a chain of moves changes the arrays in place.

    Attributes:
        graph: The graph that they come from.
        source: One end of each edge [m].
        target: The other end [m].
        singles: The first so many edges have one direction, the others both. Undirected edges have both.

    Example:
        >>> arrays = EdgeArrays.of(Graph.from_edges([0, 1, 2], [1, 0, 1], num_nodes=3, directed=True))
        >>> arrays.source.tolist(), arrays.target.tolist(), arrays.singles
        ([2, 0], [1, 1], 1)
        >>> arrays.to_graph().num_edges
        3
    """

    graph: Graph
    source: Array
    target: Array
    singles: int

    @classmethod
    def of(cls, graph: Graph) -> EdgeArrays:
        """Return the edges of a graph."""
        view = DyadGraph(graph, directed=True)
        rows = np.repeat(np.arange(graph.num_nodes), np.diff(view.indptr))
        single = view.codes == OUT
        mutual = (view.codes == BOTH) & (rows < view.indices)
        source = np.concatenate([rows[single], rows[mutual]]).astype(np.int64)
        target = np.concatenate([view.indices[single], view.indices[mutual]]).astype(np.int64)
        return cls(graph, source, target, int(single.sum()))

    def to_graph(self) -> Graph:
        """Return the graph that the arrays hold now, with the name and the nodes of the old one."""
        source, target = self.source, self.target
        if self.graph.directed:
            back = slice(self.singles, None)
            source, target = np.concatenate([source, target[back]]), np.concatenate([target, source[back]])
        return make_graph(self.graph, source, target)


def make_graph(like: Graph, source: Array, target: Array) -> Graph:
    """Return a graph with other edges and the size, direction and name of ``like``."""
    return Graph.from_edges(source, target, num_nodes=like.num_nodes, directed=like.directed, name=like.name)
