"""Which of several finished candidates make the answer, and with which weights."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from infomotif.typing import Array

MAX_MEMBERS = 5
"""How many models the mean has at most."""


@dataclass(frozen=True)
class Selection:
    """The outcome of a selection.

    Attributes:
        weights: Weight of each candidate, [M]: 1 for a single one, or the equal weights of a mean.
        leader: The candidate with the best accuracy.
        simplest: The simplest candidate that is not clearly worse.
    """

    weights: Array
    leader: int
    simplest: int


def select(probabilities: Sequence[Array], truth: Array, *, ensemble: bool = True) -> Selection:
    """Choose by validation nodes: the simplest of those that are equally good, or a mean that is better than it.

    Candidates within one standard error of the best accuracy and of the smallest loss, node by node, count as equally
    good, and the simplest of them is taken. Others of them join it, one at a time, as long as the mean's loss falls by
    more than one standard error and its accuracy does not fall.

    Args:
        probabilities: Probabilities of the validation nodes by each candidate, [V, C]; the simplest candidate first.
        truth: Their classes, [V].
        ensemble: Whether the answer may be a mean.

    Example:
        >>> truth, generator = np.arange(300) % 3, np.random.default_rng(0)
        >>> noisy = [np.eye(3)[truth] + generator.random((300, 3)) for _ in range(2)]
        >>> select([each / each.sum(axis=1, keepdims=True) for each in noisy], truth).weights.tolist()
        [0.5, 0.5]
    """
    hits = np.stack([each.argmax(axis=1) == truth for each in probabilities]).astype(np.float64)
    losses = np.stack([_losses([each], truth) for each in probabilities])
    leader = min(range(len(hits)), key=lambda m: (-hits[m].mean(), losses[m].mean()))
    surest = int(losses.mean(axis=1).argmin())
    near = [
        m
        for m in range(len(hits))
        if m == leader
        or max(_standard_errors(hits[leader] - hits[m]), _standard_errors(losses[m] - losses[surest], more=0.25)) <= 1
    ]
    members = [near[0]]
    while ensemble and len(members) < min(MAX_MEMBERS, len(near)):
        now, accuracy = _losses([probabilities[m] for m in members], truth), _accuracy(probabilities, members, truth)
        trials = {m: _losses([probabilities[k] for k in (*members, m)], truth) for m in near if m not in members}
        best = min(trials, key=lambda m: float(trials[m].mean()))
        clear = _standard_errors(now - trials[best], more=0) > 1
        if not clear or _accuracy(probabilities, [*members, best], truth) < accuracy:
            break
        members.append(best)
    weights = np.zeros(len(hits))
    weights[members] = 1 / len(members)
    return Selection(weights, leader, near[0])


def _standard_errors(differences: Array, more: float = 1.0) -> float:
    """Return how many standard errors the mean of paired differences is above 0.

    Args:
        differences: One per node.
        more: Squared differences to add, as if so many more nodes differed by 1: few nodes cannot be certain.
    """
    mean, count = float(differences.mean()), len(differences)
    variance = (float(np.square(differences).sum()) + more) / count - mean**2
    return mean / float(np.sqrt(max(variance, 1e-12) / count)) if mean > 0 else 0.0


def _losses(parts: Sequence[Array], truth: Array) -> Array:
    """Return the loss of the mean of some probabilities on each node, [V]."""
    mean = np.mean([part[np.arange(len(truth)), truth] for part in parts], axis=0, dtype=np.float64)
    return np.asarray(-np.log(np.maximum(mean, 1e-9)))


def _accuracy(probabilities: Sequence[Array], members: Sequence[int], truth: Array) -> float:
    mean = np.mean([probabilities[m] for m in members], axis=0, dtype=np.float64)
    return float((mean.argmax(axis=1) == truth).mean())
