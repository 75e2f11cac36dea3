"""How a graph, a part of it, or a graph with its corruption, is encoded by one of our encoders or by any module."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
import torch
from torch import Tensor, nn

from infomotif.errors import InputError
from infomotif.nn.encoders.base import Encoder, LayeredEncoder
from infomotif.nn.encoders.custom import takes_types
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.blocks import Blocks, neighbourhood
from infomotif.nn.propagation.convolutions import Features, GCNConvolution
from infomotif.nn.propagation.sampled import encode_sampled
from infomotif.nn.propagation.sparse import COMPILED_DEVICES, SparseMatrix
from infomotif.typing import Array

MAX_SHARE = 0.5
"""If more of the nodes than this are wanted, all are encoded."""


@dataclass(frozen=True)
class Unsmoothed:
    """Representations whose last part, a linear propagation, is still to be done: before or after a linear map.

    Args:
        encoder: An encoder that :attr:`~infomotif.nn.encoders.Encoder.smooths`.
        state: What it smooths, [n, D].
        adjacency: Which nodes pass messages to which.

    Example:
        >>> from infomotif.nn.encoders import APPNP
        >>> pair = Adjacency.from_edge_index(torch.tensor([[0, 1], [1, 0]]), 2)
        >>> waiting = Unsmoothed.of(APPNP(dropout=0.0).build(3, 8), torch.ones(2, 3), pair)
        >>> weight = torch.ones(8, 1)
        >>> torch.allclose(waiting.smooth(waiting.state @ weight), waiting.h @ weight)
        True
    """

    encoder: Encoder
    state: Tensor
    adjacency: Adjacency | Blocks

    @classmethod
    def of(cls, encoder: Encoder, x: Features, adjacency: Adjacency | Blocks) -> Unsmoothed:
        """Do all but the last part."""
        return cls(encoder, encoder.initial(encoder.project(x)), adjacency)

    @cached_property
    def h(self) -> Tensor:
        """The representations, [n, D]."""
        return self.smooth(self.state)

    def smooth(self, state: Tensor) -> Tensor:
        """Do the last part to ``state`` [n, .]."""
        return self.encoder.smooth(state, self.adjacency)


def encode_plain(
    encoder: nn.Module, rows_of: Callable[[Array], Features], blocks: Blocks, permutation: Tensor | None = None
) -> tuple[Tensor, Tensor] | None:
    """Encode the targets of a sampled neighbourhood with a plain GCN, and their corruption (else the same).

    The features of all nodes are never held at once: see :mod:`infomotif.nn.propagation.sampled`.

    Args:
        encoder: The encoder.
        rows_of: Returns the input features of nodes, [B, F].
        blocks: The neighbourhood.
        permutation: Whose features each node gets in the corruption, [m].

    Returns:
        Two matrices [targets, D]; None if the encoder is another one, or the features are sparse.
    """
    if not isinstance(encoder, LayeredEncoder) or not _is_plain_gcn(encoder, blocks):
        return None
    if not isinstance(rows_of(blocks.nodes[:1]), Tensor):
        return None
    layers = [(layer.product.weight, layer.bias) for layer in map(encoder.layer, range(encoder.hops))]
    rate = encoder.dropout if encoder.training else 0.0
    return encode_sampled(rows_of, blocks, layers, rate, permutation)  # type: ignore[arg-type]


def _is_plain_gcn(encoder: LayeredEncoder, blocks: Blocks) -> bool:
    """Whether an encoder is a stack of GCN layers with ReLU and nothing else, on unweighted edges in main memory."""
    options = (encoder.activation, encoder.jump, encoder.residual, encoder.options.norm)
    return (
        options == ("relu", "last", False, "none")
        and all(type(layer) is GCNConvolution for layer in encoder.convolutions)
        and encoder.dropout < 1
        and blocks.weights is None
        and not blocks.exact
        and blocks.device.type in COMPILED_DEVICES
        and encoder.hops == len(blocks.sizes) - 1
        and all(p.dtype == torch.float32 and p.device.type in COMPILED_DEVICES for p in encoder.parameters())
    )


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


def encode(encoder: nn.Module, x: Features, adjacency: Adjacency | Blocks, nodes: Tensor | None = None) -> Tensor:
    """Encode the graph, h = f(X, A) [n, D], with one of our encoders or any ``(x, edge_index)`` module.

    Of a sampled neighbourhood only the targets' rows are returned.

    Args:
        encoder: The encoder.
        x: Input features, [n, F].
        adjacency: Which nodes pass messages to which.
        nodes: The wanted rows of h, [B], by default all; where they are few, only what they depend on is computed.

    Raises:
        InputError: If the module does not return a matrix with one row per node.
    """
    if isinstance(encoder, Encoder):
        if nodes is None or isinstance(adjacency, Blocks) or not _worth_a_part(encoder, x, nodes):
            h: Tensor = encoder(x, adjacency)
            return h if nodes is None else h[nodes]
        part = _part_around(nodes, x, adjacency, encoder.hops)
        h = encoder.propagate(encoder.project(part.x, part.blocks.nodes), part.blocks)
        return h if part.rows is None else h[part.rows]
    h = _encode_custom(encoder, x.to_dense() if isinstance(x, SparseMatrix) else x, adjacency)
    if not isinstance(h, Tensor) or h.dim() != 2 or h.shape[0] != x.shape[0]:
        got = list(h.shape) if isinstance(h, Tensor) else type(h).__name__
        raise InputError(f"encoder must return a tensor [{x.shape[0]}, d] (got {got})")
    h = adjacency.target_rows(h)
    return h if nodes is None else h[nodes]


def _encode_custom(module: nn.Module, x: Tensor, adjacency: Adjacency | Blocks) -> Any:
    relations = adjacency.relations
    if relations is None:
        weights = {} if adjacency.edge_weight is None else {"edge_weight": adjacency.edge_weight}
        return module(x, adjacency.edge_index, **weights)
    edges, kinds = adjacency.typed_edges
    if takes_types(module):
        return module(x, edges, edge_type=kinds)
    parts = module(relations.by_type(x), relations.edges_by_relation(edges, kinds))
    if not isinstance(parts, dict) or not parts or not all(name in relations.node_types for name in parts):
        raise InputError("encoder must return one tensor per node type, {type: [n, d]}, as it gets x_dict")
    return relations.joined(parts, len(x))


class _Part(NamedTuple):
    """The part of a graph that the representations of ``nodes`` depend on.

    Attributes:
        nodes: The nodes, [B].
        hops: How many hops away they look.
        whole: The features of all nodes, of which x are some rows.
        x: Features of the nodes of ``blocks``.
        blocks: The neighbourhood.
        rows: Rows of ``nodes`` among its targets; None if they are the targets in this order.
    """

    nodes: Array
    hops: int
    whole: Features
    x: Features
    blocks: Blocks
    rows: Tensor | None


_LAST_PARTS: WeakKeyDictionary[Adjacency, _Part] = WeakKeyDictionary()
"""The last part of each graph: full-batch training asks for the same nodes in every step."""


def _worth_a_part(encoder: Encoder, x: Features, nodes: Tensor) -> bool:
    # Elsewhere dropout comes from torch's generator, which knows nothing of rows.
    on_cpu = (x.values if isinstance(x, SparseMatrix) else x).device.type == "cpu"
    return encoder.local and on_cpu and len(nodes) <= MAX_SHARE * x.shape[0]


def _part_around(nodes: Tensor, x: Features, adjacency: Adjacency, hops: int) -> _Part:
    numbers = nodes.numpy()
    part = _LAST_PARTS.get(adjacency)
    if part is not None and part.whole is x and part.hops == hops and np.array_equal(part.nodes, numbers):
        return part
    targets, rows = np.unique(numbers, return_inverse=True)
    in_order = np.array_equal(targets, numbers)
    blocks = neighbourhood(adjacency, targets, hops)
    taken = x.rows(blocks.nodes) if isinstance(x, SparseMatrix) else x[torch.from_numpy(blocks.nodes)]
    part = _Part(numbers.copy(), hops, x, taken, blocks, None if in_order else torch.from_numpy(rows))
    _LAST_PARTS[adjacency] = part
    return part
