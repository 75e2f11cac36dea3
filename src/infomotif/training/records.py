"""Records of a training: what an epoch measured, how it validated, and where the loop stands."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, NamedTuple


@dataclass(frozen=True)
class EpochRecord:
    """What one epoch measured; None for what it did not measure.

    Attributes:
        epoch: Number of the epoch, from 1.
        loss: Supervised loss, the mean over steps; None in a warm-up.
        mi_loss: InfoMax loss, minus the mutual information of predictions, or the loss of two views, the mean over
            steps; None for a base GNN.
        val_accuracy: Share of the validation nodes that are classified correctly; None without validation nodes.
        val_loss: Mean cross-entropy of the validation nodes.
        seconds: How long the epoch took.

    Example:
        >>> EpochRecord(1, loss=0.5, seconds=0.1).to_dict()
        {'epoch': 1, 'loss': 0.5, 'seconds': 0.1}
    """

    epoch: int
    loss: float | None = None
    mi_loss: float | None = None
    val_accuracy: float | None = None
    val_loss: float | None = None
    seconds: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return what was measured, as files and ``history_`` hold it."""
        return {key: value for key, value in asdict(self).items() if value is not None}

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> EpochRecord:
        """Return the record that :meth:`to_dict` made.

        Raises:
            TypeError: If the value has other keys.
        """
        return cls(**value)


class Validation(NamedTuple):
    """Accuracy and mean cross-entropy on the validation nodes."""

    accuracy: float
    loss: float

    def beats(self, accuracy: float, loss: float) -> bool:
        """Whether it is better than another: more accurate, or as accurate with a smaller loss."""
        return (self.accuracy, -self.loss) > (accuracy, -loss)


@dataclass
class LoopState:
    """Where training stands; with the tensors of network and optimisers, all that a checkpoint holds.

    Self-training makes a second round, which starts at the network's first state. The best epoch of the round decides
    when patience ends; the best epoch of all is kept.

    Attributes:
        epoch: Epochs done.
        round_start: Epochs done when the current round started.
        round_epoch: Best epoch of the round.
        round_accuracy: Its validation accuracy.
        round_loss: Its validation loss.
        best_epoch: Best epoch of all rounds.
        best_accuracy: Its validation accuracy.
        best_loss: Its validation loss.
        history: One record per epoch.
    """

    epoch: int = 0
    round_start: int = 0
    round_epoch: int = 0
    round_accuracy: float = -1.0
    round_loss: float = math.inf
    best_epoch: int = 0
    best_accuracy: float = -1.0
    best_loss: float = math.inf
    history: list[EpochRecord] = field(default_factory=list)

    def start_round(self) -> None:
        """Let a round start here."""
        self.round_start = self.round_epoch = self.epoch
        self.round_accuracy, self.round_loss = -1.0, math.inf

    def to_dict(self) -> dict[str, Any]:
        """Return the state as checkpoints hold it."""
        history = [record.to_dict() for record in self.history]
        plain = {key: value for key, value in vars(self).items() if key != "round_start"}
        return plain | {"begun": self.round_start, "history": history}

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> LoopState:
        """Return the state that :meth:`to_dict` made.

        Raises:
            KeyError, TypeError: If the value has other keys.
        """
        plain = {key: part for key, part in value.items() if key not in ("begun", "history")}
        history = [EpochRecord.from_dict(record) for record in value["history"]]
        return cls(**plain, round_start=value["begun"], history=history)
