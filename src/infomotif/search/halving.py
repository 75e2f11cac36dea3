"""Search: the base's settings one after the other, then InfoMotif with the best of them, by successive halving.

It knows only what a training scores after so many epochs, so anything that scores can be searched.
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
from infomotif.training.presets import make_settings


@dataclass(frozen=True)
class Score:
    """Accuracy on nodes that did not train; their loss, which decides between equal accuracies; epochs so far."""

    accuracy: float
    loss: float
    epochs: int


class Trial(Protocol):
    """A training that can go on."""

    def advance(self, until: int) -> Score:
        """Train up to epoch ``until`` and return the score so far."""
        ...


Begin = Callable[[Settings], Trial]


class Entry:
    """A candidate in the search: its training as long as it may go on, and its score so far."""

    def __init__(self, name: str, what: str, settings: Settings, begin: Begin) -> None:
        self.name, self.what, self.settings = name, what, settings
        self.trial: Trial | None = None
        self.score: Score | None = None
        self.error: TrainingError | None = None
        self.seconds = 0.0
        self._begin: Begin | None = begin

    def advance(self, share: float) -> None:
        """Train to a share of the epochs, 2 for both rounds of self-training; a failure is let go without a score."""
        start = time.perf_counter()
        try:
            if self._begin is not None:
                self.trial, self._begin = self._begin(self.settings), None
            if self.trial is not None:
                until = round(share * self.settings.training.round_epochs)
                self.score = self.trial.advance(max(self.settings.training.warmup_epochs + 1, until))
        except TrainingError as error:
            self.score, self.trial, self.error = None, None, error
        self.seconds += time.perf_counter() - start

    @property
    def rank(self) -> tuple[float, float]:
        """What candidates are ordered by, the best first."""
        return (math.inf, math.inf) if self.score is None else (-self.score.accuracy, self.score.loss)


@dataclass(frozen=True)
class Found:
    """What a search found.

    Attributes:
        base: The base with its best settings.
        changes: What these settings change; InfoMotif was tried with them.
        ours: The best InfoMotif; None if none was to be tried.
        tried: All candidates, in the order they were tried.
        nodes: How many nodes validated; None takes accuracies for exact.
        required: Whether the user asked for InfoMotif, so that the base is no choice.
    """

    base: Entry
    changes: dict[str, Any]
    ours: Entry | None
    tried: tuple[Entry, ...]
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
    def best(self) -> Entry:
        """InfoMotif if it validates better than the base by more than the margin, or is required, else the base."""
        if self.required and self.ours is not None and self.ours.error is not None:
            raise self.ours.error
        if self.ours is None or self.ours.score is None:
            return self.base
        if self.required:
            return self.ours
        if self.nodes is not None and self.base.score is not None:
            return self.ours if self.ours.score.accuracy > self.base.score.accuracy + self.margin else self.base
        return min(self.base, self.ours, key=lambda entry: entry.rank)


class Search:
    """What is tried, and how far.

    Args:
        given: Settings that the user fixed; no candidate changes them, and those that they make equal count once.
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
                settings = make_settings("paper", encoder, **{**candidate.settings, **given})
            except InputError:
                # What the user fixed leaves no room for it.
                continue
            # Of equal ones the name that says least is the one that holds.
            distinct[settings] = min(distinct.get(settings, candidate), candidate, key=lambda c: len(c.settings))
        self.ours = list(distinct.values())[: effort.most] if given.get("regularize", True) else []
        self.required = bool(given.get("regularize", False))

    @property
    def epochs(self) -> float:
        """About how much there is to train, in epochs of InfoMotif."""
        training = make_settings("paper", self.encoder, **self.given).training
        return training.epochs * self.effort.cost(len(self.shared), len(self.ours), twice=training.self_training > 0)

    def run(self, begin: Begin) -> Found:
        """Try everything.

        Args:
            begin: Returns the training of some settings, about to start.

        Raises:
            TrainingError: If every training failed.
        """
        tried: list[Entry] = []
        base, changes = self._tune(begin, tried)
        ours = self._race(begin, changes, tried)
        base.advance(self.effort.rungs[-1][0])
        if self.effort.complete:
            # Self-training may gain one of them more than the other, so both complete it before they are compared.
            for entry in (base, ours):
                if entry is not None and entry.settings.training.self_training:
                    entry.advance(2.0)
        if base.error is not None and (ours is None or ours.error is not None):
            raise base.error
        return Found(base, changes, ours, tuple(tried), self.nodes, self.required)

    def _tune(self, begin: Begin, tried: list[Entry]) -> tuple[Entry, dict[str, Any]]:
        """Return the base with its best settings, and what these change."""
        changes: dict[str, Any] = {}
        best = Entry(BASE.name, BASE.what, self._settings(BASE, changes), begin)
        best.advance(self.effort.base)
        tried.append(best)
        for candidate in self.shared:
            more = {**changes, **candidate.settings}
            rival = Entry(f"{best.name}, {candidate.name}", candidate.what, self._settings(BASE, more), begin)
            rival.advance(self.effort.base)
            tried.append(rival)
            if _best([best, rival], 1)[0] is rival:
                best, changes = rival, more
        return best, changes

    def _race(self, begin: Begin, changes: dict[str, Any], tried: list[Entry]) -> Entry | None:
        """Return the candidate that is ahead when each rung let only the best go on."""
        field = [Entry(c.name, c.what, self._settings(c, changes), begin) for c in self.ours]
        tried += field
        places = [count for _, count in self.effort.rungs[1:]] + [1]
        for (share, _), count in zip(self.effort.rungs, places, strict=True):
            ahead: list[Entry] = []
            for entry in field:
                entry.advance(share)
                ahead = _best([*ahead, entry], count)
            field = ahead
        return field[0] if field else None

    def _settings(self, candidate: Candidate, changes: Mapping[str, Any]) -> Settings:
        return make_settings("paper", self.encoder, **{**changes, **candidate.settings, **self.given})


def _best(entries: Sequence[Entry], count: int) -> list[Entry]:
    """Return the best entries, equal ones in their order; the trainings of all others are let go."""
    ranked = sorted(entries, key=lambda entry: entry.rank)
    for entry in ranked[count:]:
        entry.trial = None
    return ranked[:count]
