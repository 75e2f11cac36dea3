"""How many of something to show."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif.errors import InputError


def check_counts(**counts: Any) -> None:
    """Refuse what is not a whole number from 0 on.

    Raises:
        InputError: Naming the parameter.

    Example:
        >>> check_counts(twins=5, instances=0)
        >>> check_counts(twins=-1)
        Traceback (most recent call last):
        infomotif.errors.InputError: twins must be a whole number from 0 on (got -1)
    """
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int | np.integer) or count < 0:
            raise InputError(f"{name} must be a whole number from 0 on (got {count!r})")
