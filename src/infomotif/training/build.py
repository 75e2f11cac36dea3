"""Building a model's parts from settings."""

from __future__ import annotations

from typing import Any

from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.nn.regularizer import MotifRegularizer
from infomotif.training.settings import Settings


def hidden_width(settings: Settings, graph: Graph) -> int:
    """Return the width D: as set, else the paper's, 256 with attributes and 64 without."""
    return settings.hidden or (64 if graph.x is None else 256)


def encoder_options(name: str, settings: Settings) -> dict[str, Any]:
    """Return the settings that concern the encoder ``name``, as its constructor takes them."""
    options: dict[str, Any] = {"dropout": settings.dropout, "norm": settings.norm}
    options["residual"] = settings.encoder_residual
    if settings.layers is not None:
        options["layers"] = settings.layers
    if settings.activation != "default":
        options["activation"] = settings.activation
    if settings.jump != "default":
        options["jump"] = settings.jump
    if name == "gat":
        options["heads"] = settings.heads
    if name == "sage":
        options["aggregator"] = settings.aggregator
    return options


def make_regularizer(width: int, motifs: MotifIndex | int, settings: Settings) -> MotifRegularizer:
    """Build the regulariser that the settings describe."""
    return MotifRegularizer(
        width,
        motifs,
        q=settings.q,
        attention=settings.attention,
        gate=settings.gate,
        negatives=settings.negatives,
        residual=settings.residual,
        readout_in_z=settings.readout_in_z,
    )
