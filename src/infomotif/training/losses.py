"""The losses of a batch: supervised, InfoMax, consistency of motif partners, mutual information of predictions."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import torch
import torch.nn.functional as F
from torch import Tensor

from infomotif.motifs import Instances, MotifIndex
from infomotif.nn.network import MotifNetwork
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.nn.regularizer.prediction import prediction_information
from infomotif.training.batches import Batch, TrainingData
from infomotif.training.config import Settings
from infomotif.training.views import EncodedBatch
from infomotif.typing import Array

LOSSES = ("supervised", "infomax", "consistency", "prediction")
RAMP_EPOCHS = 20
"""The consistency loss reaches its full weight after this many epochs."""
DECORRELATION = 5e-4
"""Weight of the correlations between columns in the loss of two views."""
SHARPNESS = 2.0
"""Predictions are raised to this power, which is a temperature of 0.5."""


class Objective:
    """What training minimises, with what it takes from the previous epoch: motif weights, novelty and predictions.

    Args:
        network: The network.
        data: What training may see.
        settings: Which losses there are, and their weights.
        index: The graph's motifs, where the network has a regulariser.
        pairs: The distribution over pairs of co-members [n, n], where predictions of co-members are compared.

    Attributes:
        alpha: Motif weights of all nodes, [n, T], once there was an evaluation.
        beta: Novelty weights of the training nodes, [L].
        class_weights: Weight of each class, [C], or None if all count the same.
        predicted: Class probabilities of all nodes, [n, C], where the consistency loss needs them.
    """

    def __init__(
        self,
        network: MotifNetwork,
        data: TrainingData,
        settings: Settings,
        index: MotifIndex | None = None,
        pairs: SparseMatrix | None = None,
    ) -> None:
        self.network, self.data, self.settings, self.index, self.pairs = network, data, settings, index, pairs
        self.class_weights = self._balanced_weights() if settings.training.class_weights else None
        self.alpha: Tensor | None = None
        self.beta = torch.ones(len(data.train), device=data.y.device)
        self.predicted: Tensor | None = None

    def losses(self, batch: Batch, encoded: EncodedBatch, generator: np.random.Generator) -> dict[str, Tensor]:
        """Return the losses that the batch has, by their names in :data:`LOSSES`."""
        if self.pairs is not None and batch.others is not None and batch.labelled is not None:
            # One pass of the head serves both losses.
            logits = self.network.head(encoded.h).logits
            supervised = self._cross_entropy(logits[encoded.labelled], batch.labelled)
            return {"supervised": supervised, "prediction": -prediction_information(logits, self.pairs)}
        losses = {}
        if batch.labelled is not None:
            losses["supervised"] = self.supervised(encoded, batch.labelled, generator)
        if batch.others is not None:
            losses["infomax"] = self.infomax(encoded, generator)
            if self.predicted is not None:
                losses["consistency"] = self.consistency(encoded, batch.others, generator)
        return losses

    def weight(self, name: str, epoch: int) -> float:
        """Return the weight of a loss in an epoch, counted from 0 where labels are first learned from."""
        if name == "consistency":
            return self.settings.regularizer.consistency * ramp(epoch)
        if name == "prediction":
            return self.settings.regularizer.prediction_mi
        return self.settings.regularizer.mi_weight if name == "infomax" and self._joint else 1.0

    @property
    def needs_weights(self) -> bool:
        """Whether steps or novelty take motif weights of the previous evaluation."""
        regularizer = self.settings.regularizer
        return self.settings.regularize and (
            regularizer.task_weights or regularizer.novelty or regularizer.consistency > 0
        )

    def needs_predictions(self, warming: bool) -> bool:
        """Whether steps take predictions of all nodes of the previous evaluation."""
        return self.settings.regularizer.consistency > 0 and self.settings.regularize and not warming

    def observe(self, alpha: Tensor | None, predicted: Tensor | None = None) -> None:
        """Take the motif weights of all nodes, and their class probabilities where they are needed."""
        self.alpha = alpha
        if predicted is not None:
            self.predicted = predicted

    def renew_novelty(self) -> None:
        """Weigh the training nodes by their motif weights."""
        if self.settings.regularizer.novelty and self.alpha is not None:
            self.beta = novelty_weights(self.alpha[self.data.train])

    def state(self) -> dict[str, Tensor]:
        """Return the tensors that a checkpoint keeps."""
        tensors = {"alpha": self.alpha, "beta": self.beta, "predicted": self.predicted}
        return {name: value for name, value in tensors.items() if value is not None}

    def load_state(self, tensors: dict[str, Tensor]) -> None:
        """Take what :meth:`state` returned, from among other tensors."""
        device = self.data.y.device
        self.beta = tensors["beta"].to(device)
        self.alpha = tensors["alpha"].to(device) if "alpha" in tensors else None
        self.predicted = tensors["predicted"].to(device) if "predicted" in tensors else None

    def supervised(self, encoded: EncodedBatch, batch: Tensor, generator: np.random.Generator) -> Tensor:
        """Return the mean cross-entropy of the training nodes at positions ``batch``, weighted by novelty."""
        instances = encoded.labelled_instances
        logits = self.network.head(encoded.h, self.index, encoded.labelled, generator, instances).logits
        return self._cross_entropy(logits, batch)

    def _cross_entropy(self, logits: Tensor, batch: Tensor) -> Tensor:
        target = self.data.y[self.data.train[batch]]
        losses = F.cross_entropy(logits, target, weight=self.class_weights, reduction="none")
        return (self.beta[batch] * losses).mean()

    def infomax(self, encoded: EncodedBatch, generator: np.random.Generator) -> Tensor:
        """Return the InfoMax loss of the batch's other nodes, weighted by motif."""
        regularizer = self.network.regularizer
        if regularizer is None:
            raise TypeError("settings.regularize is set but the network has no regulariser")
        h, corrupted = encoded.states
        weights = torch.ones(len(h), regularizer.num_motifs, device=h.device)
        if self.settings.regularizer.task_weights:
            weights = weights / regularizer.num_motifs if self.alpha is None else encoded.rows_of(self.alpha)
            if self._joint:
                weights = weights * regularizer.num_motifs
        return regularizer.loss(
            h,
            corrupted,
            self.index,
            encoded.others,
            alpha=weights,
            generator=generator,
            drawn=encoded.others_drawn,
        )

    def consistency(self, encoded: EncodedBatch, nodes: Tensor, generator: np.random.Generator) -> Tensor:
        """Return the cross-entropy of unlabelled ``nodes`` with what they and their motif partners are predicted."""
        regularizer = self.network.regularizer
        if regularizer is None or self.index is None or self.predicted is None or self.alpha is None:
            raise TypeError("settings.consistency is set but nothing was predicted with motifs yet")
        numbers = nodes.cpu().numpy()
        instances = regularizer.sample(self.index, numbers, generator)
        targets = motif_targets(self.predicted, self.alpha, numbers, instances)
        observed = encoded.others_observed
        logits = self.network.head(encoded.h, self.index, encoded.others, generator, observed).logits
        losses = F.cross_entropy(logits, targets, reduction="none")
        unlabelled = torch.ones(len(self.data.y), device=losses.device)
        unlabelled[self.data.train] = 0.0
        return (unlabelled[nodes] * losses).mean()

    @property
    def _joint(self) -> bool:
        return self.settings.training.schedule == "joint"

    def _balanced_weights(self) -> Tensor:
        """Weigh classes so that each counts the same among the training nodes."""
        classes = self.network.classifier.out_features
        counts = torch.bincount(self.data.y[self.data.train], minlength=classes).float()
        present = counts > 0
        return torch.where(present, len(self.data.train) / (present.sum() * counts.clamp(min=1)), 1.0)


