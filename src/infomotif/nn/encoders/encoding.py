"""How a graph, and a graph with its corruption, is encoded by one of our encoders or by any module."""

from __future__ import annotations

from torch import Tensor, nn

from infomotif.errors import InputError
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.blocks import Blocks
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.sparse import SparseMatrix


def encode_with_corruption(
    encoder: nn.Module, x: Features, adjacency: Adjacency | Blocks, permutation: Tensor
) -> tuple[Tensor, Tensor]:
    """Encode the graph and its corruption, h = f(X, A) and h~ = f(X[permutation], A), both [n, D].

    Our encoders share the first product; any other module gets dense x and the edge_index it expects.
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
        InputError: If the module does not return a matrix with one row per node.
    """
    if isinstance(encoder, Encoder):
        h: Tensor = encoder(x, adjacency)
        return h
    weights = {} if adjacency.edge_weight is None else {"edge_weight": adjacency.edge_weight}
    h = encoder(x.to_dense() if isinstance(x, SparseMatrix) else x, adjacency.edge_index, **weights)
    if not isinstance(h, Tensor) or h.dim() != 2 or h.shape[0] != x.shape[0]:
        got = list(h.shape) if isinstance(h, Tensor) else type(h).__name__
        raise InputError(f"encoder must return a tensor [{x.shape[0]}, d] (got {got})")
    return adjacency.target_rows(h)
