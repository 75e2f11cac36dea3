"""The motif regulariser and its parts."""

from infomotif.nn.regularizer.regularizer import (
    ATTENTIONS,
    GATES,
    Discriminator,
    Drawn,
    Gate,
    InstanceEncoder,
    MotifAttention,
    MotifHead,
    MotifRegularizer,
    Readout,
)

__all__ = [
    "ATTENTIONS",
    "GATES",
    "Discriminator",
    "Drawn",
    "Gate",
    "InstanceEncoder",
    "MotifAttention",
    "MotifHead",
    "MotifRegularizer",
    "Readout",
]
