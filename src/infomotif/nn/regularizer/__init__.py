"""The motif regulariser and its parts."""

from infomotif.nn.regularizer.instance_encoders import (
    ATTENTIONS,
    INSTANCE_ENCODERS,
    InstanceEncoder,
    MaxInstanceEncoder,
    MeanInstanceEncoder,
)
from infomotif.nn.regularizer.readouts import READOUTS, BatchReadout, Readout, Set2Set
from infomotif.nn.regularizer.regularizer import (
    GATES,
    Discriminator,
    Drawn,
    Gate,
    MotifAttention,
    MotifHead,
    MotifRegularizer,
)

__all__ = [
    "ATTENTIONS",
    "GATES",
    "INSTANCE_ENCODERS",
    "READOUTS",
    "BatchReadout",
    "Discriminator",
    "Drawn",
    "Gate",
    "InstanceEncoder",
    "MaxInstanceEncoder",
    "MeanInstanceEncoder",
    "MotifAttention",
    "MotifHead",
    "MotifRegularizer",
    "Readout",
    "Set2Set",
]
