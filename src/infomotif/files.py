"""Files appear whole or not at all: write aside, fsync, rename."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import shutil
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
def whole_folder(path: str | os.PathLike[str], *, replace: bool = False) -> Iterator[Path]:
    """Yield a temporary folder beside ``path`` that becomes it when the block ends without error.

    Args:
        path: The folder to make.
        replace: Whether a folder that is there already may be replaced.

    Raises:
        InputError: If the folder cannot be written there, or is there already.

    Example:
        >>> import tempfile, pathlib
        >>> target = pathlib.Path(tempfile.mkdtemp()) / "notes"
        >>> with whole_folder(target) as aside:
        ...     _ = (aside / "note.txt").write_text("complete")
        >>> [file.name for file in target.iterdir()]
        ['note.txt']
    """
    target = Path(path)
    with _writable(target):
        if target.exists() and not target.is_dir():
            raise FileExistsError(errno.EEXIST, "it is a file")
        if not replace and target.exists() and any(target.iterdir()):
            raise FileExistsError(errno.EEXIST, "the folder is not empty")
        target.parent.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=f".{target.name}.", suffix=".part", dir=target.parent))
    try:
        yield aside
        with _writable(target):
            aside.chmod(0o755)
            for file in aside.iterdir():
                with file.open("rb") as written:
                    os.fsync(written.fileno())
            if replace and target.exists():
                old = aside.with_suffix(".old")
                os.replace(target, old)
                os.replace(aside, target)
                shutil.rmtree(old)
            else:
                os.replace(aside, target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


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
