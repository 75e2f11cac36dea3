"""Files appear whole or not at all: write aside, fsync, rename."""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from infomotif.errors import InputError


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` that replaces it when the block ends without error.

    A link stays, and the file that it names is replaced. A device or a pipe stays too and gets a copy of the bytes.
    A new file has the permissions that the umask leaves; a replaced file keeps its permissions.

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
    given = Path(path)
    with _writable(given):
        if given.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        special = given.exists() and not given.is_file()
    with _copied(given) if special else _renamed(given) as aside:
        yield aside


@contextlib.contextmanager
def _renamed(given: Path) -> Iterator[Path]:
    """Yield a new file in the same folder, which then replaces the one that ``given`` names."""
    with _writable(given):
        target, aside = _beside(given)
        aside.touch(exist_ok=False)
        mode = stat.S_IMODE((target if target.exists() else aside).stat().st_mode)
    try:
        yield aside
        with _writable(given):
            _flush(aside)
            aside.chmod(mode)
            os.replace(aside, target)
    finally:
        aside.unlink(missing_ok=True)


@contextlib.contextmanager
def _copied(given: Path) -> Iterator[Path]:
    """Yield a temporary file whose bytes then go to a device or a pipe."""
    with tempfile.TemporaryDirectory() as folder:
        aside = Path(folder, given.name)
        aside.touch()
        yield aside
        with _writable(given), aside.open("rb") as written, given.open("wb") as stream:
            shutil.copyfileobj(written, stream)


def _beside(given: Path) -> tuple[Path, Path]:
    """Return the path behind all links, and a new name in its folder, which is made if it is missing."""
    target = Path(os.path.realpath(given))
    target.parent.mkdir(parents=True, exist_ok=True)
    return target, target.with_name(f".{target.name}.{secrets.token_hex(4)}.part")


@contextlib.contextmanager
def whole_folder(path: str | os.PathLike[str], *, replace: bool = False) -> Iterator[Path]:
    """Yield a temporary folder beside ``path`` that becomes it when the block ends without error.

    Links and permissions are treated as by :func:`whole_file`.

    Args:
        path: The folder to make.
        replace: Whether an existing folder may be replaced.

    Raises:
        InputError: If the folder cannot be written there, or exists and is not empty.

    Example:
        >>> import tempfile, pathlib
        >>> target = pathlib.Path(tempfile.mkdtemp()) / "notes"
        >>> with whole_folder(target) as aside:
        ...     _ = (aside / "note.txt").write_text("complete")
        >>> [file.name for file in target.iterdir()]
        ['note.txt']
    """
    given = Path(path)
    with _writable(given):
        if given.exists() and not given.is_dir():
            raise FileExistsError(errno.EEXIST, "it is a file")
        if not replace and given.exists() and any(given.iterdir()):
            raise FileExistsError(errno.EEXIST, "the folder is not empty")
        target, aside = _beside(given)
        aside.mkdir()
    try:
        yield aside
        with _writable(given):
            if target.exists():
                shutil.copymode(target, aside)
            for file in aside.iterdir():
                _flush(file)
            if replace and target.exists():
                old = aside.with_suffix(".old")
                os.replace(target, old)
                os.replace(aside, target)
                shutil.rmtree(old)
            else:
                if target.exists():
                    # Windows renames nothing to a name that is there, not even of an empty folder.
                    target.rmdir()
                os.replace(aside, target)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def _flush(path: Path) -> None:
    """Wait until the bytes of a file are on the disk."""
    # Windows flushes only files that are open for writing.
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())


@contextlib.contextmanager
def _writable(target: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"{target}: cannot be written ({error.strerror or error}); choose another path") from None


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
