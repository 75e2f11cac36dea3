"""The null models by name, and the random graphs that they make."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph
from infomotif.io.adapt import as_structure
from infomotif.motifs.null_models import coloured, models

SWITCHES_PER_EDGE = 10
DEFAULT_NULL = "reciprocal-degrees"


@dataclass(frozen=True)
class NullModel:
    """A way to make random graphs that share something with a graph.

    Attributes:
        name: Its name.
        keeps: What the random graphs share with the graph.
        phrase: The same in few words, to follow "random graphs".
        make: Makes one from the graph, a seed and the number of attempted moves per edge.
        make_coloured: The same for a graph with types, which the random graphs keep; None if there is no such way.
    """

    name: str
    keeps: str
    phrase: str
    make: Callable[[Graph, np.uint64, int], Graph]
    make_coloured: Callable[[Graph, np.uint64, int], Graph] | None = None

    def check(self, graph: Graph) -> None:
        """Refuse a graph with types if there is no way to keep them.

        Raises:
            InputError: If the null model does not keep types.
        """
        if graph.coloured and self.make_coloured is None:
            able = " or ".join(repr(model.name) for model in NULL_MODELS.values() if model.make_coloured is not None)
            raise InputError(
                f"the null model '{self.name}' does not keep the types of nodes and edges; use null={able}, or drop "
                "the types with graph.replace(node_types=None, edge_types=None)"
            )


NULL_MODELS = {
    model.name: model
    for model in (
        NullModel(
            DEFAULT_NULL,
            "in-, out- and reciprocal degree of every node",
            "with the same degrees",
            models.keep_reciprocal_degrees,
            coloured.keep_coloured_degrees,
        ),
        NullModel(
            "degrees",
            "in- and out-degree of every node, not which edges are mutual",
            "with the same in- and out-degrees",
            models.keep_degrees,
        ),
        NullModel(
            "joint-degrees",
            "degrees of every node, and the number of edges between nodes of each two degrees",
            "with the same joint degrees",
            models.keep_joint_degrees,
            coloured.keep_coloured_joint_degrees,
        ),
        NullModel(
            "erdos-renyi",
            "number of nodes, of single and of mutual edges",
            "with the same number of edges",
            models.keep_edge_numbers,
        ),
    )
}
"""The null models by name."""


def get_null_model(name: str) -> NullModel:
    """Return the null model of a name.

    Raises:
        InputError: If there is none; the message names the nearest.

    Example:
        >>> get_null_model("erdos-renyi").keeps
        'number of nodes, of single and of mutual edges'
    """
    if name not in NULL_MODELS:
        raise unknown_name("null model", str(name), NULL_MODELS)
    return NULL_MODELS[name]


def random_graph(
    graph: Any, seed: int | np.uint64, *, null: str = DEFAULT_NULL, switches: int = SWITCHES_PER_EDGE
) -> Graph:
    """Return a random graph that shares the degrees of its nodes, or what else the null model keeps, with a graph.

    ``reciprocal-degrees`` switches the ends of two edges, or rearranges all edges among the nodes of two or three
    edges: these moves turn directed 3-cycles, and move single and mutual edges together. ``degrees`` switches targets
    and turns directed 3-cycles; ``joint-degrees`` switches only ends whose nodes have the same degrees.
    ``erdos-renyi`` draws all edges at random, without a chain of moves.

    All graphs that the moves reach are equally likely in the long run. For undirected graphs these are all graphs with
    the same degrees, or joint degrees; for ``degrees`` they are all digraphs with the same degrees. For
    ``reciprocal-degrees`` they are all digraphs of up to five nodes, which a test tries; for larger ones, and for the
    joint degrees of digraphs, this is not proven.

    In a graph with node types, edge types or signs, ``reciprocal-degrees`` and ``joint-degrees`` also keep the types:
    only ends of edges of one type, between nodes of the same types, are switched. So every node keeps its degree of
    each edge type, to neighbours of each type. Directed 3-cycles are not turned then.

    Args:
        graph: A :class:`Graph`, or anything else that :class:`.MotifIndex` takes.
        seed: Which random graph.
        null: Name of a null model of :data:`infomotif.motifs.NULL_MODELS`.
        switches: Attempted moves per edge.

    Example:
        >>> graph = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0], num_nodes=4, directed=True)
        >>> random_graph(graph, 1).degrees.tolist()
        [2, 2, 2, 2]
        >>> random_graph(graph, 1, null="erdos-renyi").num_edges
        4
    """
    graph, model = as_structure(graph), get_null_model(null)
    model.check(graph)
    make = model.make_coloured if graph.coloured and model.make_coloured is not None else model.make
    return make(graph, np.uint64(seed), switches)
