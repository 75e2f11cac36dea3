"""Where commands print: results to stdout, everything else to stderr; colours only on a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from rich.console import Console, ConsoleOptions, ConsoleRenderable, RenderHook
from rich.segment import Segment
from rich.text import Text

from infomotif.errors import printable


@dataclass(frozen=True)
class _Printable:
    """A renderable whose control characters, of names and values, are written out."""

    shown: ConsoleRenderable

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Segment]:
        for segment in console.render(self.shown, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)


class _EscapeControlCharacters(RenderHook):
    def process_renderables(self, renderables: list[ConsoleRenderable]) -> list[ConsoleRenderable]:
        return [_Printable(shown) for shown in renderables]


def _console(**options: Any) -> Console:
    console = Console(highlight=False, **options)
    console.push_render_hook(_EscapeControlCharacters())
    return console


@cache
def out() -> Console:
    """Return the console for results."""
    return _console(soft_wrap=not sys.stdout.isatty())


@cache
def err() -> Console:
    """Return the console for messages and progress."""
    return _console(stderr=True)


def error(message: str) -> None:
    """Print one line that says what is wrong."""
    err().print(Text.assemble(("error: ", "bold red"), " ".join(message.split())), soft_wrap=True)


def warning(message: str) -> None:
    """Print one line that says what the user should know."""
    err().print(Text.assemble(("warning: ", "yellow"), " ".join(message.split())), soft_wrap=True)


def print_json(value: Any) -> None:
    """Print ``value`` as JSON for machines."""
    sys.stdout.write(json.dumps(value, indent=2, allow_nan=False) + "\n")
