"""Bytes and lines of the user's files: gz is unpacked, and every failure becomes one line that says where."""

from __future__ import annotations

import contextlib
import gzip
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import IO, TYPE_CHECKING

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
    try:
        with Path(path).open("rb") as stream:
            start = stream.read(4)
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; check the path") from None
    except IsADirectoryError:
        raise InputError(f"{path}: is a folder; name a file") from None
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
        with gzip.open(path, "rb") if packed else Path(path).open("rb") as stream:
            yield stream  # type: ignore[misc]
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise InputError(f"{path}: the gzip file is broken or cut short ({error}); write it again") from None


def byte_lines(path: AnyPath) -> Iterator[tuple[int, bytes]]:
    """Yield each line with its number, counted from 1, line ends included.

    Raises:
        InputError: As :func:`open_bytes`.
    """
    with open_bytes(path) as stream:
        yield from enumerate(stream, 1)


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
        InputError: If it is not UTF-8.
    """
    try:
        text = line.decode("utf-8")
    except UnicodeDecodeError as error:
        kind = " (it looks like UTF-16)" if number == 1 and line[:2] in _UTF16 else ""
        byte = line[error.start]
        raise InputError(f"{path} line {number}: not UTF-8 (byte 0x{byte:02x}){kind}; save the file as UTF-8") from None
    return text.removeprefix(BOM) if number == 1 else text
