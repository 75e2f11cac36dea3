"""Neural parts: encoders, the motif regulariser and its pieces, sparse products."""

from infomotif.nn.adjacency import Adjacency
from infomotif.nn.blocks import Blocks, NeighbourSampler
from infomotif.nn.controls import INSTANCES
from infomotif.nn.deep_encoders import APPNP, GCNII
from infomotif.nn.encoder import Encoder
from infomotif.nn.encoders import ENCODERS, GAT, GCN, GIN, MLP, SAGE, JKNet, make_encoder
from infomotif.nn.negatives import NEGATIVES, derangement
from infomotif.nn.network import MotifNetwork
from infomotif.nn.regularizer import (
    Discriminator,
    Gate,
    InstanceEncoder,
    MotifAttention,
    MotifHead,
    MotifRegularizer,
    Readout,
)
from infomotif.nn.sparse import Pattern, SparseMatrix

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
