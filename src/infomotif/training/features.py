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
NORMALIZATIONS = ("auto", "none", "row", "l2")
_DENSE_SHARE = 0.25


@dataclass(frozen=True)
class FeatureMap:
    """How a graph becomes the encoder's input; fitted on one graph, applied to others with the same attributes.

    Attributes:
        width: Number of input features.
        one_hot: Whether nodes are told apart by their own indicator (a graph without attributes).
        normalize: How attributes are scaled.
        structural: Whether log degree and log motif counts are added.
        mean: Mean of each structural feature on the fitted graph.
        deviation: Standard deviation of each.
        shift: What is taken from each attribute, if ``normalize`` scales columns and one needs it.
        scale: What each attribute is then divided by.
    """

    width: int
    one_hot: bool
    normalize: str
    structural: bool
    mean: tuple[float, ...] = ()
    deviation: tuple[float, ...] = ()
    shift: tuple[float, ...] = ()
    scale: tuple[float, ...] = ()

    @classmethod
    def fit(cls, graph: Graph, index: MotifIndex | None, *, normalize: str, structural: bool) -> FeatureMap:
        """Learn the scaling from ``graph``."""
        one_hot = graph.x is None and not structural
        width = graph.num_nodes if one_hot else graph.num_attributes
        shift, scale = _column_scales(graph.x) if normalize == "auto" and graph.x is not None else ((), ())
        if not structural:
            return cls(width, one_hot, normalize, False, shift=shift, scale=scale)
        columns = structural_columns(graph, index)
        spread = columns.std(axis=0)
        spread[spread == 0] = 1
        mean, deviation = tuple(columns.mean(axis=0).tolist()), tuple(spread.tolist())
        return cls(width + columns.shape[1], one_hot, normalize, True, mean, deviation, shift, scale)

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> FeatureMap:
        """Return the map of a model file.

        Raises:
            InputError: If the value is no such map.
        """
        kinds = {"width": int, "one_hot": bool, "normalize": str, "structural": bool}
        pairs = (("mean", "deviation"), ("shift", "scale"))
        kinds |= {key: list for pair in pairs for key in pair}
        if value.keys() != kinds.keys() or not all(type(value[key]) is kind for key, kind in kinds.items()):
            raise InputError(f"features must hold {', '.join(kinds)} of the right kinds")
        if value["normalize"] not in NORMALIZATIONS:
            raise unknown_name("normalize", value["normalize"], NORMALIZATIONS)
        for centre, spread in pairs:
            numbers = [*value[centre], *value[spread]]
            if not all(isinstance(number, float) and math.isfinite(number) for number in numbers):
                raise InputError(f"{centre} and {spread} of features must hold finite numbers")
            if len(value[centre]) != len(value[spread]) or 0 in value[spread]:
                raise InputError(f"features must have one {spread} above 0 for each {centre}")
        if value["scale"] and len(value["scale"]) != value["width"] - len(value["mean"]):
            raise InputError("features must have one scale for each attribute")
        plain: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in value.items()}
        return cls(**plain)

    def apply(self, graph: Graph, index: MotifIndex | None, nodes: Array | None = None) -> Features:
        """Return the features of ``graph``, [n, width], or of some ``nodes``: sparse if they mostly are zero.

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
            return SparseMatrix.from_scipy(_indicators(graph.num_nodes, nodes))
        x = graph.x if graph.x is None or nodes is None else graph.x[nodes]
        blocks = [] if x is None else [self._scaled(x)]
        if self.structural:
            columns = (structural_columns(graph, index, nodes) - np.array(self.mean)) / np.array(self.deviation)
            blocks.append(columns.astype(np.float32))
        if any(sp.issparse(block) for block in blocks):
            return SparseMatrix.from_scipy(sp.csr_array(sp.hstack(blocks)))
        dense = blocks[0] if len(blocks) == 1 else np.hstack(blocks)
        if nodes is None and dense.size and np.count_nonzero(dense) < _DENSE_SHARE * dense.size:
            return SparseMatrix.from_scipy(sp.csr_array(dense))
        # A graph's own array is frozen, and torch wants one that could be written.
        whole = np.ascontiguousarray(dense, dtype=np.float32)
        return torch.from_numpy(whole if whole.flags.writeable else whole.copy())

    def _scaled(self, x: Attributes) -> Any:
        if self.normalize in ("row", "l2"):
            return _scaled_rows(x, 1 if self.normalize == "row" else 2)
        if not self.scale:
            return x
        shift, scale = np.array(self.shift, dtype=np.float32), np.array(self.scale, dtype=np.float32)
        if isinstance(x, np.ndarray):
            scaled = x - shift
            scaled /= scale
            return scaled
        return sp.csr_array(x @ sp.diags_array(1 / scale)).astype(np.float32)

    def names(self, attribute_names: Sequence[str], motif_names: Sequence[str]) -> tuple[str, ...]:
        """Return the name of each feature; none where nodes are told apart by their own indicator."""
        if self.one_hot:
            return ()
        structural = ("log degree", *(f"log count of {name}" for name in motif_names)) if self.structural else ()
        return (*attribute_names, *structural)


def structural_columns(graph: Graph, index: MotifIndex | None, nodes: Array | None = None) -> Array:
    """Return log(1 + degree) and log(1 + motif counts) of each node (or of some), [n, 1 + T]."""
    chosen = slice(None) if nodes is None else nodes
    columns = [np.log1p(graph.degrees[chosen].astype(np.float64))[:, None]]
    if index is not None:
        columns.append(np.log1p(index.counts[chosen].astype(np.float64)))
    return np.hstack(columns)


def _indicators(count: int, nodes: Array | None) -> sp.csr_array:
    """Return one-hot rows of ``nodes``, by default of all, [B, count]."""
    if nodes is None:
        return sp.eye_array(count, dtype=np.float32, format="csr")
    ones, pointers = np.ones(len(nodes), dtype=np.float32), np.arange(len(nodes) + 1)
    return sp.csr_array((ones, nodes, pointers), shape=(len(nodes), count))


def _column_scales(x: Attributes) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return shift and scale of each attribute: columns beyond -1 to 1 are standardised, others stay as they are.

    Sparse columns are only divided, by their largest size, so that zeros stay zeros. Without such columns there is
    nothing to keep.
    """
    largest = np.asarray(abs(x).max(axis=0).todense() if sp.issparse(x) else abs(x).max(axis=0, initial=0)).ravel()
    wide = largest > 1
    if not wide.any():
        return (), ()
    shift, scale = np.zeros(x.shape[1]), np.where(wide, largest, 1).astype(np.float64)
    if isinstance(x, np.ndarray):
        columns = x[:, wide].astype(np.float64)
        spread = columns.std(axis=0)
        shift[wide], scale[wide] = columns.mean(axis=0), np.where(spread > 0, spread, 1)
    return tuple(shift.tolist()), tuple(scale.tolist())


def _scaled_rows(x: Attributes, power: int) -> Any:
    if isinstance(x, np.ndarray):
        size = np.linalg.norm(x, ord=power, axis=1, keepdims=True)
        return x / np.where(size == 0, 1, size)
    size = np.asarray((abs(x) ** power).sum(axis=1)).ravel() ** (1 / power)
    return sp.csr_array(sp.diags_array(1 / np.where(size == 0, 1, size)) @ x).astype(np.float32)
