"""Motif counts and samples on a Dask cluster: workers open the same graph store and share out its nodes."""

from __future__ import annotations

import contextlib
import threading
import time
import warnings
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from infomotif._core.extras import needed_for
from infomotif._core.parallel import split_ranges
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import open_store
from infomotif.motifs.colours.sets import motifs_for
from infomotif.motifs.counting.census import Count, count_range
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.index import MotifIndex
from infomotif.motifs.pattern import Motif
from infomotif.motifs.sampling import Instances
from infomotif.typing import Array

RANGES_PER_THREAD = 8
WORKERLESS_SECONDS = 60
"""How long a cluster may be without workers before the command gives up."""
LOOK_SECONDS = 1
_opening = threading.Lock()
_latest: dict[str, Any] = {}


@contextlib.contextmanager
def cluster_client(address: str) -> Iterator[Any]:
    """Connect to a Dask scheduler; yield the ``distributed.Client``.

    Raises:
        InputError: If Dask is not installed, or no scheduler answers.
    """
    with needed_for("--dask"):
        import distributed
    try:
        client = distributed.Client(address, timeout=10)
    except (OSError, ValueError, TypeError) as error:
        reason = " ".join(str(error).split())[:160]
        raise InputError(f"--dask: no scheduler answers at '{address}' ({reason})") from None
    try:
        yield client
    finally:
        client.close()


class WorkerWatch:
    """Notices when a cluster loses workers, and when it has had none for too long.

    Args:
        client: A ``distributed.Client``.
    """

    def __init__(self, client: Any) -> None:
        """Count the workers."""
        self._client, self._workers = client, 0
        self._last_seen = time.monotonic()
        self.look()

    def look(self) -> None:
        """Look at the workers; warn if some were lost.

        Raises:
            InputError: If there has been none for :data:`WORKERLESS_SECONDS`.
        """
        workers = len(self._client.scheduler_info(n_workers=-1)["workers"])
        if workers < self._workers:
            lost = self._workers - workers
            warnings.warn(
                f"{lost} of {self._workers} workers of the cluster were lost; others repeat their work", stacklevel=2
            )
        self._workers = workers
        if workers:
            self._last_seen = time.monotonic()
        elif time.monotonic() - self._last_seen > WORKERLESS_SECONDS:
            raise InputError(
                f"--dask: the cluster has had no worker for {WORKERLESS_SECONDS} s; start workers, then this again"
            )


class ClusterMiner:
    """Counts and samples the motifs of a stored graph on a Dask cluster; results equal those of one machine exactly.

    Every worker opens the folder itself, so all must see it under the same path. If a worker dies, the scheduler gives
    its ranges of nodes to another one.

    Args:
        folder: A graph store in a folder that all workers share.
        client: A ``distributed.Client``; see :func:`cluster_client`.
        motifs: Motifs of three nodes, as :class:`MotifIndex` takes them.
        ranges: Number of ranges that the nodes are split into; by default eight per thread of the cluster.

    Example:
        >>> from distributed import Client
        >>> from infomotif.datasets import load_dataset
        >>> from infomotif.io import save_store
        >>> import tempfile
        >>> folder = tempfile.mkdtemp()
        >>> save_store(load_dataset("karate"), folder)
        >>> with Client(processes=False, dashboard_address=None) as client:
        ...     index = ClusterMiner(folder, client).index()
        >>> index.totals.tolist()
        [393, 45]
    """

    def __init__(
        self,
        folder: str | Path,
        client: Any,
        motifs: str | Iterable[str | Motif] = "auto",
        *,
        ranges: int | None = None,
    ) -> None:
        """Open the store on this side."""
        self.folder, self.client = str(Path(folder).resolve()), client
        self.graph = open_store(self.folder)
        self.motifs = motifs_for(self.graph, motifs)
        large = next((motif for motif in self.motifs if motif.size != 3 or motif.coloured), None)
        if large is not None:
            raise InputError(
                f"a cluster counts motifs of three nodes without types (got '{large.name}'); leave out --dask"
            )
        if ranges is not None and ranges < 1:
            raise InputError(f"ranges must be a positive whole number (got {ranges})")
        threads = sum(client.nthreads().values()) if ranges is None else 0
        self.ranges = split_ranges(self.graph.undirected.indptr, ranges or max(1, RANGES_PER_THREAD * threads))

    def index(self, *, listing_bytes: int | None = None) -> MotifIndex:
        """Count every motif at every node; return an index with these counts."""
        parts = self._map(count_on_worker, self.motifs)
        census = [
            Count(
                np.concatenate([part[t].orbits for part in parts])
                if parts
                else np.zeros((0, len(motif.orbits)), np.int64),
                None
                if motif.closed
                else np.concatenate([np.zeros(0, np.int64), *(part[t].proposals for part in parts)]),
            )
            for t, motif in enumerate(self.motifs)
        ]
        return MotifIndex(self.graph, self.motifs, listing_bytes=listing_bytes, census=census)

    def sample(self, index: MotifIndex, q: int, generator: np.random.Generator | None = None) -> tuple[Instances, ...]:
        """Draw at most ``q`` instances of every motif for every node, as ``index.sample(None, q, generator)`` does."""
        seeds = index.draw_seeds(q, generator)
        census = self.client.scatter(index.census, broadcast=True, hash=False)
        parts = self._map(sample_on_worker, self.motifs, census, index.listing_bytes, int(q), seeds)
        return tuple(_joined([part[t] for part in parts]) for t in range(len(self.motifs)))

    def _map(self, function: Any, *args: Any) -> list[Any]:
        store = (self.folder, self.graph.fingerprint())
        tasks = [self.client.submit(function, *store, *span, *args, pure=False) for span in self.ranges]
        watch = WorkerWatch(self.client)
        try:
            while not _ended(tasks):
                watch.look()
            return list(self.client.gather(tasks))
        except Exception as error:
            from distributed import KilledWorker

            if isinstance(error, KilledWorker):
                raise InputError("workers of the cluster died repeatedly; give them more memory") from None
            raise


