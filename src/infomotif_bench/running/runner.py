"""The runner: searches settings, runs what is missing, keeps every record at once."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from infomotif_bench.methods import EmbeddingMethod, get_method
from infomotif_bench.running.environment import environment
from infomotif_bench.running.executors import MADE_WITH, Executor
from infomotif_bench.running.run import Job, Key, Record, record_key
from infomotif_bench.running.run_store import Store
from infomotif_bench.running.schedule import Plan

_AHEAD = 4
_WAIT_SECONDS = 2.0


def run_plan(
    plan: Plan,
    store: Store,
    *,
    jobs: int = 1,
    dask: str | None = None,
    on_start: Callable[[int], None] | None = None,
    on_record: Callable[[Record], None] | None = None,
) -> int:
    """Run what ``plan`` needs and ``store`` lacks; return how many runs were made.

    It may be stopped at any moment and started again; two processes with the same store share the work.

    Args:
        plan: What is wanted.
        store: Where records are kept.
        jobs: Number of processes.
        dask: Address of a Dask scheduler.
        on_start: Called before the first run with how many go on at a time, which with Dask the cluster decides.
        on_record: Called with every record of a finished run.

    Example:
        >>> import tempfile, pathlib
        >>> from infomotif_bench import load_experiment
        >>> plan = Plan(load_experiment("table3"), methods=["structural-lr"], datasets=["brazil"], splits=1)
        >>> store = Store(pathlib.Path(tempfile.mkdtemp()))
        >>> run_plan(plan, store), run_plan(plan, store)
        (3, 0)
    """
    # The code may be committed anew while it runs; what was loaded is what counts.
    made_with = environment()
    made = 0
    with Executor(jobs, dask) as executor:
        if on_start is not None:
            on_start(executor.width)
        while wanted := _wanted(plan, store, executor.width * _AHEAD):
            before = made
            for record in executor.run(_claimed(wanted, store)):
                store.add_run(record, record.pop(MADE_WITH, made_with))
                store.claims.drop("|".join(record_key(record)))
                made += 1
                if on_record is not None:
                    on_record(record)
            if made == before:
                # All that is left is being run by another process.
                time.sleep(_WAIT_SECONDS)
            store.refresh()
    store.claims.close()
    return made


def _wanted(plan: Plan, store: Store, enough: int) -> list[list[Job]]:
    """Return missing runs of the first cells that lack any, so that rows become complete one after the other."""
    wanted: dict[Key, dict[Key, Job]] = {}
    for cell in plan.cells(store):
        if plan.tuned and cell.settings is not None and cell.row.tuned_as is None:
            store.add_choice(plan.experiment.name, cell.dataset, cell.row.name, plan.choice(cell))
        for job in cell.missing:
            if store.find(job) is not None:
                continue  # Another process made it since; every line that is written reads what is new.
            found = store.find_elsewhere(job)
            if found is not None:
                store.copy_run(job, found)
            else:
                wanted.setdefault(_chain(job), {})[job.key] = job
        if len(wanted) >= enough:
            break
    else:
        if not wanted and any(cell.missing for cell in plan.cells(store)):
            return _wanted(plan, store, enough)
    return [list(chain.values()) for chain in wanted.values()]


def _chain(job: Job) -> Key:
    """Return what the runs of one process share: an embedding serves every number of labels, if it is kept there."""
    if not isinstance(get_method(job.method), EmbeddingMethod):
        return job.key
    return (job.dataset, job.method, str(job.split), job.settings_hash)


def _claimed(chains: list[list[Job]], store: Store) -> Iterator[list[Job]]:
    for chain in chains:
        taken = [job for job in chain if store.claims.take("|".join(job.key))]
        # Another process may have done some since.
        store.refresh()
        left = [job for job in taken if store.find(job) is None]
        for job in taken:
            if job not in left:
                store.claims.drop("|".join(job.key))
        if left:
            yield left
