"""The data that training may see, and the batches of an epoch."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from infomotif.training.config import Settings


@dataclass(frozen=True)
class TrainingData:
    """The data that training may see: labels of nodes that neither train nor validate are -1.

    Attributes:
        y: Known classes, -1 elsewhere, [n].
        train: Training nodes, [L].
        val: Validation nodes, possibly none.
    """

    y: Tensor
    train: Tensor
    val: Tensor


@dataclass(frozen=True)
class Batch:
    """A part of a step.

    Attributes:
        labelled: Positions among the training nodes, for the supervised loss.
        others: Nodes of the InfoMax loss.
    """

    labelled: Tensor | None = None
    others: Tensor | None = None

    @property
    def size(self) -> int:
        """The number of nodes, by which batches of one step are weighted."""
        return sum(len(part) for part in (self.labelled, self.others) if part is not None)


class Batches:
    """Splits nodes into batches.

    Args:
        data: What training may see.
        settings: ``batch_size`` and ``mi_share``.
        default: Nodes per batch if the settings do not say; None takes all at once.
    """

    def __init__(self, data: TrainingData, settings: Settings, default: int | None) -> None:
        self._data, self._share, self._size = (
            data,
            settings.regularizer.mi_share,
            settings.training.batch_size or default,
        )

    def supervised(self, generator: np.random.Generator) -> list[Batch]:
        """Return batches of the training nodes."""
        return [Batch(labelled=part) for part in self._labelled(generator)]

    def infomax(self, generator: np.random.Generator) -> list[Batch]:
        """Return batches of all nodes, or of a random share of them."""
        return [Batch(others=part) for part in self._others(generator)]

    def joint(self, generator: np.random.Generator) -> list[Batch]:
        """Return batches of both; the shorter list is repeated, so that every label and node is seen."""
        labelled, others = self._labelled(generator), self._others(generator)
        count = max(len(labelled), len(others))
        return [Batch(labelled[i % len(labelled)], others[i % len(others)]) for i in range(count)]

    def _labelled(self, generator: np.random.Generator) -> list[Tensor]:
        return self._split(len(self._data.train), generator)

    def _others(self, generator: np.random.Generator) -> list[Tensor]:
        n = len(self._data.y)
        if self._share == 1:
            return self._split(n, generator)
        drawn = np.sort(generator.permutation(n)[: max(1, round(self._share * n))])
        chosen = torch.from_numpy(drawn).to(self._data.y.device)
        return [chosen[part] for part in self._split(len(chosen), generator)]

    def _split(self, count: int, generator: np.random.Generator) -> list[Tensor]:
        device = self._data.y.device
        if not self._size or self._size >= count:
            return [torch.arange(count, device=device)]
        return list(torch.from_numpy(generator.permutation(count)).to(device).split(self._size))
