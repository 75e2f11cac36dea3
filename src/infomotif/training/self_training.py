"""Self-training: the most certain predictions of a first training are labels of a second one."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from infomotif.training.batches import TrainingData


def pseudo_labels(data: TrainingData, logits: Tensor, share: float) -> Tensor:
    """Return the predicted class of unlabelled nodes whose prediction is most certain, -1 elsewhere, [n].

    Of each predicted class the most certain ``share`` is taken, so that no class is crowded out by an easier one.

    Example:
        >>> logits = torch.tensor([[9.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 3.0]])
        >>> data = TrainingData(torch.tensor([0, -1, -1, -1]), torch.tensor([0]), torch.tensor([], dtype=torch.long))
        >>> pseudo_labels(data, logits, 0.5).tolist()
        [-1, -1, 0, -1]
    """
    certainty, guess = logits.softmax(dim=1).max(dim=1)
    labels = torch.full_like(data.y, -1)
    free = data.y < 0
    if data.targets is not None:
        # Labels are about some node types only.
        free &= torch.zeros_like(free).index_fill_(0, data.targets, True)
    for c in range(logits.shape[1]):
        nodes = ((guess == c) & free).nonzero().flatten()
        order = certainty[nodes].argsort(descending=True, stable=True)
        labels[nodes[order[: round(share * len(nodes))]]] = c
    return labels


def with_pseudo_labels(data: TrainingData, labels: Tensor) -> TrainingData:
    """Return what training may see once it takes pseudo-labels (-1 for none) for true ones.

    Example:
        >>> data = TrainingData(torch.tensor([0, -1, -1]), torch.tensor([0]), torch.tensor([], dtype=torch.long))
        >>> more = with_pseudo_labels(data, torch.tensor([-1, -1, 1]))
        >>> more.y.tolist(), more.train.tolist()
        ([0, -1, 1], [0, 2])
    """
    nodes = (labels >= 0).nonzero().flatten()
    return replace(data, y=torch.where(labels >= 0, labels, data.y), train=torch.cat([data.train, nodes]).sort().values)
