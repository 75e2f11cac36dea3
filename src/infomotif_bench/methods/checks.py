"""Checks of the settings that methods have besides the trainer's."""

from __future__ import annotations

import math
from numbers import Real
from typing import Any

import numpy as np

from infomotif.errors import InputError
from infomotif_bench.methods.base import Options

MOST = 10_000_000
MOST_LR = 1e37
"""What a float of 32 bits can multiply with."""


def check_whole(settings: Options, key: str, least: int, most: int = MOST) -> None:
    """Refuse a setting, if it is given, that is not a whole number from ``least`` to ``most``.

    Raises:
        InputError: Naming the setting and what is allowed.

    Example:
        >>> check_whole({"steps": 2}, "steps", 1)
    """
    value: Any = settings.get(key, least)
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not least <= value <= most:
        raise InputError(f"{key} must be a whole number from {least} to {most:,} (got {value!r})")


def check_number(
    settings: Options,
    key: str,
    *,
    above: float | None = None,
    least: float | None = None,
    most: float | None = None,
) -> None:
    """Refuse a setting, if it is given, that is not a finite number above ``above``, or from ``least`` to ``most``.

    Raises:
        InputError: Naming the setting and what is allowed.

    Example:
        >>> check_number({"lr": 0.1}, "lr", above=0)
    """
    if key not in settings:
        return
    value: Any = settings[key]
    if isinstance(value, bool) or not isinstance(value, Real) or not _finite(value):
        raise InputError(f"{key} must be a finite number (got {str(value)[:40]!r})")
    number = float(value)
    if above is not None and not number > above:
        raise InputError(f"{key} must be above {above:g} (got {value})")
    if least is not None and not number >= least:
        raise InputError(f"{key} must be at least {least:g} (got {value})")
    if most is not None and not number <= most:
        raise InputError(f"{key} must be at most {most:g} (got {value})")


def _finite(value: Real) -> bool:
    try:
        return math.isfinite(value)
    except OverflowError:
        return False
