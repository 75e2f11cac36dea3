"""InfoMotif over the paper's three base GNNs, APPNP, GraphSAGE and an MLP: as published, and with our options."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from infomotif.model.estimator import InfoMotif
from infomotif.motifs import select_motifs
from infomotif.search.options import Search
from infomotif_bench.methods.base import MOTIF_REGULARIZED, Options
from infomotif_bench.methods.networks import NETWORKS, TrainedNetwork

VERSION = 3
"""Raised when the regulariser or its training changes what a model of the same settings learns."""
CHOSEN_VERSION = VERSION + 2
"""Raised when the candidates of ``auto`` change too."""

_BASES = tuple(NETWORKS[name] for name in ("gcn", "jknet", "gat", "appnp", "graphsage", "mlp", "rgcn"))


@dataclass(frozen=True, kw_only=True)
class MotifRegularized(TrainedNetwork):
    """A network with the motif regulariser; the motifs are a setting besides the trainer's.

    Example:
        >>> INFOMOTIF[2].differing({"motifs": "M7"})
        {'motifs': 'M7'}
    """

    def defaults(self) -> dict[str, Any]:
        """Return the preset's settings and the motifs."""
        return {**super().defaults(), "motifs": "auto"}

    def check(self, settings: Options) -> None:
        """Refuse settings that the trainer refuses, and motifs that do not exist."""
        super().check(settings)
        # Whether the graph is directed is known only when it is loaded.
        select_motifs(settings.get("motifs", "auto"), directed=True, data_set=lambda name: ())


@dataclass(frozen=True, kw_only=True)
class Chosen(MotifRegularized):
    """``preset="auto"``: the labels of every split choose what predicts, among all encoders or with a fixed one.

    Example:
        >>> sorted(Chosen(name="demo", title="Demo", encoder="gcn").defaults())
        ['epochs', 'hidden', 'motifs', 'q']
    """

    group: str = MOTIF_REGULARIZED
    preset: str = "auto"
    chooses: bool = True
    search: Mapping[str, Sequence[Any]] = field(default_factory=dict)

    def defaults(self) -> dict[str, Any]:
        """Return the settings that ``auto`` does not choose; None leaves its default."""
        return {"epochs": None, "hidden": None, "motifs": "auto", "q": None}

    def details(self, model: InfoMotif) -> dict[str, Any]:
        """Return the name of the choice, and whether a part that is made of motifs counts in the answer."""
        choice = model.choice_
        return {} if choice is None else {"choice": choice.name, "motifs": choice.uses_motifs}


def _chosen(base: TrainedNetwork) -> Chosen:
    title = f"InfoMotif-{base.title} (auto)"
    return Chosen(
        name=f"infomotif-{base.name}-auto", title=title, encoder=base.encoder, version=CHOSEN_VERSION, base=base.name
    )


def _regularized(base: TrainedNetwork, preset: str) -> MotifRegularized:
    paper = preset == "paper"
    return MotifRegularized(
        name=f"infomotif-{base.name}" + ("" if paper else f"-{preset}"),
        title=f"InfoMotif-{base.title}" + ("" if paper else f" ({preset})"),
        group=MOTIF_REGULARIZED,
        encoder=base.encoder,
        preset=preset,
        version=VERSION,
        base=base.name,
        search=base.search,
    )


AUTO = Chosen(name="auto", title="InfoMotif auto", encoder="auto", version=CHOSEN_VERSION)
"""What ``infomotif train`` does by default, without its last training on validation labels."""

AUTO_WITHOUT_MOTIFS = Chosen(
    name="auto-without-motifs",
    title="InfoMotif auto, without motifs",
    encoder="auto",
    version=CHOSEN_VERSION,
    base="auto",
    searching=Search(refit=False, with_motifs=False),
)
"""The same where nothing that is made of motifs is tried: ``--without motifs``."""

INFOMOTIF = (
    AUTO,
    AUTO_WITHOUT_MOTIFS,
    *(_regularized(base, preset) for preset in ("paper", "joint") for base in _BASES),
    *(_chosen(base) for base in _BASES),
    _regularized(NETWORKS["gcn"], "authors"),
)
"""Preset ``paper`` is Algorithm 1; ``joint`` adds the residual and minimises both losses together; ``auto`` chooses;
``authors`` follows the authors' code where it differs from their paper."""
