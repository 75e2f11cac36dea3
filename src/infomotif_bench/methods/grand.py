"""GRAND: random propagation and consistency of predictions (Feng et al., NeurIPS 2020)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif._core.validate import Config, config, setting
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.convolutions import DenseLayer, Features
from infomotif.nn.propagation.dropout import dropout
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.training.features import FeatureMap
from infomotif.training.optim import Adam
from infomotif.training.splits import Split
from infomotif_bench.methods.base import MAX_COUNT, MAX_LR, STANDARD, Method, MethodOutput, Options


@config
class GrandSettings(Config):
    """The settings of GRAND."""

    hidden: int = setting(default=32, at_least=1, at_most=MAX_COUNT, help="Width of the hidden layer.")
    views: int = setting(default=2, at_least=1, at_most=100, help="Random propagations per step.")
    steps: int = setting(default=8, at_least=1, at_most=1000, help="Order of the propagation.")
    drop_node: float = setting(default=0.5, at_least=0, below=1, help="Rate at which whole nodes are dropped.")
    dropout: float = setting(default=0.5, at_least=0, below=1, help="Rate at which inputs of each layer are dropped.")
    temperature: float = setting(default=0.5, above=0, help="Sharpens the mean prediction that views should agree on.")
    consistency: float = setting(default=1.0, at_least=0, help="Weight of the consistency loss.")
    lr: float = setting(default=0.01, above=0, at_most=MAX_LR, help="Learning rate.")
    weight_decay: float = setting(default=5e-4, at_least=0, help="L2 penalty.")
    epochs: int = setting(default=200, at_least=1, at_most=MAX_COUNT, help="Most epochs.")
    patience: int = setting(default=60, at_least=1, at_most=MAX_COUNT, help="Epochs without a better validation.")


class _Network(nn.Module):
    """Mean of the first powers of Â over randomly kept nodes, then an MLP of two layers."""

    def __init__(self, width: int, classes: int, settings: Options) -> None:
        super().__init__()
        self.first, self.last = DenseLayer(width, settings["hidden"]), nn.Linear(settings["hidden"], classes)
        self.settings = settings

    def forward(self, x: Features, adjacency: SparseMatrix) -> Tensor:
        """Return class scores of all nodes, [n, C]."""
        # Propagation is linear, so the first product may come before it.
        state = self.first.project(x)
        rate = self.settings["drop_node"]
        if self.training and rate:
            state = state * (torch.rand(len(state), 1) >= rate) / (1 - rate)
        total = state
        for _ in range(self.settings["steps"]):
            state = adjacency @ state
            total = total + state
        hidden = F.relu(total / (self.settings["steps"] + 1) + self.first.bias)
        logits: Tensor = self.last(dropout(hidden, self.settings["dropout"], self.training))
        return logits


@dataclass(frozen=True, kw_only=True)
class Grand(Method):
    """Graph random neural networks: predictions of several random propagations are pulled together.

    Follows the paper in DropNode, the mean of the powers of the adjacency, sharpening and the squared distance of the
    consistency loss. Departs in propagating the first product instead of the attributes, which have no dropout of
    their own, and in at most 200 epochs with two views, the same for all graphs.
    """

    options: ClassVar[type[Config]] = GrandSettings
    group: str = STANDARD

    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> MethodOutput:
        """Train, keep the epoch that validates best, and label all nodes."""
        if len(split.val) == 0:
            raise InputError(f"{self.name} needs validation nodes to choose its epoch")
        features = FeatureMap.fit(graph, None, normalize="l2")
        x, adjacency = features.apply(graph, None), Adjacency.from_graph(graph).gcn
        y, train, val = (torch.from_numpy(np.array(part)) for part in (graph.y, split.train, split.val))
        with torch.random.fork_rng(devices=[]):
            torch.manual_seed(seed)
            network = _Network(features.width, graph.num_classes, settings)
            optimizer = Adam(network.parameters(), lr=settings["lr"], weight_decay=settings["weight_decay"])
            best, kept, labels = (-1.0, 0.0), 0, torch.zeros(graph.num_nodes)
            for epoch in range(1, settings["epochs"] + 1):
                network.train()
                optimizer.zero_grad()
                self._loss([network(x, adjacency) for _ in range(settings["views"])], y, train, settings).backward()
                optimizer.step()
                network.eval()
                with torch.no_grad():
                    logits = network(x, adjacency)
                right = (logits[val].argmax(dim=1) == y[val]).double().mean().item()
                score = (right, -F.cross_entropy(logits[val], y[val]).item())
                if score > best:
                    best, kept, labels = score, epoch, logits.argmax(dim=1)
                elif epoch - kept >= settings["patience"]:
                    break
        return MethodOutput(labels.numpy(), kept)

    @staticmethod
    def _loss(views: list[Tensor], y: Tensor, train: Tensor, settings: Options) -> Tensor:
        supervised = torch.stack([F.cross_entropy(logits[train], y[train]) for logits in views]).mean()
        predictions = torch.stack(views).softmax(dim=2)
        sharp = predictions.mean(dim=0) ** (1 / settings["temperature"])
        target = (sharp / sharp.sum(dim=1, keepdim=True)).detach()
        distance: Tensor = (predictions - target).square().sum(dim=2).mean()
        return supervised + float(settings["consistency"]) * distance


GRAND = Grand(name="grand", title="GRAND")
"""Graph random neural networks."""
