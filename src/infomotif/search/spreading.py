"""Spreading: labels that travel along the edges, alone (label propagation) or over predictions (correct and smooth)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp

from infomotif._core.validate import from_mapping
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs.closure import closure_weights
from infomotif.typing import Array

FLOOR = 0.05
"""What an edge without triangles weighs where edges weigh by their closure."""
PRIOR = 0.01
"""How much the frequency of a class counts against the labels that reach a node."""


@dataclass(frozen=True)
class Spreading:
    """Known labels and how they spread: F <- a S F + (1 - a) F_0, with S = D^-1/2 A D^-1/2.

    Over predictions it is correct and smooth (Huang et al., ICLR 2021): the errors on labelled nodes spread first and
    correct the predictions of the others, then the corrected predictions spread. Alone it is label propagation.

    Attributes:
        nodes: Names of the labelled nodes.
        labels: Their class numbers.
        share: The share a that a node takes from its neighbours in each step.
        steps: Number of steps.
        closure: Edges weigh by their closure to this power; at 0 all weigh the same.

    Example:
        >>> path = Graph.from_edges([0, 1, 2], [1, 2, 3], num_nodes=4, directed=False)
        >>> Spreading(("0", "3"), (0, 1)).probabilities(path, 2).argmax(axis=1).tolist()
        [0, 0, 1, 1]
    """

    nodes: tuple[str, ...]
    labels: tuple[int, ...]
    share: float = 0.9
    steps: int = 30
    closure: int = 0

    @classmethod
    def of(cls, graph: Graph, nodes: Array, options: Mapping[str, Any]) -> Spreading:
        """Take the labels of some nodes of a graph."""
        if graph.y is None:
            raise TypeError("only known labels can spread")
        return cls(tuple(map(str, graph.names_of(nodes))), tuple(graph.y[nodes].tolist()), **options)

    @classmethod
    def from_dict(cls, value: Any, classes: int) -> Spreading:
        """Return the spreading of a model file.

        Raises:
            InputError: If the value is not one of ``classes`` classes.
        """
        made = from_mapping(cls, value, "spreading")
        if len(made.nodes) != len(made.labels) or not all(0 <= label < classes for label in made.labels):
            raise InputError("spreading must have one class number for each node")
        if not (0 <= made.share < 1 and 0 < made.steps <= 1000 and 0 <= made.closure <= 4):
            raise InputError("spreading must have a share below 1, 1 to 1000 steps and a closure from 0 to 4")
        return made

    def probabilities(self, graph: Graph, classes: int, predicted: Array | None = None) -> Array:
        """Return the probability of each class, [n, C].

        Args:
            graph: The graph; labelled nodes that it does not have are left out.
            classes: Number of classes C.
            predicted: Probabilities to correct and smooth; None spreads the labels alone.
        """
        known = [
            (number, label) for number, label in zip(self._numbers(graph), self.labels, strict=True) if number >= 0
        ]
        rows, labels = (np.array(part, dtype=np.int64) for part in (zip(*known, strict=True) if known else ((), ())))
        frequency = np.bincount(np.array(self.labels, dtype=np.int64), minlength=classes) / max(1, len(self.labels))
        truth = np.eye(classes)[labels]
        matrix = self._matrix(graph)
        start = np.zeros((graph.num_nodes, classes))
        if predicted is None:
            start[rows] = truth
            mass = self._spread(matrix, start)
        else:
            start[rows] = truth - predicted[rows]
            error = self._spread(matrix, start)
            corrected = predicted + _scale(error, start[rows]) * error
            corrected[rows] = truth
            mass = self._spread(matrix, corrected)
        mass = np.maximum(mass, 0)
        mass = mass / np.maximum(mass.sum(axis=1, keepdims=True), 1e-12)
        return np.asarray((mass + PRIOR * frequency) / (mass + PRIOR * frequency).sum(axis=1, keepdims=True))

    def _spread(self, matrix: sp.csr_array, start: Array) -> Array:
        state = start
        for _ in range(self.steps):
            state = self.share * (matrix @ state) + (1 - self.share) * start
        return state

    def _matrix(self, graph: Graph) -> sp.csr_array:
        csr, n = graph.undirected, graph.num_nodes
        matrix = sp.csr_array((np.ones(len(csr.indices)), csr.indices, csr.indptr), shape=(n, n))
        if self.closure:
            matrix = closure_weights(graph)
            matrix.data = (FLOOR + matrix.data) ** self.closure
        degree = np.asarray(matrix.sum(axis=1)).ravel()
        inverse = sp.diags_array(1 / np.sqrt(np.maximum(degree, 1e-12)))
        return sp.csr_array(inverse @ matrix @ inverse)

    def _numbers(self, graph: Graph) -> list[int]:
        """Return the number of each labelled node; -1 for those that the graph does not have."""
        numbers = []
        for name in self.nodes:
            try:
                numbers.append(graph.index_of(name))
            except InputError:
                numbers.append(-1)
        return numbers


def _scale(error: Array, known: Array) -> Array:
    """Return the factor of each node's error that makes it as large as those of labelled nodes are on average."""
    usual = np.abs(known).sum() / max(1, len(known))
    size = np.abs(error).sum(axis=1, keepdims=True)
    return np.where(size > 1e-9, np.minimum(usual / np.maximum(size, 1e-9), 1.5), 0.0)
