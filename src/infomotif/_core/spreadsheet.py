"""Text that a spreadsheet shows and does not run: what it would take for a formula gets an apostrophe before it."""

from __future__ import annotations

import re

_FORMULA = re.compile(r"'*[=+\-@\t\r]")
_QUOTED = re.compile(r"'+[=+\-@\t\r]")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def as_text(value: str) -> str:
    """Return a value as spreadsheets show it; numbers stay as they are.

    Example:
        >>> [as_text(value) for value in ("=1+1", "@home", "-3.5", "a=b", "'=x")]
        ["'=1+1", "'@home", '-3.5', 'a=b', "''=x"]
    """
    return f"'{value}" if _FORMULA.match(value) and not _NUMBER.fullmatch(value) else value


def from_text(value: str) -> str:
    """Return the value that :func:`as_text` wrote.

    Example:
        >>> [from_text(value) for value in ("'=1+1", "-3.5", "it's", "''=x")]
        ['=1+1', '-3.5', "it's", "'=x"]
    """
    return value[1:] if _QUOTED.match(value) else value
