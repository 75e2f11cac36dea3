"""Empirical characteristic functions of many samples at evenly spaced points."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from infomotif._core.parallel import kernel

_NOTHING = 1e-9


@kernel
def characteristic_functions(start: Any, stop: Any, samples: Any, spacing: Any, real: Any, imaginary: Any) -> None:
    """Write the mean of exp(i t x) over the samples x of a row, t = spacing, 2 spacing, ...

    One sine and cosine per sample: the others follow by rotation, up to the rounding error of ``points`` steps.
    Samples that turn by less than 1e-9 per step count as zeros.
    """
    n, points = samples.shape[1], real.shape[1]
    for row in range(start, stop):
        sums, heights = np.zeros(points), np.zeros(points)
        still = 0
        for m in range(n):
            angle = spacing * samples[row, m]
            if abs(angle) < _NOTHING:
                still += 1
                continue
            cosine, sine = math.cos(angle), math.sin(angle)
            x, y = 1.0, 0.0
            for k in range(points):
                x, y = x * cosine - y * sine, x * sine + y * cosine
                sums[k] += x
                heights[k] += y
        for k in range(points):
            real[row, k] = (sums[k] + still) / n
            imaginary[row, k] = heights[k] / n
