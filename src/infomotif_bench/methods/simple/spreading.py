"""Label spreading, and correct and smooth: labels that travel along the edges, with little or no training."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy.sparse as sp

from infomotif._core.validate import Config, config, setting
from infomotif.graph import Graph
from infomotif.training.splits import Split
from infomotif.typing import Array
from infomotif_bench.methods.base import MAX_COUNT, SIMPLE, Method, MethodOutput, Options
from infomotif_bench.methods.simple.regressions import best_of, class_probabilities, unit_attributes

SHARES = (0.5, 0.8, 0.9, 0.99)
"""How much of its neighbours' labels a node takes, of which validation chooses one."""
_SMALLEST = 1e-12


@config
class SpreadingSettings(Config):
    """The settings of methods that spread labels."""

    steps: int = setting(default=50, at_least=1, at_most=MAX_COUNT, help="Steps along the edges.")


def normalised(graph: Graph) -> sp.csr_array:
    """Return D^-1/2 A D^-1/2, directions ignored [n, n]."""
    n, (indptr, indices) = graph.num_nodes, graph.undirected[:2]
    adjacency = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(n, n))
    inverse = sp.diags_array(1 / np.sqrt(np.maximum(graph.degrees, 1)))
    return sp.csr_array(inverse @ adjacency @ inverse)


def spread_rows(adjacency: sp.csr_array, start: Array, share: float, steps: int) -> Array:
    """Return what F = share A F + (1 - share) start comes to after some steps [n, C].

    Example:
        >>> pair = normalised(Graph.from_edges([0], [1], num_nodes=2, directed=False))
        >>> spread_rows(pair, np.array([[1.0], [0.0]]), 0.5, 50).round(3).tolist()
        [[0.667], [0.333]]
    """
    rows = start
    for _ in range(steps):
        rows = share * np.asarray(adjacency @ rows) + (1 - share) * start
    return rows


def one_hot(graph: Graph, nodes: Array) -> Array:
    """Return the labels of some nodes, 0 elsewhere [n, C]."""
    rows = np.zeros((graph.num_nodes, graph.num_classes))
    rows[nodes, np.asarray(graph.y)[nodes]] = 1.0
    return rows


@dataclass(frozen=True, kw_only=True)
class LabelSpreading(Method):
    """Label spreading (Zhou et al., NeurIPS 2003): F = a S F + (1 - a) Y, with a chosen by validation among four.

    Nodes that no label reaches get the most frequent class.
    """

    options: ClassVar[type[Config]] = SpreadingSettings
    group: str = SIMPLE
    attributes: bool = False

    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> MethodOutput:
        """Spread the labels of the training nodes."""
        start, adjacency = one_hot(graph, split.train), normalised(graph)
        prior = _SMALLEST * start.mean(axis=0)
        tried = {a: (spread_rows(adjacency, start, a, settings["steps"]) + prior).argmax(axis=1) for a in SHARES}
        best = best_of(tried, graph, split)
        return MethodOutput(tried[best], details={"share": best})


@dataclass(frozen=True, kw_only=True)
class CorrectAndSmooth(Method):
    """Correct and smooth (Huang et al., ICLR 2021) over logistic regression on attributes.

    The errors on training nodes are spread and added (autoscale), then predictions, with the training labels in
    place, are spread; validation chooses both shares and the strength C. Departs in the base, which without attributes
    predicts how frequent classes are.
    """

    options: ClassVar[type[Config]] = SpreadingSettings
    group: str = SIMPLE

    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> MethodOutput:
        """Predict, correct, smooth."""
        truth, adjacency = one_hot(graph, split.train), normalised(graph)
        if graph.x is None:
            bases = {0.0: np.tile(truth[split.train].mean(axis=0), (graph.num_nodes, 1))}
        else:
            bases = class_probabilities(unit_attributes(graph), graph, split)
        tried = {}
        for strength, base in bases.items():
            for a in SHARES:
                start = base + _corrections(adjacency, truth - base, split.train, a, settings["steps"])
                start[split.train] = truth[split.train]
                for b in SHARES:
                    tried[strength, a, b] = spread_rows(adjacency, start, b, settings["steps"]).argmax(axis=1)
        best = best_of(tried, graph, split)
        return MethodOutput(tried[best], details=dict(zip(("C", "correct", "smooth"), best, strict=True)))


def _corrections(adjacency: sp.csr_array, error: Array, train: Array, share: float, steps: int) -> Array:
    """Spread the errors of training nodes; those of all other nodes are scaled to the same mean size [n, C]."""
    known = np.zeros_like(error)
    known[train] = error[train]
    size = abs(known[train]).sum() / len(train)
    spread = spread_rows(adjacency, known, share, steps)
    total = abs(spread).sum(axis=1, keepdims=True)
    return np.where(total > _SMALLEST, size * spread / np.maximum(total, _SMALLEST), 0.0)


SPREADING = (
    LabelSpreading(name="label-spreading", title="Label spreading"),
    CorrectAndSmooth(name="correct-and-smooth", title="Correct and smooth"),
)
"""Methods that spread labels."""
