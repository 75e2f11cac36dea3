"""Self-training: a first training labels the nodes it is surest of, and a second one learns from these too."""

from __future__ import annotations

from dataclasses import replace

import torch
from torch import Tensor

from infomotif.training.batches import TrainingData


def own_labels(data: TrainingData, logits: Tensor, share: float) -> Tensor:
    """Return the predicted class of the surest nodes without a label, -1 elsewhere, [n].

    Of the nodes that are predicted to be of a class the surest ``share`` is taken, so that no class is crowded out by
    one that is easier to tell.

    Example:
        >>> logits = torch.tensor([[9.0, 0.0], [1.0, 0.0], [2.0, 0.0], [0.0, 3.0]])
        >>> data = TrainingData(torch.tensor([0, -1, -1, -1]), torch.tensor([0]), torch.tensor([], dtype=torch.long))
        >>> own_labels(data, logits, 0.5).tolist()
        [-1, -1, 0, -1]
    """
    sure, guess = logits.softmax(dim=1).max(dim=1)
    labels = torch.full_like(data.y, -1)
    for c in range(logits.shape[1]):
        nodes = ((guess == c) & (data.y < 0)).nonzero().flatten()
        order = sure[nodes].argsort(descending=True, stable=True)
        labels[nodes[order[: round(share * len(nodes))]]] = c
    return labels


def with_labels(data: TrainingData, labels: Tensor) -> TrainingData:
    """Return what training may see once it takes ``labels`` (-1 for none) for true.

    Example:
        >>> data = TrainingData(torch.tensor([0, -1, -1]), torch.tensor([0]), torch.tensor([], dtype=torch.long))
        >>> taught = with_labels(data, torch.tensor([-1, -1, 1]))
        >>> taught.y.tolist(), taught.train.tolist()
        ([0, -1, 1], [0, 2])
    """
    more = (labels >= 0).nonzero().flatten()
    return replace(data, y=torch.where(labels >= 0, labels, data.y), train=torch.cat([data.train, more]).sort().values)
