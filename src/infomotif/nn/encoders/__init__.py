"""Encoders by name."""

from infomotif.nn.encoders.anchored import APPNP, GCNII, AnchoredEncoder
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.encoders.standard import (
    ENCODERS,
    GAT,
    GCN,
    GIN,
    MLP,
    SAGE,
    JKNet,
    encode,
    encode_with_corruption,
    make_encoder,
)

__all__ = [
    "APPNP",
    "ENCODERS",
    "GAT",
    "GCN",
    "GCNII",
    "GIN",
    "MLP",
    "SAGE",
    "AnchoredEncoder",
    "Encoder",
    "JKNet",
    "encode",
    "encode_with_corruption",
    "make_encoder",
]
