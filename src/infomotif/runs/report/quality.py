"""How good predictions are: confusion, calibration, and accuracy within groups of nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypedDict

import numpy as np

from infomotif.graph import Graph
from infomotif.graph.neighbourhoods import attribute_diversity, label_fraction, quartiles
from infomotif.typing import Array

MAX_NODES = 20_000
"""On how many nodes quartiles are measured at most."""

ClassAccuracy = dict[str, Any]
"""``name`` of a class, its number of ``nodes``, and each model's accuracy on them."""
Quartile = dict[str, Any]
"""``name``, number of ``nodes``, the values ``from`` and ``to`` that they have, and each model's accuracy on them."""


class CalibrationBin(TypedDict):
    """Nodes of about the same confidence: its mean, the accuracy on them, and their number."""

    confidence: float
    accuracy: float
    nodes: int


class Calibration(TypedDict):
    """Bins of confidence, and the expected calibration error."""

    bins: list[CalibrationBin]
    error: float


class QuartileTable(TypedDict):
    """Accuracy by quartile of a measure of the nodes' neighbourhoods."""

    key: str
    title: str
    meaning: str
    rows: list[Quartile]


def confusion(y: Array, predicted: Array, classes: int) -> list[list[int]]:
    """Return how many nodes of each class (rows) were predicted to be of each class (columns).

    Example:
        >>> confusion(np.array([0, 0, 1]), np.array([0, 1, 1]), 2)
        [[1, 1], [0, 1]]
    """
    counts = np.bincount(y * classes + predicted, minlength=classes * classes).reshape(classes, classes)
    return [[int(value) for value in row] for row in counts]


def calibration(probability: Array, y: Array, bins: int = 10) -> Calibration:
    """Return how confidence and accuracy agree, by bins of confidence.

    Example:
        >>> calibration(np.array([[0.9, 0.1], [0.8, 0.2]]), np.array([0, 1]), bins=2)["error"]
        0.35
    """
    confidence, right = probability.max(axis=1), probability.argmax(axis=1) == y
    bin_of = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    rows: list[CalibrationBin] = []
    error = 0.0
    for b in range(bins):
        inside = bin_of == b
        if inside.any():
            mean, accuracy = float(confidence[inside].mean()), float(right[inside].mean())
            rows.append({"confidence": round(mean, 4), "accuracy": round(accuracy, 4), "nodes": int(inside.sum())})
            error += abs(mean - accuracy) * inside.mean()
    return {"bins": rows, "error": round(float(error), 4)}


def by_quartile(
    graph: Graph, train: Array, nodes: Array, right: Mapping[str, Array], seed: int = 0
) -> list[QuartileTable]:
    """Return the accuracy of each model by quartile of label fraction and of attribute diversity.

    Args:
        graph: The graph with labels.
        train: Training nodes.
        nodes: Nodes that are evaluated; beyond 20,000 a sample of them.
        right: Whether each model is right, [n], by name.
        seed: Which sample.
    """
    if len(nodes) > MAX_NODES:
        nodes = np.sort(np.random.default_rng(seed).permutation(nodes)[:MAX_NODES])
    tables: list[QuartileTable] = [
        {
            "key": "label_fraction",
            "title": "Label fraction",
            "meaning": "share of training nodes among the nodes within 2 hops; Q1 has the fewest labels",
            "rows": _quartiles(nodes, label_fraction(graph, train, nodes=nodes), right),
        }
    ]
    if graph.x is not None:
        tables.append(
            {
                "key": "attribute_diversity",
                "title": "Attribute diversity",
                "meaning": "mean cosine distance of a node's attributes to those within 2 hops; Q4 is the most diverse",
                "rows": _quartiles(nodes, attribute_diversity(graph, nodes=nodes), right),
            }
        )
    return tables


def _quartiles(nodes: Array, values: Array, right: Mapping[str, Array]) -> list[Quartile]:
    group = quartiles(values)
    rows = []
    for q in range(4):
        inside = group == q
        if inside.any():
            low, high = float(values[inside].min()), float(values[inside].max())
            row = {"name": f"Q{q + 1}", "nodes": int(inside.sum()), "from": round(low, 4), "to": round(high, 4)}
            rows.append(row | _accuracies(nodes[inside], right))
    return rows


def by_class(y: Array, nodes: Array, classes: tuple[str, ...], right: Mapping[str, Array]) -> list[ClassAccuracy]:
    """Return each model's accuracy on the evaluated nodes of every class."""
    rows: list[ClassAccuracy] = []
    for number, name in enumerate(classes):
        members = nodes[y[nodes] == number]
        if len(members):
            rows.append({"name": name, "nodes": len(members), **_accuracies(members, right)})
    return rows


def _accuracies(nodes: Array, right: Mapping[str, Array]) -> dict[str, float]:
    return {model: round(float(hits[nodes].mean()), 4) for model, hits in right.items()}
