"""GraphSAGE (Hamilton et al., NeurIPS 2017)."""

from __future__ import annotations

from infomotif._core.validate import config, setting
from infomotif.nn.encoders.base import EncoderConfig
from infomotif.nn.propagation.convolutions import Convolution, SAGEConvolution


@config
class SAGE(EncoderConfig):
    """GraphSAGE: a node's own state beside an aggregate of its neighbours'.

    Example:
        >>> SAGE(aggregator="max").build(10, 16).hops
        2
    """

    name = "sage"

    aggregator: str = setting(default="mean", choices=("mean", "max", "lstm"), help="How neighbours are aggregated.")

    def layer(self, in_dim: int, hidden: int) -> Convolution:
        """Make one GraphSAGE layer."""
        return SAGEConvolution(in_dim, hidden, self.aggregator)
