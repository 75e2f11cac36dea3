"""The text of a CSV file in blocks of whole records."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from infomotif._core.reading.limits import LINE
from infomotif.io.tables import diagnose
from infomotif.io.tables.bytes import BOM, open_bytes, position
from infomotif.io.tables.kernels import record_ends
from infomotif.io.tables.quotes import Quotes
from infomotif.typing import AnyPath

Advance = Callable[[float], None]
"""Told how many bytes of a file were read."""


def text_blocks(path: AnyPath, delimiter: str, size: int, advance: Advance) -> Iterator[bytes]:
    """Yield the text of whole records, about ``size`` bytes each time, without the line of the column names.

    Raises:
        InputError: If a quote is not closed, or a record is too long.
    """
    with open_bytes(path) as stream:
        rest, header, before = b"", True, 0
        quotes = Quotes(path, delimiter)
        while data := stream.read(max(size, len(rest))):
            quotes.feed(data)
            text = rest + data
            if header:
                text = text.removeprefix(BOM.encode())
            first, last = _ends(text, delimiter, header)
            if len(text) - last > LINE.value:
                diagnose.explain(path, delimiter, ())
                raise LINE.exceeded(f"{path}: a record has")
            reached = position(stream)
            advance(reached - before)
            before = reached
            rest = text[last:]
            start, header = (first, header and not last) if header else (0, False)
            if text[start:last].strip():
                yield text[start:last]
        quotes.end()
        if rest.strip() and not header:
            yield rest


def _ends(text: bytes, delimiter: str, header: bool) -> tuple[int, int]:
    """Return where the first and the last whole record end."""
    if not header and b'"' not in text:
        return 0, max(text.rfind(b"\n"), text.rfind(b"\r")) + 1
    first, last = record_ends(np.frombuffer(text, np.uint8), ord(delimiter))
    return int(first), int(last)
