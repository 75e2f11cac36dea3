"""A progress bar with time left, on stderr, only on a terminal."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Callable, Iterator

Advance = Callable[..., None]


@contextlib.contextmanager
def progress(description: str, total: float | None = None, *, enabled: bool | None = None) -> Iterator[Advance]:
    """Show a bar while the block runs; yield ``advance(step=1, note="")``.

    Args:
        description: Text in front of the bar.
        total: The number of steps; None shows a pulsing bar.
        enabled: Whether to show it; by default only when stderr is a terminal.

    Example:
        >>> with progress("counting", total=3, enabled=False) as advance:
        ...     for _ in range(3):
        ...         advance()
    """
    if not (sys.stderr.isatty() if enabled is None else enabled):
        yield lambda step=1, note="": None
        return
    from rich import progress as shown
    from rich.console import Console

    columns = (
        shown.TextColumn("{task.description}", markup=False),
        shown.BarColumn(),
        shown.TaskProgressColumn(),
        shown.TimeElapsedColumn(),
        shown.TimeRemainingColumn(),
        shown.TextColumn("{task.fields[note]}", markup=False),
    )
    with shown.Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(description, total=total, note="")

        def advance(step: float = 1, note: str | None = None) -> None:
            bar.update(task, advance=step)
            if note is not None:
                bar.update(task, note=note)

        yield advance
