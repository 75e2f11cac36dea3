"""Neural parts: encoders, the motif regulariser and its pieces, sparse products.

Names are imported when first used, so that commands can name the encoders without torch.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from infomotif._core.lazy import lazy_names

_HOME = {
    "APPNP": "infomotif.nn.encoders",
    "Adjacency": "infomotif.nn.propagation.adjacency",
    "Blocks": "infomotif.nn.propagation.blocks",
    "Discriminator": "infomotif.nn.regularizer",
    "ENCODERS": "infomotif.nn.encoders",
    "Custom": "infomotif.nn.encoders",
    "Encoder": "infomotif.nn.encoders",
    "EncoderConfig": "infomotif.nn.encoders",
    "GAT": "infomotif.nn.encoders",
    "GCN": "infomotif.nn.encoders",
    "GCNII": "infomotif.nn.encoders",
    "GIN": "infomotif.nn.encoders",
    "Gate": "infomotif.nn.regularizer",
    "INSTANCES": "infomotif.nn.regularizer.instances",
    "InstanceEncoder": "infomotif.nn.regularizer",
    "JKNet": "infomotif.nn.encoders",
    "MLP": "infomotif.nn.encoders",
    "MotifAttention": "infomotif.nn.regularizer",
    "MotifHead": "infomotif.nn.regularizer",
    "MotifNetwork": "infomotif.nn.network",
    "MotifRegularizer": "infomotif.nn.regularizer",
    "NEGATIVES": "infomotif.nn.regularizer.negatives",
    "NeighbourSampler": "infomotif.nn.propagation.blocks",
    "Pattern": "infomotif.nn.propagation.sparse",
    "BatchReadout": "infomotif.nn.regularizer",
    "INSTANCE_ENCODERS": "infomotif.nn.regularizer",
    "MaxInstanceEncoder": "infomotif.nn.regularizer",
    "MeanInstanceEncoder": "infomotif.nn.regularizer",
    "READOUTS": "infomotif.nn.regularizer",
    "Set2Set": "infomotif.nn.regularizer",
    "Readout": "infomotif.nn.regularizer",
    "RGCN": "infomotif.nn.encoders",
    "SAGE": "infomotif.nn.encoders",
    "SparseMatrix": "infomotif.nn.propagation.sparse",
    "derangement": "infomotif.nn.regularizer.negatives",
    "make_encoder": "infomotif.nn.encoders",
}

__getattr__, __dir__ = lazy_names(__name__, _HOME)

if TYPE_CHECKING:
    from infomotif.nn.encoders import APPNP as APPNP
    from infomotif.nn.encoders import ENCODERS as ENCODERS
    from infomotif.nn.encoders import GAT as GAT
    from infomotif.nn.encoders import GCN as GCN
    from infomotif.nn.encoders import GCNII as GCNII
    from infomotif.nn.encoders import GIN as GIN
    from infomotif.nn.encoders import MLP as MLP
    from infomotif.nn.encoders import RGCN as RGCN
    from infomotif.nn.encoders import SAGE as SAGE
    from infomotif.nn.encoders import Custom as Custom
    from infomotif.nn.encoders import Encoder as Encoder
    from infomotif.nn.encoders import EncoderConfig as EncoderConfig
    from infomotif.nn.encoders import JKNet as JKNet
    from infomotif.nn.encoders import make_encoder as make_encoder
    from infomotif.nn.network import MotifNetwork as MotifNetwork
    from infomotif.nn.propagation.adjacency import Adjacency as Adjacency
    from infomotif.nn.propagation.blocks import Blocks as Blocks
    from infomotif.nn.propagation.blocks import NeighbourSampler as NeighbourSampler
    from infomotif.nn.propagation.sparse import Pattern as Pattern
    from infomotif.nn.propagation.sparse import SparseMatrix as SparseMatrix
    from infomotif.nn.regularizer import INSTANCE_ENCODERS as INSTANCE_ENCODERS
    from infomotif.nn.regularizer import READOUTS as READOUTS
    from infomotif.nn.regularizer import BatchReadout as BatchReadout
    from infomotif.nn.regularizer import Discriminator as Discriminator
    from infomotif.nn.regularizer import Gate as Gate
    from infomotif.nn.regularizer import InstanceEncoder as InstanceEncoder
    from infomotif.nn.regularizer import MaxInstanceEncoder as MaxInstanceEncoder
    from infomotif.nn.regularizer import MeanInstanceEncoder as MeanInstanceEncoder
    from infomotif.nn.regularizer import MotifAttention as MotifAttention
    from infomotif.nn.regularizer import MotifHead as MotifHead
    from infomotif.nn.regularizer import MotifRegularizer as MotifRegularizer
    from infomotif.nn.regularizer import Readout as Readout
    from infomotif.nn.regularizer import Set2Set as Set2Set
    from infomotif.nn.regularizer.instances import INSTANCES as INSTANCES
    from infomotif.nn.regularizer.negatives import NEGATIVES as NEGATIVES
    from infomotif.nn.regularizer.negatives import derangement as derangement
