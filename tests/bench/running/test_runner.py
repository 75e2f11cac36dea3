"""The runner: what is there is not run again, validation alone chooses, several processes give the same figures."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif.training import TrainingError
from infomotif_bench import Schedule, Store, run_schedule
from infomotif_bench.experiments.catalog import parse_experiment
from infomotif_bench.methods import METHODS, Method, MethodOutput
from infomotif_bench.running.executors import execute
from infomotif_bench.running.runner import claimed_chains, missing_chains

pytestmark = pytest.mark.slow

EXPERIMENT = """
kind: table
title: small
paper: none
datasets: [karate]
ratios: [0.2, 0.4]
splits: 3
tuning: {ratios: [0.4], splits: 2}
groups: [{title: g, rows: [{method: METHOD}]}]
"""
SHARER = """
import sys
from pathlib import Path
from infomotif_bench import Schedule, Store, run_schedule
from tests.bench.running.test_runner import small
schedule, store = Schedule(small("structural-lr"), splits=30), Store(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
print(run_schedule(schedule, store))
"""


def small(method: str, name: str = "small"):
    return parse_experiment(name, EXPERIMENT.replace("METHOD", method))


@dataclass(frozen=True, kw_only=True)
class Scripted(Method):
    """Validates well with a = 1 and tests well with a = 2; fails with a = 3."""

    calls: list[Any]

    def defaults(self):
        return {"a": 0, "b": 0}

    def predict(self, graph, split, settings, seed):
        self.calls.append((dict(settings), seed))
        if settings["a"] == 3:
            raise TrainingError("the loss is nan at epoch 1")
        labels = np.full(graph.num_nodes, -2)
        if settings["a"] == 1:
            labels[split.val] = graph.y[split.val]
        return MethodOutput(labels)


@pytest.fixture
def scripted(monkeypatch):
    method = Scripted(name="scripted", title="Scripted", group="", calls=[], search={"a": (0, 1, 2, 3), "b": (0, 1)})
    monkeypatch.setitem(METHODS, "scripted", method)
    return method


def figures(store: Store, experiment: str = "small"):
    return {r.run.key: (r.test_accuracy, r.val_accuracy, r.correct) for r in store.runs(experiment)}


def test_validation_chooses_and_nothing_else(tmp_path, scripted):
    store = Store(tmp_path)
    made = run_schedule(Schedule(small("scripted")), store)
    chosen = store.choice("small", "karate", "scripted")
    assert chosen.settings == {"a": 1, "b": 0}
    assert [trial["val_accuracy"] for trial in chosen.trials] == [0.0, 1.0, 0.0, -1.0, 1.0]
    tried, final = 5 * 2, 3 * 2 - 2
    assert made == len(scripted.calls) == tried + final
    assert {seed for settings, seed in scripted.calls if settings["a"] != 1} == {0, 1}


def test_the_commit_is_that_of_the_start(tmp_path, scripted, monkeypatch):
    monkeypatch.setattr("infomotif_bench.running.executors.environment", lambda: {"runs before": len(scripted.calls)})
    store = Store(tmp_path)
    run_schedule(Schedule(small("scripted")), store)
    kept = {record.environment for record in store.runs("small")}
    assert [store.environment("small", name) for name in kept] == [{"runs before": 0}]


def test_a_failed_training_is_kept_as_such(tmp_path, scripted):
    store = Store(tmp_path)
    run_schedule(Schedule(small("scripted"), settings={"a": 3}, tuned=False), store)
    assert {r.failed for r in store.runs("small")} == {"the loss is nan at epoch 1"}
    assert run_schedule(Schedule(small("scripted"), settings={"a": 3}, tuned=False), store) == 0


def test_what_is_there_is_not_run_again(tmp_path, scripted):
    run_schedule(Schedule(small("scripted")), Store(tmp_path))
    before = len(scripted.calls)
    assert run_schedule(Schedule(small("scripted")), Store(tmp_path)) == 0
    assert run_schedule(Schedule(small("scripted"), splits=4), Store(tmp_path)) == 2
    assert len(scripted.calls) == before + 2


def test_a_stopped_run_goes_on_and_gives_the_same(tmp_path, scripted):
    whole = Store(tmp_path / "whole")
    run_schedule(Schedule(small("scripted")), whole)

    for stop_after in (1, 4, 11):
        store = Store(tmp_path / str(stop_after))
        seen = []

        def stop(record, seen=seen, limit=stop_after):
            seen.append(record)
            if len(seen) == limit:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            run_schedule(Schedule(small("scripted")), store, on_record=stop)
        again = Store(store.folder)
        assert len(again.runs("small")) == stop_after
        run_schedule(Schedule(small("scripted")), again)
        assert figures(again) == figures(whole)


def test_a_new_version_of_a_method_is_run_again(tmp_path, scripted, monkeypatch):
    store = Store(tmp_path)
    run_schedule(Schedule(small("scripted")), store)
    newer = Scripted(name="scripted", title="", group="", version=2, calls=[], search=scripted.search)
    monkeypatch.setitem(METHODS, "scripted", newer)
    assert run_schedule(Schedule(small("scripted")), store) == 14


def test_the_same_run_serves_two_experiments(tmp_path, scripted):
    run_schedule(Schedule(small("scripted")), Store(tmp_path))
    store = Store(tmp_path)
    before = len(scripted.calls)
    assert run_schedule(Schedule(small("scripted", "other")), store) == 0
    assert len(scripted.calls) == before
    assert {r.copied_from for r in store.runs("other")} == {"small"}
    assert [v for v in figures(store, "other").values()] == [v for v in figures(store).values()]


def test_several_processes_give_the_same_figures(tmp_path):
    schedule = Schedule(small("gcn"), settings={"epochs": 3}, splits=2, tuned=False)
    alone, several = Store(tmp_path / "1"), Store(tmp_path / "2")
    run_schedule(schedule, alone)
    assert run_schedule(schedule, several, jobs=2) == 4
    assert figures(several) == figures(alone)


@pytest.mark.parametrize(("method", "runs"), [("structural-lr", 2), ("gcn", 1)])
def test_what_shares_an_embedding_goes_to_one_process(tmp_path, method, runs):
    schedule = Schedule(small(method), splits=3, tuned=False)
    chains = missing_chains(schedule, Store(tmp_path), 100)
    assert {len(chain) for chain in chains} == {runs}
    assert all(len({run.split for run in chain}) == 1 for chain in chains)
    assert len({run.key for chain in chains for run in chain}) == 6


def test_a_chain_leaves_out_what_is_done_already(tmp_path):
    schedule, store = Schedule(small("structural-lr"), splits=2, tuned=False), Store(tmp_path)
    chains = missing_chains(schedule, store, 100)
    store.add_run(execute(chains[0][0]), {})
    assert [len(chain) for chain in claimed_chains(chains, store)] == [1, 2]
    store.claims.close()


def test_chains_in_several_processes_give_the_same_figures(tmp_path):
    schedule = Schedule(small("structural-lr"), splits=2, tuned=False)
    alone, several = Store(tmp_path / "1"), Store(tmp_path / "2")
    run_schedule(schedule, alone)
    assert run_schedule(schedule, several, jobs=2) == 4
    assert figures(several) == figures(alone)


def test_a_dask_cluster_gives_the_same_figures(tmp_path):
    distributed = pytest.importorskip("distributed")
    schedule = Schedule(small("gcn"), settings={"epochs": 3}, splits=2, tuned=False)
    alone, cluster = Store(tmp_path / "1"), Store(tmp_path / "2")
    run_schedule(schedule, alone)
    widths = []
    with distributed.LocalCluster(
        n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None
    ) as scheduler:
        assert run_schedule(schedule, cluster, jobs=7, dask=scheduler.scheduler_address, on_start=widths.append) == 4
    assert figures(cluster) == figures(alone)
    assert widths == [1]


def test_two_commands_share_the_work(tmp_path):
    command = [sys.executable, "-c", SHARER, str(tmp_path)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as other:
        assert other.stdout.readline().strip() == "ready"
        other.stdin.write("\n")
        other.stdin.flush()
        made = run_schedule(Schedule(small("structural-lr"), splits=30), Store(tmp_path))
        theirs = int(other.communicate(timeout=240)[0])
    assert made + theirs == 60
    lines = (tmp_path / "small.jsonl").read_text().splitlines()
    assert sum(json.loads(line)["kind"] == "run" for line in lines) == 60


def test_an_unknown_cluster_is_refused(tmp_path):
    pytest.importorskip("distributed")
    with pytest.raises(InputError, match="no scheduler answers at 'nowhere'"):
        run_schedule(Schedule(small("structural-lr")), Store(tmp_path), dask="nowhere")


def test_jobs_must_be_positive(tmp_path):
    with pytest.raises(InputError, match="jobs must be at least 1"):
        run_schedule(Schedule(small("structural-lr")), Store(tmp_path), jobs=0)
