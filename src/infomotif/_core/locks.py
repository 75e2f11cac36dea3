"""Locks between processes, released by the system when a process ends in whatever way."""

from __future__ import annotations

import contextlib
import hashlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from infomotif.errors import InputError

if sys.platform != "win32":
    import fcntl


@contextlib.contextmanager
def exclusive(stream: IO[bytes]) -> Iterator[None]:
    """Hold an open file alone; without effect on Windows, where one process at a time may write."""
    if sys.platform != "win32":
        fcntl.flock(stream, fcntl.LOCK_EX)
    try:
        yield
    finally:
        if sys.platform != "win32":
            fcntl.flock(stream, fcntl.LOCK_UN)


@contextlib.contextmanager
def alone(path: Path, refusal: str) -> Iterator[None]:
    """Hold a file while the block runs; without effect where the system or the disk knows no locks.

    Raises:
        InputError: With the text ``refusal``, if another process holds it.
    """
    with path.open("ab") as stream:
        if sys.platform != "win32":
            try:
                fcntl.flock(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                raise InputError(refusal) from None
            except OSError:
                # Some network disks know no locks.
                pass
        yield


class Claims:
    """Which runs are being done right now, so that two processes with the same work share it.

    A claim is a lock on one byte of a file; it ends with the process that holds it.

    Args:
        path: The file.

    Example:
        >>> import tempfile
        >>> claims = Claims(Path(tempfile.mkdtemp()) / "claims")
        >>> claims.take("a")
        True
    """

    def __init__(self, path: Path) -> None:
        """Open the file when the first claim is taken."""
        self.path = path
        self._stream: IO[bytes] | None = None

    def take(self, name: str) -> bool:
        """Claim ``name``; return whether no other process holds it."""
        if sys.platform == "win32":
            return True
        if self._stream is None:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._stream = self.path.open("ab+")
        try:
            fcntl.lockf(self._stream, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, _place(name))
        except OSError:
            return False
        return True

    def drop(self, name: str) -> None:
        """Give a claim up."""
        if sys.platform != "win32" and self._stream is not None:
            fcntl.lockf(self._stream, fcntl.LOCK_UN, 1, _place(name))

    def close(self) -> None:
        """Give all claims up."""
        if self._stream is not None:
            self._stream.close()
            self._stream = None


def _place(name: str) -> int:
    return int.from_bytes(hashlib.sha256(name.encode()).digest()[:7], "big")
