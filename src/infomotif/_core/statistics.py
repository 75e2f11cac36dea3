"""Means with spread, and paired differences with intervals."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr, stdtrit

# Accuracies are kept with six digits, so equal differences may vary in the last of them.
EQUAL = 2e-6


@dataclass(frozen=True)
class Spread:
    """A mean over splits, its standard deviation (None for one split), their number, and its 95 % interval if known."""

    mean: float
    deviation: float | None
    count: int
    interval: tuple[float, ...] | None = None

    def __str__(self) -> str:
        """Show percent, as in ``85.7 ± 0.4 (10 splits)``."""
        spread = "" if self.deviation is None else f" ± {100 * self.deviation:.1f}"
        return f"{100 * self.mean:.1f}{spread} ({self.count} split{'s' if self.count != 1 else ''})"

    @property
    def interval_text(self) -> str:
        """The 95 % interval in percent, as in ``44.9 to 81.1``; empty if it is not known."""
        return "" if self.interval is None else " to ".join(f"{100 * bound:.1f}" for bound in self.interval)


@dataclass(frozen=True)
class Difference:
    """A mean paired difference, half its 95 % interval (None for one pair) and the number of pairs.

    The interval treats splits as independent; ``p_value``, of the corrected resampled t-test, does not. ``steady`` says
    whether the interval lies on the same side of 0 whichever single pair is left out.
    """

    mean: float
    half_width: float | None
    count: int
    p_value: float | None = None
    steady: bool = True

    @property
    def clear(self) -> bool:
        """Whether the interval excludes 0; equal differences, often of one node, do not say how they vary."""
        return bool(self.half_width) and abs(self.mean) > (self.half_width or 0.0)

    def verdict(self) -> str:
        """Return ``win`` or ``loss`` if the difference is clear, else ``no clear difference``."""
        if self.half_width is None:
            return "one split gives no verdict; more with --splits"
        if not self.clear:
            return "no clear difference"
        return "win" if self.mean > 0 else "loss"

    def __str__(self) -> str:
        """Show points of percent, as in ``+1.3 ± 0.9 points``."""
        half = "" if self.half_width is None else f" ± {100 * self.half_width:.1f}"
        return f"{100 * self.mean:+.1f}{half} points"


def spread(values: Sequence[float], *, nodes: int | None = None) -> Spread:
    """Return mean and sample standard deviation, and a 95 % interval.

    The interval of one split is that of a share counted on its ``nodes``; of several splits it is Student's, which
    takes them for independent.

    Args:
        values: One value per split.
        nodes: The number of nodes that a value was counted on, if it is known.

    Example:
        >>> str(spread([0.8, 0.9]))
        '85.0 ± 7.1 (2 splits)'
        >>> [round(bound, 3) for bound in spread([0.652], nodes=23).interval]
        [0.449, 0.812]
    """
    array = np.asarray(values, dtype=np.float64)
    mean = float(array.mean())
    if len(array) == 1:
        return Spread(mean, None, 1, wilson_interval(mean, nodes) if nodes else None)
    half = _half_width(array)
    return Spread(mean, float(array.std(ddof=1)), len(array), (max(0.0, mean - half), min(1.0, mean + half)))


def wilson_interval(share: float, count: int) -> tuple[float, float]:
    """Return the 95 % interval of a share that was counted on ``count`` independent nodes (Wilson, 1927).

    Example:
        >>> [round(bound, 3) for bound in wilson_interval(0.652, 23)]
        [0.449, 0.812]
    """
    z = 1.959963984540054
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    half = z / (1 + z * z / count) * math.sqrt(share * (1 - share) / count + z * z / (4 * count * count))
    return max(0.0, centre - half), min(1.0, centre + half)


def paired_difference(
    ours: Sequence[float], base: Sequence[float], *, sizes: tuple[int, int] | None = None
) -> Difference:
    """Return the mean of ``ours - base`` with its 95 % interval by Student's t.

    Args:
        ours: One value per split.
        base: The values to compare with, on the same splits.
        sizes: The number of training and of test nodes of a split; with them the corrected test is made too.

    Example:
        >>> str(paired_difference([0.8, 0.9, 0.7], [0.7, 0.8, 0.6]))
        '+10.0 ± 0.0 points'
    """
    array = np.asarray(ours, dtype=np.float64) - np.asarray(base, dtype=np.float64)
    if len(array) < 2:
        return Difference(float(array.mean()), None, len(array))
    p_value = None if sizes is None else corrected_resampled_test(array, *sizes)
    return Difference(float(array.mean()), _half_width(array), len(array), p_value, _steady(array))


def _half_width(array: NDArray[np.float64]) -> float:
    deviation = float(array.std(ddof=1))
    return float(stdtrit(len(array) - 1, 0.975)) * deviation / math.sqrt(len(array)) if deviation > EQUAL else 0.0


def _steady(array: NDArray[np.float64]) -> bool:
    """Return whether the interval stays on its side of 0 whichever single value is left out."""
    if len(array) < 3:
        return False
    sign = np.sign(array.mean())
    others = (np.delete(array, i) for i in range(len(array)))
    return all(sign * other.mean() > _half_width(other) for other in others)


def corrected_resampled_test(differences: Sequence[float] | NDArray[np.float64], train: int, test: int) -> float:
    """Return the two-sided p-value that differences over random splits have mean 0.

    Splits of one graph share nodes, so their variance is too small; Nadeau and Bengio (2003) replace 1/J in the
    t statistic of J splits by 1/J + test/train. The test is conservative: with few training nodes it rarely finds a
    difference. Equal differences give 1, for they do not say how they vary.

    Args:
        differences: One per split; at least two.
        train: Number of training nodes of a split.
        test: Number of test nodes.

    Example:
        >>> round(corrected_resampled_test([0.02, 0.03, 0.01, 0.02], train=60, test=20), 3)
        0.049
    """
    array = np.asarray(differences, dtype=np.float64)
    count, mean, deviation = len(array), float(array.mean()), float(array.std(ddof=1))
    if deviation <= EQUAL:
        return 1.0
    statistic = mean / (deviation * math.sqrt(1 / count + test / train))
    return float(2 * stdtr(count - 1, -abs(statistic)))
