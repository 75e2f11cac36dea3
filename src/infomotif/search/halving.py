"""Successive halving: all start, and at each rung the best go on.

Trials are compared at the same share of their own schedules, and only with others of their stage: InfoMotif starts
slower than a base GNN, and is not dropped for it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from infomotif.search.trial import Trial

RUNGS = ((0.3, 1.0), (0.6, 0.5))
"""Shares of the schedule, and which part of the field trains that far; :data:`FINISHERS` train to the end."""
FINISHERS = 3


def race(field: Sequence[Trial], finish: Callable[[Trial], None], finishers: int = FINISHERS) -> list[Trial]:
    """Return the trials that trained to the end, the best first; all others are let go.

    Args:
        field: The trials, the simplest first.
        finish: Trains one of them to the end.
        finishers: How many train to the end.
    """
    ahead = list(field)
    for share, part in RUNGS:
        wanted = max(finishers, round(part * len(field)))
        ahead = _best(ahead, wanted)
        if len(ahead) <= finishers:
            break
        for trial in ahead:
            trial.advance(share)
    ahead = _best(ahead, finishers)
    for trial in ahead:
        finish(trial)
    return [trial for trial in _best(ahead, finishers) if trial.done]


def _best(trials: Sequence[Trial], count: int) -> list[Trial]:
    """Return the best trials, equal ones in their order; the networks of all others are let go."""
    ranked = sorted(trials, key=lambda trial: trial.rank)
    for trial in ranked[count:]:
        trial.release()
    return ranked[:count]
