"""Sums that several threads add up, each into an array of its own."""

from __future__ import annotations

from collections.abc import Callable
from queue import SimpleQueue
from typing import Any

import numpy as np

from infomotif._core.parallel import parallel_calls, split_ranges, thread_count
from infomotif.typing import Array

MAX_ACCUMULATOR_BYTES = 512 << 20
_MIN_PARALLEL_WORK = 20_000


def accumulate(function: Callable[..., Any], work: Array, out: Array, *args: Any, pieces: int = 1) -> None:
    """Call ``function(start, stop, *args, out)`` over ranges that together cover all rows; ``out`` adds up.

    Threads beyond the first get arrays like ``out``, as many as memory allows.

    Args:
        function: A kernel that adds to its last argument, anywhere in it.
        work: The cumulative work before each row, to balance the ranges by.
        out: Where to add.
        args: Further arguments of every call.
        pieces: Ranges per thread.

    Example:
        >>> def count(start, stop, out):
        ...     out[start % 2] += stop - start
        >>> total = np.zeros(2, np.int64)
        >>> accumulate(count, np.arange(6), total)
        >>> total.tolist()
        [5, 0]
    """
    threads = min(thread_count(), 1 + MAX_ACCUMULATOR_BYTES // max(1, out.nbytes))
    if threads == 1 or int(work[-1] - work[0]) < _MIN_PARALLEL_WORK:
        function(0, len(work) - 1, *args, out)
        return
    parts = [out, *(np.zeros_like(out) for _ in range(threads - 1))]
    free: SimpleQueue[Array] = SimpleQueue()
    for part in parts:
        free.put(part)

    def add(start: int, stop: int) -> None:
        part = free.get()
        try:
            function(start, stop, *args, part)
        finally:
            free.put(part)

    ranges = split_ranges(work, threads * pieces)
    parallel_calls([_call(add, start, stop) for start, stop in ranges], threads=threads)
    for part in parts[1:]:
        out += part


def _call(function: Callable[..., None], start: int, stop: int) -> Callable[[], None]:
    return lambda: function(start, stop)
