"""Neural parts: encoders, the motif regulariser and its pieces, sparse products."""

from infomotif.nn.encoders import ENCODERS, GAT, GCN, GIN, MLP, SAGE, JKNet, make_encoder
from infomotif.nn.encoders.anchored import APPNP, GCNII
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.network import MotifNetwork
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.blocks import Blocks, NeighbourSampler
from infomotif.nn.propagation.sparse import Pattern, SparseMatrix
from infomotif.nn.regularizer import (
    Discriminator,
    Gate,
    InstanceEncoder,
    MotifAttention,
    MotifHead,
    MotifRegularizer,
    Readout,
)
from infomotif.nn.regularizer.instances import INSTANCES
from infomotif.nn.regularizer.negatives import NEGATIVES, derangement

__all__ = [
    "APPNP",
    "ENCODERS",
    "GAT",
    "GCN",
    "GCNII",
    "GIN",
    "MLP",
    "INSTANCES",
    "NEGATIVES",
    "SAGE",
    "Adjacency",
    "Blocks",
    "Discriminator",
    "Encoder",
    "Gate",
    "InstanceEncoder",
    "JKNet",
    "MotifAttention",
    "MotifHead",
    "MotifNetwork",
    "MotifRegularizer",
    "NeighbourSampler",
    "Pattern",
    "Readout",
    "SparseMatrix",
    "derangement",
    "make_encoder",
]
