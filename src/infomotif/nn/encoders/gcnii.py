"""GCNII: initial residual and identity mapping (Chen et al., ICML 2020)."""

from __future__ import annotations

import math

import torch
from torch import Tensor, nn

from infomotif._core.validate import config, inherited, setting
from infomotif.nn.encoders.base import ACTIVATIONS, AnchoredEncoder, Encoder, EncoderConfig
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.convolutions import DenseLayer, Features, Product
from infomotif.nn.propagation.dropout import drop_inputs, dropout
from infomotif.typing import Array


@config
class GCNII(EncoderConfig):
    """Many layers that each go back to the first state and stay near the identity.

    h_l = relu(((1 - a) Â h_{l-1} + a h_0) ((1 - b_l) I + b_l W_l)), b_l = log(theta / l + 1), h_0 = relu(X W + b).

    Example:
        >>> GCNII(layers=16).build(10, 16).hops
        16
    """

    name = "gcnii"

    layers: int = inherited(EncoderConfig, "layers", default=8)
    teleport: float = setting(
        default=0.1, at_least=0, at_most=1, help="How much of its first state each layer takes (alpha in PyG)."
    )
    theta: float = setting(default=0.5, at_least=0, help="How far the weights lead away from the identity.")

    def build(self, in_dim: int, hidden: int | None = None) -> Encoder:
        """Make the module; see :meth:`EncoderConfig.build`."""
        return IdentityMappingEncoder(
            in_dim, hidden or self.hidden or 256, theta=self.theta, teleport=self.teleport, **self.shared()
        )


class IdentityMappingEncoder(AnchoredEncoder):
    """The layers of GCNII."""

    def __init__(self, in_dim: int, hidden: int, *, theta: float, teleport: float, **options: object) -> None:
        self.theta = theta
        super().__init__(in_dim, hidden, teleport=teleport, **options)
        self.first = DenseLayer(in_dim, hidden)

    def convolution(self, in_dim: int) -> nn.Module:
        """Make the W of one layer."""
        return Product(self.hidden, self.hidden)

    def project(self, x: Features, numbers: Array | None = None) -> Tensor:
        """Apply the weights of the dense layer in front."""
        return self.first.project(drop_inputs(x, self.dropout, self.training, numbers))

    def initial(self, projected: Tensor) -> Tensor:
        """Return the dense layer's result."""
        return ACTIVATIONS[self.activation](projected + self.first.bias)

    def spread(self, i: int, projected: Tensor, adjacency: Adjacency, inner: Tensor | None = None) -> Tensor:
        """Do layer ``i`` from the state ``projected``; ``inner`` is h_0, by default that state itself."""
        kept = dropout(projected, self.dropout, self.training)
        mixed = super().spread(i, kept, adjacency, projected if inner is None else inner)
        mapped = torch.lerp(mixed, self.convolutions[i](mixed), math.log(self.theta / (i + 1) + 1))
        return self._activate(i, mapped + adjacency.target_rows(kept) if self.residual else mapped)
