"""InfoMotif over the paper's three base GNNs and over APPNP: as published, and with our options."""

from __future__ import annotations

from infomotif.baselines.method import MOTIF_REGULARIZED
from infomotif.baselines.network import TrainedNetwork

VERSION = 3
"""Raised when the regulariser or its training changes what a model of the same settings learns."""

_BASES = {"gcn": "GCN", "jknet": "JKNet", "gat": "GAT", "appnp": "APPNP"}


def _regularized(base: str, preset: str) -> TrainedNetwork:
    paper = preset == "paper"
    return TrainedNetwork(
        name=f"infomotif-{base}" + ("" if paper else f"-{preset}"),
        title=f"InfoMotif-{_BASES[base]}" + ("" if paper else f" ({preset})"),
        group=MOTIF_REGULARIZED,
        encoder=base,
        preset=preset,
        version=VERSION,
        base=base,
    )


INFOMOTIF = tuple(_regularized(base, preset) for preset in ("paper", "joint") for base in _BASES)
"""Preset ``paper`` is Algorithm 1; ``joint`` adds the residual and minimises both losses together."""
