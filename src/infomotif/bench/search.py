"""The search for settings: one setting after the other, by validation accuracy only."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Settings = dict[str, Any]


@dataclass(frozen=True)
class Trial:
    """Settings that were tried, and their mean validation accuracy (None while a run is missing)."""

    settings: Settings
    accuracy: float | None


@dataclass(frozen=True)
class Found:
    """What a search found so far.

    Attributes:
        settings: The best settings so far.
        trials: What was tried, in order.
        complete: Whether every trial has its accuracy.
    """

    settings: Settings
    trials: tuple[Trial, ...]
    complete: bool


def search(
    start: Mapping[str, Any],
    space: Mapping[str, Sequence[Any]],
    accuracy: Callable[[Settings], float | None],
) -> Found:
    """Go through ``space`` setting by setting, keeping the value that validates best (of equals the first).

    The search is a pure function of the accuracies, so it can be repeated from kept runs at any time: while
    accuracies are missing it returns the trials that lack them.

    Args:
        start: Settings to start from; what they fix is not searched.
        space: Values of each setting.
        accuracy: Mean validation accuracy of settings, or None if they have not run yet.

    Example:
        >>> found = search({}, {"lr": (0.1, 0.01), "dropout": (0.5, 0.2)}, lambda s: s["lr"] + s.get("dropout", 0))
        >>> found.settings, len(found.trials)
        ({'lr': 0.1, 'dropout': 0.5}, 3)
    """
    current = {**{key: values[0] for key, values in space.items()}, **start}
    trials = [Trial(current, accuracy(current))]
    for key, values in space.items():
        if key in start:
            continue
        others = [Trial({**current, key: value}, accuracy({**current, key: value})) for value in values[1:]]
        trials += others
        if any(trial.accuracy is None for trial in trials):
            return Found(current, tuple(trials), False)
        best = max(_score(trial) for trial in others) if others else -1.0
        if others and best > _score(_of(trials, current)):
            current = next(trial.settings for trial in others if _score(trial) == best)
    return Found(current, tuple(trials), trials[0].accuracy is not None)


def _score(trial: Trial) -> float:
    return -1.0 if trial.accuracy is None else trial.accuracy


def _of(trials: Sequence[Trial], settings: Settings) -> Trial:
    return next(trial for trial in trials if trial.settings == settings)
