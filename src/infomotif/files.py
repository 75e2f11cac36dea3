"""Files appear whole or not at all: write aside, fsync, rename."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from infomotif.errors import InputError


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` that replaces it when the block ends without error.

    Raises:
        InputError: If the file cannot be written there.

    Example:
        >>> import tempfile, pathlib
        >>> target = pathlib.Path(tempfile.mkdtemp()) / "note.txt"
        >>> with whole_file(target) as aside:
        ...     _ = aside.write_text("complete")
        >>> target.read_text()
        'complete'
    """
    target = Path(path)
    with _writable(target):
        if target.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        target.parent.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent)
    os.close(handle)
    aside = Path(name)
    try:
        yield aside
        with _writable(target):
            aside.chmod(0o644)
            with aside.open("rb") as written:
                os.fsync(written.fileno())
            os.replace(aside, target)
    finally:
        aside.unlink(missing_ok=True)


@contextlib.contextmanager
def _writable(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error}); name another place") from None


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write ``text`` as UTF-8, whole or not at all."""
    with whole_file(path) as aside:
        aside.write_text(text, encoding="utf-8")


def write_json(path: str | os.PathLike[str], value: Any) -> None:
    """Write ``value`` as indented JSON, whole or not at all; NaN is refused."""
    write_text(path, json.dumps(value, indent=2, allow_nan=False) + "\n")


def sha256_file(path: str | os.PathLike[str]) -> str:
    """Return the hexadecimal sha256 of a file's bytes."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