def decorrelation(one: Tensor, two: Tensor, weight: float = DECORRELATION) -> Tensor:
    """Return the loss of CCA-SSG for the representations of two views, [n, D] each (Zhang et al., NeurIPS 2021).

    Columns are standardised. The loss is minus the correlation of each column with itself in the other view, plus
    ``weight`` times the squared correlations between different columns of a view, both summed over columns.

    Example:
        >>> h = torch.tensor([[1.0, 1.0], [1.0, -1.0], [-1.0, 1.0], [-1.0, -1.0]])
        >>> round(decorrelation(h, h).item(), 4)
        -2.0
    """
    first, second = (_standardised(view) for view in (one, two))
    n = len(one)
    extra = [view.t() @ view / n - torch.eye(view.shape[1], device=view.device) for view in (first, second)]
    penalty = torch.stack([each.square().sum() for each in extra]).sum()
    return weight * penalty - (first * second).sum() / n


def _standardised(view: Tensor) -> Tensor:
    centred = view - view.mean(dim=0)
    # A column that is 0 everywhere, as after a ReLU, has no deviation.
    return centred / centred.square().mean(dim=0).clamp(min=1e-8).sqrt()


def novelty_weights(alpha: Tensor) -> Tensor:
    """Return beta_v = |V_L| softmax_v(||alpha_v - mu||^2) with mu the mean of alpha over V_L.

    Training nodes with uncommon motif weights count more. The factor |V_L| makes beta average 1, as at the start of
    Algorithm 1.

    Args:
        alpha: Motif weights of the training nodes, [L, T].

    Returns:
        Weights of the training nodes, [L].

    Example:
        >>> novelty_weights(torch.tensor([[0.5, 0.5], [0.5, 0.5]])).tolist()
        [1.0, 1.0]
    """
    distance = (alpha - alpha.mean(dim=0)).square().sum(dim=1)
    return torch.softmax(distance, dim=0) * len(alpha)


