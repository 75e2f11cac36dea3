"""GIN: graph isomorphism network (Xu et al., ICLR 2019)."""

from __future__ import annotations

from infomotif._core.validate import config
from infomotif.nn.encoders.base import EncoderConfig
from infomotif.nn.propagation.convolutions import Convolution, GINConvolution


@config
class GIN(EncoderConfig):
    """Graph isomorphism network: sums and an MLP in every layer."""

    name = "gin"

    def layer(self, in_dim: int, hidden: int) -> Convolution:
        """Make one GIN layer."""
        return GINConvolution(in_dim, hidden)
