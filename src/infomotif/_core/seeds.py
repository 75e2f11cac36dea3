"""The one check of seeds that users give."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif.errors import InputError


def check_seed(value: Any, name: str = "random_state", *, bits: int = 63) -> int:
    """Return a seed as an ``int``.

    Args:
        value: The seed.
        name: The parameter that it was given as, for messages.
        bits: How many bits it may have.

    Raises:
        InputError: If it is not a whole number of that many bits.

    Example:
        >>> check_seed(np.int32(7))
        7
        >>> check_seed(-1)
        Traceback (most recent call last):
        infomotif.errors.InputError: random_state must be a whole number from 0 to 2**63 - 1 (got -1)
    """
    if isinstance(value, bool) or not isinstance(value, int | np.integer) or not 0 <= int(value) < 2**bits:
        raise InputError(f"{name} must be a whole number from 0 to 2**{bits} - 1 (got {value!r})")
    return int(value)
