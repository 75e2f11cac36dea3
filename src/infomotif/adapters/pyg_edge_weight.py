"""Closure of edges as a transform of PyG: weights for layers that take them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import Tensor
from torch_geometric.transforms import BaseTransform

from infomotif.adapters.pyg_transforms import joined_graphs, structure_of
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs.closure import closure_weights
from infomotif.typing import Array

FLOOR = 0.05


class MotifEdgeWeight(BaseTransform):  # type: ignore[misc]
    """Set a weight per edge: (floor + closure) ** power, where closure is its share of triangles among all triples.

    The closure of an edge (:func:`infomotif.motifs.closure_weights`) is 1 if every neighbour of one end is one of the
    other too, and 0 without common neighbours. Layers that take ``edge_weight``, such as ``GCNConv``, then listen more
    to edges within groups. Whether that helps depends on the graph: let validation choose the power among 0, 1 and 2.
    Directions are ignored. Self loops have weight 1. A list of graphs, or a ``Batch``, is one graph of separate parts.

    Args:
        power: Exponent; 0 makes all weights 1.
        attr_name: The attribute to set [E]; one of that name is replaced.
        floor: What is added to the closure, so that edges without triangles keep some weight.

    Example:
        >>> from torch_geometric.data import Data
        >>> data = Data(edge_index=torch.tensor([[0, 1, 2, 3], [1, 2, 0, 2]]), num_nodes=4)
        >>> MotifEdgeWeight(floor=0.0)(data).edge_weight
        tensor([1.0000, 0.5000, 0.5000, 0.0000])
    """

    def __init__(self, power: float = 1.0, attr_name: str = "edge_weight", *, floor: float = FLOOR) -> None:
        for name, value in (("power", power), ("floor", floor)):
            if not math.isfinite(value) or value < 0:
                raise InputError(f"{name} must be a number from 0 on (got {value})")
        if not attr_name:
            raise InputError("attr_name must name the attribute to set")
        self.power, self.attr_name, self.floor = float(power), attr_name, float(floor)

    def forward(self, data: Any) -> Any:
        """Return the graph, or each graph of a list, with the weights.

        Raises:
            InputError: If it is not a PyG ``Data`` with an ``edge_index``, or a list of these.
        """
        if isinstance(data, Sequence):
            parts = [structure_of(graph) for graph in data]
            ends, sizes = joined_graphs(parts)
            values = self._values(ends, sum(sizes)).split([part.shape[1] for part, _ in parts])
            return [self._set(graph.clone(), part) for graph, part in zip(data, values, strict=True)]
        return self._set(data, self._values(*structure_of(data)))

    def _values(self, ends: Array, n: int) -> Tensor:
        matrix = closure_weights(Graph.from_edges(ends[0], ends[1], num_nodes=n, directed=False))
        rows = np.repeat(np.arange(n, dtype=np.int64), np.diff(matrix.indptr))
        # Entries are in ascending order, so that an edge is found by bisection.
        keys = rows * n + matrix.indices
        loop = ends[0] == ends[1]
        values = np.ones(ends.shape[1])
        wanted = ends[0][~loop].astype(np.int64) * n + ends[1][~loop]
        values[~loop] = (self.floor + matrix.data[np.searchsorted(keys, wanted)]) ** self.power
        return torch.from_numpy(values.astype(np.float32))

    def _set(self, data: Any, values: Tensor) -> Any:
        data[self.attr_name] = values.to(data.edge_index.device)
        return data

    def __repr__(self) -> str:
        """Show the power and the floor."""
        return f"{type(self).__name__}(power={self.power:g}, floor={self.floor:g})"
