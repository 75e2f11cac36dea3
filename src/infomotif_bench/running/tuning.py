"""The search for settings: one setting after the other, or all combinations, by validation accuracy only."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infomotif._core.statistics import EQUAL

Settings = dict[str, Any]


@dataclass(frozen=True)
class TunedSetting:
    """Settings that were tried, and their mean validation accuracy (None while a run is missing)."""

    settings: Settings
    accuracy: float | None


@dataclass(frozen=True)
class Tuned:
    """The state of a search.

    Attributes:
        settings: The best settings so far.
        trials: The settings that were tried, in order.
        complete: Whether every trial has its accuracy.
    """

    settings: Settings
    trials: tuple[TunedSetting, ...]
    complete: bool


def tune(
    start: Mapping[str, Any],
    space: Mapping[str, Sequence[Any]],
    accuracy: Callable[[Settings], float | None],
    *,
    grid: bool = False,
) -> Tuned:
    """Go through ``space`` and keep the settings that validate best (the first of equals).

    The search is a pure function of the accuracies, so it can be repeated from kept runs at any time: while
    accuracies are missing it returns the trials that lack them. If all settings are fixed, nothing is tried.

    Args:
        start: Fixed settings, which are not searched.
        space: Values of each setting.
        accuracy: Mean validation accuracy of settings, or None if they have not run yet.
        grid: Whether all combinations are tried; otherwise one setting is chosen after the other, which costs less but
            misses settings that help only together.

    Example:
        >>> space = {"lr": (0.1, 0.01), "dropout": (0.5, 0.2)}
        >>> tuned = tune({}, space, lambda s: s["lr"] + s["dropout"])
        >>> tuned.settings, len(tuned.trials)
        ({'lr': 0.1, 'dropout': 0.5}, 3)
        >>> len(tune({}, space, lambda s: s["lr"] + s["dropout"], grid=True).trials)
        4
    """
    current = {**{key: values[0] for key, values in space.items()}, **start}
    free = {key: values for key, values in space.items() if key not in start}
    if not free:
        return Tuned(current, (), True)
    trials = [TunedSetting(current, accuracy(current))]
    # All settings at once, or one after the other.
    for stage in [free] if grid else [{key: values} for key, values in free.items()]:
        choices = [dict(zip(stage, values, strict=True)) for values in itertools.product(*stage.values())]
        others = [{**current, **choice} for choice in choices if {**current, **choice} != current]
        trials += [TunedSetting(settings, accuracy(settings)) for settings in others]
        scores = {i: trial.accuracy for i, trial in enumerate(trials) if trial.accuracy is not None}
        if len(scores) < len(trials):
            return Tuned(current, tuple(trials), False)
        # Stored accuracies have six digits, so a lead in the last digit is not a lead.
        best = max(scores.values())
        current = next(trials[i].settings for i, score in scores.items() if score > best - EQUAL)
    return Tuned(current, tuple(trials), True)
