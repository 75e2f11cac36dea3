"""Encoders by name: the base GNNs that InfoMotif regularises, and how a graph and its corruption are encoded."""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn

from infomotif.errors import InputError, unknown_name
from infomotif.nn.encoders.anchored import APPNP, GCNII
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.encoders.layers import (
    Convolution,
    DenseLayer,
    Features,
    GATConvolution,
    GCNConvolution,
    GINConvolution,
    SAGEConvolution,
)
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.blocks import Blocks
from infomotif.nn.propagation.sparse import SparseMatrix


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


ENCODERS: dict[str, type[Encoder]] = {
    "gcn": GCN,
    "gat": GAT,
    "jknet": JKNet,
    "sage": SAGE,
    "gin": GIN,
    "appnp": APPNP,
    "gcnii": GCNII,
    "mlp": MLP,
}


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
    weights = {} if adjacency.edge_weight is None else {"edge_weight": adjacency.edge_weight}
    h = encoder(x.to_dense() if isinstance(x, SparseMatrix) else x, adjacency.edge_index, **weights)
    if not isinstance(h, Tensor) or h.dim() != 2 or h.shape[0] != x.shape[0]:
        got = list(h.shape) if isinstance(h, Tensor) else type(h).__name__
        raise InputError(f"encoder must return a tensor [{x.shape[0]}, d] (got {got})")
    return adjacency.own(h)
