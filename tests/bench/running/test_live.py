"""What is seen while the bench runs."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from infomotif_bench import Schedule, Store, load_experiment, run_schedule
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.running.live import LiveProgress, duration
from infomotif_bench.running.run import BenchRun
from infomotif_bench.running.run_record import RunRecord
from tests.bench.made import made_record

pytestmark = pytest.mark.slow


def record_by_settings(run: BenchRun, seconds: float = 1.0) -> RunRecord:
    """Return a record whose accuracy depends on the settings."""
    accuracy = int(run.settings_hash[:4], 16) / 2**16
    return made_record(run, test_accuracy=accuracy, val_accuracy=accuracy, correct=None, seconds=seconds)


@pytest.fixture
def schedule():
    return Schedule(load_experiment("table3"), datasets=["brazil"], methods=["structural-lr"], splits=2)


def test_a_terminal_gets_a_table_that_fills_in(schedule, tmp_path):
    screen = io.StringIO()
    store = Store(tmp_path)
    with LiveProgress(schedule, store, Console(file=screen, force_terminal=True, width=120)) as progress:
        run_schedule(schedule, store, on_record=progress)
        table = progress.table()
    assert "brazil" in screen.getvalue()
    assert "left" in screen.getvalue()
    assert table.row_count == 1
    assert next(iter(table.columns[1].cells)).endswith("(2)")


def test_anything_else_gets_one_line_per_run(schedule, tmp_path):
    lines = io.StringIO()
    store = Store(tmp_path)
    with LiveProgress(schedule, store, Console(file=lines)) as progress:
        run_schedule(schedule, store, on_record=progress)
    told = lines.getvalue().splitlines()
    assert len(told) == 6
    assert told[0].startswith("[1 of about 6] brazil structural-lr 20 % split 0: ")
    assert told[-1].endswith("; 0 s left")


def test_runs_of_other_rows_and_datasets_are_not_counted(tmp_path):
    experiment, store = load_experiment("table3"), Store(tmp_path)
    options = {"datasets": ["brazil"], "splits": 2, "labels": [0.2], "settings": {"epochs": 2}}
    run_schedule(Schedule(experiment, methods=["gcn"], **options), store)
    lines = io.StringIO()
    schedule = Schedule(experiment, methods=["gcn-structural"], **options)
    with LiveProgress(schedule, store, Console(file=lines)) as progress:
        run_schedule(schedule, store, on_record=progress)
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
    schedule = Schedule(experiment, datasets=["cora"], methods=methods, splits=2)
    store, done, shown = Store(tmp_path), 0, []
    progress = LiveProgress(schedule, store, Console(file=io.StringIO()))
    while missing := [run for cell in schedule.cells(store) for run in cell.missing]:
        record = record_by_settings(missing[0])
        store.add_run(record, {})
        progress(record)
        done += 1
        shown.append(progress.counts())
    assert [made for made, _ in shown] == list(range(1, done + 1))
    assert shown[-1] == (done, done)
    assert all(total >= done for _, total in shown)


def test_what_was_made_before_counts_as_made(schedule, tmp_path):
    store = Store(tmp_path)
    run_schedule(schedule, store)
    more, lines = Schedule(schedule.experiment, datasets=["brazil"], methods=["structural-lr"], splits=3), io.StringIO()
    with LiveProgress(more, store, Console(file=lines)) as progress:
        run_schedule(more, store, on_record=progress)
    assert [line.split("]")[0] for line in lines.getvalue().splitlines()] == [
        "[7 of about 9", "[8 of about 9", "[9 of about 9",
    ]  # fmt: skip


def test_a_wide_table_shows_the_dataset_that_is_run(tmp_path):
    schedule = Schedule(
        load_experiment("few-labels"), datasets=["europe", "brazil"], methods=["gcn"], splits=1, tuned=False
    )
    store = Store(tmp_path)
    progress = LiveProgress(schedule, store, Console(file=io.StringIO()))
    assert len(progress.table().columns) == 1 + 2 * 9
    run = next(run for cell in schedule.cells(store) for run in cell.missing if run.dataset == "brazil")
    store.add_run(made_record(run), {})
    progress(made_record(run))
    assert [str(column.header) for column in progress.table().columns[1:]] == [
        f"brazil\n{scheme.name}" for scheme in schedule.labels
    ]


def test_nothing_is_known_of_the_time_at_the_start(schedule, tmp_path):
    assert LiveProgress(schedule, Store(tmp_path), Console(file=io.StringIO())).time_left() == "unknown"


@pytest.mark.parametrize(("seconds", "shown"), [(0, "0 s"), (89, "89 s"), (90, "2 min"), (5400, "1.5 h")])
def test_durations(seconds, shown):
    assert duration(seconds) == shown


def test_time_left_counts_the_runs_that_go_on_at_a_time(tmp_path):
    schedule = Schedule(load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=40, tuned=False)
    store = Store(tmp_path)
    run = next(run for cell in schedule.cells(store) for run in cell.missing)
    store.add_run(record_by_settings(run, 60.0), {})
    progress = LiveProgress(schedule, store, Console(file=io.StringIO()))
    assert progress.time_left() == "2.0 h"
    progress.start(4)
    assert progress.time_left() == "30 min"


def test_time_left_goes_by_the_newest_runs(tmp_path):
    schedule = Schedule(load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=40, tuned=False)
    store = Store(tmp_path)
    runs = [run for cell in schedule.cells(store) for run in cell.missing]
    for i, run in enumerate(runs[:40]):
        store.add_run(record_by_settings(run, 600.0 if i < 20 else 60.0), {})
    assert LiveProgress(schedule, store, Console(file=io.StringIO())).time_left() == "2.0 h"
