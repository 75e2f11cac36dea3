"""JK-Net: jumping knowledge network (Xu et al., ICML 2018)."""

from __future__ import annotations

from infomotif._core.validate import config, inherited
from infomotif.nn.encoders.base import EncoderConfig
from infomotif.nn.encoders.gcn import GCN


@config
class JKNet(GCN):
    """GCN layers whose states are all kept and combined, by maximum unless another ``jump`` is chosen.

    Example:
        >>> JKNet(jump="cat").build(10, 16).hops
        4
    """

    name = "jknet"

    layers: int = inherited(EncoderConfig, "layers", default=4)
    jump: str = inherited(EncoderConfig, "jump", default="max")
