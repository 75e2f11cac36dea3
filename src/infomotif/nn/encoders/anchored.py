"""Deep encoders: many steps along the edges, each going back a little to where it began, so that nodes do not blur."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch import Tensor, nn

from infomotif.errors import InputError
from infomotif.nn.encoders.base import ACTIVATIONS, Encoder
from infomotif.nn.encoders.layers import Convolution, DenseLayer, Features, Product
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.blocks import Blocks
from infomotif.nn.propagation.dropout import drop_inputs, dropout


class AnchoredEncoder(Encoder):
    """An encoder whose steps all go back to its first state: (1 - a) Â h + a h_0, Â = D^-1/2 (A + I) D^-1/2.

    Args:
        in_dim: Number of attributes F.
        hidden: Width D.
        teleport: The a above; at 0 nothing holds h back, at 1 no edge is used.
        options: What every :class:`Encoder` takes.
    """

    def __init__(self, in_dim: int, hidden: int = 256, *, teleport: float = 0.1, **options: Any) -> None:
        if not 0 <= teleport <= 1:
            raise InputError(f"teleport must be from 0 to 1 (got {teleport})")
        self.teleport = teleport
        super().__init__(in_dim, hidden, **options)

    @property
    def takes_weights(self) -> bool:
        """Whether messages count as much as the adjacency weighs them: they go by GCN's matrix."""
        return True

    def initial(self, projected: Tensor) -> Tensor:
        """Return h_0 from the first product; rows stay apart."""
        raise NotImplementedError

    def propagate(self, projected: Tensor, adjacency: Adjacency | Blocks) -> Tensor:
        """Do everything after the first product, [n, .] to [n, D] (of blocks: to one row a target)."""
        h = initial = self.initial(projected)
        states: list[Tensor] = []
        for i in range(self.hops):
            h = self.spread(i, h, adjacency.layer(i, self.hops), initial)
            states = [h] if self.jump == "last" else [*states, h]
        return self.jumped([adjacency.own(state) for state in states])

    def spread(self, i: int, projected: Tensor, adjacency: Adjacency, inner: Tensor | None = None) -> Tensor:
        """Do step ``i`` from the state ``projected``; ``inner`` is h_0, by default that state itself."""
        initial = projected if inner is None else inner
        return torch.lerp(adjacency.gcn @ projected, adjacency.own(initial), self.teleport)


class APPNP(AnchoredEncoder):
    """An MLP, then personalised PageRank: h_{k+1} = (1 - a) Â h_k + a h_0 (Gasteiger et al., ICLR 2019).

    Dropout acts within the MLP; no edge is dropped.

    Args:
        in_dim: Number of attributes F.
        hidden: Width D of every layer of the MLP and of the result.
        steps: Number of steps along the edges.
        options: ``teleport``, and what every :class:`Encoder` takes; ``layers`` are the MLP's, there is no ``jump``.

    Example:
        >>> encoder = APPNP(3, 4, steps=5, dropout=0.0)
        >>> encoder(torch.eye(3), torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])).shape, encoder.hops
        (torch.Size([3, 4]), 5)
    """

    def __init__(self, in_dim: int, hidden: int = 256, *, steps: int = 10, **options: Any) -> None:
        if steps < 1:
            raise InputError(f"steps must be a positive integer (got {steps})")
        jump = options.get("jump", "last")
        if jump != "last":
            raise InputError(f"jump must be 'last' for appnp, whose steps make one state; leave it out (got '{jump}')")
        self.steps = steps
        super().__init__(in_dim, hidden, **options)

    @property
    def hops(self) -> int:
        """How many hops messages travel."""
        return self.steps

    def convolution(self, in_dim: int) -> Convolution:
        """Make one dense layer."""
        return DenseLayer(in_dim, self.hidden)

    def initial(self, projected: Tensor) -> Tensor:
        """Return what the MLP makes of the first product."""
        h = self._activate(0, projected + self.layer(0).bias)
        for i in range(1, len(self.convolutions)):
            inner = dropout(h, self.dropout, self.training)
            dense = self.layer(i).project(inner) + self.layer(i).bias
            h = self._activate(i, dense + inner if self.residual else dense)
        return h


class GCNII(AnchoredEncoder):
    """Initial residual and identity mapping (Chen et al., ICML 2020).

    h_l = relu(((1 - a) Â h_{l-1} + a h_0) ((1 - b_l) I + b_l W_l)), b_l = log(theta / l + 1), h_0 = relu(X W + b).

    Args:
        in_dim: Number of attributes F.
        hidden: Width D.
        layers: Number of layers.
        theta: How far the weights lead away from the identity.
        options: ``teleport``, and what every :class:`Encoder` takes; ``jump`` combines h_1 to the last.

    Example:
        >>> encoder = GCNII(3, 4, layers=16, dropout=0.0)
        >>> encoder(torch.eye(3), torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])).shape, encoder.hops
        (torch.Size([3, 4]), 16)
    """

    def __init__(self, in_dim: int, hidden: int = 256, *, layers: int = 8, theta: float = 0.5, **options: Any) -> None:
        if not theta >= 0:
            raise InputError(f"theta must be at least 0 (got {theta})")
        self.theta = theta
        super().__init__(in_dim, hidden, layers=layers, **options)
        self.first = DenseLayer(in_dim, hidden)

    def convolution(self, in_dim: int) -> nn.Module:
        """Make the W of one layer."""
        return Product(self.hidden, self.hidden)

    def project(self, x: Features) -> Tensor:
        """Apply the weights of the dense layer in front."""
        return self.first.project(drop_inputs(x, self.dropout, self.training))

    def initial(self, projected: Tensor) -> Tensor:
        """Return the dense layer's result."""
        return ACTIVATIONS[self.activation](projected + self.first.bias)

    def spread(self, i: int, projected: Tensor, adjacency: Adjacency, inner: Tensor | None = None) -> Tensor:
        """Do layer ``i`` from the state ``projected``; ``inner`` is h_0, by default that state itself."""
        kept = dropout(projected, self.dropout, self.training)
        mixed = super().spread(i, kept, adjacency, projected if inner is None else inner)
        mapped = torch.lerp(mixed, self.convolutions[i](mixed), math.log(self.theta / (i + 1) + 1))
        return self._activate(i, mapped + adjacency.own(kept) if self.residual else mapped)
