"""Prediction sets: classes that hold the label of a node with a stated probability (split conformal prediction)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.typing import Array

COVERAGE = 0.9
"""How often a set holds the label unless another share is asked for."""
SEPARATOR = "|"
"""What separates the classes of a set in a file."""


def conformity_scores(probability: Array, labels: Array) -> NDArray[np.float64]:
    """Return how much each label surprises: 1 less its probability.

    Args:
        probability: Probability of each class [m, C], by a model that did not learn from these nodes.
        labels: Class number of each node [m].

    Raises:
        InputError: If the shapes differ, or a label is not a class.

    Example:
        >>> conformity_scores(np.array([[0.75, 0.25], [0.5, 0.5]]), np.array([0, 1])).tolist()
        [0.25, 0.5]
    """
    probability, labels = np.asarray(probability, dtype=np.float64), np.asarray(labels)
    if probability.ndim != 2 or labels.shape != probability.shape[:1]:
        raise InputError(
            f"calibration needs probabilities [m, C] and m labels (got {list(probability.shape)} and "
            f"{list(labels.shape)})"
        )
    if len(labels) and not 0 <= int(labels.min()) <= int(labels.max()) < probability.shape[1]:
        last = probability.shape[1] - 1
        raise InputError(f"labels must be class numbers from 0 to {last}; leave nodes without a label out")
    return np.asarray(1 - probability[np.arange(len(labels)), labels])


@dataclass(frozen=True)
class PredictionSets:
    """Sets of classes with a stated coverage.

    A class is in the set of a node if its probability is at least 1 less the threshold; the most likely class always
    is. The sets of new nodes hold the label with at least the probability ``coverage`` if calibration nodes are like
    them and had no part in the training (Vovk et al., 2005; least ambiguous sets of Sadinle et al., 2019).

    Attributes:
        coverage: The share of nodes whose set holds their label.
        threshold: The largest surprise of a class in a set; infinite where calibration nodes are too few to promise it.
        nodes: The number of calibration nodes.

    Example:
        >>> probability = np.array([[0.9, 0.1], [0.6, 0.4], [0.3, 0.7]])
        >>> sets = PredictionSets.fit(probability, np.array([0, 0, 1]), coverage=0.5)
        >>> sets.members(np.array([[0.8, 0.2], [0.55, 0.45]])).tolist()
        [[True, False], [True, False]]
    """

    coverage: float
    threshold: float
    nodes: int

    @classmethod
    def fit(cls, probability: Array, labels: Array, coverage: float = COVERAGE) -> PredictionSets:
        """Calibrate on nodes that the model did not learn from.

        Args:
            probability: Their probability of each class [m, C].
            labels: Their class numbers [m].
            coverage: The share of nodes whose set should hold the label.

        Raises:
            InputError: If the shapes differ, or the coverage is not between 0 and 1.
        """
        return cls.from_scores(conformity_scores(probability, labels), coverage)

    @classmethod
    def from_scores(cls, scores: Sequence[float] | Array, coverage: float = COVERAGE) -> PredictionSets:
        """Calibrate by the scores of :func:`conformity_scores`.

        Raises:
            InputError: If the coverage is not between 0 and 1.
        """
        check_coverage(coverage)
        ordered = np.sort(np.asarray(scores, dtype=np.float64))
        # The next node is as likely to have any rank among m + 1; rounding must not lift a whole number.
        rank = math.ceil(round((len(ordered) + 1) * coverage, 9))
        return cls(coverage, math.inf if rank > len(ordered) else float(ordered[rank - 1]), len(ordered))

    def members(self, probability: Array, calibrated: Array | None = None) -> NDArray[np.bool_]:
        """Return which classes are in the set of each node [n, C].

        Args:
            probability: Probability of each class [n, C]; the most likely class is always in the set.
            calibrated: The same of the model that was calibrated, where another one predicts, such as one that was
                trained again on all labels.
        """
        measured = np.asarray(probability if calibrated is None else calibrated, dtype=np.float64)
        inside = np.asarray(1 - measured <= self.threshold)
        inside[np.arange(len(inside)), np.argmax(probability, axis=1)] = True
        return inside

    def texts(self, probability: Array, classes: Sequence[str], calibrated: Array | None = None) -> list[str]:
        r"""Return the set of each node as text, the most likely class first; a bar within a name is escaped.

        Example:
            >>> PredictionSets(0.9, 0.7, 20).texts(np.array([[0.4, 0.5, 0.1]]), ["a|b", "c", "d"])
            ['c|a\\|b']
        """
        names = [str(name).replace(SEPARATOR, f"\\{SEPARATOR}") for name in classes]
        order, inside = (
            np.argsort(-np.asarray(probability), axis=1, kind="stable"),
            self.members(probability, calibrated),
        )
        return [
            SEPARATOR.join(names[c] for c in row if chosen[c])
            for row, chosen in zip(order.tolist(), inside.tolist(), strict=True)
        ]


def check_coverage(coverage: Any) -> float:
    """Return the coverage if it is a share between 0 and 1.

    Raises:
        InputError: If it is not.
    """
    if isinstance(coverage, bool) or not isinstance(coverage, int | float) or not 0 < coverage < 1:
        raise InputError(f"coverage must be above 0 and below 1 (got {coverage})")
    return float(coverage)
