"""MotifNetwork: encoder, regulariser and linear classifier in one module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from infomotif.motifs import Instances, MotifIndex
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.encoders.encoding import Unsmoothed, encode
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.blocks import Blocks
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.dropout import dropout
from infomotif.nn.regularizer import MotifRegularizer


class Output(NamedTuple):
    """Outputs for nodes.

    Attributes:
        logits: Class scores, [B, C].
        representation: z, or what it can be computed from.
        alpha: Motif weights, [B, T], or None.
        rows: Rows of the nodes where z is still to be computed, [B]; None takes all.
    """

    logits: Tensor
    representation: Tensor | Unsmoothed
    alpha: Tensor | None
    rows: Tensor | None = None

    @property
    def z(self) -> Tensor:
        """The representations z, [B, D]; computed when first read where the logits did not need them."""
        if not isinstance(self.representation, Unsmoothed):
            return self.representation
        return self.representation.h if self.rows is None else self.representation.h[self.rows]


class MotifNetwork(nn.Module):
    """A base GNN with or without the motif regulariser, and a linear classifier on z.

    Args:
        encoder: The base GNN, one of :mod:`infomotif.nn.encoders` or any ``(x, edge_index)`` module.
        regularizer: The motif regulariser, or None for the plain base GNN (then z = h).
        dim: Width D of the encoder's output.
        num_classes: Number of classes C.
        dropout: Rate at which z is dropped before the classifier while training.
    """

    def __init__(
        self,
        encoder: nn.Module,
        regularizer: MotifRegularizer | None,
        dim: int,
        num_classes: int,
        dropout: float = 0.0,
    ) -> None:
        super().__init__()
        self.encoder = encoder
        self.regularizer = regularizer
        self.classifier = nn.Linear(dim, num_classes)
        self.dropout = dropout

    def encode(self, x: Features, adjacency: Adjacency | Blocks, nodes: Tensor | None = None) -> Tensor | Unsmoothed:
        """Encode the graph for :meth:`head`: h [n, D], or of ``nodes`` only, [B, D].

        Without a regulariser nothing stands between an encoder that smooths and the classifier, which commute, so
        smoothing is left to :meth:`head`: it has fewer classes to smooth than columns of h.
        """
        if self.smooths_classes and isinstance(self.encoder, Encoder):
            return Unsmoothed.of(self.encoder, x, adjacency)
        return encode(self.encoder, x, adjacency, nodes)

    @property
    def smooths_classes(self) -> bool:
        """Whether class scores are smoothed along the edges, and not representations."""
        return self.regularizer is None and isinstance(self.encoder, Encoder) and self.encoder.smooths

    @property
    def needs_all_rows(self) -> bool:
        """Whether classifying some nodes takes the representations of others."""
        return self.smooths_classes or (self.regularizer is not None and self.regularizer.readout_in_z)

    def head(
        self,
        h: Tensor | Unsmoothed,
        index: MotifIndex | None = None,
        nodes: Tensor | None = None,
        generator: np.random.Generator | None = None,
        instances: Sequence[Instances] | None = None,
    ) -> Output:
        """Classify ``nodes`` (all by default) from the representations h [n, D] of all nodes.

        Args:
            h: Representations of all nodes, [n, D], as :meth:`encode` returns them.
            index: The graph's motifs; needed only where ``readout_in_z`` draws instances.
            nodes: The wanted nodes, [B].
            generator: Randomness of these instances.
            instances: The instances themselves, as :meth:`MotifRegularizer.forward` takes them.
        """
        if isinstance(h, Unsmoothed):
            kept = dropout(h.state, self.dropout, self.training)
            logits = h.smooth(kept @ self.classifier.weight.t()) + self.classifier.bias
            return Output(logits if nodes is None else logits[nodes], h, None, nodes)
        if self.regularizer is None:
            z, alpha = (h if nodes is None else h[nodes]), None
        else:
            z, alpha = self.regularizer(h, index, nodes, generator, instances=instances)
        return Output(self.classifier(dropout(z, self.dropout, self.training)), z, alpha)

    def forward(
        self, x: Features, adjacency: Adjacency, index: MotifIndex | None = None, nodes: Tensor | None = None
    ) -> Output:
        """Encode the graph and classify ``nodes``."""
        if nodes is None or self.needs_all_rows:
            return self.head(self.encode(x, adjacency), index, nodes)
        return self.head(self.encode(x, adjacency, nodes))

    @torch.no_grad()
    def infer(self, x: Features, adjacency: Adjacency, index: MotifIndex | None = None) -> Output:
        """Classify all nodes without dropout and without gradients; the training mode is restored afterwards."""
        training = self.training
        self.eval()
        try:
            output: Output = self(x, adjacency, index)
        finally:
            self.train(training)
        return output
