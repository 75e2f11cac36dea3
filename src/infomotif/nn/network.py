"""MotifNetwork: encoder, regulariser and linear classifier in one module."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from infomotif.motifs import Instances, MotifIndex
from infomotif.nn.encoders import encode
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.dropout import dropout
from infomotif.nn.regularizer import MotifRegularizer


class Output(NamedTuple):
    """Outputs for nodes: logits [B, C], representations z [B, D], motif weights alpha [B, T] or None."""

    logits: Tensor
    z: Tensor
    alpha: Tensor | None


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

    def head(
        self,
        h: Tensor,
        index: MotifIndex | None = None,
        nodes: Tensor | None = None,
        generator: np.random.Generator | None = None,
        instances: Sequence[Instances] | None = None,
    ) -> Output:
        """Classify ``nodes`` (all by default) from the representations h [n, D] of all nodes.

        Args:
            h: Representations of all nodes, [n, D].
            index: The graph's motifs; needed only where ``readout_in_z`` draws instances.
            nodes: The wanted nodes, [B].
            generator: Randomness of these instances.
            instances: The instances themselves, as :meth:`MotifRegularizer.forward` takes them.
        """
        if self.regularizer is None:
            z, alpha = (h if nodes is None else h[nodes]), None
        else:
            z, alpha = self.regularizer(h, index, nodes, generator, instances=instances)
        return Output(self.classifier(dropout(z, self.dropout, self.training)), z, alpha)

    def forward(
        self, x: Features, adjacency: Adjacency, index: MotifIndex | None = None, nodes: Tensor | None = None
    ) -> Output:
        """Encode the graph and classify ``nodes``."""
        return self.head(encode(self.encoder, x, adjacency), index, nodes)

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
