"""Consistency: unlabelled nodes are pulled towards what they and their motif partners are predicted to be."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from infomotif.motifs import Instances

RAMP_EPOCHS = 20
SHARPNESS = 2.0
"""Predictions are raised to this power, which is a temperature of 0.5."""


def ramp(epoch: int) -> float:
    """Return the share of its weight that the term has in an epoch, counted from 0.

    Example:
        >>> ramp(0), ramp(10), ramp(50)
        (0.0, 0.5, 1.0)
    """
    return min(1.0, epoch / RAMP_EPOCHS)


def motif_targets(predicted: Tensor, alpha: Tensor, nodes: NDArray[Any], instances: Sequence[Instances]) -> Tensor:
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
    own = predicted[numbers]
    total, weight = torch.zeros_like(own), own.new_zeros(len(own), 1)
    for t, drawn in enumerate(instances):
        count = np.diff(drawn.indptr)
        owner = np.repeat(np.arange(len(nodes)), count)
        size = drawn.members.shape[1]
        members = torch.from_numpy(drawn.members.astype(np.int64)).to(predicted.device)
        at = torch.from_numpy(owner).to(predicted.device)
        # An instance names its owner too, whose share is taken out again.
        partners = (predicted[members].sum(dim=1) - own[at]) / (size - 1)
        mean = torch.zeros_like(own).index_add_(0, at, partners)
        number = torch.from_numpy(count).to(own.dtype).to(own.device).unsqueeze(1)
        share = alpha[numbers, t : t + 1].to(own.dtype) * (number > 0)
        total += share * mean / number.clamp(min=1)
        weight += share
    joined = torch.where(weight > 0, (own + total / weight.clamp(min=1e-12)) / 2, own)
    sharp = joined**SHARPNESS
    return sharp / sharp.sum(dim=1, keepdim=True)
