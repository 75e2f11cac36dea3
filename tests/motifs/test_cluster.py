"""A Dask cluster gives exactly the counts and samples of one machine."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from distributed import Client, LocalCluster

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import open_store, save_store
from infomotif.motifs import ClusterMiner, MotifIndex, cluster
from tests.motifs.brute_force import random_graph

pytestmark = pytest.mark.slow


@pytest.fixture
def store(tmp_path: Path) -> Path:
    graph = random_graph(3000, 30_000, directed=True)
    save_store(graph, tmp_path / "store")
    return tmp_path / "store"


def assert_same_bits(ours: MotifIndex, theirs: MotifIndex) -> None:
    assert np.array_equal(ours.orbit_counts, theirs.orbit_counts)
    assert np.array_equal(ours.counts, theirs.counts)


def test_a_cluster_that_loses_a_worker_gives_the_same_bits(store: Path) -> None:
    graph = open_store(store)
    local = MotifIndex(graph, listing_bytes=100_000)
    with (
        LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as workers,
        Client(workers) as client,
    ):
        victim = next(iter(client.run(os.getpid).values()))
        miner = ClusterMiner(store, client, ranges=40)
        client.run(slow_down)
        killer = threading.Thread(target=kill_soon, args=(client, victim))
        killer.start()
        index = miner.index(listing_bytes=100_000)
        killer.join()
        assert not Path(f"/proc/{victim}").exists() or victim not in client.run(os.getpid).values()
        assert_same_bits(local, index)
        ours = local.sample(None, 5, np.random.default_rng(3))
        theirs = miner.sample(index, 5, np.random.default_rng(3))
        for one, other in zip(ours, theirs, strict=True):
            assert np.array_equal(one.indptr, other.indptr)
            assert np.array_equal(one.members, other.members)


def slow_down() -> None:
    """Let a range take a while, so that a worker can be killed at it."""
    count = cluster.count_range

    def slowly(*args: object) -> object:
        time.sleep(0.1)
        return count(*args)  # type: ignore[arg-type]

    cluster.count_range = slowly  # type: ignore[assignment]


def kill_soon(client: Client, process: int) -> None:
    while not client.run_on_scheduler(started):
        time.sleep(0.02)
    os.kill(process, signal.SIGKILL)


def started(dask_scheduler: object) -> bool:
    states = [task.state for task in dask_scheduler.tasks.values()]  # type: ignore[attr-defined]
    return states.count("memory") >= 4


def test_a_worker_that_sees_another_graph_is_an_error(store: Path) -> None:
    with pytest.raises(InputError, match="a worker finds a different graph"):
        cluster.count_on_worker(str(store), "another fingerprint", 0, 10, MotifIndex(open_store(store)).motifs)


def test_a_cluster_rejects_large_motifs_and_bad_ranges(store: Path) -> None:
    graph = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False)
    save_store(graph, store / "small")
    with pytest.raises(InputError, match="a cluster counts motifs of three nodes"):
        ClusterMiner(store / "small", None, "graphlets4")
    with pytest.raises(InputError, match="ranges must be a positive whole number"):
        ClusterMiner(store / "small", None, ranges=0)


def test_a_cluster_without_workers_ends_with_a_line(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "WORKERLESS_SECONDS", 1)
    with LocalCluster(n_workers=0, processes=False, dashboard_address=None) as workers, Client(workers) as client:  # type: ignore[no-untyped-call]
        with pytest.raises(InputError, match="the cluster has had no worker for 1 s; start workers"):
            ClusterMiner(store, client).index()


def test_lost_workers_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    class Scheduler:
        workers = 3

        def scheduler_info(self, n_workers: int) -> dict[str, list[int]]:
            return {"workers": [0] * self.workers}

    scheduler = Scheduler()
    watch = cluster.WorkerWatch(scheduler)
    watch.look()
    scheduler.workers = 1
    with pytest.warns(UserWarning, match="2 of 3 workers of the cluster were lost; others repeat their work"):
        watch.look()
