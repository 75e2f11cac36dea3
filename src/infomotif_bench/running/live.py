"""What is seen while the bench runs: a table that fills in on a terminal, a line a run elsewhere, time left in both."""

from __future__ import annotations

import time
from collections import Counter, defaultdict

from rich.console import Console, Group
from rich.live import Live
from rich.table import Table
from rich.text import Text

from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.results.summary import summarise
from infomotif_bench.running.run import Record
from infomotif_bench.running.run_store import Store
from infomotif_bench.running.schedule import Outlook, Plan

_EVERY_SECONDS = 1.0
_COLUMNS = 12
_NEWEST = 20


class Progress:
    """Shows how far a plan is; use it as a context, and call it with every record.

    Args:
        plan: What is run.
        store: Where records are kept.
        console: Where to show it; a terminal gets the table, anything else a line a run.

    Attributes:
        width: How many runs go on at a time.
    """

    def __init__(self, plan: Plan, store: Store, console: Console) -> None:
        """Show nothing yet."""
        self.plan, self.store, self.console, self.width = plan, store, console, 1
        self._live = Live(console=console, transient=True, auto_refresh=False) if console.is_terminal else None
        # Graphs of datasets to come are not read for it.
        self._outlook = {dataset: Outlook(0, self._expected(dataset)) for dataset in plan.datasets}
        self._counted: set[str] = set()
        self._drawn = 0.0
        self._last: Record | None = None

    def __enter__(self) -> Progress:
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

    def __call__(self, record: Record) -> None:
        """Take note of a finished run."""
        self._last = record
        self._count(record)
        if self._live is None:
            self.console.print(f"{self._line(record)}; {self.time_left()} left", markup=False, soft_wrap=True)
        elif time.monotonic() - self._drawn > _EVERY_SECONDS:
            self._drawn = time.monotonic()
            self._live.update(Group(self.table(), Text(f"{self._line(record)}; {self.time_left()} left")), refresh=True)

    def table(self) -> Table:
        """Return the table so far: mean accuracy and number of splits a cell."""
        summary = summarise(self.plan, self.store)
        table = Table(title=Text(self.plan.experiment.title), title_justify="left")
        table.add_column("method")
        places = [(panel, column) for panel in summary.panels for column in summary.columns]
        if len(places) > _COLUMNS and self._last is not None:
            # A terminal has room for the dataset that is being run.
            places = [place for place in places if place[0] == self._last["dataset"]]
        for panel, column in places:
            table.add_column(Text(f"{panel}\n{column}"), justify="right")
        for row in summary.rows:
            cells = [summary.cell(panel, row, column) for panel, column in places]
            scale = 100 if summary.accuracy else 1
            shown = ["" if c.spread is None else f"{scale * c.spread.mean:.3g} ({c.spread.count})" for c in cells]
            table.add_row(Text(row.title), *shown)
        return table

    def time_left(self) -> str:
        """Return an estimate from the runs so far: each row by its own runs, by similar ones if it has none."""
        seconds: dict[tuple[str, str], list[float]] = defaultdict(list)
        for record in self.store.runs(self.plan.experiment.name):
            seconds[record["dataset"], record["method"]].append(record["seconds"])
        # The newest: runs of a store may be of other settings, and took as long as those take.
        means = {key: sum(values[-_NEWEST:]) / len(values[-_NEWEST:]) for key, values in seconds.items()}
        if not means:
            return "unknown"
        usual = sum(means.values()) / len(means)
        left = sum(
            count * means.get((dataset, method), usual)
            for dataset, outlook in self._outlook.items()
            for method, count in outlook.left.items()
        )
        return duration(left / self.width)

    def _expected(self, dataset: str) -> Counter[str]:
        expected: Counter[str] = Counter()
        for row in self.plan.rows:
            expected[row.method] += self.plan.expected_runs(row, dataset)
        return expected

    def _count(self, record: Record) -> None:
        """Count the runs of the record's dataset, and once of those before it."""
        here = self.plan.datasets.index(record["dataset"])
        for i, dataset in enumerate(self.plan.datasets[: here + 1]):
            if i == here or dataset not in self._counted:
                self._outlook[dataset] = self.plan.outlook(dataset, self.store)
                self._counted.add(dataset)

    def _line(self, record: Record) -> str:
        made = sum(outlook.made for outlook in self._outlook.values())
        total = made + sum(outlook.left.total() for outlook in self._outlook.values())
        accuracy = "failed" if record["test_accuracy"] is None else f"{100 * record['test_accuracy']:.1f} %"
        settings = ", ".join(f"{key}={value}" for key, value in record["settings"].items())
        return (
            f"[{made} of about {total}] {record['dataset']} {record['method']} "
            f"{Scheme.of_record(record).name} split {record['split']}{f' ({settings})' if settings else ''}: "
            f"{accuracy}, {record['cpu_seconds']:.1f} CPU s"
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
