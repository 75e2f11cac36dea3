"""What to label next: the nodes whose labels would teach a model most, chosen so that they do not repeat each other."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.select import node_numbers
from infomotif.typing import Array

MAX_NODES = 4000
"""So many candidates, and so many nodes that they should say something about, are compared; of more a sample."""
_CHUNK = 2048


@dataclass(frozen=True)
class Suggestion:
    """A node to label.

    Attributes:
        node: Its number.
        name: Its name.
        predicted: The class that the model predicts.
        confidence: The probability of that class.
        uncertainty: How evenly the model spreads its probability over the classes, from 0 to 1 (entropy).
        novelty: How little it resembles the labelled nodes and the suggestions before it, from 0 to 1.
        neighbours: Its number of neighbours.
        gain: The share of the graph's uncertainty that lies in nodes like this one and unlike those before it.
    """

    node: int
    name: str
    predicted: str
    confidence: float
    uncertainty: float
    novelty: float
    neighbours: int
    gain: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return asdict(self)


def suggest_nodes(
    graph: Graph,
    probability: Array,
    count: int = 20,
    *,
    labelled: Any,
    embedding: Array | None = None,
    candidates: Any = None,
    class_names: tuple[str, ...] | None = None,
    seed: int = 0,
) -> tuple[Suggestion, ...]:
    """Return the nodes to label next, the most instructive first.

    Each suggestion is the node that resembles most of what the model is still unsure about. How far a label reaches is
    the similarity of representations; nodes that resemble a labelled node or an earlier suggestion count only for what
    these leave open. So uncertain nodes count by their uncertainty, novel ones because nothing covers them yet, and the
    suggestions spread over the graph (greedy facility location, within 1 - 1/e of the best choice).

    Args:
        graph: The graph.
        probability: Probability of each class [n, C], of any model.
        count: How many nodes to suggest.
        labelled: Nodes whose label is known, a mask or numbers.
        embedding: Representation of each node [n, D]; by default probabilities, spread over the edges.
        candidates: Nodes to choose from, a mask or numbers; by default all that are not labelled.
        class_names: Names of the classes, if they are not those of the graph.
        seed: Which nodes are compared where the graph has more than 4,000.

    Raises:
        InputError: If shapes differ, or there is no candidate.

    Example:
        >>> import infomotif as im
        >>> graph = im.load_dataset("karate")
        >>> model = im.InfoMotif(preset="paper", training=im.Training(epochs=20)).fit(graph, train=[0, 33])
        >>> chosen = suggest_nodes(graph, model.predict_proba(), 3, labelled=[0, 33], embedding=model.embed())
        >>> len({suggestion.node for suggestion in chosen} - {0, 33})
        3
    """
    n = graph.num_nodes
    probability = np.asarray(probability, dtype=np.float64)
    if probability.ndim != 2 or len(probability) != n or (embedding is not None and len(embedding) != n):
        raise InputError(f"probability and embedding must have one row per node, {n:,}")
    if isinstance(count, bool) or not isinstance(count, int) or count < 1:
        raise InputError(f"count must be a whole number of at least 1 (got {count})")
    names = class_names or graph.class_names
    known = node_numbers(labelled, n, "labelled")
    free = np.ones(n, dtype=bool)
    free[known] = False
    if candidates is not None:
        free &= np.isin(np.arange(n), node_numbers(candidates, n, "candidates"))
    choices = np.flatnonzero(free)
    if not len(choices):
        raise InputError("every node has a label already, so there is none to suggest")
    uncertainty = entropy(probability)
    rng = np.random.default_rng(seed)
    choices, targets = _compared(choices, uncertainty, n, rng)
    unit = _directions(_spread(graph, probability) if embedding is None else np.asarray(embedding))
    weights = uncertainty[targets] if uncertainty[targets].any() else np.ones(len(targets))
    reach = np.maximum(unit[targets] @ unit[choices].T, 0)
    covered = _nearest(unit[targets], unit[known])
    nearest = _nearest(unit[choices], unit[known])
    weights = (weights / weights.sum()).astype(np.float32)
    suggestions: list[Suggestion] = []
    open_to = np.ones(len(choices), dtype=bool)
    for _ in range(min(count, len(choices))):
        gains = weights @ np.maximum(reach - covered[:, None], 0)
        best = int(np.where(open_to, gains, -1).argmax())
        v = int(choices[best])
        top = int(probability[v].argmax())
        suggestions.append(
            Suggestion(
                v,
                str(graph.names_of(v)),
                str(names[top]),
                float(probability[v, top]),
                float(uncertainty[v]),
                float(1 - nearest[best]),
                int(graph.degrees[v]),
                float(gains[best]),
            )  # fmt: skip
        )
        open_to[best] = False
        covered = np.maximum(covered, reach[:, best])
        nearest = np.maximum(nearest, np.maximum(unit[choices] @ unit[v], 0))
    return tuple(suggestions)


def entropy(probability: Array) -> NDArray[np.float64]:
    """Return how evenly each row spreads its probability, from 0 (one class) to 1 (all alike).

    Example:
        >>> entropy(np.array([[1.0, 0.0], [0.5, 0.5]])).round(3).tolist()
        [0.0, 1.0]
    """
    safe = np.maximum(probability, 1e-12)
    surprise: NDArray[np.float64] = np.abs((probability * np.log(safe)).sum(axis=1))
    return np.asarray(surprise / np.log(max(2, probability.shape[1])))


def _compared(choices: Array, uncertainty: Array, n: int, rng: np.random.Generator) -> tuple[Array, Array]:
    """Return the candidates and the nodes that they are compared with: of many, half by uncertainty and half by lot."""
    targets = np.arange(n) if n <= MAX_NODES else np.sort(rng.choice(n, MAX_NODES, replace=False))
    if len(choices) <= MAX_NODES:
        return choices, targets
    order = choices[np.argsort(-uncertainty[choices], kind="stable")]
    half = MAX_NODES // 2
    return np.sort(np.concatenate([order[:half], rng.choice(order[half:], half, replace=False)])), targets


def _directions(embedding: Array) -> NDArray[np.float32]:
    """Return representations of mean 0 and length 1; their products are similarities."""
    centred = np.asarray(embedding, dtype=np.float64) - np.mean(embedding, axis=0, dtype=np.float64)
    length = np.linalg.norm(centred, axis=1, keepdims=True)
    return (centred / np.where(length > 0, length, 1)).astype(np.float32)


def _nearest(unit: Array, others: Array) -> NDArray[np.float32]:
    """Return the similarity of each row to the nearest of the others, 0 if there is none."""
    best = np.zeros(len(unit), dtype=np.float32)
    for start in range(0, len(others), _CHUNK):
        best = np.maximum(best, (unit @ others[start : start + _CHUNK].T).max(axis=1))
    return np.minimum(best, 1)


def _spread(graph: Graph, probability: Array) -> Array:
    """Return probabilities and their means over neighbours and their neighbours, side by side."""
    n, (indptr, indices) = graph.num_nodes, graph.undirected[:2]
    adjacency = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(n, n))
    mean: Any = sp.diags_array(1 / np.maximum(graph.degrees, 1)).tocsr() @ adjacency
    once = mean @ probability
    return np.hstack([probability, once, mean @ once])
