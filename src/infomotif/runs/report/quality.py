"""How good predictions are: confusion, calibration, and accuracy within groups of nodes."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif.graph import Graph
from infomotif.graph.neighbourhoods import attribute_diversity, label_fraction, quartiles
from infomotif.typing import Array

_MOST_NODES = 20_000
_MEASURES = (
    (
        "label_fraction",
        "Label fraction",
        "share of training nodes among the nodes within 2 hops; Q1 has the fewest labels",
    ),
    (
        "attribute_diversity",
        "Attribute diversity",
        "mean cosine distance of a node's attributes to those within 2 hops; Q4 is the most diverse",
    ),
)


def confusion(y: Array, predicted: Array, classes: int) -> list[list[int]]:
    """Return how many nodes of each class (rows) were predicted to be of each class (columns).

    Example:
        >>> confusion(np.array([0, 0, 1]), np.array([0, 1, 1]), 2)
        [[1, 1], [0, 1]]
    """
    counts = np.bincount(y * classes + predicted, minlength=classes * classes).reshape(classes, classes)
    return [[int(value) for value in row] for row in counts]


def calibration(probability: Array, y: Array, bins: int = 10) -> dict[str, Any]:
    """Return mean confidence, accuracy and number of nodes of each bin of confidence, and the expected error.

    Example:
        >>> calibration(np.array([[0.9, 0.1], [0.8, 0.2]]), np.array([0, 1]), bins=2)["error"]
        0.35
    """
    confidence, right = probability.max(axis=1), probability.argmax(axis=1) == y
    place = np.minimum((confidence * bins).astype(np.int64), bins - 1)
    rows, error = [], 0.0
    for b in range(bins):
        inside = place == b
        if inside.any():
            mean, accuracy = float(confidence[inside].mean()), float(right[inside].mean())
            rows.append({"confidence": round(mean, 4), "accuracy": round(accuracy, 4), "nodes": int(inside.sum())})
            error += abs(mean - accuracy) * inside.mean()
    return {"bins": rows, "error": round(float(error), 4)}


def by_quartile(
    graph: Graph, train: Array, nodes: Array, right: dict[str, Array], seed: int = 0
) -> list[dict[str, Any]]:
    """Return the accuracy of each model by quartile of label fraction and of attribute diversity.

    Args:
        graph: The graph with labels.
        train: Training nodes.
        nodes: Nodes that are evaluated; beyond 20,000 a sample of them.
        right: Whether each model is right, [n], by name.
        seed: Which sample.
    """
    if len(nodes) > _MOST_NODES:
        nodes = np.sort(np.random.default_rng(seed).permutation(nodes)[:_MOST_NODES])
    found = []
    for key, title, meaning in _MEASURES:
        if key == "attribute_diversity" and graph.x is None:
            continue
        if key == "label_fraction":
            values = label_fraction(graph, train, nodes=nodes)
        else:
            values = attribute_diversity(graph, nodes=nodes)
        group = quartiles(values)
        rows = [_quartile(q, nodes[group == q], values[group == q], right) for q in range(4) if (group == q).any()]
        found.append({"key": key, "title": title, "meaning": meaning, "rows": rows})
    return found


def _quartile(number: int, nodes: Array, values: Array, right: dict[str, Array]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "name": f"Q{number + 1}",
        "nodes": len(nodes),
        "from": round(float(values.min()), 4),
        "to": round(float(values.max()), 4),
    }
    return row | {model: round(float(hits[nodes].mean()), 4) for model, hits in right.items()}


def by_class(y: Array, nodes: Array, classes: tuple[str, ...], right: dict[str, Array]) -> list[dict[str, Any]]:
    """Return each model's accuracy on the evaluated nodes of every class."""
    rows = []
    for number, name in enumerate(classes):
        own = nodes[y[nodes] == number]
        if len(own):
            scores = {model: round(float(hits[own].mean()), 4) for model, hits in right.items()}
            rows.append({"name": name, "nodes": len(own), **scores})
    return rows
