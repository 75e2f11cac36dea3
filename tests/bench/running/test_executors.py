"""Executors: what a run leaves, and where it was made."""

from __future__ import annotations

from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.running import executors
from infomotif_bench.running.executors import execute, execute_chain
from infomotif_bench.running.run import BenchRun
from infomotif_bench.running.run_record import RunRecord

RUN = BenchRun("demo", "karate", "structural-lr", 1, Scheme(0.2), 0, {}, "0000")


def test_a_record_is_complete_and_read_back_from_its_line():
    record = execute(RUN)
    assert record.run == RUN
    assert record.nodes == (7, 7, 20)
    assert record.details["C"] > 0
    assert RunRecord.from_json(record.to_json()) == record


def test_a_worker_says_in_which_environment_it_ran(monkeypatch):
    monkeypatch.setattr(executors, "environment", lambda: {"commit": "of the worker"})
    records, environment = execute_chain((RUN,))
    assert ([record.run for record in records], environment) == ([RUN], {"commit": "of the worker"})
