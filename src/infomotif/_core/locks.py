"""Locks between processes, released by the system when a process ends in whatever way.

A disk without locks is no reason to refuse work: there everybody gets the lock.
"""

from __future__ import annotations

import contextlib
import hashlib
from collections.abc import Iterator
from pathlib import Path

from filelock import BaseFileLock, FileLock, Timeout

from infomotif.errors import InputError

_POLL_SECONDS = 0.01


@contextlib.contextmanager
def exclusive_lock(path: Path, message: str) -> Iterator[None]:
    """Hold the lock file ``path``, made with its folder if need be, while the block runs.

    Raises:
        InputError: With the text ``message``, if another process holds it.
    """
    lock = _lock(path)
    if not _acquired(lock, wait=False):
        raise InputError(message)
    try:
        yield
    finally:
        lock.release()


@contextlib.contextmanager
def waiting_lock(path: Path) -> Iterator[None]:
    """Hold the lock file ``path`` while the block runs, as soon as no other process holds it."""
    lock = _lock(path)
    _acquired(lock, wait=True)
    try:
        yield
    finally:
        lock.release()


class Claims:
    """Which tasks are being done right now, so that processes with the same tasks share them.

    Args:
        folder: Where each claim is a lock file; it need not exist yet.

    Example:
        >>> import tempfile
        >>> claims = Claims(Path(tempfile.mkdtemp()) / "claims")
        >>> claims.take("a")
        True
        >>> Claims(claims.folder).take("a")
        False
    """

    def __init__(self, folder: Path) -> None:
        """Write nothing before the first claim is taken."""
        self.folder = folder
        self._held: dict[str, BaseFileLock] = {}

    def take(self, name: str) -> bool:
        """Claim ``name``; return whether nobody else holds it."""
        if name in self._held:
            return True
        lock = _lock(self.folder / f"{hashlib.sha256(name.encode()).hexdigest()[:32]}.lock")
        if not _acquired(lock, wait=False):
            return False
        self._held[name] = lock
        return True

    def drop(self, name: str) -> None:
        """Give a claim up."""
        if name in self._held:
            _remove(self._held.pop(name))

    def close(self) -> None:
        """Give all claims up, and remove the files of processes that were killed."""
        for name in list(self._held):
            self.drop(name)
        for path in self.folder.glob("*.lock"):
            lock = _lock(path)
            with contextlib.suppress(OSError):
                if _acquired(lock, wait=False):
                    _remove(lock)


def _lock(path: Path) -> BaseFileLock:
    # The soft fallback would leave a file that outlives a killed process and locks others out.
    return FileLock(path, fallback_to_soft=False, thread_local=False, poll_interval=_POLL_SECONDS)


def _acquired(lock: BaseFileLock, *, wait: bool) -> bool:
    """Return whether this process may go on: it has the lock, or the disk has none."""
    try:
        lock.acquire(blocking=wait)
    except Timeout:
        return False
    except OSError as error:
        # A file that cannot be opened has a name in the error; a lock that cannot be had has not.
        if error.filename is not None:
            raise
    return True


def _remove(lock: BaseFileLock) -> None:
    # While it is held: whoever opened the file before finds it gone and makes a new one. Windows removes it itself.
    with contextlib.suppress(OSError):
        Path(lock.lock_file).unlink()
    lock.release()
