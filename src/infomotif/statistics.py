"""Means with spread, and paired differences with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from scipy import stats


@dataclass(frozen=True)
class Spread:
    """A mean over splits, its standard deviation (None for one split) and their number."""

    mean: float
    deviation: float | None
    count: int

    def __str__(self) -> str:
        """Show percent, as in ``85.7 ± 0.4 (10 splits)``."""
        spread = "" if self.deviation is None else f" ± {100 * self.deviation:.1f}"
        return f"{100 * self.mean:.1f}{spread} ({self.count} split{'s' if self.count != 1 else ''})"


@dataclass(frozen=True)
class Difference:
    """A mean paired difference, half its 95 % interval (None for one pair) and the number of pairs."""

    mean: float
    half_width: float | None
    count: int

    def verdict(self) -> str:
        """Return ``win`` or ``loss`` if the interval leaves 0 out, else ``no clear difference``."""
        if self.half_width is None or abs(self.mean) <= self.half_width:
            return "no clear difference" if self.half_width is not None else "one split: no verdict"
        return "win" if self.mean > 0 else "loss"

    def __str__(self) -> str:
        """Show points of percent, as in ``+1.3 ± 0.9 points``."""
        half = "" if self.half_width is None else f" ± {100 * self.half_width:.1f}"
        return f"{100 * self.mean:+.1f}{half} points"


def spread(values: Sequence[float]) -> Spread:
    """Return mean and sample standard deviation.

    Example:
        >>> str(spread([0.8, 0.9]))
        '85.0 ± 7.1 (2 splits)'
    """
    array = np.asarray(values, dtype=np.float64)
    deviation = float(array.std(ddof=1)) if len(array) > 1 else None
    return Spread(float(array.mean()), deviation, len(array))


def paired_difference(ours: Sequence[float], base: Sequence[float]) -> Difference:
    """Return the mean of ``ours - base`` with its 95 % interval by Student's t.

    Example:
        >>> str(paired_difference([0.8, 0.9, 0.7], [0.7, 0.8, 0.6]))
        '+10.0 ± 0.0 points'
    """
    array = np.asarray(ours, dtype=np.float64) - np.asarray(base, dtype=np.float64)
    if len(array) < 2:
        return Difference(float(array.mean()), None, len(array))
    half = float(stats.t.ppf(0.975, len(array) - 1) * array.std(ddof=1) / math.sqrt(len(array)))
    return Difference(float(array.mean()), half, len(array))
