"""APPNP: predict, then propagate (Gasteiger et al., ICLR 2019)."""

from __future__ import annotations

from torch import Tensor

from infomotif._core.validate import config, setting
from infomotif.errors import InputError
from infomotif.nn.encoders.base import AnchoredEncoder, Encoder, EncoderConfig
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.blocks import Blocks
from infomotif.nn.propagation.convolutions import Convolution, DenseLayer
from infomotif.nn.propagation.dropout import dropout


@config
class APPNP(EncoderConfig):
    """An MLP, then personalised PageRank: h_{k+1} = (1 - a) Â h_k + a h_0.

    Dropout acts within the MLP and, without a regulariser, on what it passes to the classifier, whose class scores are
    then what is propagated; no edge is dropped. ``layers`` are the MLP's.

    Example:
        >>> APPNP(steps=5).build(10, 16).hops
        5
    """

    name = "appnp"

    steps: int = setting(default=10, at_least=1, limit=1_000, help="Steps along the edges (K in PyG).")
    teleport: float = setting(
        default=0.1, at_least=0, at_most=1, help="How much of its first state each step takes (alpha in PyG)."
    )

    def check(self) -> None:
        """Refuse a jump: all steps make one state."""
        if self.jump != "last":
            raise InputError(
                f"jump must be 'last' for appnp, whose steps make one state; leave it out (got '{self.jump}')"
            )

    def build(self, in_dim: int, hidden: int | None = None) -> Encoder:
        """Make the module; see :meth:`EncoderConfig.build`."""
        return PageRankEncoder(
            in_dim, hidden or self.hidden or 256, steps=self.steps, teleport=self.teleport, **self.shared()
        )


class PageRankEncoder(AnchoredEncoder):
    """An MLP, then ``steps`` steps of personalised PageRank."""

    smooths = True

    def __init__(self, in_dim: int, hidden: int, *, steps: int, teleport: float, **options: object) -> None:
        self.steps = steps
        super().__init__(in_dim, hidden, teleport=teleport, **options)

    @property
    def hops(self) -> int:
        """How many hops messages travel."""
        return self.steps

    def convolution(self, in_dim: int) -> Convolution:
        """Make one dense layer."""
        return DenseLayer(in_dim, self.hidden)

    def smooth(self, state: Tensor, adjacency: Adjacency | Blocks) -> Tensor:
        """Take all steps of personalised PageRank."""
        h = state
        for i in range(self.hops):
            h = self.spread(i, h, adjacency.layer(i, self.hops), state)
        return adjacency.target_rows(h)

    def initial(self, projected: Tensor) -> Tensor:
        """Return what the MLP makes of the first product."""
        h = self._activate(0, projected + self.layer(0).bias)
        for i in range(1, len(self.convolutions)):
            inner = dropout(h, self.dropout, self.training)
            dense = self.layer(i).project(inner) + self.layer(i).bias
            h = self._activate(i, dense + inner if self.residual else dense)
        return h
