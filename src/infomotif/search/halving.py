"""The search: the base's settings one after the other, then InfoMotif with the best of them, by successive halving.

It only sees what a training scores after a number of epochs, so anything that scores can be searched.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from infomotif.errors import InputError
from infomotif.nn.encoders import EncoderConfig
from infomotif.search.candidates import BASE, CANDIDATES, SHARED, Candidate, Effort
from infomotif.training.config import Settings, Training
from infomotif.training.loop import TrainingError
from infomotif.training.presets import plain_settings


@dataclass(frozen=True)
class Score:
    """Accuracy on nodes that did not train; their loss, which decides between equal accuracies; epochs so far."""

    accuracy: float
    loss: float
    epochs: int


class Resumable(Protocol):
    """A training that can go on."""

    def advance(self, until: int) -> Score:
        """Train up to epoch ``until`` and return the score so far."""
        ...


Begin = Callable[[Settings], Resumable]


class Contender:
    """A candidate in the search: its training as long as it may go on, and its score so far."""

    def __init__(self, name: str, what: str, settings: Settings, begin: Begin) -> None:
        self.name, self.what, self.settings = name, what, settings
        self.training: Resumable | None = None
        self.score: Score | None = None
        self.error: TrainingError | None = None
        self.seconds = 0.0
        self._begin: Begin | None = begin

    def advance(self, share: float) -> None:
        """Train to a share of the epochs, 2 for both rounds of self-training; a failed training has no score."""
        start = time.perf_counter()
        try:
            if self._begin is not None:
                self.training, self._begin = self._begin(self.settings), None
            if self.training is not None:
                until = round(share * self.settings.training.round_epochs)
                self.score = self.training.advance(max(self.settings.training.warmup_epochs + 1, until))
        except TrainingError as error:
            self.score, self.training, self.error = None, None, error
        self.seconds += time.perf_counter() - start

    @property
    def rank(self) -> tuple[float, float]:
        """What contenders are ordered by, the best first."""
        return (math.inf, math.inf) if self.score is None else (-self.score.accuracy, self.score.loss)


@dataclass(frozen=True)
class SearchResult:
    """The outcome of a search.

    Attributes:
        base: The base with its best settings.
        changes: What these settings change; InfoMotif was tried with them.
        ours: The best InfoMotif; None if none was to be tried.
        tried: All contenders, in the order they were tried.
        nodes: How many nodes validated; None takes accuracies for exact.
        required: Whether the user requested InfoMotif, so that the base cannot be chosen.
    """

    base: Contender
    changes: dict[str, Any]
    ours: Contender | None
    tried: tuple[Contender, ...]
    nodes: int | None = None
    required: bool = False

    @property
    def margin(self) -> float:
        """One standard error of the base's accuracy.

        The best of many candidates is ahead by chance alone, the more so the fewer nodes validate.
        """
        if self.nodes is None or self.base.score is None:
            return 0.0
        share = self.base.score.accuracy
        return math.sqrt(share * (1 - share) / max(1, self.nodes))

    @property
    def best(self) -> Contender:
        """InfoMotif if it validates better than the base by more than the margin, or is required, else the base."""
        if self.required and self.ours is not None and self.ours.error is not None:
            raise self.ours.error
        if self.ours is None or self.ours.score is None:
            return self.base
        if self.required:
            return self.ours
        if self.nodes is not None and self.base.score is not None:
            return self.ours if self.ours.score.accuracy > self.base.score.accuracy + self.margin else self.base
        return min(self.base, self.ours, key=lambda contender: contender.rank)


class Search:
    """What is tried, and how far.

    Args:
        given: Settings that the user fixed; no candidate changes them, and candidates that they make equal count once.
        effort: How far each candidate trains.
        shared: Settings to try on the base.
        ours: Candidates of InfoMotif.
        nodes: How many nodes validate; the fewer, the further ahead InfoMotif must be.
        encoder: The encoder.
    """

    def __init__(
        self,
        given: Mapping[str, Any],
        effort: Effort,
        *,
        shared: Sequence[Candidate] = SHARED,
        ours: Sequence[Candidate] = CANDIDATES,
        nodes: int | None = None,
        encoder: str | EncoderConfig = "gcn",
    ) -> None:
        self.nodes, self.encoder = nodes, encoder
        self.given, self.effort = {k: v for k, v in given.items() if k != "regularize"}, effort
        self.shared = [c for c in shared if not c.settings.keys() & given.keys()]
        distinct: dict[Settings, Candidate] = {}
        for candidate in ours:
            schedule = candidate.settings.get("schedule", Training().schedule)
            if given.get("schedule", schedule) != schedule:
                # With another schedule it would not be what its name says.
                continue
            try:
                settings = plain_settings(encoder, **{**candidate.settings, **given})
            except InputError:
                # It contradicts what the user fixed.
                continue
            # Of candidates that have become equal, the name that promises least is true.
            distinct[settings] = min(distinct.get(settings, candidate), candidate, key=lambda c: len(c.settings))
        self.ours = list(distinct.values())[: effort.max_candidates] if given.get("regularize", True) else []
        self.required = bool(given.get("regularize", False))

    @property
    def epochs(self) -> float:
        """About how much there is to train, in epochs of InfoMotif."""
        training = plain_settings(self.encoder, **self.given).training
        cost = self.effort.cost(len(self.shared), len(self.ours), self_training=training.self_training > 0)
        return training.epochs * cost

    def run(self, begin: Begin) -> SearchResult:
        """Try everything.

        Args:
            begin: Returns the training of some settings, about to start.

        Raises:
            TrainingError: If every training failed.
        """
        tried: list[Contender] = []
        base, changes = self._tune_base(begin, tried)
        ours = self._race(begin, changes, tried)
        base.advance(self.effort.rungs[-1][0])
        if self.effort.complete:
            # Self-training may help one more than the other, so both complete it before they are compared.
            for contender in (base, ours):
                if contender is not None and contender.settings.training.self_training:
                    contender.advance(2.0)
        if base.error is not None and (ours is None or ours.error is not None):
            raise base.error
        return SearchResult(base, changes, ours, tuple(tried), self.nodes, self.required)

    def _tune_base(self, begin: Begin, tried: list[Contender]) -> tuple[Contender, dict[str, Any]]:
        """Return the base with its best settings, and what these change."""
        changes: dict[str, Any] = {}
        best = Contender(BASE.name, BASE.what, self._settings(BASE, changes), begin)
        best.advance(self.effort.base)
        tried.append(best)
        for candidate in self.shared:
            more = {**changes, **candidate.settings}
            rival = Contender(f"{best.name}, {candidate.name}", candidate.what, self._settings(BASE, more), begin)
            rival.advance(self.effort.base)
            tried.append(rival)
            if _best([best, rival], 1)[0] is rival:
                best, changes = rival, more
        return best, changes

    def _race(self, begin: Begin, changes: dict[str, Any], tried: list[Contender]) -> Contender | None:
        """Return the candidate of InfoMotif that is left when at each rung only the best went on."""
        field = [Contender(c.name, c.what, self._settings(c, changes), begin) for c in self.ours]
        tried += field
        survivors = [count for _, count in self.effort.rungs[1:]] + [1]
        for (share, _), count in zip(self.effort.rungs, survivors, strict=True):
            ahead: list[Contender] = []
            for contender in field:
                contender.advance(share)
                ahead = _best([*ahead, contender], count)
            field = ahead
        return field[0] if field else None

    def _settings(self, candidate: Candidate, changes: Mapping[str, Any]) -> Settings:
        return plain_settings(self.encoder, **{**changes, **candidate.settings, **self.given})


def _best(contenders: Sequence[Contender], count: int) -> list[Contender]:
    """Return the best contenders, equal ones in their order; the trainings of all others are let go."""
    ranked = sorted(contenders, key=lambda contender: contender.rank)
    for contender in ranked[count:]:
        contender.training = None
    return ranked[:count]
