"""Subject: a fitted network on a graph, as the explanations take it."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import torch
from torch import Tensor

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.select import node_number
from infomotif.motifs import MotifIndex
from infomotif.nn.encoders import encode
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.network import MotifNetwork, Output
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.regularizer import MotifHead
from infomotif.typing import Array

DEFAULT_HOPS = 2


@dataclass(frozen=True, eq=False)
class Subject:
    """A graph, the network that was fitted on it, and what the network sees.

    Attributes:
        graph: The graph.
        network: The fitted network.
        x: Its input features, [n, F].
        adjacency: Who passes messages to whom.
        class_names: Name of each class that the network knows, [C]; another graph may number its classes differently.
        index: The graph's motifs in the order of the network's; None for a base GNN.
        feature_names: Name of each input feature; empty where the input only says which node it is.
        train: Training nodes, or None if they are not known.
        base: Class probabilities of the base GNN trained alone, [n, C], or None.
        answer: Class probabilities of what predicts, [n, C], where the network is only a part of it.
        source: What part that is, in a sentence.
    """

    graph: Graph
    network: MotifNetwork
    x: Features
    adjacency: Adjacency
    class_names: tuple[str, ...]
    index: MotifIndex | None = None
    feature_names: tuple[str, ...] = ()
    train: Array | None = None
    base: Array | None = None
    answer: Array | None = None
    source: str | None = None

    def __post_init__(self) -> None:
        """Check that the parts belong together."""
        shape = (self.graph.num_nodes, self.network.classifier.out_features)
        if self.base is not None and self.base.shape != shape:
            raise InputError(f"base must hold probabilities of shape {shape} (got {self.base.shape})")

    @property
    def hops(self) -> int:
        """How far messages travel: the encoder's hops, 2 for a custom module."""
        encoder = self.network.encoder
        return encoder.hops if isinstance(encoder, Encoder) else DEFAULT_HOPS

    @property
    def heads(self) -> list[MotifHead]:
        """The regulariser's part of each motif, [T]; empty for a base GNN."""
        regularizer = self.network.regularizer
        return [] if regularizer is None else [head for head in regularizer.heads if isinstance(head, MotifHead)]

    @cached_property
    def h(self) -> Tensor:
        """The encoder's representations of all nodes, [n, D], without gradient."""
        with torch.no_grad(), self.evaluating():
            return encode(self.network.encoder, self.x, self.adjacency)

    @cached_property
    def projected(self) -> Tensor:
        """What one of our encoders makes of each node's features alone, before messages, [n, P]."""
        with torch.no_grad(), self.evaluating():
            projected: Tensor = self.network.encoder.project(self.x)  # type: ignore[operator]
            return projected

    @cached_property
    def output(self) -> Output:
        """The network's output for all nodes."""
        with torch.no_grad(), self.evaluating():
            return self.head(self.h)

    @cached_property
    def probability(self) -> Array:
        """Probability of each class, [n, C]."""
        if self.answer is not None:
            return self.answer
        return np.asarray(self.output.logits.softmax(dim=1).cpu().numpy())

    @cached_property
    def predicted(self) -> Array:
        """The predicted class of each node, [n]."""
        if self.answer is not None:
            return np.asarray(self.answer.argmax(axis=1))
        return np.asarray(self.output.logits.argmax(dim=1).cpu().numpy())

    @cached_property
    def alpha(self) -> Array | None:
        """Weight of each motif for each node, [n, T]; None for a base GNN."""
        return None if self.output.alpha is None else np.asarray(self.output.alpha.cpu().numpy())

    def head(self, h: Tensor, nodes: Tensor | None = None) -> Output:
        """Classify ``nodes`` (all by default) from representations h [n, D] of all nodes of this graph."""
        return self.network.head(h, self.index, nodes)

    def number(self, node: str | int) -> int:
        """Return the number of a node given by its name or its number.

        Raises:
            InputError: If there is no such node.
        """
        return node_number(node, self.graph.num_nodes, index_of=self.graph.index_of)

    def label(self, node: int) -> str | None:
        """Return the known label of a node, or None."""
        y = self.graph.y
        return None if y is None or y[node] < 0 else self.graph.class_names[int(y[node])]

    def type_of(self, node: int) -> str | None:
        """Return the type of a node, or None if nodes have no types."""
        types = self.graph.node_types
        return None if types is None else self.graph.node_type_names[int(types[node])]

    @contextlib.contextmanager
    def evaluating(self) -> Iterator[None]:
        """Switch dropout off while the block runs."""
        training = self.network.training
        self.network.eval()
        try:
            yield
        finally:
            self.network.train(training)


def check_counts(**counts: Any) -> None:
    """Check how many of something to show: whole numbers from 0 on.

    Raises:
        InputError: Naming the parameter.

    Example:
        >>> check_counts(twins=5, instances=0)
        >>> check_counts(twins=-1)
        Traceback (most recent call last):
        infomotif.errors.InputError: twins must be a whole number from 0 on (got -1)
    """
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
            raise InputError(f"{name} must be a whole number from 0 on (got {count!r})")
