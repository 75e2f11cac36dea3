"""GAT: graph attention network (Velickovic et al., ICLR 2018)."""

from __future__ import annotations

from infomotif._core.validate import config, inherited, setting
from infomotif.errors import InputError
from infomotif.nn.encoders.base import EncoderConfig
from infomotif.nn.propagation.convolutions import Convolution, GATConvolution


@config
class GAT(EncoderConfig):
    """Graph attention network with several heads side by side in every layer.

    Example:
        >>> GAT(heads=4).build(10, 16).hops
        2
    """

    name = "gat"

    activation: str = inherited(EncoderConfig, "activation", default="elu")
    heads: int = setting(
        default=8, at_least=1, limit=4_096, help="Attention heads; the width must be a multiple of them."
    )

    def layer(self, in_dim: int, hidden: int) -> Convolution:
        """Make one attention layer."""
        if hidden % self.heads:
            raise InputError(f"hidden must be a multiple of heads (got hidden={hidden}, heads={self.heads})")
        return GATConvolution(in_dim, hidden, self.heads, self.dropout)
