"""Which encoders take the compiled pass over a sampled neighbourhood."""

from __future__ import annotations

from collections.abc import Callable

import torch
from torch import Tensor, nn

from infomotif.nn.encoders.base import LayeredEncoder
from infomotif.nn.propagation.blocks import Blocks
from infomotif.nn.propagation.convolutions import Features, GCNConvolution
from infomotif.nn.propagation.sampled import encode_sampled
from infomotif.nn.propagation.sparse import COMPILED_DEVICES
from infomotif.typing import Array


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
