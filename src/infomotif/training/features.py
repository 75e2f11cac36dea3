"""Input features of a graph: its attributes, scaled; one-hot or structural ones where there are none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray

from infomotif.errors import InputError, unknown_name
from infomotif.graph import Attributes, Graph
from infomotif.motifs import MotifIndex
from infomotif.nn.convolutions import Features
from infomotif.nn.sparse import SparseMatrix

Array = NDArray[Any]
NORMALIZATIONS = ("none", "row", "l2")
_DENSE_SHARE = 0.25


@dataclass(frozen=True)
class FeatureMap:
    """How a graph becomes the encoder's input; fitted on one graph, applied to others with the same attributes.

    Attributes:
        width: Number of input features.
        one_hot: Whether nodes are told apart by their own indicator (a graph without attributes).
        normalize: How attribute rows are scaled.
        structural: Whether log degree and log motif counts are added.
        mean: Mean of each structural feature on the fitted graph.
        deviation: Standard deviation of each.
    """

    width: int
    one_hot: bool
    normalize: str
    structural: bool
    mean: tuple[float, ...] = ()
    deviation: tuple[float, ...] = ()

    @classmethod
    def fit(cls, graph: Graph, index: MotifIndex | None, *, normalize: str, structural: bool) -> FeatureMap:
        """Learn the scaling from ``graph``."""
        one_hot = graph.x is None and not structural
        width = graph.num_nodes if one_hot else graph.num_attributes
        if not structural:
            return cls(width, one_hot, normalize, False)
        columns = structural_columns(graph, index)
        spread = columns.std(axis=0)
        spread[spread == 0] = 1
        mean, deviation = tuple(columns.mean(axis=0).tolist()), tuple(spread.tolist())
        return cls(width + columns.shape[1], one_hot, normalize, True, mean, deviation)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> FeatureMap:
        """Return the map of a model file.

        Raises:
            InputError: If the value is no such map.
        """
        kinds = {"width": int, "one_hot": bool, "normalize": str, "structural": bool, "mean": list, "deviation": list}
        if value.keys() != kinds.keys() or not all(type(value[key]) is kind for key, kind in kinds.items()):
            raise InputError(f"features must hold {', '.join(kinds)} of the right kinds")
        if value["normalize"] not in NORMALIZATIONS:
            raise unknown_name("normalize", value["normalize"], NORMALIZATIONS)
        scales = [*value["mean"], *value["deviation"]]
        if not all(isinstance(number, float) and math.isfinite(number) for number in scales):
            raise InputError("mean and deviation of features must hold finite numbers")
        if len(value["mean"]) != len(value["deviation"]) or 0 in value["deviation"]:
            raise InputError("features must have one deviation above 0 for each mean")
        return cls(**{**value, "mean": tuple(value["mean"]), "deviation": tuple(value["deviation"])})

    def apply(self, graph: Graph, index: MotifIndex | None) -> Features:
        """Return the features of ``graph``, [n, width]: sparse if they mostly are zero.

        Raises:
            InputError: If the graph has other attributes than the fitted one.
        """
        expected = 0 if self.one_hot else self.width - len(self.mean)
        if graph.num_attributes != expected:
            trained = f"on {expected} attributes" if expected else "without attributes"
            raise InputError(f"the model was trained {trained} (the graph has {graph.num_attributes})")
        if self.one_hot:
            if graph.num_nodes != self.width:
                raise InputError(
                    f"a model without attributes knows only its own {self.width} nodes (got {graph.num_nodes}); "
                    "train with structural_features=True to predict on other graphs"
                )
            return SparseMatrix.from_scipy(sp.eye_array(graph.num_nodes, dtype=np.float32, format="csr"))
        blocks = [] if graph.x is None else [_scaled(graph.x, self.normalize)]
        if self.structural:
            columns = (structural_columns(graph, index) - np.array(self.mean)) / np.array(self.deviation)
            blocks.append(columns.astype(np.float32))
        if any(sp.issparse(block) for block in blocks):
            return SparseMatrix.from_scipy(sp.csr_array(sp.hstack(blocks)))
        dense = np.hstack(blocks)
        if dense.size and np.count_nonzero(dense) < _DENSE_SHARE * dense.size:
            return SparseMatrix.from_scipy(sp.csr_array(dense))
        return torch.from_numpy(np.ascontiguousarray(dense))

    def names(self, attribute_names: Sequence[str], motif_names: Sequence[str]) -> tuple[str, ...]:
        """Return the name of each feature; none where nodes are told apart by their own indicator."""
        if self.one_hot:
            return ()
        structural = ("log degree", *(f"log count of {name}" for name in motif_names)) if self.structural else ()
        return (*attribute_names, *structural)


def structural_columns(graph: Graph, index: MotifIndex | None) -> Array:
    """Return log(1 + degree) and log(1 + motif counts) of each node, [n, 1 + T]."""
    columns = [np.log1p(graph.degrees.astype(np.float64))[:, None]]
    if index is not None:
        columns.append(np.log1p(index.counts.astype(np.float64)))
    return np.hstack(columns)


def _scaled(x: Attributes, normalize: str) -> Any:
    if normalize == "none":
        return x
    power = 1 if normalize == "row" else 2
    if isinstance(x, np.ndarray):
        size = np.linalg.norm(x, ord=power, axis=1, keepdims=True)
        return x / np.where(size == 0, 1, size)
    size = np.asarray((abs(x) ** power).sum(axis=1)).ravel() ** (1 / power)
    return sp.csr_array(sp.diags_array(1 / np.where(size == 0, 1, size)) @ x).astype(np.float32)
