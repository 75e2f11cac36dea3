"""What is seen while the bench runs."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from infomotif_bench import Plan, Store, load_experiment, run_plan
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.running.live import Progress, duration
from infomotif_bench.running.run import Job, Record


def made_up_record(job: Job) -> Record:
    """What a run would leave, its accuracy by its settings."""
    accuracy = int(job.settings_hash[:4], 16) / 2**16
    return job.to_record() | {
        "test_accuracy": accuracy, "val_accuracy": accuracy, "best_epoch": 1, "nodes": [1, 1, 1], "correct": None,
        "details": {}, "cpu_seconds": 1.0, "seconds": 1.0, "created": "2020-01-01T00:00:00+00:00", "failed": None,
    }  # fmt: skip


@pytest.fixture
def plan():
    return Plan(load_experiment("table3"), datasets=["brazil"], methods=["structural-lr"], splits=2)


def test_a_terminal_gets_a_table_that_fills_in(plan, tmp_path):
    screen = io.StringIO()
    store = Store(tmp_path)
    with Progress(plan, store, Console(file=screen, force_terminal=True, width=120)) as progress:
        progress._drawn = -1e9
        run_plan(plan, store, on_record=progress)
        table = progress.table()
    assert "brazil" in screen.getvalue()
    assert "left" in screen.getvalue()
    assert table.row_count == 1
    assert next(iter(table.columns[1].cells)).endswith("(2)")


def test_anything_else_gets_a_line_a_run(plan, tmp_path):
    lines = io.StringIO()
    store = Store(tmp_path)
    with Progress(plan, store, Console(file=lines)) as progress:
        run_plan(plan, store, on_record=progress)
    told = lines.getvalue().splitlines()
    assert len(told) == 6
    assert told[0].startswith("[1 of about 6] brazil structural-lr 20 % split 0: ")
    assert told[-1].endswith("; 0 s left")


def test_runs_of_other_rows_and_datasets_are_not_counted(tmp_path):
    experiment, store = load_experiment("table3"), Store(tmp_path)
    options = {"datasets": ["brazil"], "splits": 2, "labels": [0.2], "settings": {"epochs": 2}}
    run_plan(Plan(experiment, methods=["gcn"], **options), store)
    lines = io.StringIO()
    plan = Plan(experiment, methods=["gcn-structural"], **options)
    with Progress(plan, store, Console(file=lines)) as progress:
        run_plan(plan, store, on_record=progress)
    told = lines.getvalue().splitlines()
    assert told[0].startswith("[1 of about 30] ")
    made, total = (int(word) for word in told[-1].split("]")[0].strip("[").split(" of about "))
    assert made == total == len(told)


@pytest.mark.parametrize(
    ("name", "methods"),
    [("ablation", ["no-novelty"]), ("ablation", None), ("sensitivity", ["infomotif-gcn", "infomotif-gcn/q=5"])],
)
def test_rows_that_share_a_search_or_a_run_count_it_once(tmp_path, monkeypatch, name, methods):
    monkeypatch.setattr("infomotif_bench.running.schedule.bench_graph", lambda dataset: bench_graph("karate"))
    experiment = load_experiment(name)
    plan = Plan(experiment, datasets=["cora"], methods=methods, splits=2)
    store, done, shown = Store(tmp_path), 0, []
    progress = Progress(plan, store, Console(file=io.StringIO()))
    while missing := [job for cell in plan.cells(store) for job in cell.missing]:
        job = missing[0]
        record = made_up_record(job)
        store.add_run(record, {})
        progress._count(record)
        done += 1
        outlook = progress._outlook["cora"]
        shown.append((outlook.made, outlook.made + outlook.left.total()))
    assert [made for made, _ in shown] == list(range(1, done + 1))
    assert shown[-1] == (done, done)
    assert all(total >= done for _, total in shown)


def test_what_was_made_before_counts_as_made(plan, tmp_path):
    store = Store(tmp_path)
    run_plan(plan, store)
    more, lines = Plan(plan.experiment, datasets=["brazil"], methods=["structural-lr"], splits=3), io.StringIO()
    with Progress(more, store, Console(file=lines)) as progress:
        run_plan(more, store, on_record=progress)
    assert [line.split("]")[0] for line in lines.getvalue().splitlines()] == [
        "[7 of about 9", "[8 of about 9", "[9 of about 9",
    ]  # fmt: skip


def test_a_wide_table_shows_the_dataset_that_is_run(tmp_path):
    plan = Plan(load_experiment("few-labels"), datasets=["europe", "brazil"], methods=["gcn"], splits=1, tuned=False)
    progress = Progress(plan, Store(tmp_path), Console(file=io.StringIO()))
    assert len(progress.table().columns) == 1 + 2 * 9
    progress._last = {"dataset": "brazil"}
    assert [str(column.header) for column in progress.table().columns[1:]] == [
        f"brazil\n{scheme.name}" for scheme in plan.labels
    ]


def test_nothing_is_known_of_the_time_at_the_start(plan, tmp_path):
    assert Progress(plan, Store(tmp_path), Console(file=io.StringIO())).time_left() == "unknown"


@pytest.mark.parametrize(("seconds", "shown"), [(0, "0 s"), (89, "89 s"), (90, "2 min"), (5400, "1.5 h")])
def test_durations(seconds, shown):
    assert duration(seconds) == shown


def test_time_left_counts_the_runs_that_go_on_at_a_time(tmp_path):
    plan = Plan(load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=40, tuned=False)
    store = Store(tmp_path)
    job = next(job for cell in plan.cells(store) for job in cell.missing)
    store.add_run({**made_up_record(job), "seconds": 60.0}, {})
    progress = Progress(plan, store, Console(file=io.StringIO()))
    assert progress.time_left() == "2.0 h"
    progress.start(4)
    assert progress.time_left() == "30 min"


def test_time_left_goes_by_the_newest_runs(tmp_path):
    plan = Plan(load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=40, tuned=False)
    store = Store(tmp_path)
    jobs = [job for cell in plan.cells(store) for job in cell.missing]
    for i, job in enumerate(jobs[:40]):
        store.add_run({**made_up_record(job), "seconds": 600.0 if i < 20 else 60.0}, {})
    assert Progress(plan, store, Console(file=io.StringIO())).time_left() == "2.0 h"
