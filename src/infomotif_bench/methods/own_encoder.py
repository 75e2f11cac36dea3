"""OwnEncoder: a trained network whose encoder is made for one graph and has settings of its own."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import Any

import torch

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.nn.encoders.base import Encoder
from infomotif.training.build import hidden_width
from infomotif.training.features import FeatureMap
from infomotif.training.presets import make_settings
from infomotif_bench.methods.base import STRUCTURAL_NETWORKS, Options
from infomotif_bench.methods.network import TrainedNetwork


@dataclass(frozen=True, kw_only=True)
class OwnEncoder(TrainedNetwork):
    """A network of the trainer, with an encoder that is none of the estimator's.

    A subclass says which settings it has besides the trainer's, and builds the encoder.

    Attributes:
        whole: Whether it trains on whole graphs only.
    """

    group: str = STRUCTURAL_NETWORKS
    whole: bool = False

    @abstractmethod
    def own(self) -> dict[str, Any]:
        """Return the settings that only this method has, with their defaults."""

    @abstractmethod
    def build(self, graph: Graph, in_dim: int, hidden: int, own: Options, seed: int, **options: Any) -> Encoder:
        """Return the encoder.

        Args:
            graph: The graph it is made for.
            in_dim: Number of input features F.
            hidden: Width D.
            own: A value for each of :meth:`own`.
            seed: Decides what is drawn other than weights; torch is seeded already.
            options: What every :class:`infomotif.nn.Encoder` takes.
        """

    def defaults(self) -> dict[str, Any]:
        """Return the preset's settings and the method's own."""
        return {**super().defaults(), **({"sampling": "none"} if self.whole else {}), **self.own()}

    def check(self, settings: Options) -> None:
        """Refuse sampled neighbourhoods where the graph must be whole."""
        super().check(settings)
        if self.whole and settings.get("sampling", "none") != "none":
            raise InputError(f"{self.name} trains on whole graphs only; set sampling to 'none' or leave it out")

    def trainer_settings(self, settings: Options) -> dict[str, Any]:
        """Return the settings that the trainer takes; a name that the method has too is the method's."""
        return {key: value for key, value in super().trainer_settings(settings).items() if key not in self.own()}

    def module(self, graph: Graph, settings: Options, seed: int) -> Encoder:
        """Return the encoder for the graph, its weights drawn from the seed."""
        shared = make_settings(self.preset, **self.trainer_settings(settings))
        index = MotifIndex(graph) if shared.inputs.structural_features != "none" else None
        features = FeatureMap.fit(
            graph, index, normalize=shared.inputs.normalize, structural=shared.inputs.structural_features
        )
        own = {key: settings[key] for key in self.own()}
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            options = shared.encoder.shared()
            return self.build(graph, features.width, hidden_width(shared, graph), own, seed, **options)
