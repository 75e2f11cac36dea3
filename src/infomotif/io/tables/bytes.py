"""Bytes and lines of the user's files: gz is unpacked, and every failure becomes one line that says where."""

from __future__ import annotations

import contextlib
import gzip
import io
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from infomotif._core.reading.limits import LINE, UNPACKED, require_file, unpacked_limit
from infomotif.errors import InputError

if TYPE_CHECKING:
    from infomotif.typing import AnyPath

GZIP_MAGIC = b"\x1f\x8b"
BOM = "\ufeff"
_UTF16 = (b"\xff\xfe", b"\xfe\xff")


def magic(path: AnyPath) -> bytes:
    """Return the first four bytes of a file.

    Raises:
        InputError: If there is no such file, it cannot be read, or it is empty.
    """
    require_file(path)
    try:
        with Path(path).open("rb") as stream:
            start = stream.read(4)
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror}); check its permissions") from None
    if not start:
        raise InputError(f"{path}: the file is empty; write it again")
    return start


@contextlib.contextmanager
def open_bytes(path: AnyPath) -> Iterator[IO[bytes]]:
    """Open a file, unpacking gzip whatever its name is.

    Raises:
        InputError: If the file cannot be read, is empty, or is a broken gzip file.
    """
    packed = magic(path)[:2] == GZIP_MAGIC
    try:
        with Path(path).open("rb") as stream:
            if not packed:
                yield stream
                return
            with gzip.open(stream) as inside, io.BufferedReader(_Unpacked(inside, path)) as unpacked:
                yield unpacked
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: the gzip file is broken or cut short ({error}); write it again") from None


class _Unpacked(io.RawIOBase):
    """What a gzip stream unpacks to, as far as that is not absurdly more than the file holds."""

    def __init__(self, stream: gzip.GzipFile, path: AnyPath) -> None:
        self._stream, self._path = stream, path
        self._left = self._limit = unpacked_limit(Path(path).stat().st_size)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        count = self._stream.readinto(buffer)
        self._left -= count
        if self._left < 0:
            raise UNPACKED.exceeded(f"{self._path}: unpacks to", self._limit)
        return count

    @property
    def packed_position(self) -> int:
        """How many bytes of the file were read."""
        packed: Any = self._stream.fileobj
        return int(packed.tell())


def position(stream: Any) -> int:
    """Return how many bytes of the file behind a stream of :func:`open_bytes` were read."""
    raw = getattr(stream, "raw", None)
    return raw.packed_position if isinstance(raw, _Unpacked) else int(stream.tell())


def byte_lines(path: AnyPath) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number, counted from 1, line ends included.

    Raises:
        InputError: As :func:`open_bytes`, and if a line is too long.
    """
    limit = LINE.value
    with open_bytes(path) as stream:
        number = 0
        while line := stream.readline(limit + 1):
            number += 1
            if len(line) > limit:
                raise LINE.exceeded(f"{path} line {number} has", limit)
            yield number, line


def text_lines(path: AnyPath) -> Iterator[tuple[int, str]]:
    """Yield each line as text with its number, counted from 1, line ends included, without a byte order mark.

    Raises:
        InputError: As :func:`open_bytes`, and where a line is not UTF-8.
    """
    for number, line in byte_lines(path):
        yield number, decode(line, path, number)


def decode(line: bytes, path: AnyPath, number: int) -> str:
    """Return the text of a line.

    Raises:
        InputError: If it is not UTF-8, or holds NUL bytes.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        kind = " (it looks like UTF-16)" if number == 1 and line[:2] in _UTF16 else ""
        byte = line[error.start]
        raise InputError(f"{path} line {number}: not UTF-8 (byte 0x{byte:02x}){kind}; save the file as UTF-8") from None
    if "\0" in text:
        raise nul_byte(path, number)
    return text.removeprefix(BOM) if number == 1 else text


def nul_byte(path: AnyPath, number: int) -> InputError:
    """Return the error for a line that holds a NUL byte, as no text does."""
    return InputError(f"{path} line {number}: holds a NUL byte, so it is not text; save the file as UTF-8 text")
