"""Logistic regression whose regularisation the validation nodes choose."""

from __future__ import annotations

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.training.splits import Split
from infomotif.typing import Array
from infomotif_bench.methods.base import MethodOutput

STRENGTHS = (0.001, 0.01, 0.1, 1.0, 10.0, 100.0)
_USUAL = 1.0


def predict_by_logistic(features: Array, graph: Graph, split: Split) -> MethodOutput:
    """Fit on the training nodes with each strength C and keep the one that validates best (the smallest of equals).

    Args:
        features: One row per node, [n, D]; columns are scaled by the training nodes' mean and deviation.
        graph: The graph, with the labels of training and validation nodes.
        split: Which nodes train and validate; if none validates, C is 1.

    Example:
        >>> graph = Graph.from_edges([0], [1], num_nodes=6, directed=False, y=[0, 0, 1, 1, 0, 1])
        >>> split = Split(np.array([0, 2]), np.array([1, 3]), np.array([4, 5]))
        >>> predict_by_logistic(np.array([[0.0], [0], [1], [1], [0], [1]]), graph, split).labels.tolist()
        [0, 0, 1, 1, 0, 1]
    """
    if graph.y is None:
        raise InputError(f"{graph.name} has no labels to learn from")
    y = graph.y
    scaled = StandardScaler().fit(features[split.train]).transform(features).astype(np.float64)
    if len(np.unique(y[split.train])) < 2:
        return MethodOutput(np.full(graph.num_nodes, y[split.train[0]]), details={"C": None})

    def labels(strength: float) -> Array:
        model = LogisticRegression(C=strength, max_iter=2000)
        with warnings.catch_warnings():
            # Redundant columns slow down weak penalties; the model is evaluated as far as it got.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(scaled[split.train], y[split.train])
        return np.asarray(model.predict(scaled))

    if not len(split.val):
        return MethodOutput(labels(_USUAL), details={"C": _USUAL})
    tried = {strength: labels(strength) for strength in STRENGTHS}
    best = max(STRENGTHS, key=lambda strength: (tried[strength][split.val] == y[split.val]).mean())
    return MethodOutput(tried[best], details={"C": best})
