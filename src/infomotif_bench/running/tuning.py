"""The search for settings: one setting after the other, or all combinations, by validation accuracy only."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from infomotif._core.statistics import EQUAL

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
    *,
    grid: bool = False,
) -> Found:
    """Go through ``space``, keeping what validates best (of equals the first).

    The search is a pure function of the accuracies, so it can be repeated from kept runs at any time: while
    accuracies are missing it returns the trials that lack them. Where nothing is free nothing is tried.

    Args:
        start: Settings to start from; what they fix is not searched.
        space: Values of each setting.
        accuracy: Mean validation accuracy of settings, or None if they have not run yet.
        grid: Whether all combinations are tried; otherwise one setting is chosen after the other, which costs less, but
            never sees two that help only together.

    Example:
        >>> space = {"lr": (0.1, 0.01), "dropout": (0.5, 0.2)}
        >>> found = search({}, space, lambda s: s["lr"] + s["dropout"])
        >>> found.settings, len(found.trials)
        ({'lr': 0.1, 'dropout': 0.5}, 3)
        >>> len(search({}, space, lambda s: s["lr"] + s["dropout"], grid=True).trials)
        4
    """
    current = {**{key: values[0] for key, values in space.items()}, **start}
    free = {key: values for key, values in space.items() if key not in start}
    if not free:
        return Found(current, (), True)
    trials = [Trial(current, accuracy(current))]
    # All settings at once, or one after the other.
    for stage in [free] if grid else [{key: values} for key, values in free.items()]:
        choices = [dict(zip(stage, values, strict=True)) for values in itertools.product(*stage.values())]
        others = [{**current, **choice} for choice in choices if {**current, **choice} != current]
        trials += [Trial(settings, accuracy(settings)) for settings in others]
        scores = {i: trial.accuracy for i, trial in enumerate(trials) if trial.accuracy is not None}
        if len(scores) < len(trials):
            return Found(current, tuple(trials), False)
        # Accuracies are kept with six digits: a lead in the last of them is none.
        best = max(scores.values())
        current = next(trials[i].settings for i, score in scores.items() if score > best - EQUAL)
    return Found(current, tuple(trials), True)
