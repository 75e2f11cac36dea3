"""Ranges cover everything once, errors come through, and calls within calls do not wait for each other."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from numba.core import event

from infomotif._core.parallel import inlined, kernel, parallel_calls, parallel_ranges, split_ranges, thread_count
from infomotif.errors import InputError


@pytest.mark.parametrize("parts", [1, 2, 7, 100])
@pytest.mark.parametrize("work", [1000, np.cumsum(np.r_[0, np.random.default_rng(0).integers(0, 9, 1000)])])
def test_ranges_cover_everything_once(work, parts):
    covered = [i for start, stop in split_ranges(work, parts) for i in range(start, stop)]
    assert covered == list(range(1000))


def test_one_heavy_item_does_not_lose_the_others():
    assert split_ranges(np.array([0, 0, 100, 100, 100]), 4)[-1][1] == 4


def test_results_come_in_order():
    ranges = parallel_ranges(lambda start, stop: (start, stop), 1_000_000, threads=3)
    assert len(ranges) == 12
    assert [start for start, _ in ranges[1:]] == [stop for _, stop in ranges[:-1]]


def test_little_work_is_one_call():
    assert parallel_ranges(lambda start, stop: (start, stop), 10, threads=4) == [(0, 10)]


def test_errors_come_through():
    def fail() -> None:
        raise KeyError("no")

    with pytest.raises(KeyError, match="no"):
        parallel_calls([fail, lambda: 1], threads=2)


def test_a_call_within_a_call_runs_in_place():
    def nested() -> int:
        return sum(parallel_calls([lambda: 1] * 5, threads=2))

    assert parallel_calls([nested] * 8, threads=2) == [5] * 8


def test_threads_come_from_the_environment(monkeypatch):
    monkeypatch.setenv("INFOMOTIF_THREADS", "5")
    assert thread_count() == 5
    monkeypatch.setenv("INFOMOTIF_THREADS", "many")
    with pytest.raises(InputError, match="INFOMOTIF_THREADS"):
        thread_count()
    with pytest.raises(InputError, match="threads must be"):
        thread_count(0)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
def test_a_forked_process_makes_its_own_threads():
    code = (
        "import os\n"
        "from infomotif._core.parallel import parallel_calls\n"
        "parallel_calls([lambda: 1, lambda: 2], threads=2)\n"
        "child = os.fork()\n"
        "if child == 0:\n"
        "    os._exit(0 if parallel_calls([lambda: 1, lambda: 2], threads=2) == [1, 2] else 1)\n"
        "raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", code], timeout=60, check=False)
    assert done.returncode == 0


@pytest.mark.slow
def test_compiling_is_announced_once_and_only_then(tmp_path):
    code = (
        "from infomotif.graph import Graph\n"
        "from infomotif.motifs import MotifIndex\n"
        "MotifIndex(Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False))\n"
    )
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    said = [
        subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        ).stderr.count("compiling motif kernels")
        for _ in range(2)
    ]
    assert said == [1, 0]


def test_a_helper_is_compiled_as_part_of_its_kernel():
    @inlined
    def clipped(value, bound):
        if value > bound:
            return bound
        return value

    @kernel
    def total(values, bound):
        result = 0
        for value in values:
            result += clipped(value, bound)
        return result

    assert total(np.array([1, 5, 9]), 6) == 12
    assert clipped.signatures == []
    assert clipped(7, 6) == 6


def test_collection_is_paused_while_a_kernel_compiles(monkeypatch, tmp_path):
    # A kernel that an earlier run of the tests compiled would be read from the cache.
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
    enabled = []

    @kernel
    def doubled(value):
        return 2 * value

    class Note(event.Listener):
        def on_start(self, event):
            enabled.append(gc.isenabled())

        def on_end(self, event):
            pass

    with event.install_listener("numba:compile", Note()):
        assert doubled(2) == 4
    assert enabled == [False]
    assert gc.isenabled()


def test_when_a_call_fails_no_other_call_is_still_running():
    started, ended = threading.Event(), []

    def slow():
        started.set()
        time.sleep(0.1)
        ended.append(True)

    def fail():
        started.wait(10)
        raise ValueError("wrong")

    with pytest.raises(ValueError, match="wrong"):
        parallel_calls([fail, slow], threads=2)
    assert ended == [True]
