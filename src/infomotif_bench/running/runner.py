"""The runner: searches settings, runs what is missing, and stores every record at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from infomotif_bench.methods import EmbeddingMethod, get_method
from infomotif_bench.running.executors import Executor
from infomotif_bench.running.run import BenchRun, Key
from infomotif_bench.running.run_record import RunRecord
from infomotif_bench.running.run_store import Store
from infomotif_bench.running.schedule import Schedule

_AHEAD = 4
_WAIT_SECONDS = 2.0


def run_schedule(
    schedule: Schedule,
    store: Store,
    *,
    jobs: int = 1,
    dask: str | None = None,
    on_start: Callable[[int], None] | None = None,
    on_record: Callable[[RunRecord], None] | None = None,
) -> int:
    """Run what ``schedule`` needs and ``store`` lacks; return how many runs were made.

    It may be stopped at any moment and started again; two processes with the same store share the work.

    Args:
        schedule: The experiment, or a part of it.
        store: Where records are kept.
        jobs: Number of processes.
        dask: Address of a Dask scheduler.
        on_start: Called before the first run with the number of runs at a time, which a Dask cluster decides.
        on_record: Called with every record of a finished run.

    Example:
        >>> import tempfile, pathlib
        >>> from infomotif_bench import load_experiment
        >>> schedule = Schedule(load_experiment("table3"), methods=["structural-lr"], datasets=["brazil"], splits=1)
        >>> store = Store(pathlib.Path(tempfile.mkdtemp()))
        >>> run_schedule(schedule, store), run_schedule(schedule, store)
        (3, 0)
    """
    made = 0
    with Executor(jobs, dask) as executor:
        if on_start is not None:
            on_start(executor.width)
        while chains := missing_chains(schedule, store, executor.width * _AHEAD):
            before = made
            for record, environment in executor.run(claimed_chains(chains, store)):
                store.add_run(record, environment)
                store.claims.drop("|".join(record.run.key))
                made += 1
                if on_record is not None:
                    on_record(record)
            if made == before:
                # Another process is running all that is missing.
                time.sleep(_WAIT_SECONDS)
            store.refresh()
    store.claims.close()
    return made


def missing_chains(schedule: Schedule, store: Store, limit: int) -> list[list[BenchRun]]:
    """Return about ``limit`` chains of missing runs, of the first cells that lack any, so that rows fill up in order.

    The runs of a chain belong in one process. Runs that another experiment has made are copied, and choices of
    complete searches are stored.
    """
    chains: dict[Key, dict[Key, BenchRun]] = {}
    for cell in schedule.cells(store):
        if schedule.tuned and cell.settings is not None and cell.row.tuned_as is None:
            store.add_choice(schedule.choice(cell))
        for run in cell.missing:
            if store.find(run) is not None:
                continue  # Another process has made it since: writing a line also reads new ones.
            record = store.find_elsewhere(run)
            if record is not None:
                store.copy_run(run, record)
            else:
                chains.setdefault(_chain_key(run), {})[run.key] = run
        if len(chains) >= limit:
            break
    else:
        if not chains and any(cell.missing for cell in schedule.cells(store)):
            return missing_chains(schedule, store, limit)
    return [list(chain.values()) for chain in chains.values()]


def claimed_chains(chains: list[list[BenchRun]], store: Store) -> Iterator[list[BenchRun]]:
    """Yield the runs of each chain that this process could claim and that are still missing."""
    for chain in chains:
        claimed = [run for run in chain if store.claims.take("|".join(run.key))]
        store.refresh()
        missing = [run for run in claimed if store.find(run) is None]
        for run in claimed:
            if run not in missing:
                store.claims.drop("|".join(run.key))
        if missing:
            yield missing


def _chain_key(run: BenchRun) -> Key:
    """Return the key that all runs of a chain share: one embedding serves every number of labels."""
    if not isinstance(get_method(run.method), EmbeddingMethod):
        return run.key
    return (run.dataset, run.method, str(run.seed), run.settings_hash)
