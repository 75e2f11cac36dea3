"""RunLog: the lines of one experiment, an archive first and then what was appended since."""

from __future__ import annotations

import io
import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from infomotif._core.files import make_folder, sync_folder, whole_file
from infomotif._core.locks import waiting_lock
from infomotif._core.reading.documents import parse_json
from infomotif.errors import InputError
from infomotif_bench.running.archive import SUFFIX, Absorbed, Archive, read_archive, to_archive, to_line
from infomotif_bench.running.lines import Json

LIVE_SUFFIX = ".jsonl"
LOCKS = ".locks"
"""Folder of lock files within a store."""
Identity = tuple[int, int, int] | None


def log_names(folder: Path) -> list[str]:
    """Return the names of all experiments that have lines in a folder."""
    files = [path.name for path in folder.iterdir()] if folder.exists() else []
    return sorted(
        {name.removesuffix(suffix) for suffix in (LIVE_SUFFIX, SUFFIX) for name in files if name.endswith(suffix)}
    )


@dataclass(frozen=True)
class Packed:
    """What :meth:`RunLog.pack` did: lines in the archive, and bytes before and after."""

    lines: int
    before: int
    after: int


@dataclass(frozen=True)
class _Tail:
    """How far the JSONL file was read: bytes that the archive holds, bytes and lines so far, and the newest lines."""

    skipped: int = 0
    end: int = 0
    line: int = 0
    complete: bytes = b""


class RunLog:
    """Lines that are only ever appended, under a lock, and packed from time to time.

    An incomplete last line, which a killed process may leave, is ignored by readers and dropped by the next writer.
    Packing moves lines from the JSONL file to the end of the archive, so the number of a line never changes, and a
    reader that has seen some of them goes on with the next.

    Args:
        folder: The folder of the store; it need not exist yet.
        experiment: Name of the experiment.
    """

    def __init__(self, folder: Path, experiment: str) -> None:
        """Read nothing yet."""
        self.archive = folder / f"{experiment}{SUFFIX}"
        self.live = folder / f"{experiment}{LIVE_SUFFIX}"
        self._lock = folder / LOCKS / f"{experiment}.lock"
        self._identity: Identity = None
        self._absorbed = Absorbed()
        self._tail = _Tail()
        self._count = 0

    def append(self, line: Json) -> None:
        """Append a line and wait until it is on the disk."""
        make_folder(self.live.parent)
        text = to_line(line)
        with waiting_lock(self._lock), self.live.open("ab+") as stream:
            _drop_incomplete_line(stream)
            stream.write(text)
            stream.flush()
            os.fsync(stream.fileno())
            if stream.tell() == len(text):
                # The first line of a new file, whose name must stay too.
                sync_folder(self.live.parent)

    def new_lines(self) -> Iterator[tuple[str, Json]]:
        """Yield lines that were not yet read, each with its place for messages.

        Raises:
            InputError: If a line is not JSON, the archive is damaged, or lines have vanished.
        """
        while True:
            identity = _identity(self.archive)
            archive = None if identity == self._identity else self._read_archive(identity)
            absorbed = self._absorbed if archive is None else archive.absorbed
            tail = self._read_live(absorbed, again=archive is not None)
            # If another process packed meanwhile, the two files do not belong together.
            if _identity(self.archive) == identity:
                break
        self._identity, self._absorbed = identity, absorbed
        if archive is not None:
            yield from self._from_archive(archive)
        yield from self._from_live(tail)

    def _read_live(self, absorbed: Absorbed, *, again: bool) -> _Tail:
        """Read what the JSONL file has beyond the lines already seen, or ``again`` beyond those of the archive."""
        try:
            with self.live.open("rb") as stream:
                skipped = _absorbed_bytes(stream, absorbed)
                known = self._tail if not again and skipped == self._tail.skipped else None
                start, line = (skipped, _count_lines(stream, skipped)) if known is None else (known.end, known.line)
                if stream.seek(0, os.SEEK_END) < start:
                    raise InputError(f"{self.live}: became shorter while it was in use; start again")
                stream.seek(start)
                complete = stream.read()
                complete = complete[: complete.rfind(b"\n") + 1]
        except FileNotFoundError:
            return _Tail()
        return _Tail(skipped, start + len(complete), line + complete.count(b"\n"), complete)

    def _from_archive(self, archive: Archive) -> Iterator[tuple[str, Json]]:
        if len(archive.lines) < self._count:
            raise InputError(f"{self.archive}: became shorter while it was in use; start again")
        for line in archive.lines[self._count :]:
            self._count += 1
            yield f"{self.archive}, line {self._count}", line

    def _from_live(self, tail: _Tail) -> Iterator[tuple[str, Json]]:
        self._tail = tail
        texts = tail.complete.split(b"\n")[:-1]
        for number, text in enumerate(texts, tail.line - len(texts) + 1):
            self._count += 1
            where = f"{self.live}, line {number}"
            yield where, _parsed(text, where)

    def pack(self) -> Packed:
        """Move all complete lines into the archive, which is read back and compared before the JSONL file is removed.

        Lines must have been read before, so that they are known to be valid.
        """
        with waiting_lock(self._lock):
            old = self._read_archive(_identity(self.archive))
            before = sum(path.stat().st_size for path in (self.archive, self.live) if path.exists())
            content = self.live.read_bytes() if self.live.exists() else b""
            complete = content[: content.rfind(b"\n") + 1]
            new = complete[_absorbed_bytes(io.BytesIO(complete), old.absorbed) :]
            if new:
                lines = old.to_jsonl() + new
                with whole_file(self.archive) as aside:
                    aside.write_bytes(to_archive(lines, Absorbed.of(complete)))
                    if read_archive(aside).to_jsonl() != lines:
                        raise InputError(f"{self.live}: cannot be packed without loss; the file stays as it is")
            # Without locks, as on some network disks, another process may have appended meanwhile.
            if self.live.exists() and self.live.stat().st_size == len(content):
                self.live.unlink()
            return Packed(len(old.lines) + new.count(b"\n"), before, self.archive.stat().st_size)

    def to_jsonl(self) -> bytes:
        """Return all complete lines as they were appended, byte for byte."""
        while True:
            identity = _identity(self.archive)
            archive = self._read_archive(identity)
            tail = self._read_live(archive.absorbed, again=True)
            if _identity(self.archive) == identity:
                return archive.to_jsonl() + tail.complete

    def _read_archive(self, identity: Identity) -> Archive:
        return Archive((), Absorbed()) if identity is None else read_archive(self.archive)


