"""Networks that the estimator trains: the table of plain ones, and the base class of those with a custom encoder."""

from __future__ import annotations

import time
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from types import MappingProxyType
from typing import Any

import numpy as np
import torch
from torch import nn

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.motifs import MotifIndex
from infomotif.nn.encoders.base import Encoder
from infomotif.search.options import Search
from infomotif.training.build import hidden_width
from infomotif.training.config import estimator_options
from infomotif.training.features import FeatureMap
from infomotif.training.presets import make_settings
from infomotif.training.splits import Split
from infomotif_bench.methods.base import SIMPLE, STANDARD, STRUCTURAL_NETWORKS, Method, MethodOutput, Options

TRAINER_VERSION = 2
"""Raised when encoders or trainer change what a plain network of the same settings learns."""

SEARCH: Mapping[str, Sequence[Any]] = MappingProxyType(
    {"lr": (0.01, 0.001, 0.0001), "weight_decay": (0.0, 5e-4), "dropout": (0.5, 0.2)}
)
"""The paper's learning rates, and the two settings that decide how strong a plain GNN is."""


FULL_BATCH: Mapping[str, Any] = MappingProxyType({"batch_size": None, "batch_order": "random", "negatives": "shuffle"})
"""How every row is trained that does not say otherwise, whatever its preset.

Rows were measured so before the preset ``paper`` took batches, and their keys hold only what differs.
"""


@cache
def _preset(name: str) -> Mapping[str, Any]:
    # Keys of recorded runs have the inputs by the name of an earlier release.
    return make_settings(name, **FULL_BATCH).to_dict() | {"structural_features": "none"}


@dataclass(frozen=True, kw_only=True)
class TrainedNetwork(Method):
    """A network that :class:`infomotif.InfoMotif` trains; bases and InfoMotif share trainer and search space.

    A method with its own encoder overrides :meth:`module`, or is a :class:`CustomNetwork`.

    Attributes:
        encoder: Name of the encoder.
        preset: Preset of the estimator; ``base`` is the encoder alone.
        searching: How preset ``auto`` searches; other methods do not learn from validation labels, so neither does it.
        types: Whether it sees the types of nodes and edges, where a graph has some.

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
    searching: Search = field(default_factory=lambda: Search(refit=False))
    types: bool = True
    group: str = STANDARD
    version: int = TRAINER_VERSION
    search: Mapping[str, Sequence[Any]] = field(default_factory=lambda: SEARCH)

    def defaults(self) -> dict[str, Any]:
        """Return the preset's settings and those that only this method has."""
        return {**_preset(self.preset), **super().defaults()}

    def check(self, settings: Options) -> None:
        """Refuse settings that the trainer refuses."""
        super().check(settings)
        fixed = self.defaults().get("regularize")
        if settings.get("regularize", fixed) != fixed:
            raise InputError(f"{self.name} is defined by its value of 'regularize'; choose another method instead")
        make_settings(self.preset, **self.trainer_settings(settings))

    def trainer_settings(self, settings: Options) -> dict[str, Any]:
        """Return the settings that the trainer takes; a name that the method declares too is the method's."""
        known = _preset(self.preset)
        chosen = {key: value for key, value in settings.items() if key in known and key not in self.fields}
        chosen.pop("structural_features" if chosen.get("structural_features") == "none" else "inputs", None)
        return chosen

    def module(self, graph: Graph, settings: Options, seed: int) -> str | nn.Module:
        """Return the encoder: a name, or a module ``(x, edge_index) -> [n, d]``."""
        return self.encoder

    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> MethodOutput:
        """Train on one thread, keep the epoch that validates best, and label all nodes."""
        if len(split.val) == 0:
            raise InputError(f"{self.name} needs validation nodes to choose its epoch")
        if graph.coloured and not self.types:
            graph = graph.replace(node_types=None, edge_types=None)
        ticks = [time.process_time()]
        model = InfoMotif(
            **estimator_options(self.module(graph, settings, seed), self.trainer_settings(settings)),
            preset=self.preset,
            motifs=settings.get("motifs", "auto"),
            search=self.searching,
            random_state=seed,
            device="cpu",
            threads=1,
            progress=False,
        )
        model.fit(graph, split.train, split.val, on_epoch=lambda record: ticks.append(time.process_time()))
        # The first tick includes counting motifs and compiling kernels.
        seconds = np.diff(ticks)[1:] if len(ticks) > 2 else np.diff(ticks)
        details: dict[str, Any] = {"epochs": len(ticks) - 1}
        if len(seconds):
            # Without any, auto chose what is not trained in epochs.
            details = {"epoch_cpu_seconds": round(float(np.median(seconds)), 5), **details}
        return MethodOutput(model.predict(), model.best_epoch_, details | self.details(model))

    def details(self, model: InfoMotif) -> dict[str, Any]:
        """Return values of a fitted model that are worth keeping next to its predictions."""
        return {}


