"""A disk on which one chosen operation fails, kills the process, or loses what was not flushed.

Every operation that changes the disk counts: opening for writing, each write, fsync, rename, making and removing.
"""

from __future__ import annotations

import builtins
import contextlib
import errno
import io
import os
import shutil
import stat
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from infomotif.errors import InputError

WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND
HOW = ("error", "full", "kill", "torn", "power")
"""One error; a disk that stays full; a kill; a kill within a write; a kill that loses what was not flushed."""


class Killed(BaseException):
    """The process is dead: no operation of its clean-up code has an effect."""


class Disk:
    """Counts the operations below a folder, and lets the one with the number ``at`` go wrong."""

    def __init__(self, root: Path, *, at: int = 0, how: str = "kill", on_kill: Callable[[], Any] | None = None) -> None:
        self.root, self.at, self.how, self.on_kill = os.path.realpath(root), at, how, on_kill
        self.operations: list[str] = []
        self.dead = self.is_full = False
        self.unflushed: dict[int, int] = {}
        """Bytes that are surely on the disk, of each file with others."""
        self.unsynced: set[int] = set()
        """Folders with a rename that may be lost."""

    def step(self, kind: str, path: Any, write: Callable[[], Any] | None = None) -> None:
        """Count an operation; raise if it must not happen."""
        if self.dead:
            raise Killed
        self.operations.append(f"{kind} {Path(os.fsdecode(path)).name}")
        grows = kind in ("open", "write", "mkdir")
        if self.is_full and grows:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        if len(self.operations) != self.at:
            return
        if self.how in ("error", "full"):
            self.is_full = self.how == "full" and grows
            number = errno.ENOSPC if grows else errno.EIO
            raise OSError(number, os.strerror(number))
        if self.how == "torn" and write is not None:
            write()
        if self.how == "power":
            self.lose()
        self.dead = True
        if self.on_kill is not None:
            self.on_kill()
        raise Killed

    def lose(self) -> None:
        """Cut every file to what was flushed."""
        for folder, _, names in os.walk(self.root):
            for name in names:
                path = Path(folder, name)
                if path.stat().st_ino in self.unflushed:
                    REAL["truncate"](path, self.unflushed[path.stat().st_ino])

    def at_risk(self) -> list[str]:
        """Return the files below the folder of which something written is not flushed."""
        names = (Path(folder, name) for folder, _, names in os.walk(self.root) for name in names)
        return [str(path) for path in names if path.stat().st_ino in self.unflushed]

    def holds(self, path: Any) -> bool:
        """Return whether a path lies below the folder; one that is relative to an open folder does."""
        text = os.fsdecode(path) if isinstance(path, str | bytes | os.PathLike) else ""
        return not os.path.isabs(text) or text.startswith(self.root + os.sep)


