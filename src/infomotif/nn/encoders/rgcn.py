"""R-GCN: relational graph convolutional network (Schlichtkrull et al., ESWC 2018)."""

from __future__ import annotations

from infomotif._core.validate import config, setting
from infomotif.nn.encoders.base import Encoder, EncoderConfig, LayeredEncoder
from infomotif.nn.propagation.convolutions import Convolution, RelationalConvolution


@config
class RGCN(EncoderConfig):
    """Relational GCN: a matrix for every relation, which is a direction, an edge type and the types of both nodes.

    Attributes are first projected to the width D; those of different node types have weights of their own there. On
    a signed graph messages along positive and negative edges stay apart. A graph without types has one relation, or
    two if edges have directions.

    Example:
        >>> RGCN(bases=2).build(10, 16, relations=4).hops
        2
    """

    name = "rgcn"

    bases: int | None = setting(
        default=None,
        at_least=1,
        limit=1_000,
        help="Matrices that those of all relations are mixed of; none gives every relation one of its own.",
    )

    @property
    def relational(self) -> bool:
        """Yes: messages of different relations stay apart."""
        return True

    def build(self, in_dim: int, hidden: int | None = None, *, relations: int = 1) -> Encoder:
        """Make the module; see :meth:`EncoderConfig.build`.

        Args:
            in_dim: Number of input features F.
            hidden: Width D; by default that of the options, else 256.
            relations: Number of relations R.
        """
        return RelationalEncoder(self, in_dim, hidden or self.hidden or 256, relations)


class RelationalEncoder(LayeredEncoder):
    """A stack of relational layers, the first of which also projects the input features."""

    options: RGCN

    def __init__(self, options: RGCN, in_dim: int, hidden: int, relations: int) -> None:
        self.relations = relations
        self._first = True
        super().__init__(options, in_dim, hidden)

    def convolution(self, in_dim: int) -> Convolution:
        """Make one relational layer."""
        first, self._first = self._first, False
        return RelationalConvolution(in_dim, self.hidden, self.relations, self.options.bases, embeds=first)