def ramp(epoch: int) -> float:
    """Return the share of its weight that the consistency loss has in an epoch, counted from 0.

    Example:
        >>> ramp(0), ramp(10), ramp(50)
        (0.0, 0.5, 1.0)
    """
    return min(1.0, epoch / RAMP_EPOCHS)


def motif_targets(predicted: Tensor, alpha: Tensor, nodes: Array, instances: Sequence[Instances]) -> Tensor:
    """Return the sharpened average of each node's prediction and its motif partners', [B, C].

    Partners count by the weight alpha of the motif they share with the node; motifs that a node has no instance of
    leave their weight to its others.

    Args:
        predicted: Probabilities of all nodes, [n, C].
        alpha: Weight of each motif for each node, [n, T].
        nodes: The nodes, [B].
        instances: Instances of each motif for the nodes, as :meth:`infomotif.MotifIndex.sample` draws them.

    Example:
        >>> predicted = torch.tensor([[0.5, 0.5], [0.9, 0.1], [0.9, 0.1]])
        >>> triangle = Instances(np.array([0, 1]), np.array([[0, 1, 2]]))
        >>> targets = motif_targets(predicted, torch.ones(3, 1), np.array([0]), [triangle])
        >>> [f"{share:.2f}" for share in targets[0].tolist()]
        ['0.84', '0.16']
    """
    numbers = torch.from_numpy(np.asarray(nodes, dtype=np.int64)).to(predicted.device)
    of_node = predicted[numbers]
    total, weight = torch.zeros_like(of_node), of_node.new_zeros(len(of_node), 1)
    for t, drawn in enumerate(instances):
        count = np.diff(drawn.indptr)
        owner = np.repeat(np.arange(len(nodes)), count)
        size = drawn.members.shape[1]
        members = torch.from_numpy(drawn.members.astype(np.int64)).to(predicted.device)
        rows = torch.from_numpy(owner).to(predicted.device)
        # An instance lists its owner too, whose share is taken out again.
        partners = (predicted[members].sum(dim=1) - of_node[rows]) / (size - 1)
        mean = torch.zeros_like(of_node).index_add_(0, rows, partners)
        number = torch.from_numpy(count).to(of_node.dtype).to(of_node.device).unsqueeze(1)
        share = alpha[numbers, t : t + 1].to(of_node.dtype) * (number > 0)
        total += share * mean / number.clamp(min=1)
        weight += share
    joined = torch.where(weight > 0, (of_node + total / weight.clamp(min=1e-12)) / 2, of_node)
    sharp = joined**SHARPNESS
    return sharp / sharp.sum(dim=1, keepdim=True)
