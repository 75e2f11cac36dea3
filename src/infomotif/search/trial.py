"""Trial: a candidate while it is tried, on one split or on several folds."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
import torch

from infomotif.graph import Graph
from infomotif.search.candidates import Candidate
from infomotif.search.members import Member, sharpened
from infomotif.search.spreading import Spreading
from infomotif.training.calibration import apply_temperature, fitted_temperature
from infomotif.training.config import Settings
from infomotif.training.loop import TrainingError
from infomotif.training.records import EpochRecord
from infomotif.training.session import PreparedTraining, Session
from infomotif.training.splits import Split
from infomotif.typing import Array

Tell = Callable[[EpochRecord], None]


@dataclass(frozen=True)
class Score:
    """Accuracy on nodes that did not train; their loss, which decides between equal accuracies; epochs so far."""

    accuracy: float
    loss: float
    epochs: int

    @classmethod
    def of(cls, probability: Array, truth: Array, epochs: int) -> Score:
        """Return the score of probabilities of validation nodes, [V, C]."""
        chance = np.maximum(probability[np.arange(len(truth)), truth].astype(np.float64), 1e-9)
        return cls(float((probability.argmax(axis=1) == truth).mean()), float(-np.log(chance).mean()), epochs)

    @property
    def rank(self) -> tuple[float, float]:
        """What scores are ordered by, the best first."""
        return -self.accuracy, self.loss


class Trial:
    """A candidate in the search.

    Args:
        candidate: What is tried.
        settings: All settings of its network; None without one.
        session: What all its trainings share, with its encoder.
        splits: The split, or the folds; each has validation nodes.
        tell: Called with every epoch's record.
        base: The trial whose network it takes.
        fixed: Whether networks train all their epochs: few validation nodes would choose one by chance.
    """

    def __init__(
        self,
        candidate: Candidate,
        settings: Settings | None,
        session: Session,
        splits: Sequence[Split],
        tell: Tell | None = None,
        base: Trial | None = None,
        *,
        fixed: bool = False,
    ) -> None:
        self.candidate, self.settings, self.session, self.splits = candidate, settings, session, tuple(splits)
        self.name, self._tell, self.base, self.fixed = candidate.name, tell, base, fixed
        self.trainings: list[PreparedTraining] = []
        self.score: Score | None = None
        self.error: TrainingError | None = None
        self.seconds = 0.0
        self.probability: list[Array] = []
        self.temperature = 1.0

    @property
    def rank(self) -> tuple[float, float]:
        """What trials are ordered by, the best first."""
        return (math.inf, math.inf) if self.score is None else self.score.rank

    @property
    def source(self) -> Trial:
        """The trial whose networks predict."""
        return self if self.base is None else self.base

    @property
    def done(self) -> bool:
        """Whether it trained to the end and can predict."""
        return bool(self.probability)

    def advance(self, share: float) -> None:
        """Train to a share of the epochs of its own schedule and score; a failed training has no score."""
        if self.settings is None or self.done or self.error is not None:
            return
        start, training = time.perf_counter(), self.settings.training
        until = max(training.warmup_epochs + 1, round(share * training.round_epochs))
        try:
            self._begin()
            histories = [each.loop.advance(until).history for each in self.trainings]
        except TrainingError as error:
            self._fail(error)
        else:
            if self.fixed:
                made = [_probability(each)[split.val] for each, split in zip(self.trainings, self.splits, strict=True)]
                self.score = Score.of(np.concatenate(made), self.truth, until)
                self.seconds += time.perf_counter() - start
                return
            # Epochs that only some folds reached are left out, and so are those of a warm-up, without labels.
            common = [each for each in zip(*histories, strict=False) if each[0].loss is not None]
            means = [_mean_validation(each, self.splits) for each in common]
            accuracy, loss = max(means, key=lambda mean: (mean[0], -mean[1]))
            self.score = Score(accuracy, loss, min(map(len, histories)))
        self.seconds += time.perf_counter() - start

    def finish(self) -> None:
        """Train to the end, self-training included, and predict all nodes by every fold."""
        start, graph = time.perf_counter(), self.session.graph
        try:
            if self.base is not None:
                made: list[Array | None] = list(self.base.probability)
                epochs = 0
            elif self.settings is None:
                made, epochs = [None] * len(self.splits), 0
            else:
                self._begin()
                epochs = min(each.loop.run().epoch for each in self.trainings)
                self._calibrate()
                made = [_probability(each) for each in self.trainings]
        except TrainingError as error:
            self._fail(error)
            return
        self.probability = [self._finished(graph, split, p) for split, p in zip(self.splits, made, strict=True)]
        truth = self.truth
        if self.candidate.spreading is not None:
            logits = torch.from_numpy(np.log(np.maximum(self.validated, 1e-12)))
            self.temperature = fitted_temperature(logits, torch.from_numpy(truth))
            self.probability = [sharpened(each, self.temperature) for each in self.probability]
        self.score = Score.of(self.validated, truth, epochs)
        self.seconds += time.perf_counter() - start

    @property
    def validated(self) -> Array:
        """Probabilities of the validation nodes, of all folds one after the other, [V, C]."""
        return np.concatenate([p[split.val] for p, split in zip(self.probability, self.splits, strict=True)])

    @property
    def truth(self) -> Array:
        """Their classes, [V]."""
        y = self.session.graph.y
        if y is None:
            raise TypeError("candidates need labels")
        return np.concatenate([y[split.val] for split in self.splits])

    @property
    def best_epochs(self) -> tuple[int, bool]:
        """How long to train without validation nodes, and whether self-training helped: what its folds found."""
        if self.fixed and self.source.settings is not None:
            training = self.source.settings.training
            return training.epochs, training.self_training > 0
        states = [each.loop.state for each in self.source.trainings]
        twice = 2 * sum(state.best_epoch > state.round_start > 0 for state in states) >= max(1, len(states))
        lengths = [s.best_epoch - (s.round_start if s.best_epoch > s.round_start else 0) for s in states]
        return int(np.median(lengths)) if lengths else 0, twice

    @property
    def calibration(self) -> float:
        """What logits are divided by on average, so that probabilities match frequencies."""
        trainings = self.source.trainings
        return float(np.mean([each.loop.temperature for each in trainings])) if trainings else 1.0

    def _calibrate(self) -> None:
        """Calibrate networks by the validation nodes, where their trainings did not see these."""
        if not self.fixed or self.settings is None or not self.settings.training.calibrate:
            return
        for training, split in zip(self.trainings, self.splits, strict=True):
            val = torch.from_numpy(split.val)
            target = torch.from_numpy(self.session.graph.y[split.val])  # type: ignore[index]
            loop = training.loop
            loop.temperature = fitted_temperature(training.view.infer().logits.cpu()[val], target)
            apply_temperature(training.network.classifier, loop.temperature)

    def release(self) -> None:
        """Let its networks go."""
        self.trainings = []

    def _finished(self, graph: Graph, split: Split, made: Array | None) -> Array:
        options = self.candidate.spreading
        spreading = None if options is None else Spreading.of(graph, split.train, options)
        return Member(self.name, None, spreading).finish(graph, graph.num_classes, made)

    def _begin(self) -> None:
        if not self.trainings and self.settings is not None:
            self.trainings = [self._training(self.settings, split) for split in self.splits]

    def _training(self, settings: Settings, split: Split) -> PreparedTraining:
        if self.fixed:
            settings = replace(settings, training=settings.training.replace(patience=None, calibrate=False))
            split = Split(split.train, split.val[:0], split.test)
        return self.session.training(settings, split, on_epoch=self._tell)

    def _fail(self, error: TrainingError) -> None:
        self.score, self.error, self.trainings = None, error, []


def _probability(training: PreparedTraining) -> Array:
    return np.asarray(training.view.infer().logits.softmax(dim=1).cpu().numpy())


def _mean_validation(records: Sequence[EpochRecord], splits: Sequence[Split]) -> tuple[float, float]:
    """Return validation accuracy and loss of one epoch, pooled over the folds."""
    weights = np.array([len(split.val) for split in splits], dtype=np.float64)
    accuracies = [0.0 if record.val_accuracy is None else record.val_accuracy for record in records]
    losses = [math.inf if record.val_loss is None else record.val_loss for record in records]
    return float(np.average(accuracies, weights=weights)), float(np.average(losses, weights=weights))
