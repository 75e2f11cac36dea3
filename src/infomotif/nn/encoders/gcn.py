"""GCN: graph convolutional network (Kipf and Welling, ICLR 2017)."""

from __future__ import annotations

from infomotif._core.validate import config
from infomotif.nn.encoders.base import EncoderConfig
from infomotif.nn.propagation.convolutions import Convolution, GCNConvolution


@config
class GCN(EncoderConfig):
    """Graph convolutional network.

    Example:
        >>> GCN(layers=3, dropout=0.2).build(10, 16).hops
        3
    """

    name = "gcn"

    def layer(self, in_dim: int, hidden: int) -> Convolution:
        """Make one GCN layer."""
        return GCNConvolution(in_dim, hidden)
