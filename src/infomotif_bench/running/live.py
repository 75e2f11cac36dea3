"""LiveProgress: a table that fills in on a terminal, one line per run elsewhere; both show the time left."""

from __future__ import annotations

import time
from collections import Counter, defaultdict

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from infomotif_bench.results.measurements import summarise
from infomotif_bench.running.run_record import RunRecord
from infomotif_bench.running.run_store import Store
from infomotif_bench.running.schedule import Outlook, Schedule

MAX_COLUMNS = 12
"""Columns that fit a terminal; a wider table shows only the dataset that is being run."""
_NEWEST = 20


class LiveProgress:
    """Shows how far a schedule is; use it as a context manager, and call it with every record.

    Args:
        schedule: The schedule that is run.
        store: Where records are kept.
        console: Where to show it; a terminal gets the table, anything else one line per run.
        seconds: Least time between two drawings of the table.

    Attributes:
        width: How many runs go on at a time.
    """

    def __init__(self, schedule: Schedule, store: Store, console: Console, *, seconds: float = 1.0) -> None:
        """Show nothing yet."""
        self.schedule, self.store, self.console, self.width = schedule, store, console, 1
        self._live = Live(console=console, transient=True, auto_refresh=False) if console.is_terminal else None
        # An estimate, so that graphs of later datasets need not be read yet.
        self._outlook = {dataset: Outlook(0, self._expected(dataset)) for dataset in schedule.datasets}
        self._counted: set[str] = set()
        self._seconds, self._drawn = seconds, float("-inf")
        self._last: RunRecord | None = None

    def __enter__(self) -> LiveProgress:
        """Start showing."""
        if self._live is not None:
            self._live.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop showing."""
        if self._live is not None:
            self._live.stop()

    def start(self, width: int) -> None:
        """Take note of how many runs go on at a time."""
        self.width = width

    def __call__(self, record: RunRecord) -> None:
        """Show a finished run."""
        self._last = record
        self._count(record)
        line = f"{self._line(record)}; {self.time_left()} left"
        if self._live is None:
            self.console.print(line, markup=False, soft_wrap=True)
        elif time.monotonic() - self._drawn > self._seconds:
            self._drawn = time.monotonic()
            self._live.update(Group(self.table(), Text(line)), refresh=True)

    def table(self) -> Table:
        """Return the table so far: mean accuracy and number of splits of each cell."""
        summary = summarise(self.schedule, self.store)
        table = Table(title=Text(self.schedule.experiment.title), title_justify="left")
        table.add_column("method")
        columns = [(panel, column) for panel in summary.panels for column in summary.columns]
        if len(columns) > MAX_COLUMNS and self._last is not None:
            columns = [(panel, column) for panel, column in columns if panel == self._last.run.dataset]
        for panel, column in columns:
            table.add_column(Text(f"{panel}\n{column}"), justify="right")
        scale = 100 if summary.accuracy else 1
        for row in summary.rows:
            cells = [summary.cell(panel, row, column) for panel, column in columns]
            shown = ["" if c.spread is None else f"{scale * c.spread.mean:.3g} ({c.spread.count})" for c in cells]
            table.add_row(Text(row.title), *shown)
        return table

    def counts(self) -> tuple[int, int]:
        """Return how many runs are finished, and about how many there are in all."""
        finished = sum(outlook.finished for outlook in self._outlook.values())
        return finished, finished + sum(outlook.remaining.total() for outlook in self._outlook.values())

    def time_left(self) -> str:
        """Return an estimate from the runs so far: each row by its own runs, or by all if it has none."""
        seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
        for record in self.store.runs(self.schedule.experiment.name):
            seconds[record.run.dataset, record.run.method].append(record.seconds)
        # Only the newest: older runs of the store may have had other settings.
        means = {key: sum(values[-_NEWEST:]) / len(values[-_NEWEST:]) for key, values in seconds.items()}
        if not means:
            return "unknown"
        overall = sum(means.values()) / len(means)
        total = sum(
            count * means.get((dataset, method), overall)
            for dataset, outlook in self._outlook.items()
            for method, count in outlook.remaining.items()
        )
        return duration(total / self.width)

    def _expected(self, dataset: str) -> Counter[str]:
        expected: Counter[str] = Counter()
        for row in self.schedule.rows:
            expected[row.method] += self.schedule.expected_runs(row, dataset)
        return expected

    def _count(self, record: RunRecord) -> None:
        """Count the runs of the record's dataset, and once those of the datasets before it."""
        current = self.schedule.datasets.index(record.run.dataset)
        for i, dataset in enumerate(self.schedule.datasets[: current + 1]):
            if i == current or dataset not in self._counted:
                self._outlook[dataset] = self.schedule.outlook(dataset, self.store)
                self._counted.add(dataset)

    def _line(self, record: RunRecord) -> str:
        finished, total = self.counts()
        run = record.run
        accuracy = "failed" if record.test_accuracy is None else f"{100 * record.test_accuracy:.1f} %"
        settings = ", ".join(f"{key}={value}" for key, value in run.settings.items())
        return (
            f"[{finished} of about {total}] {run.dataset} {run.method} {run.labels.name} split {run.split}"
            f"{f' trial {run.trial}' if run.trial else ''}"
            f"{f' ({settings})' if settings else ''}: {accuracy}, {record.cpu_seconds:.1f} CPU s"
        )


def duration(seconds: float) -> str:
    """Return a time that a person can read.

    Example:
        >>> duration(40), duration(600), duration(20_000)
        ('40 s', '10 min', '5.6 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
