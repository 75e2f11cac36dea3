"""MLP: layers without edges."""

from __future__ import annotations

from infomotif._core.validate import config
from infomotif.nn.encoders.base import EncoderConfig
from infomotif.nn.propagation.convolutions import Convolution, DenseLayer


@config
class MLP(EncoderConfig):
    """Dense layers that use no edges: what the attributes alone can tell."""

    name = "mlp"

    def layer(self, in_dim: int, hidden: int) -> Convolution:
        """Make one dense layer."""
        return DenseLayer(in_dim, hidden)
