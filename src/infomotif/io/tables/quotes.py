"""The check that the quotes of a CSV file are closed, made while its bytes are read."""

from __future__ import annotations

import io
from typing import IO, Any

import numpy as np

from infomotif._core.reading.limits import LINE
from infomotif.errors import InputError
from infomotif.io.tables.bytes import BOM, nul_byte
from infomotif.io.tables.kernels import follow_quotes
from infomotif.typing import AnyPath

_PLAIN, _QUOTED = 1, 2


class Quotes:
    r"""Whether the bytes of a CSV file so far end within a quoted field.

    Args:
        path: The file, for messages.
        delimiter: What separates its fields.

    Example:
        >>> quotes = Quotes("nodes.csv", ",")
        >>> quotes.feed(b'id,note\na,"two\nlines"\nb,"hello\nc,x\n')
        >>> quotes.end()
        Traceback (most recent call last):
        infomotif.errors.InputError: nodes.csv line 4: a quote opens here and is never closed; close it
    """

    def __init__(self, path: AnyPath, delimiter: str) -> None:
        """Start before the first byte."""
        self._path, self._delimiter = path, ord(delimiter)
        self._position = np.zeros(3, np.int64)
        self._began = False
        self._line, self._limit = 0, LINE.value

    def feed(self, data: bytes) -> None:
        """Continue through the next bytes; without a quote among them this takes no longer than looking for one.

        Raises:
            InputError: If a quote spans lines and closes inside a field, as happens where a closing one was forgotten,
                a line is too long, or a byte is NUL.
        """
        if b"\0" in data:
            raise nul_byte(self._path, int(self._position[1]) + data.count(b"\n", 0, data.index(b"\0")) + 1)
        self._measure_line(data)
        if not self._began:
            data, self._began = data.removeprefix(BOM.encode()), True
        if data and b'"' not in data and self._position[0] < _QUOTED:
            self._position[1] += data.count(b"\n")
            self._position[0] = 0 if data[-1] in (self._delimiter, *b"\r\n") else _PLAIN
            return
        wrong = follow_quotes(np.frombuffer(data, np.uint8), self._delimiter, self._position)
        if wrong:
            raise self._open(f"is closed on line {wrong} inside a field; close it where it should be")

    def _measure_line(self, data: bytes) -> None:
        end = data.rfind(b"\n")
        self._line = self._line + len(data) if end < 0 else len(data) - end - 1
        if self._line > self._limit:
            raise LINE.exceeded(f"{self._path}: a line has", self._limit)

    def end(self) -> None:
        """End the file.

        Raises:
            InputError: If a quote is open.
        """
        if self._position[0] == _QUOTED:
            raise self._open("is never closed; close it")

    def _open(self, how: str) -> InputError:
        return InputError(f"{self._path} line {self._position[2] + 1}: a quote opens here and {how}")


class CheckedStream(io.RawIOBase):
    """A stream that checks the quotes of everything that is read from it.

    Args:
        stream: The bytes of a CSV file.
        quotes: Told of all of them.
    """

    def __init__(self, stream: IO[bytes], quotes: Quotes) -> None:
        """Start where the stream is."""
        self._stream, self._quotes = stream, quotes

    def readable(self) -> bool:
        """Return True."""
        return True

    def read(self, size: int = -1) -> Any:
        """Return the next bytes, none at the end.

        Raises:
            InputError: If a quote is not closed.
        """
        data = self._stream.read(size)
        if data:
            self._quotes.feed(data)
        elif size:
            self._quotes.end()
        return data
