"""Groups of test nodes: quartiles by their neighbourhoods, as in the paper, or by the distance to the nearest label."""

from __future__ import annotations

import numpy as np

from infomotif.errors import unknown_name
from infomotif.graph import Graph
from infomotif.graph.neighbourhoods import attribute_diversity, hop_distances, label_fraction, quartiles
from infomotif.training.splits import Split
from infomotif.typing import Array

_NAMES = {"quartiles": ("Q1", "Q2", "Q3", "Q4"), "distance": ("1-2 hops", "3 hops", "4 hops", "5+ hops")}


def group_names(kind: str) -> tuple[str, ...]:
    """Return the names of the groups in an experiment of this kind; none if test nodes are not grouped.

    Example:
        >>> group_names("distance")
        ('1-2 hops', '3 hops', '4 hops', '5+ hops')
    """
    return _NAMES.get(kind, ())


def group_of(by: str, graph: Graph, split: Split) -> Array:
    """Return the group number of each test node, in their order.

    Args:
        by: ``label_fraction`` and ``attribute_diversity`` for quartiles, ``distance`` for hops to the nearest training
            node.
        graph: The graph.
        split: Which nodes train and test.

    Example:
        >>> path = Graph.from_edges(range(7), range(1, 8), num_nodes=8, directed=False)
        >>> group_of("distance", path, Split(np.array([0]), np.array([1]), np.arange(2, 8))).tolist()
        [0, 1, 2, 3, 3, 3]
    """
    if by == "label_fraction":
        return quartiles(label_fraction(graph, split.train, nodes=split.test))
    if by == "attribute_diversity":
        return quartiles(attribute_diversity(graph, nodes=split.test))
    if by == "distance":
        hops = hop_distances(graph, split.train)[split.test]
        # Nodes out of reach (-1) belong to the farthest group.
        return np.where(hops < 0, 3, np.clip(hops - 2, 0, 3))
    raise unknown_name("measure", by, ("label_fraction", "attribute_diversity", "distance"))