def _ended(tasks: list[Any]) -> bool:
    """Wait a moment for tasks; return whether all have ended."""
    from distributed import wait

    try:
        wait(tasks, timeout=LOOK_SECONDS)
    except TimeoutError:
        return False
    return True


def _joined(parts: Sequence[Instances]) -> Instances:
    sizes = np.concatenate([np.zeros(1, np.int64), *(np.diff(part.indptr) for part in parts)])
    return Instances(np.cumsum(sizes), np.concatenate([part.members for part in parts]))


@lru_cache(maxsize=1)
def _graph(folder: str, fingerprint: str) -> Graph:
    graph = open_store(folder)
    if graph.fingerprint() != fingerprint:
        raise InputError(f"{folder}: a worker finds a different graph here; let all workers share the folder")
    return graph


@lru_cache(maxsize=2)
def _view(folder: str, fingerprint: str, directed: bool) -> DyadGraph:
    view = DyadGraph(_graph(folder, fingerprint), directed=directed)
    _ = view.forward
    return view


def _index(folder: str, fingerprint: str, motifs: Any, census: Sequence[Count], listing_bytes: int) -> MotifIndex:
    if _latest.get("census") is not census:
        graph = _graph(folder, fingerprint)
        _latest.update(census=census, index=MotifIndex(graph, motifs, listing_bytes=listing_bytes, census=census))
    index: MotifIndex = _latest["index"]
    return index


def count_on_worker(folder: str, fingerprint: str, start: int, stop: int, motifs: Sequence[Motif]) -> list[Count]:
    """Count the motifs of a range of nodes of the stored graph, which must have this fingerprint."""
    count_of: dict[Motif, Count] = {}
    for kind in {motif.directed for motif in motifs}:
        # The threads of a worker share one view.
        with _opening:
            view = _view(folder, fingerprint, kind)
        group = [motif for motif in motifs if motif.directed == kind]
        count_of.update(zip(group, count_range(view, group, start, stop), strict=True))
    return [count_of[motif] for motif in motifs]


def sample_on_worker(
    folder: str,
    fingerprint: str,
    start: int,
    stop: int,
    motifs: tuple[Motif, ...],
    census: Sequence[Count],
    listing_bytes: int,
    q: int,
    seeds: Array,
) -> tuple[Instances, ...]:
    """Sample the instances of a range of nodes of the stored graph, which must have this fingerprint."""
    with _opening:
        index = _index(folder, fingerprint, motifs, census, listing_bytes)
        nodes = np.arange(start, stop)
        return tuple(index.sampler.draw(t, nodes, q, seed) for t, seed in enumerate(seeds))
