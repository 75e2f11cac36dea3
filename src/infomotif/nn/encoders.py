"""Encoders: h = f(X, A), [n, F] to [n, D]; the base GNNs that InfoMotif regularises."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif.errors import InputError, unknown_name
from infomotif.nn.adjacency import Adjacency
from infomotif.nn.blocks import Blocks
from infomotif.nn.convolutions import (
    Convolution,
    DenseLayer,
    Features,
    GATConvolution,
    GCNConvolution,
    GINConvolution,
    SAGEConvolution,
)
from infomotif.nn.sparse import SparseMatrix, drop_inputs

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

    def convolution(self, in_dim: int) -> Convolution:
        """Make one layer."""
        raise NotImplementedError

    def project(self, x: Features) -> Tensor:
        """Apply the first layer's weights; no edge is used, so permuting rows commutes with it."""
        x = drop_inputs(x, self.dropout, self.training)
        return self.layer(0).project(x)

    def propagate(self, projected: Tensor, adjacency: Adjacency | Blocks) -> Tensor:
        """Do everything after the first product, [n, .] to [n, D] (of blocks: to one row a target)."""
        layers = len(self.convolutions)
        h = self.spread(0, projected, adjacency.layer(0, layers))
        states = [h]
        for i in range(1, layers):
            here = adjacency.layer(i, layers)
            inner = F.dropout(h, self.dropout, self.training)
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


class MLP(Encoder):
    """Layers without edges; what the attributes alone can tell."""

    def convolution(self, in_dim: int) -> Convolution:
        """Make one dense layer."""
        return DenseLayer(in_dim, self.hidden)


class GCN(Encoder):
    """Graph convolutional network."""

    def convolution(self, in_dim: int) -> Convolution:
        """Make one GCN layer."""
        return GCNConvolution(in_dim, self.hidden)


class JKNet(GCN):
    """GCN layers whose states are all kept and combined, by maximum unless said otherwise."""

    def __init__(self, in_dim: int, hidden: int = 256, *, layers: int = 4, jump: str = "max", **options: Any) -> None:
        super().__init__(in_dim, hidden, layers=layers, jump=jump, **options)


class GAT(Encoder):
    """Graph attention network with ``heads`` heads side by side in every layer."""

    def __init__(
        self, in_dim: int, hidden: int = 256, *, heads: int = 8, activation: str = "elu", **options: Any
    ) -> None:
        if heads < 1 or hidden % heads:
            raise InputError(f"hidden must be a multiple of heads (got hidden={hidden}, heads={heads})")
        self.heads = heads
        self.attention_dropout = float(options.get("dropout", 0.5))
        super().__init__(in_dim, hidden, activation=activation, **options)

    def convolution(self, in_dim: int) -> Convolution:
        """Make one attention layer."""
        return GATConvolution(in_dim, self.hidden, self.heads, self.attention_dropout)


class SAGE(Encoder):
    """GraphSAGE with a ``mean``, ``max`` or ``lstm`` aggregator."""

    def __init__(self, in_dim: int, hidden: int = 256, *, aggregator: str = "mean", **options: Any) -> None:
        if aggregator not in ("mean", "max", "lstm"):
            raise unknown_name("aggregator", aggregator, ("mean", "max", "lstm"))
        self.aggregator = aggregator
        super().__init__(in_dim, hidden, **options)

    def convolution(self, in_dim: int) -> Convolution:
        """Make one GraphSAGE layer."""
        return SAGEConvolution(in_dim, self.hidden, self.aggregator)


class GIN(Encoder):
    """Graph isomorphism network: sums and an MLP in every layer."""

    def convolution(self, in_dim: int) -> Convolution:
        """Make one GIN layer."""
        return GINConvolution(in_dim, self.hidden)


ENCODERS: dict[str, type[Encoder]] = {"gcn": GCN, "gat": GAT, "jknet": JKNet, "sage": SAGE, "gin": GIN, "mlp": MLP}


def make_encoder(name: str, in_dim: int, hidden: int, **options: Any) -> Encoder:
    """Build an encoder by name.

    Example:
        >>> type(make_encoder("gcn", 3, 8)).__name__
        'GCN'
    """
    if name not in ENCODERS:
        raise unknown_name("encoder", name, ENCODERS)
    return ENCODERS[name](in_dim, hidden, **options)


def encode_with_corruption(
    encoder: nn.Module, x: Features, adjacency: Adjacency | Blocks, permutation: Tensor
) -> tuple[Tensor, Tensor]:
    """Encode the graph and its corruption, h = f(X, A) and h~ = f(X[permutation], A), both [n, D].

    Our own encoders share the first product; any other module gets dense x and the edge_index it expects.
    """
    if isinstance(encoder, Encoder):
        projected = encoder.project(x)
        return encoder.propagate(projected, adjacency), encoder.propagate(projected[permutation], adjacency)
    dense = x.to_dense() if isinstance(x, SparseMatrix) else x
    return encode(encoder, dense, adjacency), encode(encoder, dense[permutation], adjacency)


def encode(encoder: nn.Module, x: Features, adjacency: Adjacency | Blocks) -> Tensor:
    """Encode the graph, h = f(X, A) [n, D], with one of our encoders or any ``(x, edge_index)`` module.

    Of a sampled neighbourhood only the targets' rows are returned.

    Raises:
        InputError: If the module does not return a matrix with one row a node.
    """
    if isinstance(encoder, Encoder):
        h: Tensor = encoder(x, adjacency)
        return h
    h = encoder(x.to_dense() if isinstance(x, SparseMatrix) else x, adjacency.edge_index)
    if not isinstance(h, Tensor) or h.dim() != 2 or h.shape[0] != x.shape[0]:
        got = list(h.shape) if isinstance(h, Tensor) else type(h).__name__
        raise InputError(f"encoder must return a tensor [{x.shape[0]}, d] (got {got})")
    return adjacency.own(h)
