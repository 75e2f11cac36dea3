"""Locks between processes, released by the system when a process ends in whatever way.

A disk without locks is no reason to refuse work: there everybody gets the lock.
"""

from __future__ import annotations

import contextlib
import hashlib
import importlib
import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from infomotif.errors import InputError

if TYPE_CHECKING:
    from filelock import BaseFileLock

# Windows has no such locks, so nothing is removed there.
_fcntl: Any = importlib.import_module("fcntl") if os.name == "posix" else None
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
def waiting_lock(path: Path, *, remove: bool = False) -> Iterator[None]:
    """Hold the lock file ``path`` while the block runs, as soon as no other process holds it.

    Args:
        path: The lock file.
        remove: Whether to remove the file in the end.
    """
    lock = _lock(path)
    _acquired(lock, wait=True)
    try:
        yield
    finally:
        _remove(lock) if remove else lock.release()


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


@contextlib.contextmanager
def in_use(path: Path, make: Callable[[Path], None]) -> Iterator[None]:
    """Make a file or folder, and let other processes see that it is being written while the block runs.

    Where the disk has no locks nobody sees it, and :func:`remove_unused` removes nothing.

    Args:
        path: The file or folder.
        make: Makes it, empty.
    """
    make(path)
    descriptor = _flock(path, wait=True)
    while descriptor is not None and not _is_at(path, descriptor):
        # Another process took it for a leftover, in the moment before it was locked.
        os.close(descriptor)
        make(path)
        descriptor = _flock(path, wait=True)
    try:
        yield
    finally:
        if descriptor is not None:
            os.close(descriptor)


def remove_unused(path: Path, *, unless: Callable[[], bool] = lambda: False) -> None:
    """Remove a file or folder unless a process holds it by :func:`in_use`.

    Args:
        path: The file or folder.
        unless: Asked once nobody can take it any more; it stays if the answer is yes.
    """
    descriptor = _flock(path, wait=False)
    if descriptor is None:
        return
    try:
        if _is_at(path, descriptor) and not unless():
            if path.is_dir():
                shutil.rmtree(path, ignore_errors=True)
            else:
                path.unlink(missing_ok=True)
    finally:
        os.close(descriptor)


def _flock(path: Path, *, wait: bool) -> int | None:
    """Return a descriptor that holds the lock of a file or folder; None if that cannot be had."""
    if _fcntl is None:
        return None
    try:
        descriptor = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    except OSError:
        return None
    try:
        _fcntl.flock(descriptor, _fcntl.LOCK_EX if wait else _fcntl.LOCK_EX | _fcntl.LOCK_NB)
    except OSError:
        os.close(descriptor)
        return None
    return descriptor


def _is_at(path: Path, descriptor: int) -> bool:
    """Return whether a path still names the file or folder that is open."""
    try:
        return os.path.samestat(path.stat(), os.fstat(descriptor))
    except OSError:
        return False


def _lock(path: Path) -> BaseFileLock:
    from filelock import FileLock

    # The soft fallback would leave a file that outlives a killed process and locks others out.
    return FileLock(path, fallback_to_soft=False, thread_local=False, poll_interval=_POLL_SECONDS)


def _acquired(lock: BaseFileLock, *, wait: bool) -> bool:
    """Return whether this process may go on: it has the lock, or the disk has none."""
    from filelock import Timeout

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
    try:
        with contextlib.suppress(OSError):
            Path(lock.lock_file).unlink()
    finally:
        lock.release()
