"""Compiled kernels over ranges of nodes, on threads that live as long as the process."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor, wait
from contextvars import ContextVar
from functools import partial
from typing import Any, TypeVar, cast

import numba
import numpy as np
from numba.core import event
from numpy.typing import NDArray

from infomotif._core.collection import paused_collection
from infomotif._core.system import usable_cores
from infomotif.errors import InputError

Function = TypeVar("Function", bound=Callable[..., Any])

_MIN_PARALLEL_WORK = 20_000
MAX_THREADS = 1024
_limit: ContextVar[int | None] = ContextVar("infomotif_threads", default=None)
_worker = threading.local()
_pools: dict[tuple[int, int], ThreadPoolExecutor] = {}
_pools_lock = threading.Lock()


def kernel(function: Function) -> Function:
    """Compile ``function`` on first use, free of the interpreter's lock, and keep the result on disk.

    Example:
        >>> @kernel
        ... def total(values):
        ...     result = 0
        ...     for value in values:
        ...         result += value
        ...     return result
        >>> total.__name__
        'total'
    """
    return _compiled(function)


def inlined(function: Function) -> Function:
    """Compile ``function`` as part of each kernel that calls it, which takes less time than a function of its own.

    For short helpers of kernels; from Python it can be called like a :func:`kernel`.

    Example:
        >>> @inlined
        ... def twice(value):
        ...     return 2 * value
        >>> twice.__name__
        'twice'
    """
    return _compiled(function, inline="always")


def _compiled(function: Function, **options: str) -> Function:
    on_disk = "<" not in function.__code__.co_filename
    # Nothing calls kernels from C, and the entry for it would be a tenth of the compilation.
    compiled = cast(Any, numba).njit(
        nogil=True,
        cache=on_disk,
        error_model="numpy",
        fastmath={"reassoc", "contract"},
        no_cfunc_wrapper=True,
        **options,
    )(function)
    return cast(Function, compiled)


def thread_count(threads: int | None = None) -> int:
    """Return how many threads kernels use: ``threads``, else INFOMOTIF_THREADS, else the cores this process may use.

    Example:
        >>> thread_count(3)
        3
    """
    if threads is None:
        if _limit.get() is not None:
            return _limit.get() or 1
        given = os.environ.get("INFOMOTIF_THREADS", "").strip()
        if not given:
            return usable_cores()
        if not given.isdecimal() or int(given) < 1:
            raise InputError(f"INFOMOTIF_THREADS must be a positive whole number (got '{given}')")
        return int(given)
    whole = isinstance(threads, int | np.integer) and not isinstance(threads, bool)
    if not whole or not 1 <= threads <= MAX_THREADS:
        raise InputError(f"threads must be a whole number from 1 to {MAX_THREADS} (got {threads!r})")
    return int(threads)


@contextlib.contextmanager
def limited_threads(threads: int) -> Iterator[None]:
    """Let kernels in the block use ``threads`` threads, unless a call says otherwise.

    Example:
        >>> with limited_threads(1):
        ...     thread_count()
        1
    """
    token = _limit.set(threads)
    try:
        yield
    finally:
        _limit.reset(token)


def split_ranges(work: int | NDArray[Any], parts: int) -> list[tuple[int, int]]:
    """Cut 0..n into at most ``parts`` ranges of about equal work.

    Args:
        work: The number of items n, or the cumulative work before each item [n + 1].
        parts: The number of ranges.

    Example:
        >>> split_ranges(10, 2)
        [(0, 5), (5, 10)]
        >>> split_ranges(np.array([0, 9, 10, 11, 12]), 2)
        [(0, 1), (1, 4)]
    """
    if isinstance(work, np.ndarray):
        n = len(work) - 1
        goals = np.linspace(float(work[0]), float(work[-1]), parts + 1)
        cuts = np.searchsorted(work, goals).clip(0, n)
        cuts[0], cuts[-1] = 0, n
    else:
        n = work
        cuts = np.linspace(0, n, parts + 1).astype(np.int64)
    return [(int(a), int(b)) for a, b in zip(cuts[:-1], cuts[1:], strict=True) if b > a]


def parallel_ranges(
    function: Callable[..., Any], work: int | NDArray[Any], *args: Any, threads: int | None = None, pieces: int = 4
) -> list[Any]:
    """Call ``function(start, stop, *args)`` over ranges that together cover 0..n; return the results in order.

    Args:
        function: A :func:`kernel`; each call may write only to its own range.
        work: The number of items n, or the cumulative work before each item [n + 1] to balance the ranges by.
        args: Further arguments of every call.
        threads: How many threads; by default :func:`thread_count`.
        pieces: Ranges per thread; several, so that one slow range does not delay the end.

    Returns:
        The result of each range. Inside another call, and for little work, one call covers everything.
    """
    n = len(work) - 1 if isinstance(work, np.ndarray) else work
    amount = int(work[-1] - work[0]) if isinstance(work, np.ndarray) and len(work) else n
    workers = thread_count(threads)
    if workers == 1 or amount < _MIN_PARALLEL_WORK or getattr(_worker, "inside", False):
        return [function(0, n, *args)]
    ranges = split_ranges(work, workers * pieces)
    return parallel_calls([partial(function, a, b, *args) for a, b in ranges], threads=workers)


def parallel_calls(calls: Sequence[Callable[[], Any]], *, threads: int | None = None) -> list[Any]:
    """Run the calls on the threads and return their results in order; the first error is raised when all have ended.

    Example:
        >>> parallel_calls([lambda: 1, lambda: 2])
        [1, 2]
    """
    workers = thread_count(threads)
    if workers == 1 or len(calls) <= 1 or getattr(_worker, "inside", False):
        return [call() for call in calls]
    futures = [_pool(workers).submit(call) for call in calls]
    try:
        return [future.result() for future in futures]
    except BaseException as error:
        for future in futures:
            future.cancel()
        if isinstance(error, Exception):
            # Nothing reads files or arrays any more once the caller, who may change them, has the error.
            wait(futures)
        raise


def _pool(workers: int) -> ThreadPoolExecutor:
    # Threads do not survive a fork, so a pool belongs to the process that made it.
    key = (os.getpid(), workers)
    with _pools_lock:
        if key not in _pools:
            _pools[key] = ThreadPoolExecutor(workers, "infomotif", initializer=_enter_worker)
        return _pools[key]


def _enter_worker() -> None:
    # A call inside a worker runs in place: waiting for the pool from within it could wait forever.
    _worker.inside = True


def _after_fork() -> None:
    global _pools_lock
    _pools_lock = threading.Lock()
    _pools.clear()
    _worker.inside = False


class _CompilationNote(event.Listener):
    """Prints once that kernels are being compiled; kernels found on disk cause no such event."""

    def __init__(self) -> None:
        self.said = False

    def on_start(self, event: Any) -> None:
        function = getattr(event.data.get("dispatcher"), "py_func", None)
        if not self.said and str(getattr(function, "__module__", "")).startswith("infomotif."):
            self.said = True
            sys.stderr.write("compiling motif kernels (first use; may take 10 s)\n")

    def on_end(self, event: Any) -> None:
        return None


class _CollectionPause(event.Listener):
    """Pauses garbage collection while a thread compiles kernels or loads them from disk; such events nest."""

    def __init__(self) -> None:
        self._thread = threading.local()

    def on_start(self, event: Any) -> None:
        pauses = self._thread.__dict__.setdefault("pauses", [])
        pauses.append(paused_collection())
        pauses[-1].__enter__()

    def on_end(self, event: Any) -> None:
        self._thread.pauses.pop().__exit__(None, None, None)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)
cast(Any, event).register("numba:compile", _CompilationNote())
cast(Any, event).register("numba:compiler_lock", _CollectionPause())
