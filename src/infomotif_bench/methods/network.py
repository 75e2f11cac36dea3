"""TrainedNetwork: every network that the estimator trains, with or without the motif regulariser."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
from torch import nn

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.training.config import estimator_options
from infomotif.training.presets import make_settings
from infomotif.training.splits import Split
from infomotif_bench.methods.base import STANDARD, Method, Options, Prediction

TRAINER_VERSION = 2
"""Raised when encoders or trainer change what a plain network of the same settings learns."""

SEARCH: Mapping[str, Sequence[Any]] = MappingProxyType(
    {"lr": (0.01, 0.001, 0.0001), "weight_decay": (0.0, 5e-4), "dropout": (0.5, 0.2)}
)
"""The paper's learning rates, and the two settings that decide how strong a plain GNN is."""


@cache
def _preset(name: str) -> Mapping[str, Any]:
    return make_settings(name).to_dict()


@dataclass(frozen=True, kw_only=True)
class TrainedNetwork(Method):
    """A network that :class:`infomotif.InfoMotif` trains; bases and InfoMotif share trainer and search space.

    A method with an encoder of its own overrides :meth:`module`.

    Attributes:
        encoder: Name of the encoder.
        preset: Preset of the estimator; ``base`` is the encoder alone.

    Example:
        >>> import infomotif as im
        >>> from infomotif.training import random_split
        >>> graph = im.load_dataset("karate")
        >>> gin = TrainedNetwork(name="gin", title="GIN", encoder="gin")
        >>> gin.run(graph, random_split(graph.y, 0.4), {"epochs": 3}, seed=0).correct.shape
        (13,)
    """

    encoder: str = "gcn"
    preset: str = "base"
    group: str = STANDARD
    version: int = TRAINER_VERSION
    search: Mapping[str, Sequence[Any]] = field(default_factory=lambda: SEARCH)

    def defaults(self) -> dict[str, Any]:
        """Return the preset's settings."""
        return dict(_preset(self.preset))

    def check(self, settings: Options) -> None:
        """Refuse what :class:`infomotif.training.Settings` refuses."""
        super().check(settings)
        own = self.defaults().get("regularize")
        if settings.get("regularize", own) != own:
            raise InputError(
                f"'regularize' is what tells {self.name} from other methods; choose another method instead"
            )
        make_settings(self.preset, **self.trainer_settings(settings))

    def trainer_settings(self, settings: Options) -> dict[str, Any]:
        """Return the settings that the trainer takes; what is left are the method's own, which its module takes."""
        return {key: value for key, value in settings.items() if key in _preset(self.preset)}

    def module(self, graph: Graph, settings: Options, seed: int) -> str | nn.Module:
        """Return the encoder: a name, or a module ``(x, edge_index) -> [n, d]``."""
        return self.encoder

    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> Prediction:
        """Train on one thread, keep the epoch that validates best, and label all nodes."""
        if len(split.val) == 0:
            raise InputError(f"{self.name} needs validation nodes to choose its epoch")
        ticks = [time.process_time()]
        model = InfoMotif(
            **estimator_options(self.module(graph, settings, seed), self.trainer_settings(settings)),
            preset=self.preset,
            motifs=settings.get("motifs", "auto"),
            random_state=seed,
            device="cpu",
            threads=1,
            progress=False,
        )
        model.fit(graph, split.train, split.val, on_epoch=lambda record: ticks.append(time.process_time()))
        # The first tick holds the motif census and compilation.
        seconds = np.diff(ticks)[1:] if len(ticks) > 2 else np.diff(ticks)
        details = {"epoch_cpu_seconds": round(float(np.median(seconds)), 5), "epochs": len(ticks) - 1}
        return Prediction(model.predict(), model.best_epoch_, details | self.details(model))

    def details(self, model: InfoMotif) -> dict[str, Any]:
        """Return what is worth keeping of a fitted model beside its predictions."""
        return {}
