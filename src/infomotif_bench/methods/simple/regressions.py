"""Logistic regression and trees on attributes or on motif encodings, without any learned representation."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
from sklearn.ensemble import ExtraTreesClassifier
from sklearn.exceptions import ConvergenceWarning
from sklearn.linear_model import LogisticRegression

from infomotif.graph import Graph
from infomotif.motifs import motif_encodings
from infomotif.training.splits import Split
from infomotif.typing import Array
from infomotif_bench.methods.base import SIMPLE, Method, MethodOutput, Options
from infomotif_bench.methods.embeddings.cache import ArrayCache

STRENGTHS = (0.01, 0.1, 1.0, 10.0, 100.0, 1000.0)
_encodings = ArrayCache(size=4)


def standard_encodings(graph: Graph, parts: str) -> Array:
    """Return the motif encodings of a graph, each column with mean 0 and deviation 1 over all nodes [n, F].

    Example:
        >>> import infomotif as im
        >>> standard_encodings(im.load_dataset("karate"), "degree").std(axis=0).round(6).tolist()
        [1.0, 1.0]
    """

    def encode() -> Array:
        values = motif_encodings(graph, parts).values
        spread = values.std(axis=0)
        return np.asarray((values - values.mean(axis=0)) / np.where(spread > 0, spread, 1.0))

    bare = graph.replace(x=None, y=None, class_names=())
    return _encodings.get(("encodings", parts, bare.fingerprint()), encode)


def unit_attributes(graph: Graph) -> Any:
    """Return the attributes with rows of length 1, sparse as they are [n, F]; one column of 1 without any.

    Example:
        >>> graph = Graph.from_edges([0], [1], num_nodes=2, directed=False, x=[[3.0, 4.0], [0.0, 0.0]])
        >>> unit_attributes(graph).toarray().round(6).tolist()
        [[0.6, 0.8], [0.0, 0.0]]
    """
    if graph.x is None:
        return np.ones((graph.num_nodes, 1))
    x = sp.csr_array(graph.x).astype(np.float64)
    size = np.sqrt(np.asarray(x.multiply(x).sum(axis=1)).ravel())
    return sp.csr_array(sp.diags_array(1 / np.where(size > 0, size, 1.0)) @ x)


def class_probabilities(features: Any, graph: Graph, split: Split) -> dict[float, Array]:
    """Return class probabilities of all nodes by logistic regression with each strength C of :data:`STRENGTHS`.

    Args:
        features: One row per node, [n, F].
        graph: The graph, with the labels of training nodes.
        split: Which nodes train.
    """
    y = np.asarray(graph.y)
    known = np.unique(y[split.train])
    probabilities = {strength: np.zeros((graph.num_nodes, graph.num_classes)) for strength in STRENGTHS}
    for strength, found in probabilities.items():
        if len(known) < 2:
            found[:, known] = 1.0
            continue
        model = LogisticRegression(C=strength, max_iter=500)
        with warnings.catch_warnings():
            # Redundant columns slow down weak penalties; the model is evaluated as far as it got.
            warnings.simplefilter("ignore", ConvergenceWarning)
            model.fit(features[split.train], y[split.train])
        found[:, known] = model.predict_proba(features)
    return probabilities


def best_of(tried: Mapping[Any, Array], graph: Graph, split: Split) -> Any:
    """Return the key of the labels [n] that validate best, the first of equals; without validation nodes the first.

    Example:
        >>> graph = Graph.from_edges([0], [1], num_nodes=2, directed=False, y=[0, 1])
        >>> best_of({"a": np.array([0, 0]), "b": np.array([0, 1])}, graph, Split(*map(np.array, ([0], [1], []))))
        'b'
    """
    y = np.asarray(graph.y)[split.val]
    return max(tried, key=lambda key: (tried[key][split.val] == y).sum())


@dataclass(frozen=True, kw_only=True)
class Regression(Method):
    """Logistic regression whose strength C the validation nodes of each split choose among six.

    Attributes:
        parts: The parts of the motif encoding that it sees; empty for the attributes.
    """

    parts: str = ""
    group: str = SIMPLE

    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> MethodOutput:
        """Fit on the training nodes."""
        features = standard_encodings(graph, self.parts) if self.parts else unit_attributes(graph)
        tried = {c: found.argmax(axis=1) for c, found in class_probabilities(features, graph, split).items()}
        strength = best_of(tried, graph, split)
        return MethodOutput(tried[strength], details={"C": strength})


@dataclass(frozen=True, kw_only=True)
class Trees(Method):
    """Three hundred extremely randomised trees on motif encodings.

    Attributes:
        parts: The parts of the motif encoding that they see.
    """

    parts: str
    group: str = SIMPLE

    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> MethodOutput:
        """Grow the trees on the training nodes."""
        features, y = standard_encodings(graph, self.parts), np.asarray(graph.y)
        model = ExtraTreesClassifier(300, random_state=seed, n_jobs=1)
        return MethodOutput(model.fit(features[split.train], y[split.train]).predict(features))


REGRESSIONS = (
    Regression(name="attributes-lr", title="Attributes, logistic regression"),
    *(
        Regression(name=f"{name}-lr", title=f"{title}, logistic regression", parts=name, attributes=False)
        for name, title in (("degree", "Degree"), ("centralities", "Centralities"), ("orbits", "Orbits"))
    ),
    Trees(name="orbits-trees", title="Orbits of node and neighbours, extra trees", parts="orbits+neighbours",
          attributes=False),
)  # fmt: skip
"""Classifiers without message passing."""
