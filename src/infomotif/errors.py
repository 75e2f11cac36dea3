"""The error for bad input, the answer to an unknown name, and text that is safe to print."""

from __future__ import annotations

import difflib
import reprlib
import unicodedata
from collections.abc import Iterable

_MAX_MESSAGE = 1000
_MAX_END = 300
_MAX_VALUE = 80


class InputError(ValueError):
    """Input that cannot be used: the message names file, line or parameter, and the remedy.

    Commands print the message and exit with code 2. It is one line whatever names and values of the input it holds:
    line breaks are written out, and if it is too long it loses its middle.
    """

    def __init__(self, *args: object) -> None:
        """Make the message one short line."""
        super().__init__(*(_one_line(part) if isinstance(part, str) else part for part in args))


class ElsewhereError(InputError):
    """Input that another process of the same training refuses: that process prints why, this one just ends."""


def printable(text: str) -> str:
    r"""Return text with control characters written out, so that a terminal shows them and does not obey them.

    Example:
        >>> printable("a\x1b[31mb\n")
        'a\\x1b[31mb\n'
    """
    return "".join(c if c in "\n\t" or unicodedata.category(c) != "Cc" else f"\\x{ord(c):02x}" for c in text)


def shown(value: object) -> str:
    """Return the start of a value as messages show it; the rest, which may be huge, is not even looked at.

    Example:
        >>> shown("a" * 10**9)
        "'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa...aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'"
        >>> shown([[[[1]]]] * 1000)
        '[[[...]], [[...]], [[...]], [[...]], ...]'
    """
    short = reprlib.Repr()
    short.maxstring = short.maxother = short.maxlong = _MAX_VALUE
    short.maxlevel, short.maxlist, short.maxtuple, short.maxdict, short.maxset = 3, 4, 4, 4, 4
    return short.repr(value)[: 2 * _MAX_VALUE]


def _one_line(text: str) -> str:
    text = text.replace("\r", "\\r").replace("\n", "\\n")
    if len(text) <= _MAX_MESSAGE:
        return text
    return f"{text[: _MAX_MESSAGE - _MAX_END]} ... {text[-_MAX_END:]}"


def unknown_name(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Return the error for an unknown name: the nearest known one first, then all of them.

    Example:
        >>> str(unknown_name("dataset", "coar", ["cora", "usa"]))
        "unknown dataset 'coar': did you mean 'cora'? known: cora, usa"
    """
    names = sorted(known)
    name = str(name)[:_MAX_VALUE]
    close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f"did you mean '{close[0]}'? known: " if close else "known: "
    return InputError(f"unknown {kind} '{name}': {hint}{', '.join(names)}")
