"""Answer: what a fit predicts with, one trained model or a weighted mean of several."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import torch

from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.nn.network import Output
from infomotif.search.fitted import Fitted
from infomotif.search.spreading import Spreading
from infomotif.training.build import make_view
from infomotif.training.distributed import World
from infomotif.typing import Array

IndexOf = Callable[[Fitted], MotifIndex | None]
"""Returns the motifs of a graph that a model needs to predict on it."""


@dataclass(frozen=True, eq=False)
class Member:
    """One model of an answer: a network, labels that spread, or a network whose predictions spread.

    Attributes:
        name: Name of the candidate that it was.
        fitted: The trained network; None for label propagation.
        spreading: How known labels spread over the network's predictions, or alone.
        weight: Its share in the mean; a member of weight 0 is there to explain.
        temperature: What the logarithm of its probabilities is divided by, where they spread.
    """

    name: str
    fitted: Fitted | None
    spreading: Spreading | None = None
    weight: float = 1.0
    temperature: float = 1.0

    @property
    def regularized(self) -> bool:
        """Whether it has a motif regulariser, so that it can name motif instances."""
        return self.fitted is not None and self.fitted.settings.regularize

    def probabilities(self, graph: Graph, classes: int, index_of: IndexOf, device: torch.device) -> Array:
        """Return the probability of each class for all nodes of a graph, [n, C]."""
        made = None
        if self.fitted is not None:
            made = self.fitted_output(graph, index_of, device).logits.softmax(dim=1).cpu().numpy()
        return self.finish(graph, classes, made)

    def fitted_output(self, graph: Graph, index_of: IndexOf, device: torch.device) -> Output:
        """Return the network's output for all nodes of a graph."""
        if self.fitted is None:
            raise TypeError(f"{self.name} has no network")
        return infer(self.fitted, graph, index_of, device)

    def finish(self, graph: Graph, classes: int, predicted: Array | None) -> Array:
        """Return the probabilities that follow from the network's, [n, C]."""
        if self.spreading is None:
            if predicted is None:
                raise TypeError(f"{self.name} has neither a network nor labels to spread")
            return predicted
        return sharpened(self.spreading.probabilities(graph, classes, predicted), self.temperature)


@torch.no_grad()
def infer(fitted: Fitted, graph: Graph, index_of: IndexOf, device: torch.device) -> Output:
    """Return what a trained network gives for all nodes of a graph."""
    network = fitted.network.to(device)
    return make_view(fitted.settings, network, graph, fitted.features, index_of(fitted), device, World()).infer()


@dataclass(frozen=True, eq=False)
class Answer:
    """What predicts: the weighted mean of its members' probabilities.

    Attributes:
        members: The members; their weights add up to 1.
        main: Which member explanations and representations come from; it has a network.
        temperature: What the logarithm of the mean is divided by, so that probabilities match frequencies.
    """

    members: tuple[Member, ...]
    main: int = 0
    temperature: float = 1.0

    @classmethod
    def of(cls, name: str, fitted: Fitted) -> Answer:
        """Return the answer of a single network."""
        return cls((Member(name, fitted),))

    @property
    def fitted(self) -> Fitted:
        """The network that explanations and representations come from."""
        fitted = self.members[self.main].fitted
        if fitted is None:
            raise TypeError("the main member of an answer must have a network")
        return fitted

    @property
    def source(self) -> str:
        """Where explanations come from, in a sentence."""
        main, voters = self.members[self.main], self.voters
        kind = f"'{main.name}'"
        if main.weight == 0:
            who = f"'{voters[0].name}'" if len(voters) == 1 else f"the mean of {len(voters)} models"
            return f"{who} predicts; {kind}, which does not count in the prediction, explains"
        if len(voters) == 1:
            return f"{kind} predicts, and labels spread over its predictions; the network explains"
        return f"{kind} explains, one of the {len(voters)} models whose mean predicts (weight {main.weight:.2f})"

    @property
    def single(self) -> bool:
        """Whether one network predicts, so that its output is the answer."""
        only = self.members[self.main]
        return only.weight == 1 and only.spreading is None and self.temperature == 1

    @property
    def voters(self) -> tuple[Member, ...]:
        """The members that count in the mean."""
        return tuple(member for member in self.members if member.weight > 0)

    def probabilities(self, graph: Graph, classes: int, index_of: IndexOf, device: torch.device) -> Array:
        """Return the probability of each class for all nodes of a graph, [n, C]."""
        parts = [member.probabilities(graph, classes, index_of, device) for member in self.voters]
        return self.mean(parts)

    def mean(self, parts: list[Array]) -> Array:
        """Return the answer that follows from the probabilities of its voters, each [n, C]."""
        if len(parts) == 1 and self.temperature == 1:
            return parts[0]
        total = sum(member.weight * part.astype(np.float64) for member, part in zip(self.voters, parts, strict=True))
        return sharpened(np.asarray(total), self.temperature).astype(np.float32)


def sharpened(probability: Array, temperature: float) -> Array:
    """Return probabilities whose logarithms are divided by ``temperature``, rows adding up to 1.

    Example:
        >>> sharpened(np.array([[0.8, 0.2]]), 0.5).round(3).tolist()
        [[0.941, 0.059]]
    """
    if temperature == 1:
        return probability
    logs = np.log(np.maximum(probability, 1e-12)) / temperature
    powers = np.exp(logs - logs.max(axis=1, keepdims=True))
    return np.asarray(powers / powers.sum(axis=1, keepdims=True))
