"""Whether motif encodings help as inputs: tried on the labels, by cross-validation, before they are recommended."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from infomotif.doctor.finding import Finding
from infomotif.graph import Graph
from infomotif.graph.checks import as_float32
from infomotif.motifs import MotifIndex
from infomotif.motifs.encodings import motif_encodings
from infomotif.typing import Array

ENCODINGS = "centralities+quantiles"
HOMOPHILOUS = 0.2
"""So much more often than by chance neighbours share a class where motif encodings are not recommended."""
_FOLDS = 5
_MIN_LABELS = 20
_MAX_LABELS = 1000
_MAX_EDGES = 5_000_000
_MIN_GAIN = 0.01
_PENALTY = 1.0


def input_findings(graph: Graph, index: MotifIndex, excess: float | None, seed: int) -> Iterator[Finding]:
    """Yield whether degrees, motif counts and centralities should become inputs.

    Args:
        graph: The graph.
        index: Its motifs.
        excess: How much more often than by chance neighbours share a class; None where that is unknown.
        seed: Randomness of the folds.
    """
    without = graph.x is None
    bare = "there are no attributes; " if without else ""
    if excess is None or (excess >= HOMOPHILOUS and not without):
        return
    if excess >= HOMOPHILOUS:
        text = f"{bare}neighbours share classes, so the edges say what the network needs"
        yield Finding("inputs", "note", text, {"excess": excess})
        return
    labelled = np.flatnonzero(graph.y >= 0) if graph.y is not None else np.empty(0, dtype=np.int64)
    if len(labelled) < _MIN_LABELS or graph.num_edges > _MAX_EDGES:
        if without:
            yield Finding("inputs", "note", f"{bare}preset auto tries motif encodings in their place", {})
        return
    gain, error, figures = _tried(graph, index, labelled, seed)
    shown = f"{100 * figures['without']:.0f} % without, {100 * figures['with']:.0f} % with them"
    tried = f"a linear model tried degrees, motif counts and centralities as further inputs (cross-validation: {shown})"
    if gain > max(_MIN_GAIN, 2 * error):
        inputs = ENCODINGS if without else f"attributes+{ENCODINGS}"
        yield Finding("inputs", "note", f"{bare}{tried}: they help", figures, ("--set", f"inputs={inputs}"))
    else:
        yield Finding("inputs", "fine", f"{bare}{tried}: no clear gain", figures)


def _tried(graph: Graph, index: MotifIndex, labelled: Array, seed: int) -> tuple[float, float, dict[str, float]]:
    """Return how much motif encodings add to what attributes and neighbours say, its standard error, and accuracies."""
    rng = np.random.default_rng(seed)
    nodes = rng.permutation(labelled)[:_MAX_LABELS]
    y = np.asarray(graph.y)[nodes]
    fold = np.arange(len(nodes)) % _FOLDS
    mean = _neighbour_mean(graph)
    known = _attributes(graph, mean, nodes)
    structure = _scaled(np.asarray(motif_encodings(graph, ENCODINGS, index=index).values)[nodes])
    right = {"without": np.zeros(len(nodes), dtype=bool), "with": np.zeros(len(nodes), dtype=bool)}
    for k in range(_FOLDS):
        learn, judge = fold != k, fold == k
        if len(np.unique(y[learn])) < 2:
            continue
        votes = _scaled(_votes(graph, mean, nodes[learn], y[learn])[nodes])
        for name, parts in (("without", [known, votes]), ("with", [known, votes, structure])):
            right[name][judge] = _ridge(np.hstack(parts), y, graph.num_classes, learn)[judge] == y[judge]
    change = right["with"].astype(float) - right["without"]
    error = float(change.std(ddof=1) / np.sqrt(len(change)))
    return float(change.mean()), error, {name: float(hits.mean()) for name, hits in right.items()}


def _neighbour_mean(graph: Graph) -> Any:
    n, (indptr, indices) = graph.num_nodes, graph.undirected[:2]
    adjacency = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(n, n))
    return sp.diags_array(1 / np.maximum(graph.degrees, 1)).tocsr() @ adjacency


def _attributes(graph: Graph, mean: Any, nodes: Array) -> NDArray[np.float64]:
    """Return the attributes of nodes and their means over neighbours; no column without attributes."""
    if graph.x is None:
        return np.empty((len(nodes), 0))
    x: Any = sp.csr_array(as_float32(graph.x))
    near = mean[nodes] @ x
    return np.hstack([_scaled(x[nodes].toarray()), _scaled(near.toarray())])


def _votes(graph: Graph, mean: Any, train: Array, y: Array) -> NDArray[np.float64]:
    """Return how often each class is among the labels within one and two hops."""
    labels = np.zeros((graph.num_nodes, graph.num_classes))
    labels[train, y] = 1
    once = mean @ labels
    return np.hstack([once, mean @ once])


def _scaled(values: Array) -> NDArray[np.float64]:
    """Return columns of mean 0, and the block of size 1 per row, so that wide blocks do not drown others."""
    centred = np.asarray(values, dtype=np.float64) - values.mean(axis=0)
    spread = centred.std(axis=0)
    return np.asarray(centred / np.where(spread > 0, spread, 1) / np.sqrt(max(1, values.shape[1])))


def _ridge(features: Array, y: Array, classes: int, learn: Array) -> Array:
    """Return the class of each row by ridge regression on the classes of some, solved for rows rather than columns."""
    target = np.eye(classes)[y[learn]]
    prior = target.mean(axis=0)
    kernel = features @ features[learn].T
    weights = np.linalg.solve(kernel[learn] + _PENALTY * np.eye(int(learn.sum())), target - prior)
    return np.asarray((prior + kernel @ weights).argmax(axis=1))