@dataclass(frozen=True, kw_only=True)
class CustomNetwork(TrainedNetwork):
    """A network of the trainer whose encoder is built for one graph and is not one of the estimator's.

    A subclass declares as ``options`` the settings that it has besides the trainer's, and builds the encoder.

    Attributes:
        whole: Whether it trains on whole graphs only.
    """

    group: str = STRUCTURAL_NETWORKS
    whole: bool = False

    @abstractmethod
    def build(self, graph: Graph, in_dim: int, hidden: int, extra: Options, seed: int, **options: Any) -> Encoder:
        """Return the encoder.

        Args:
            graph: The graph that it is built for.
            in_dim: Number of input features F.
            hidden: Width D.
            extra: A value for each setting that only this method has.
            seed: Decides all randomness except the weights; torch is already seeded.
            options: The arguments that every :class:`infomotif.nn.Encoder` takes.
        """

    def defaults(self) -> dict[str, Any]:
        """Return the preset's settings and those that only this method has."""
        return {**super().defaults(), **({"sampling": "none"} if self.whole else {})}

    def check(self, settings: Options) -> None:
        """Refuse sampled neighbourhoods where the graph must be whole."""
        super().check(settings)
        if self.whole and settings.get("sampling", "none") != "none":
            raise InputError(f"{self.name} trains on whole graphs only; set sampling to 'none' or leave it out")

    def module(self, graph: Graph, settings: Options, seed: int) -> Encoder:
        """Return the encoder for the graph, its weights drawn from the seed."""
        shared = make_settings(self.preset, **self.trainer_settings(settings))
        inputs = shared.inputs
        index = MotifIndex(graph) if inputs.indexed else None
        features = FeatureMap.fit(graph, index, normalize=inputs.normalize, inputs=inputs.features)
        extra = {key: settings[key] for key in self.fields}
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            options = shared.encoder.shared()
            return self.build(graph, features.width, hidden_width(shared, graph), extra, seed, **options)


NETWORKS: Mapping[str, TrainedNetwork] = MappingProxyType(
    {
        network.name: network
        for network in (
            # Kipf and Welling, ICLR 2017: two layers of D^-1/2 (A + I) D^-1/2 H W.
            TrainedNetwork(name="gcn", title="GCN", encoder="gcn"),
            TrainedNetwork(name="gcn-untyped", title="GCN that ignores types", encoder="gcn", types=False),
            # Schlichtkrull et al., ESWC 2018: two layers with a matrix per relation. Departs: attributes are projected
            # to the width first.
            TrainedNetwork(name="rgcn", title="R-GCN", encoder="rgcn"),
            # Velickovic et al., ICLR 2018: two layers with eight attention heads each.
            TrainedNetwork(name="gat", title="GAT", encoder="gat"),
            # Hamilton et al., NeurIPS 2017. The LSTM aggregator is not searched: it costs about fifty times the mean.
            TrainedNetwork(
                name="graphsage",
                title="GraphSAGE",
                encoder="sage",
                search={"lr": (0.01, 0.001, 0.0001), "aggregator": ("mean", "max"), "weight_decay": (0.0, 5e-4)},
            ),
            # Xu et al., ICML 2018: four GCN layers whose states are combined by their maximum.
            TrainedNetwork(name="jknet", title="JKNet", encoder="jknet"),
            # Gasteiger et al., ICLR 2019: two dense layers, then ten steps of personalised PageRank with teleport 0.1.
            # Departs: h is propagated, not the logits, so a linear classifier comes last as in all networks here; no
            # edge is dropped; weight decay is on all weights.
            TrainedNetwork(name="appnp", title="APPNP", encoder="appnp"),
            # Chen et al., ICML 2020: eight layers with initial residual 0.1 and identity mapping, theta 0.5.
            # Departs: weight decay is the same for all weights, as in all networks here.
            TrainedNetwork(name="gcnii", title="GCNII", encoder="gcnii"),
            # Two dense layers that see no edge; without attributes it cannot beat the most frequent class.
            TrainedNetwork(name="mlp", title="MLP", encoder="mlp", group=SIMPLE),
        )
    }
)
"""The plain networks, by name."""
