"""Progress with time left, on stderr: a bar on a terminal, elsewhere a line every few seconds."""

from __future__ import annotations

import contextlib
import sys
import time
from collections.abc import Callable, Iterator

Advance = Callable[..., None]

SECONDS_PER_LINE = 5.0


@contextlib.contextmanager
def progress(description: str, total: float | None = None, *, enabled: bool | None = None) -> Iterator[Advance]:
    """Show progress while the block runs; yield ``advance(step=1, note="")``.

    Args:
        description: Text in front of the bar.
        total: The number of steps; None shows a pulsing bar.
        enabled: Whether to show it: a bar on a terminal, elsewhere a line every five seconds. By default only when
            stderr is a terminal.

    Example:
        >>> with progress("counting", total=3, enabled=False) as advance:
        ...     for _ in range(3):
        ...         advance()
    """
    terminal = sys.stderr.isatty()
    if not (terminal if enabled is None else enabled):
        yield lambda step=1, note="": None
        return
    if not terminal:
        yield _lines(description, total)
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


def _lines(description: str, total: float | None) -> Advance:
    """Return what prints a line when some seconds have passed since the last one."""
    start = latest = time.monotonic()
    done = 0.0

    def advance(step: float = 1, note: str | None = None) -> None:
        nonlocal done, latest
        done += step
        now = time.monotonic()
        if now - latest < SECONDS_PER_LINE:
            return
        latest = now
        sys.stderr.write(f"{description}: {progress_text(done, total, now - start)}{', ' + note if note else ''}\n")
        sys.stderr.flush()

    return advance


def progress_text(done: float, total: float | None, seconds: float) -> str:
    """Return how much is done and how long the rest will take at the same speed.

    Example:
        >>> progress_text(25, 100, 10), progress_text(25, None, 10)
        ('25 %, about 30 s left', '10 s so far')
    """
    if not total or not done:
        return f"{seconds:.0f} s so far"
    left = seconds * max(0.0, total / done - 1)
    shown = f"{left:.0f} s" if left < 120 else f"{left / 60:.0f} min" if left < 7200 else f"{left / 3600:.1f} h"
    return f"{min(100.0, 100 * done / total):.0f} %, about {shown} left"
