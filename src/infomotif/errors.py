"""The error for bad input, the answer to an unknown name, and text that is safe to print."""

from __future__ import annotations

import difflib
import unicodedata
from collections.abc import Iterable


class InputError(ValueError):
    """Input that cannot be used: the message names file, line or parameter, and the remedy.

    Commands print the message as one line and exit with code 2.
    """


class ElsewhereError(InputError):
    """Input that another process of the same training refuses: that process prints why, this one just ends."""


def printable(text: str) -> str:
    r"""Return text with control characters written out, so that a terminal shows them and does not obey them.

    Example:
        >>> printable("a\x1b[31mb\n")
        'a\\x1b[31mb\n'
    """
    return "".join(c if c in "\n\t" or unicodedata.category(c) != "Cc" else f"\\x{ord(c):02x}" for c in text)


def unknown_name(kind: str, name: str, known: Iterable[str]) -> InputError:
    """Return the error for an unknown name: the nearest known one first, then all of them.

    Example:
        >>> str(unknown_name("dataset", "coar", ["cora", "usa"]))
        "unknown dataset 'coar': did you mean 'cora'? known: cora, usa"
    """
    names = sorted(known)
    close = difflib.get_close_matches(str(name).lower(), names, n=1, cutoff=0.5)
    hint = f"did you mean '{close[0]}'? known: " if close else "known: "
    return InputError(f"unknown {kind} '{name}': {hint}{', '.join(names)}")