class Stream(io.RawIOBase):
    """A file without a buffer that reports every write."""

    def __init__(self, disk: Disk, path: Any, mode: str) -> None:
        self.disk, self.name, self.inner = disk, os.fspath(path), io.FileIO(path, mode.replace("b", ""))
        self.number = os.fstat(self.inner.fileno()).st_ino
        self.flushed = os.fstat(self.inner.fileno()).st_size

    def write(self, data: Any) -> int:
        view = memoryview(data).cast("B") if memoryview(data).nbytes else memoryview(b"")
        self.disk.unflushed.setdefault(self.number, self.flushed)
        self.disk.step("write", self.name, lambda: self.inner.write(view[: len(view) // 2]))
        while view:
            view = view[self.inner.write(view) :]
        return memoryview(data).nbytes

    def truncate(self, size: int | None = None) -> int:
        self.disk.step("truncate", self.name)
        return self.inner.truncate(size)

    def readinto(self, buffer: Any) -> int | None:
        return self.inner.readinto(buffer)

    def seek(self, offset: int, whence: int = 0) -> int:
        return self.inner.seek(offset, whence)

    def tell(self) -> int:
        return self.inner.tell()

    def fileno(self) -> int:
        return self.inner.fileno()

    def readable(self) -> bool:
        return self.inner.readable()

    def writable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def close(self) -> None:
        self.inner.close()
        super().close()


REAL = {name: getattr(os, name) for name in ("open", "mkdir", "unlink", "remove", "rmdir", "replace", "rename",
                                            "truncate", "link", "symlink")}  # fmt: skip


@contextlib.contextmanager
def watched(disk: Disk) -> Iterator[Disk]:
    """Let every operation below the disk's folder pass through it while the block runs."""

    def simple(name: str) -> Callable[..., Any]:
        def call(path: Any, *args: Any, **options: Any) -> Any:
            if disk.holds(path):
                disk.step(name, path)
            if name in ("unlink", "remove"):
                with contextlib.suppress(OSError):
                    number = os.stat(path, dir_fd=options.get("dir_fd"), follow_symlinks=False).st_ino
                    disk.unflushed.pop(number, None)
            return REAL[name](path, *args, **options)

        return call

    def os_open(path: Any, flags: int, *args: Any, **options: Any) -> int:
        if flags & WRITING and disk.holds(path):
            disk.step("open", path)
        return REAL["open"](path, flags, *args, **options)

    def replace(source: Any, target: Any, **options: Any) -> None:
        folder = os.stat(Path(target).parent).st_ino
        assert folder not in disk.unsynced, "two renames in one folder without a flush of the folder"
        assert disk.unflushed.keys().isdisjoint(_numbers(source)), "a file was renamed before it was flushed"
        disk.step("rename", target)
        REAL["replace"](source, target, **options)
        disk.unsynced.add(folder)

    def fsync(descriptor: int) -> None:
        state = os.fstat(descriptor)
        disk.step("fsync folder" if stat.S_ISDIR(state.st_mode) else "fsync", str(descriptor))
        disk.unsynced.discard(state.st_ino)
        disk.unflushed.pop(state.st_ino, None)

    real_open = io.open

    def opened(
        path: Any, mode: str = "r", buffering: int = -1, encoding: Any = None, *args: Any, **options: Any
    ) -> Any:
        writes = any(letter in mode for letter in "wax+")
        if not writes or isinstance(path, int) or not disk.holds(path):
            return real_open(path, mode, buffering, encoding, *args, **options)
        if mode.replace("b", "") != "r+":
            disk.step("open", path, lambda: real_open(path, mode).close())
        raw = Stream(disk, path, mode)
        if "w" in mode:
            disk.unflushed.setdefault(raw.number, 0)
        if "b" in mode:
            return raw
        return io.TextIOWrapper(io.BufferedWriter(raw), encoding, *args, **options)

    with pytest.MonkeyPatch.context() as patch:
        for name in ("mkdir", "unlink", "remove", "rmdir", "truncate", "link", "symlink"):
            patch.setattr(os, name, simple(name))
        for name, function in (("open", os_open), ("replace", replace), ("rename", replace), ("fsync", fsync)):
            patch.setattr(os, name, function)
        patch.setattr(io, "open", opened)
        patch.setattr(builtins, "open", opened)
        yield disk


def _numbers(path: Any) -> set[int]:
    paths = [Path(path), *Path(path).rglob("*")] if Path(path).is_dir() else [Path(path)]
    return {each.stat().st_ino for each in paths}


def tried(disk: Disk, act: Callable[[], Any]) -> str:
    """Act on a disk; return ``done``, ``failed`` or ``killed``. Other errors than those of a disk are raised."""
    with watched(disk):
        try:
            act()
        except Killed:
            return "killed"
        except (InputError, OSError) as error:
            return "failed" if "\n" not in str(error) else "failed in several lines"
    return "killed" if disk.dead else "done"


def every_fault(
    template: Path, folder: Path, act: Callable[[Path], Any], check: Callable[[Path, str], Any], *, how: tuple = HOW
) -> int:
    """Act on copies of a folder, with every operation going wrong once in every way; check what each leaves.

    Args:
        template: The folder before.
        folder: Where the copies go.
        act: What is done in a copy.
        check: Called with the copy and the outcome of :func:`tried`.
        how: The ways.

    Returns:
        The number of faults.
    """
    counted = shutil.copytree(template, folder / "counted")
    disk = Disk(counted)
    assert tried(disk, lambda: act(counted)) == "done"
    assert not disk.at_risk(), "something written was not flushed in the end"
    assert not disk.unsynced, "a rename was not flushed in the end"
    check(counted, "done")
    faults = 0
    for way in how:
        for at, operation in enumerate(disk.operations, start=1):
            if way == "torn" and not operation.startswith(("open ", "write ")):
                continue
            copy = shutil.copytree(template, folder / f"{way}-{at}")
            outcome = tried(Disk(copy, at=at, how=way), lambda copy=copy: act(copy))
            assert outcome in ("done", "failed", "killed")
            try:
                check(copy, outcome)
            except BaseException as error:
                error.add_note(f"after fault {at} of {len(disk.operations)} ({way}: {operation}), outcome '{outcome}'")
                raise
            shutil.rmtree(copy)
            faults += 1
    sys.stdout.write(f"{len(disk.operations)} operations, {faults} faults\n")
    return faults
