"""Files and folders appear whole or not at all, and stay: write aside, fsync, rename, fsync the folder.

Every write of the package that must survive a kill or a full disk goes through here. What a killed process leaves
behind is removed by the next process that writes to the same place.
"""

from __future__ import annotations

import contextlib
import errno
import hashlib
import json
import os
import re
import secrets
import shutil
import stat
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from infomotif._core.locks import in_use, remove_unused
from infomotif.errors import InputError

_NO_ROOM = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.EBADF, errno.EACCES)
# Folders of earlier versions have no process number; partial downloads look the same, but are files.
_LEFTOVER = re.compile(r"\d+-[0-9a-f]{8}\.part")
_OLD_LEFTOVER = re.compile(r"[0-9a-f]{8}\.(part|old)")


@contextlib.contextmanager
def whole_file(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary path beside ``path`` that replaces it when the block ends without error.

    A link stays, and the file that it names is replaced. A device or a pipe stays too and gets a copy of the bytes.
    A new file has the permissions that the umask leaves; a replaced file keeps its permissions.

    Raises:
        InputError: If the file cannot be written there, or the disk is full.

    Example:
        >>> import tempfile, pathlib
        >>> target = pathlib.Path(tempfile.mkdtemp()) / "note.txt"
        >>> with whole_file(target) as aside:
        ...     _ = aside.write_text("complete")
        >>> target.read_text()
        'complete'
    """
    given = Path(path)
    with writing(given):
        if given.is_dir():
            raise IsADirectoryError(errno.EISDIR, "it is a folder")
        special = given.exists() and not given.is_file()
    with _copied(given) if special else _renamed(given) as aside, room_for(given):
        yield aside


@contextlib.contextmanager
def _renamed(given: Path) -> Iterator[Path]:
    """Yield a new file in the same folder, which then replaces the one that ``given`` names."""
    with writing(given):
        target, aside = _beside(given)
    try:
        with contextlib.ExitStack() as stack:
            with writing(given):
                stack.enter_context(in_use(aside, lambda path: path.touch(exist_ok=False)))
            mode = stat.S_IMODE((target if target.exists() else aside).stat().st_mode)
            yield aside
            with writing(given):
                sync_file(aside)
                aside.chmod(mode)
                os.replace(aside, target)
                sync_folder(target.parent)
    finally:
        aside.unlink(missing_ok=True)


@contextlib.contextmanager
def _copied(given: Path) -> Iterator[Path]:
    """Yield a temporary file whose bytes then go to a device or a pipe."""
    with tempfile.TemporaryDirectory() as folder:
        aside = Path(folder, given.name)
        aside.touch()
        yield aside
        with writing(given), aside.open("rb") as written, given.open("wb") as stream:
            shutil.copyfileobj(written, stream)


def _beside(given: Path) -> tuple[Path, Path]:
    """Return the path behind all links, and a new name in its folder, which is made if it is missing."""
    target = Path(os.path.realpath(given))
    make_folder(target.parent)
    remove_leftovers(target)
    return target, target.with_name(f".{target.name}.{os.getpid()}-{secrets.token_hex(4)}.part")


def remove_leftovers(target: Path) -> None:
    """Remove what killed processes left of files and folders that should have become ``target``."""
    start, present = f".{target.name}.", target.exists()

    def is_leftover(entry: os.DirEntry[str]) -> bool:
        rest = entry.name.removeprefix(start)
        if rest == entry.name:
            return False
        if _LEFTOVER.fullmatch(rest):
            return True
        old = _OLD_LEFTOVER.fullmatch(rest)
        # An earlier version moved a folder to .old to replace it: without the folder it is all there is.
        return old is not None and entry.is_dir(follow_symlinks=False) and (present or old[1] == "part")

    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for leftover in [Path(entry.path) for entry in entries if is_leftover(entry)]:
            remove_unused(leftover)


@contextlib.contextmanager
def whole_folder(path: str | os.PathLike[str]) -> Iterator[Path]:
    """Yield a temporary folder beside ``path`` that becomes it when the block ends without error.

    Links and permissions are treated as by :func:`whole_file`.

    Args:
        path: The folder to make; it may be there if it is empty.

    Raises:
        InputError: If the folder cannot be written there, exists and is not empty, or the disk is full.

    Example:
        >>> import tempfile, pathlib
        >>> target = pathlib.Path(tempfile.mkdtemp()) / "notes"
        >>> with whole_folder(target) as aside:
        ...     _ = (aside / "note.txt").write_text("complete")
        >>> [file.name for file in target.iterdir()]
        ['note.txt']
    """
    given = Path(path)
    with writing(given):
        if given.exists() and not given.is_dir():
            raise FileExistsError(errno.EEXIST, "it is a file")
        if given.exists() and any(given.iterdir()):
            raise FileExistsError(errno.EEXIST, "the folder is not empty")
        target, aside = _beside(given)
    try:
        with contextlib.ExitStack() as stack:
            with writing(given):
                stack.enter_context(in_use(aside, Path.mkdir))
            with room_for(given):
                yield aside
            with writing(given):
                if target.exists():
                    shutil.copymode(target, aside)
                sync_tree(aside)
                if target.exists():
                    # Windows renames nothing to a name that is there, not even of an empty folder.
                    target.rmdir()
                os.replace(aside, target)
                sync_folder(target.parent)
    finally:
        shutil.rmtree(aside, ignore_errors=True)


def make_folder(path: Path) -> None:
    """Make a folder with its parents, so that they stay; folders that are there stay as they are."""
    missing = [folder for folder in (path, *path.parents) if not folder.exists()]
    for folder in reversed(missing):
        folder.mkdir(exist_ok=True)
        sync_folder(folder.parent)


def sync_file(path: Path) -> None:
    """Wait until the bytes of a file are on the disk."""
    # Windows flushes only files that are open for writing.
    with path.open("r+b") as stream:
        os.fsync(stream.fileno())


def sync_folder(folder: Path) -> None:
    """Wait until the names in a folder are on the disk: what was made, renamed or removed in it."""
    if os.name != "posix":
        return
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    except OSError as error:
        # Some disks, and those of other machines, cannot do that for folders.
        if error.errno not in _CANNOT_SYNC:
            raise
    finally:
        os.close(descriptor)


def sync_tree(folder: Path) -> None:
    """Wait until a folder is on the disk, with everything in it."""
    for path in folder.iterdir():
        if path.is_dir():
            sync_tree(path)
        else:
            sync_file(path)
    sync_folder(folder)


@contextlib.contextmanager
def writing(target: Path) -> Iterator[None]:
    """Turn every system error in the block into one line that names the file.

    Raises:
        InputError: Instead of an OSError.
    """
    try:
        yield
    except OSError as error:
        raise _cannot_write(target, error) from None


@contextlib.contextmanager
def room_for(target: Path) -> Iterator[None]:
    """Turn the errors of a full disk into one line that names the file; others may be of files that are read."""
    try:
        yield
    except OSError as error:
        if error.errno not in _NO_ROOM:
            raise
        raise _cannot_write(target, error) from None


def _cannot_write(target: Path, error: OSError) -> InputError:
    remedy = "choose another path"
    if error.errno in _NO_ROOM:
        remedy = "make room there, then start the command again ('train' with --resume)"
    return InputError(f"{target}: cannot be written ({error.strerror or error}); {remedy}")


def write_bytes(path: str | os.PathLike[str], data: bytes) -> None:
    """Write bytes, whole or not at all."""
    with whole_file(path) as aside:
        aside.write_bytes(data)


def write_text(path: str | os.PathLike[str], text: str) -> None:
    """Write ``text`` as UTF-8, whole or not at all."""
    write_bytes(path, text.encode())


def write_json(path: str | os.PathLike[str], value: Any) -> None:
    """Write ``value`` as indented JSON, whole or not at all; NaN is refused."""
    write_text(path, json.dumps(value, indent=2, allow_nan=False) + "\n")


def sha256_file(path: str | os.PathLike[str]) -> str:
    """Return the hexadecimal sha256 of a file's bytes."""
    with Path(path).open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()