def _absorbed_bytes(stream: IO[bytes], absorbed: Absorbed) -> int:
    """Return how many bytes of a JSONL file the archive already holds: all that were packed last, or none."""
    if not absorbed.size or stream.seek(0, os.SEEK_END) < absorbed.size:
        return 0
    stream.seek(0)
    return absorbed.size if Absorbed.of(stream.read(absorbed.size)) == absorbed else 0


def _count_lines(stream: IO[bytes], size: int) -> int:
    stream.seek(0)
    return stream.read(size).count(b"\n")


def _identity(path: Path) -> Identity:
    try:
        status = path.stat()
    except FileNotFoundError:
        return None
    return status.st_ino, status.st_size, status.st_mtime_ns


def _parsed(text: bytes, where: str) -> Json:
    try:
        value = parse_json(text)
        if b"\\u" in text:
            # Half of a surrogate pair cannot be written again.
            json.dumps(value, ensure_ascii=False).encode()
    except ValueError:
        raise InputError(f"{where}: not JSON; remove the line") from None
    if not isinstance(value, dict):
        raise InputError(f"{where}: not a record; remove the line")
    return value


def _drop_incomplete_line(stream: IO[bytes]) -> None:
    """Cut the file after its last newline; no reader has seen the rest."""
    end = stream.seek(0, os.SEEK_END)
    for start in _backwards(end):
        stream.seek(start)
        tail = stream.read(end - start)
        if tail.endswith(b"\n") or end == 0:
            return
        if (cut := tail.rfind(b"\n")) >= 0:
            stream.truncate(start + cut + 1)
            return
    if end:
        stream.truncate(0)


def _backwards(end: int) -> Iterator[int]:
    start = end
    while start > 0:
        start = max(0, start - (1 << 16))
        yield start
