"""Encoder: h = f(X, A), [n, F] to [n, D]; what all encoders share."""

from __future__ import annotations

from collections.abc import Callable

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif.errors import InputError, unknown_name
from infomotif.nn.encoders.layers import Convolution, Features
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.blocks import Blocks
from infomotif.nn.propagation.dropout import drop_inputs, dropout

ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": F.relu,
    "elu": F.elu,
    "leaky_relu": F.leaky_relu,
    "tanh": torch.tanh,
}
NORMS = ("none", "batch", "layer")
JUMPS = ("last", "max", "cat", "lstm")


class Encoder(nn.Module):
    """A stack of convolutions with dropout before and an activation after each.

    Args:
        in_dim: Number of attributes F.
        hidden: Width D of every layer and of the result.
        layers: Number of convolutions k.
        dropout: Rate at which inputs of each layer are dropped while training.
        activation: ``relu``, ``elu``, ``leaky_relu`` or ``tanh``, after every layer, as the paper's f is non-linear.
        norm: Normalisation before each activation: ``none``, ``batch`` or ``layer``.
        residual: Whether each layer adds its input (from the second on).
        jump: What is returned: the ``last`` layer, or ``max``, ``cat`` or ``lstm`` over all of them (JK-Net).

    Shapes: x [n, F] dense or :class:`SparseMatrix`; edge_index [2, E] or :class:`Adjacency`; returns [n, D].

    Example:
        >>> from infomotif.nn import GCN
        >>> encoder = GCN(3, 4, dropout=0.0)
        >>> encoder(torch.eye(3), torch.tensor([[0, 1, 1, 2], [1, 0, 2, 1]])).shape
        torch.Size([3, 4])
    """

    def __init__(
        self,
        in_dim: int,
        hidden: int = 256,
        *,
        layers: int = 2,
        dropout: float = 0.5,
        activation: str = "relu",
        norm: str = "none",
        residual: bool = False,
        jump: str = "last",
    ) -> None:
        super().__init__()
        if layers < 1:
            raise InputError(f"layers must be a positive integer (got {layers})")
        if activation not in ACTIVATIONS:
            raise unknown_name("activation", activation, ACTIVATIONS)
        if norm not in NORMS:
            raise unknown_name("norm", norm, NORMS)
        if jump not in JUMPS:
            raise unknown_name("jump", jump, JUMPS)
        self.hidden, self.dropout, self.residual, self.jump = hidden, dropout, residual, jump
        self.activation = activation
        self.convolutions = nn.ModuleList(self.convolution(in_dim if i == 0 else hidden) for i in range(layers))
        norms: dict[str, Callable[[], nn.Module]] = {
            "none": nn.Identity,
            "batch": lambda: nn.BatchNorm1d(hidden),
            "layer": lambda: nn.LayerNorm(hidden),
        }
        self.norms = nn.ModuleList(norms[norm]() for _ in range(layers))
        if jump == "cat":
            self.merge: nn.Module = nn.Linear(layers * hidden, hidden)
        elif jump == "lstm":
            self.merge = nn.LSTM(hidden, max(1, layers * hidden // 2), bidirectional=True, batch_first=True)
            self.attend = nn.Linear(2 * max(1, layers * hidden // 2), 1)

    def convolution(self, in_dim: int) -> nn.Module:
        """Make one layer."""
        raise NotImplementedError

    @property
    def hops(self) -> int:
        """How many hops messages travel."""
        return len(self.convolutions)

    @property
    def takes_weights(self) -> bool:
        """Whether messages count as much as the adjacency weighs them."""
        return all(getattr(layer, "takes_weights", False) for layer in self.convolutions)

    def project(self, x: Features) -> Tensor:
        """Apply the first layer's weights; no edge is used, so permuting rows commutes with it."""
        x = drop_inputs(x, self.dropout, self.training)
        return self.layer(0).project(x)

    def propagate(self, projected: Tensor, adjacency: Adjacency | Blocks) -> Tensor:
        """Do everything after the first product, [n, .] to [n, D] (of blocks: to one row a target)."""
        return self.after_first(self.spread(0, projected, adjacency.layer(0, len(self.convolutions))), adjacency)

    def after_first(self, h: Tensor, adjacency: Adjacency | Blocks) -> Tensor:
        """Do everything after the first layer, whose result is ``h``."""
        layers = len(self.convolutions)
        states = [h]
        for i in range(1, layers):
            here = adjacency.layer(i, layers)
            inner = dropout(h, self.dropout, self.training)
            h = self.spread(i, self.layer(i).project(inner), here, here.own(inner))
            states.append(h)
        return self.jumped([adjacency.layer(layers - 1, layers).own(state) for state in states])

    def spread(self, i: int, projected: Tensor, adjacency: Adjacency, inner: Tensor | None = None) -> Tensor:
        """Do what layer ``i`` does after its product; ``inner`` is what a residual adds."""
        spread = self.layer(i).spread(projected, adjacency)
        return self._activate(i, spread + inner if self.residual and inner is not None else spread)

    def forward(self, x: Features, edge_index: Tensor | Adjacency | Blocks) -> Tensor:
        """Encode the nodes."""
        if isinstance(edge_index, Tensor):
            edge_index = Adjacency.from_edge_index(edge_index, x.shape[0]).to(edge_index.device)
        return self.propagate(self.project(x), edge_index)

    def _activate(self, i: int, h: Tensor) -> Tensor:
        return ACTIVATIONS[self.activation](self.norms[i](h))

    def layer(self, i: int) -> Convolution:
        """Return layer ``i``."""
        layer = self.convolutions[i]
        if not isinstance(layer, Convolution):
            raise TypeError(f"layer {i} must be a Convolution (got {type(layer).__name__})")
        return layer

    def jumped(self, states: list[Tensor]) -> Tensor:
        """Combine the states of all layers, [rows, D] each."""
        if self.jump == "last":
            return states[-1]
        stacked = torch.stack(states, dim=1)
        if self.jump == "max":
            return stacked.amax(dim=1)
        if self.jump == "cat":
            merged: Tensor = self.merge(stacked.flatten(1))
            return merged
        scores = self.attend(self.merge(stacked)[0]).softmax(dim=1)
        weighted: Tensor = (scores * stacked).sum(dim=1)
        return weighted
