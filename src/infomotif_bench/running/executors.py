"""Running a BenchRun, and where: in this process, in several processes, or on a Dask cluster, always through joblib."""

from __future__ import annotations

import contextlib
import functools
import os
import threading
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from typing import Any

import joblib

from infomotif._core.malloc import keep_freed_memory
from infomotif.errors import InputError
from infomotif.motifs.cluster import LOOK_SECONDS, WorkerWatch, cluster_client
from infomotif_bench.experiments.graphs import bench_graph, split_of
from infomotif_bench.methods import MethodWarning
from infomotif_bench.running.environment import environment
from infomotif_bench.running.run import BenchRun
from infomotif_bench.running.run_record import RunRecord, pack
from infomotif_bench.running.run_store import Environment

_IDLE_SECONDS = 20


def execute(run: BenchRun) -> RunRecord:
    """Run on one thread and return the outcome.

    A training whose loss is not finite is an outcome too: its record has ``failed`` and no accuracy.

    Example:
        >>> from infomotif_bench.experiments.schemes import Scheme
        >>> record = execute(BenchRun("demo", "karate", "structural-lr", 1, Scheme(0.4), 0, {}, ""))
        >>> record.nodes, record.failed
        ((14, 7, 13), None)
    """
    import torch

    from infomotif.training import TrainingError
    from infomotif_bench.methods import get_method

    graph, split = bench_graph(run.dataset), split_of(run.dataset, run.labels, run.split)
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    cpu, wall = time.process_time(), time.perf_counter()
    failed, outcome = None, None
    try:
        with warnings.catch_warnings():
            # Random splits may leave a class without a training node.
            warnings.filterwarnings("ignore", message="no training node has class")
            outcome = get_method(run.method).run(graph, split, run.settings, run.seed)
    except TrainingError as error:
        failed = str(error)
    finally:
        torch.set_num_threads(before)
    return RunRecord(
        run=run,
        test_accuracy=None if outcome is None else round(outcome.test_accuracy, 6),
        val_accuracy=None if outcome is None else round(outcome.val_accuracy, 6),
        best_epoch=None if outcome is None else outcome.best_epoch,
        nodes=(len(split.train), len(split.val), len(split.test)),
        correct=None if outcome is None else pack(outcome.correct),
        details={} if outcome is None else dict(outcome.details),
        cpu_seconds=round(time.process_time() - cpu, 3),
        seconds=round(time.perf_counter() - wall, 3),
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        failed=failed,
    )


class Executor:
    """Runs chains of runs and yields their records; the runs of a chain go one after the other in one process.

    Args:
        jobs: Number of processes; 1 stays in this one.
        dask: Address of a Dask scheduler, which then takes the work.

    Example:
        >>> from infomotif_bench.experiments.schemes import Scheme
        >>> chain = [BenchRun("demo", "karate", "structural-lr", 1, Scheme(share), 0, {}, "") for share in (0.2, 0.4)]
        >>> with Executor() as executor:
        ...     [record.run.labels.name for record, _ in executor.run([chain])]
        ['20 %', '40 %']
    """

    def __init__(self, jobs: int = 1, dask: str | None = None) -> None:
        """Connect to nothing yet."""
        if jobs < 1:
            raise InputError(f"jobs must be at least 1 (got {jobs})")
        self.width, self._dask = jobs, dask
        self._open = contextlib.ExitStack()
        self._client: Any = None
        # Asked once: the code on disk may change while the loaded one runs.
        self._environment = environment()

    def __enter__(self) -> Executor:
        """Connect to the cluster, if there is one."""
        if self._dask is not None:
            client = self._client = self._open.enter_context(cluster_client(self._dask))
            self.width = max(1, sum(client.nthreads().values()))
            self._open.enter_context(joblib.parallel_config(backend="dask", wait_for_workers_timeout=30))
        elif self.width > 1:
            # If the command is killed, its workers end after this time.
            options = {"inner_max_num_threads": 1, "idle_worker_timeout": _IDLE_SECONDS}
            self._open.enter_context(joblib.parallel_config(backend="loky", **options))
        return self

    def __exit__(self, *error: object) -> None:
        """Disconnect."""
        self._open.close()

    def run(self, chains: Iterable[Sequence[BenchRun]]) -> Iterator[tuple[RunRecord, Environment]]:
        """Yield records and the environments in which they were made.

        In this process each record comes as soon as its run ends; from other processes the records of a chain come
        together. Chains are taken from the iterable as processes become free.

        Raises:
            InputError: If a worker died.
        """
        if self.width == 1 and self._dask is None:
            for chain in chains:
                for run in chain:
                    yield execute(run), self._environment
            return
        calls = (functools.partial(execute_chain, tuple(chain)) for chain in chains)
        parallel = joblib.Parallel(
            n_jobs=self.width, return_as="generator_unordered", pre_dispatch="n_jobs", batch_size=1
        )
        try:
            with _watched(self._client):
                for records, there in parallel(joblib.delayed(call)() for call in calls):
                    for record in records:
                        yield record, there
        except (joblib.externals.loky.process_executor.BrokenProcessPool, MemoryError) as error:
            reason = str(error).split(".")[0]
            raise InputError(
                f"a worker died ({reason}); finished runs are kept, so start again with fewer --jobs"
            ) from None


@contextlib.contextmanager
def _watched(client: Any) -> Iterator[None]:
    """Look at the workers of a cluster, if there is one, while the block waits for them.

    Raises:
        InputError: If the cluster has had no worker for too long.
    """
    if client is None:
        yield
        return
    watch, done, failures = WorkerWatch(client), threading.Event(), list[InputError]()

    def look() -> None:
        try:
            while not done.wait(LOOK_SECONDS):
                watch.look()
        except InputError as error:
            failures.append(error)
            # The only way to wake up what waits for results.
            client.close()

    thread = threading.Thread(target=look, daemon=True)
    thread.start()
    try:
        yield
    except Exception:
        if failures:
            raise failures[0] from None
        raise
    finally:
        done.set()
        thread.join()


def execute_chain(chain: tuple[BenchRun, ...]) -> tuple[list[RunRecord], Environment]:
    """Run a chain in a worker; return its records and the worker's environment, which may have other versions."""
    # Before the kernels start their own threads, which is when the first run counts motifs.
    os.environ.setdefault("INFOMOTIF_THREADS", "1")
    keep_freed_memory()
    # The main process has reported them.
    warnings.simplefilter("ignore", MethodWarning)
    there = environment()
    return [execute(run) for run in chain], there
