"""Whether whole numbers are codes (of a school, a region, a zip code) or quantities (an age, a year, a count)."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif.typing import Array

MAX_FEW = 10
"""So many different numbers are few: one-hot loses nothing, and a status of 1 to 7 looks like a mark of 1 to 7."""
_ROWS_PER_VALUE = 5
_CODE_WORDS = {"code", "codes", "fips", "id", "ids", "plz", "postal", "postcode", "zip", "zipcode"}
_QUANTITY_WORDS = {
    "age",
    "ages",
    "amount",
    "count",
    "counts",
    "num",
    "price",
    "score",
    "size",
    "total",
    "year",
    "years",
}
_MIN_DIGITS = 5
_SMALL = 20
_NEAR = (1, 2, 3)
_MIN_TIED = 0.2
_MORE_TIES = 4


class WholeNumbers:
    """How often each whole number occurs in a column; blocks of it are added one by one.

    Args:
        most: How many different numbers are counted; a column with more cannot become one-hot.

    Example:
        >>> column = WholeNumbers()
        >>> column.add(np.array([3.0, np.nan, 3.0]))
        >>> column.add(np.array([1.0]))
        >>> column.known, column.values.tolist(), column.counts.tolist()
        (True, [1.0, 3.0], [1, 2])
    """

    def __init__(self, most: int = 1000) -> None:
        """Start without a number."""
        self.most = most
        self.known = True
        self.missing = 0
        self.values: NDArray[np.float64] = np.empty(0)
        self.counts: NDArray[np.int64] = np.empty(0, dtype=np.int64)

    def add(self, numbers: NDArray[np.float64]) -> None:
        """Count the numbers of a block; nothing more is counted once one is not whole, or there are too many."""
        present = numbers[~np.isnan(numbers)]
        self.missing += len(numbers) - len(present)
        if not self.known or not np.isfinite(present).all() or (present != np.floor(present)).any():
            self.known = False
            return
        values, counts = np.unique(present, return_counts=True)
        everything, place = np.unique(np.concatenate([self.values, values]), return_inverse=True)
        weights = np.concatenate([self.counts, counts])
        self.values, self.counts = everything, np.bincount(place, weights, len(everything)).astype(np.int64)
        self.known = len(everything) <= self.most


def looks_like_codes(name: str, values: Array, counts: Array) -> bool:
    """Return whether whole numbers are codes: numbers whose size says nothing.

    Names decide first (``zip code``, ``school_id`` against ``age``, ``num_papers``), then values. Codes are few
    different numbers, unless they are 0 and 1, mostly 0, or fall off from 0 as counts do; or long numbers of the same
    length that repeat; or numbers that are equal far more often than they are close, as only rounded quantities are.

    Args:
        name: The column's name.
        values: The different numbers, in order.
        counts: How often each occurs.

    Example:
        >>> looks_like_codes("status", np.arange(1, 7), np.full(6, 50))
        True
        >>> looks_like_codes("years", np.arange(20), np.full(20, 50))
        False
    """
    words = _words(name)
    rows, different = int(counts.sum()), len(values)
    if different < 2 or different == rows or values[0] < -1 or set(values.tolist()) <= {-1, 0, 1}:
        return False
    if words & _QUANTITY_WORDS:
        return False
    if words & _CODE_WORDS:
        return True
    if different <= MAX_FEW:
        return rows >= _ROWS_PER_VALUE * different and not _count_from_zero(values, counts)
    if rows >= 2 * different and _same_length(values) and not _rounded(values, counts):
        return True
    return _tied_rather_than_near(values, counts)


def is_called_code(name: str) -> bool:
    """Return whether a column is called a code or an id.

    Example:
        >>> is_called_code("zip code"), is_called_code("schoolId"), is_called_code("idea")
        (True, True, False)
    """
    return bool(_words(name) & _CODE_WORDS)


def _words(name: str) -> set[str]:
    return set(re.findall("[a-z]+", re.sub("([a-z])([A-Z])", r"\1 \2", name).lower()))


def _count_from_zero(values: Array, counts: Array) -> bool:
    """Return whether most are 0, as in a table of words, or each number is rarer than the one before, within chance."""
    noise = 2 * np.sqrt(counts[:-1])
    falling = counts[0] == counts.max() and (counts[1:] <= counts[:-1] + noise).all()
    return bool(values[0] == 0 and (2 * counts[0] > counts.sum() or falling))


def _same_length(values: Array) -> bool:
    return values[0] > 0 and len(str(int(values[0]))) == len(str(int(values[-1]))) >= _MIN_DIGITS


def _rounded(values: Array, counts: Array) -> bool:
    """Return whether most numbers that repeat end in 0, as amounts of money do."""
    tied = counts > 1
    return bool(2 * counts[tied & (values % 10 == 0)].sum() > counts[tied].sum())


def _tied_rather_than_near(values: Array, counts: Array) -> bool:
    """Return whether two rows share a number far more often than they have numbers that differ by 1, 2 or 3."""
    # One number often stands for a missing value, and small ones may be a count that falls off steeply.
    keep = (values > _SMALL) & (np.arange(len(values)) != counts.argmax())
    values, counts = values[keep], counts[keep]
    if len(values) < 2 or _rounded(values, counts):
        return False
    step = int(np.gcd.reduce(np.diff(values).astype(np.int64)))
    scaled: Any = np.round((values - values[0]) / step)
    ties = int((counts * (counts - 1)).sum())
    near = 0.0
    for distance in _NEAR:
        at = np.minimum(np.searchsorted(scaled, scaled + distance), len(scaled) - 1)
        near += float((counts * counts[at])[scaled[at] == scaled + distance].sum()) / len(_NEAR)
    return bool(counts[counts > 1].sum() >= _MIN_TIED * counts.sum() and ties > _MORE_TIES * near)
