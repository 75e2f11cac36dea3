"""Where jobs run: in this process, in several processes, or on a Dask cluster; always through joblib."""

from __future__ import annotations

import contextlib
import functools
import os
import warnings
from collections.abc import Iterable, Iterator, Sequence

import joblib

from infomotif._core.malloc import keep_freed_memory
from infomotif._core.parallel import cluster_client
from infomotif.errors import InputError
from infomotif_bench.methods import MethodWarning
from infomotif_bench.running.environment import environment
from infomotif_bench.running.run import Job, Record, run_job

_IDLE_SECONDS = 20
MADE_WITH = "made_with"
"""Where a record of another process says in which environment it was made."""


class Executor:
    """Runs chains of jobs and yields their records; the jobs of a chain run one after the other in one process.

    Args:
        jobs: Number of processes; 1 stays in this one.
        dask: Address of a Dask scheduler, which then takes the work.

    Example:
        >>> from infomotif_bench.experiments.schemes import Scheme
        >>> chain = [Job("demo", "karate", "structural-lr", 1, Scheme(ratio), 0, {}, "") for ratio in (0.2, 0.4)]
        >>> with Executor() as executor:
        ...     [record["ratio"] for record in executor.run([chain])]
        [0.2, 0.4]
    """

    def __init__(self, jobs: int = 1, dask: str | None = None) -> None:
        """Connect to nothing yet."""
        if jobs < 1:
            raise InputError(f"jobs must be at least 1 (got {jobs})")
        self.width, self._dask = jobs, dask
        self._open = contextlib.ExitStack()

    def __enter__(self) -> Executor:
        """Connect to the cluster, if there is one."""
        if self._dask is not None:
            client = self._open.enter_context(cluster_client(self._dask))
            self.width = max(1, sum(client.nthreads().values()))
            self._open.enter_context(joblib.parallel_config(backend="dask", wait_for_workers_timeout=30))
        elif self.width > 1:
            # Of a command that was killed, workers wait no longer than this for more.
            options = {"inner_max_num_threads": 1, "idle_worker_timeout": _IDLE_SECONDS}
            self._open.enter_context(joblib.parallel_config(backend="loky", **options))
        return self

    def __exit__(self, *error: object) -> None:
        """Disconnect."""
        self._open.close()

    def run(self, chains: Iterable[Sequence[Job]]) -> Iterator[Record]:
        """Yield records as jobs end, from other processes as chains end, which are drawn as processes become free.

        Raises:
            InputError: If a worker died.
        """
        if self.width == 1 and self._dask is None:
            for chain in chains:
                yield from map(run_job, chain)
            return
        calls = (functools.partial(_in_worker, tuple(chain)) for chain in chains)
        parallel = joblib.Parallel(
            n_jobs=self.width, return_as="generator_unordered", pre_dispatch="n_jobs", batch_size=1
        )
        try:
            for records in parallel(joblib.delayed(call)() for call in calls):
                yield from records
        except (joblib.externals.loky.process_executor.BrokenProcessPool, MemoryError) as error:
            reason = str(error).split(".")[0]
            raise InputError(
                f"a worker died ({reason}); what was done is kept, so start again with fewer --jobs"
            ) from None


def _in_worker(chain: tuple[Job, ...]) -> list[Record]:
    # Set before the kernels' own threads start, which is when a worker's first job counts motifs.
    os.environ.setdefault("INFOMOTIF_THREADS", "1")
    keep_freed_memory()
    # The process that asks has reported them.
    warnings.simplefilter("ignore", MethodWarning)
    # A cluster's workers may have other versions than who asks them.
    return [run_job(job) | {MADE_WITH: environment()} for job in chain]
