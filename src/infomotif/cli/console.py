"""Where commands print: results to stdout, everything else to stderr; colours only on a terminal."""

from __future__ import annotations

import json
import sys
from functools import cache
from typing import Any

from rich.console import Console
from rich.text import Text

from infomotif.errors import printable


@cache
def out() -> Console:
    """Return the console for results."""
    return Console(soft_wrap=not sys.stdout.isatty(), highlight=False)


@cache
def err() -> Console:
    """Return the console for messages and progress."""
    return Console(stderr=True, highlight=False)


def error(message: str) -> None:
    """Print one line that says what is wrong; hostile text stays text."""
    line = " ".join(printable(message).split())
    err().print(Text.assemble(("error: ", "bold red"), line), soft_wrap=True)


def warning(message: str) -> None:
    """Print one line that says what the user should know."""
    err().print(Text.assemble(("warning: ", "yellow"), " ".join(printable(message).split())), soft_wrap=True)


def print_json(value: Any) -> None:
    """Print ``value`` as JSON for machines."""
    sys.stdout.write(json.dumps(value, indent=2, allow_nan=False) + "\n")
