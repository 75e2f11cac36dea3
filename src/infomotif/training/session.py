"""Session: what all trainings of one fit share, and a training with all its parts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import nn

from infomotif.graph import Graph
from infomotif.graph.targets import target_nodes
from infomotif.motifs import MotifIndex
from infomotif.nn.encoders import Custom, EncoderConfig
from infomotif.nn.network import MotifNetwork
from infomotif.training.batches import TrainingData
from infomotif.training.build import (
    check_pretraining,
    encoded_width,
    hidden_width,
    make_adjacency,
    make_encoder,
    make_pairs,
    make_regularizer,
    make_view,
    message_weights,
    needs_sampling,
    output_width,
    rows_reader,
)
from infomotif.training.checkpoint import Checkpoint
from infomotif.training.config import Settings
from infomotif.training.device import on_device
from infomotif.training.distributed import World
from infomotif.training.features import FeatureMap
from infomotif.training.loop import TrainingLoop
from infomotif.training.records import EpochRecord
from infomotif.training.splits import Split
from infomotif.training.views import GraphView
from infomotif.typing import Array


@dataclass(frozen=True)
class PreparedTraining:
    """A network with everything that trains it.

    Attributes:
        settings: How it is trained.
        features: How the graph becomes its input.
        index: The motifs that it uses, if any.
        network: The network.
        view: The graph as the training sees it.
        loop: The loop that trains it.
    """

    settings: Settings
    features: FeatureMap
    index: MotifIndex | None
    network: MotifNetwork
    view: GraphView
    loop: TrainingLoop


@dataclass(frozen=True)
class Session:
    """What all trainings of one fit share.

    Attributes:
        graph: The graph.
        encoder: The encoder; a custom module is copied for every training.
        index: The graph's motifs, if a training needs them.
        seed: Seed of every training.
        device: Where to compute.
        world: Processes that train together.
    """

    graph: Graph
    encoder: EncoderConfig
    index: MotifIndex | None
    seed: int
    device: torch.device
    world: World

    @property
    def name(self) -> str:
        """The encoder's name, as model files have it."""
        return self.encoder.label

    def training(
        self,
        settings: Settings,
        split: Split,
        *,
        checkpoint: Path | None = None,
        on_epoch: Callable[[EpochRecord], None] | None = None,
    ) -> PreparedTraining:
        """Build a network and all that trains it; the same settings and split give the same numbers to the bit."""
        graph, device, world = self.graph, self.device, self.world
        index = self.index if settings.needs_motifs else None
        check_pretraining(settings, graph, world)
        inputs = settings.inputs
        features = FeatureMap.fit(
            graph, index, normalize=inputs.normalize, inputs=inputs.features, relational=settings.encoder.relational
        )
        torch.manual_seed(self.seed)
        network = self._network(settings, index, features).to(device)
        view = make_view(settings, network, graph, features, index, device, world)
        arrays = (visible_labels(graph, split), split.train, split.val)
        targets = target_nodes(graph)
        y, train, val = (torch.from_numpy(array).to(device) for array in arrays)
        data = TrainingData(y, train, val, None if targets is None else torch.from_numpy(targets).to(device))
        keep = None if checkpoint is None else Checkpoint(checkpoint, self._identity(settings, split, index, network))
        loop = TrainingLoop(
            network,
            view,
            data,
            settings,
            seed=self.seed,
            checkpoint=keep,
            on_epoch=on_epoch,
            world=world,
            pairs=make_pairs(settings, graph, index, device, world),
        )
        return PreparedTraining(settings, features, index, network, view, loop)

    def _identity(
        self, settings: Settings, split: Split, index: MotifIndex | None, network: MotifNetwork
    ) -> dict[str, Any]:
        """Return what a checkpoint must have in common with a training to continue it."""
        identity = {
            "graph": self.graph.fingerprint(),
            "split": split.fingerprint(),
            "seed": self.seed,
            "encoder": self.name,
            "settings": settings.to_dict(),
            "motifs": [] if index is None else [motif.name for motif in index.motifs],
        }
        if isinstance(self.encoder, Custom):
            # The class of a module does not tell how wide it is.
            identity["shapes"] = {name: list(value.shape) for name, value in network.encoder.state_dict().items()}
        return identity

    def _network(self, settings: Settings, index: MotifIndex | None, features: FeatureMap) -> MotifNetwork:
        graph, device = self.graph, self.device
        width = hidden_width(settings, graph)
        if isinstance(settings.encoder, Custom):
            encoder: nn.Module = settings.encoder.copied().to(device).eval()
            if needs_sampling(settings, graph, width, self.world):
                rows_of = rows_reader(graph, features, index, device)
                weights = message_weights(settings, graph, features)
                width = output_width(encoder, graph, rows_of, settings, device, weights)
            else:
                adjacency = make_adjacency(settings, graph, features)
                x, adjacency = on_device(device, features.apply(graph, index), adjacency)
                width = encoded_width(encoder, x, adjacency)
        else:
            encoder = make_encoder(settings, features, width)
        regularizer = None if index is None or not settings.regularize else make_regularizer(width, index, settings)
        return MotifNetwork(encoder, regularizer, width, graph.num_classes, settings.encoder.dropout)


def visible_labels(graph: Graph, split: Split) -> Array:
    """Return the labels that training may see; all others, including those of test nodes, are -1."""
    known = np.full(graph.num_nodes, -1)
    if graph.y is not None:
        visible = np.concatenate([split.train, split.val])
        known[visible] = graph.y[visible]
    return known
