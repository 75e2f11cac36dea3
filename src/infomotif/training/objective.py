"""The losses of a batch, and what they take from the epoch before: motif weights, novelty and predictions."""

from __future__ import annotations

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from infomotif.motifs import MotifIndex
from infomotif.nn.network import MotifNetwork, Output
from infomotif.training.batches import Batch, TrainingData
from infomotif.training.config import Settings
from infomotif.training.consistency import motif_targets, ramp
from infomotif.training.novelty import novelty_weights
from infomotif.training.views import View

LOSSES = ("supervised", "infomax", "consistency")


class Objective:
    """What training minimises.

    Args:
        network: The network.
        data: What training may see.
        settings: Which losses there are, and their weights.
        index: The graph's motifs, where the network has a regulariser.

    Attributes:
        alpha: Motif weights of all nodes, [n, T], once there was an evaluation.
        beta: Novelty weights of the training nodes, [L].
        class_weights: Weight of each class, [C], or None for all alike.
        predicted: Class probabilities of all nodes, [n, C], where the consistency loss needs them.
    """

    def __init__(
        self, network: MotifNetwork, data: TrainingData, settings: Settings, index: MotifIndex | None = None
    ) -> None:
        self._network, self._data, self._settings, self._index = network, data, settings, index
        self._joint = settings.schedule == "joint"
        self.class_weights = self._balance() if settings.class_weights else None
        self.alpha: Tensor | None = None
        self.beta = torch.ones(len(data.train), device=data.y.device)
        self.predicted: Tensor | None = None

    def losses(self, batch: Batch, view: View, generator: np.random.Generator) -> dict[str, Tensor]:
        """Return the losses that the batch has, by their names in :data:`LOSSES`."""
        losses = {}
        if batch.labelled is not None:
            losses["supervised"] = self._supervised(view, batch.labelled, generator)
        if batch.others is not None:
            losses["infomax"] = self._infomax(view, generator)
            if self.predicted is not None:
                losses["consistency"] = self._consistency(view, batch.others, generator)
        return losses

    def weight(self, name: str, epoch: int) -> float:
        """Return what a loss counts in an epoch."""
        if name == "consistency":
            return self._settings.consistency * ramp(epoch)
        return self._settings.mi_weight if name == "infomax" and self._joint else 1.0

    def observe(self, output: Output, warming: bool) -> None:
        """Take motif weights and predictions of all nodes."""
        self.alpha = output.alpha
        if self._settings.consistency and self._settings.regularize and not warming:
            self.predicted = output.logits.softmax(dim=1)

    def renew_novelty(self) -> None:
        """Weigh the training nodes by their motif weights."""
        if self._settings.novelty and self.alpha is not None:
            self.beta = novelty_weights(self.alpha[self._data.train])

    def state(self) -> dict[str, Tensor]:
        """Return the tensors that a checkpoint keeps."""
        found = {"alpha": self.alpha, "beta": self.beta, "predicted": self.predicted}
        return {name: value for name, value in found.items() if value is not None}

    def load_state(self, tensors: dict[str, Tensor]) -> None:
        """Take what :meth:`state` returned, from among other tensors."""
        device = self._data.y.device
        self.beta = tensors["beta"].to(device)
        self.alpha = tensors["alpha"].to(device) if "alpha" in tensors else None
        self.predicted = tensors["predicted"].to(device) if "predicted" in tensors else None

    def _supervised(self, view: View, batch: Tensor, generator: np.random.Generator) -> Tensor:
        logits = self._network.head(view.h, self._index, view.labelled, generator, view.labelled_instances).logits
        target = self._data.y[self._data.train[batch]]
        losses = F.cross_entropy(logits, target, weight=self.class_weights, reduction="none")
        return (self.beta[batch] * losses).mean()

    def _infomax(self, view: View, generator: np.random.Generator) -> Tensor:
        regularizer = self._network.regularizer
        if regularizer is None:
            raise TypeError("settings.regularize is set but the network has no regulariser")
        weights = torch.ones(len(view.h), regularizer.num_motifs, device=view.h.device)
        if self._settings.task_weights:
            weights = weights / regularizer.num_motifs if self.alpha is None else view.rows_of(self.alpha)
            if self._joint:
                weights = weights * regularizer.num_motifs
        return regularizer.loss(
            view.h, view.corrupted, self._index, view.others,
            alpha=weights, generator=generator, drawn=view.others_drawn,
        )  # fmt: skip

    def _consistency(self, view: View, nodes: Tensor, generator: np.random.Generator) -> Tensor:
        regularizer = self._network.regularizer
        if regularizer is None or self._index is None or self.predicted is None or self.alpha is None:
            raise TypeError("settings.consistency is set but nothing was predicted with motifs yet")
        numbers = nodes.cpu().numpy()
        instances = regularizer.sample(self._index, numbers, generator)
        targets = motif_targets(self.predicted, self.alpha, numbers, instances)
        logits = self._network.head(view.h, self._index, view.others, generator, view.others_observed).logits
        losses = F.cross_entropy(logits, targets, reduction="none")
        unlabelled = torch.ones(len(self._data.y), device=losses.device)
        unlabelled[self._data.train] = 0.0
        return (unlabelled[nodes] * losses).mean()

    def _balance(self) -> Tensor:
        """Weigh classes so that each counts the same among the training nodes."""
        classes = self._network.classifier.out_features
        counts = torch.bincount(self._data.y[self._data.train], minlength=classes).float()
        present = counts > 0
        return torch.where(present, len(self._data.train) / (present.sum() * counts.clamp(min=1)), 1.0)
