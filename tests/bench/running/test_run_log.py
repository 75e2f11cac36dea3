"""Packing a store: nothing is lost or read twice, whoever else reads, writes or was killed."""

from __future__ import annotations

import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from infomotif.errors import InputError
from infomotif_bench import Store
from infomotif_bench.running.run_log import LOCKS, RunLog
from tests.bench.made import made_record
from tests.bench.running.test_run_store import WRITER, run
from tests.core.test_locks import held_elsewhere


def add(store: Store, *splits: int) -> None:
    for split in splits:
        store.add_run(made_record(run(split=split)), {"cores": 2})


def splits(store: Store) -> list[int]:
    return [record.run.split for record in store.runs("table3")]


def test_a_packed_store_is_read_as_before(tmp_path):
    store = Store(tmp_path)
    add(store, 0, 1, 2)
    lines = (tmp_path / "table3.jsonl").read_bytes()
    packed = store.pack()["table3"]
    assert (packed.lines, packed.before) == (4, len(lines))
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["table3.runs.xz"]
    again = Store(tmp_path)
    assert again.runs("table3") == store.runs("table3")
    assert again.environment("table3", again.find(run()).environment) == {"cores": 2}
    assert RunLog(tmp_path, "table3").to_jsonl() == lines


def test_lines_appended_since_are_read_after_the_archive_and_packed_behind_it(tmp_path):
    store = Store(tmp_path)
    add(store, 0, 1)
    lines = (tmp_path / "table3.jsonl").read_bytes()
    store.pack()
    add(store, 2)
    lines += (tmp_path / "table3.jsonl").read_bytes()
    assert splits(Store(tmp_path)) == [0, 1, 2]
    store.pack()
    assert not (tmp_path / "table3.jsonl").exists()
    assert splits(Store(tmp_path)) == [0, 1, 2]
    assert [path.read_bytes() for path in store.unpack(tmp_path / "out")] == [lines]


def test_a_reader_goes_on_when_another_process_packs(tmp_path):
    writer, reader = Store(tmp_path), Store(tmp_path)
    add(writer, 0, 1)
    reader.refresh()
    writer.pack()
    add(writer, 2)
    reader.refresh()
    assert splits(reader) == [0, 1, 2]
    add(writer, 3)
    writer.pack()
    reader.refresh()
    add(reader, 4)
    writer.refresh()
    assert splits(reader) == splits(writer) == [0, 1, 2, 3, 4]


def test_packing_twice_changes_nothing(tmp_path):
    store = Store(tmp_path)
    add(store, 0)
    store.pack()
    before = (tmp_path / "table3.runs.xz").read_bytes()
    store.pack()
    assert (tmp_path / "table3.runs.xz").read_bytes() == before


def test_a_crash_before_the_file_is_removed_costs_nothing(tmp_path):
    store = Store(tmp_path)
    add(store, 0, 1)
    left_behind = (tmp_path / "table3.jsonl").read_bytes()
    store.pack()
    (tmp_path / "table3.jsonl").write_bytes(left_behind)
    again = Store(tmp_path)
    add(again, 2)
    assert splits(again) == splits(Store(tmp_path)) == [0, 1, 2]
    assert again.pack()["table3"].lines == 4
    assert RunLog(tmp_path, "table3").to_jsonl().count(b"\n") == 4
    assert not (tmp_path / "table3.jsonl").exists()


def test_a_reader_that_saw_the_leftover_goes_on_with_the_next_file(tmp_path):
    store = Store(tmp_path)
    add(store, 0, 1)
    left_behind = (tmp_path / "table3.jsonl").read_bytes()
    store.pack()
    (tmp_path / "table3.jsonl").write_bytes(left_behind)
    reader = Store(tmp_path)
    (tmp_path / "table3.jsonl").unlink()
    add(store, *range(2, 6))
    reader.refresh()
    assert splits(reader) == list(range(6))


def test_an_incomplete_last_line_is_not_packed(tmp_path):
    store = Store(tmp_path)
    add(store, 0)
    with (tmp_path / "table3.jsonl").open("ab") as stream:
        stream.write(b'{"kind": "ru')
    store.pack()
    assert splits(Store(tmp_path)) == [0]


def test_a_line_that_cannot_be_restored_keeps_the_file(tmp_path, monkeypatch):
    store = Store(tmp_path)
    add(store, 0)
    monkeypatch.setattr("infomotif_bench.running.run_log.to_archive", lambda lines, absorbed: b"")
    with pytest.raises(InputError, match="not a readable archive"):
        store.pack()
    assert [path.name for path in tmp_path.iterdir() if path.is_file()] == ["table3.jsonl"]


def test_a_damaged_archive_is_named(tmp_path):
    store = Store(tmp_path)
    add(store, 0)
    store.pack()
    path = tmp_path / "table3.runs.xz"
    path.write_bytes(path.read_bytes()[:-20])
    with pytest.raises(InputError, match=r"table3.runs.xz: not a readable archive of runs .*; restore the file"):
        Store(tmp_path)


def test_a_damaged_line_of_an_archive_is_named(tmp_path):
    store = Store(tmp_path)
    add(store, 0)
    store.pack()
    (tmp_path / "table3.runs.xz").rename(tmp_path / "other.runs.xz")
    with pytest.raises(InputError, match="other.runs.xz, line 2: .*it is of experiment 'table3'"):
        Store(tmp_path)


def test_an_archive_that_vanishes_is_told(tmp_path):
    store = Store(tmp_path)
    add(store, 0)
    store.pack()
    store.refresh()
    (tmp_path / "table3.runs.xz").unlink()
    (tmp_path / "table3.jsonl").touch()
    with pytest.raises(InputError, match="became shorter while it was in use"):
        store.refresh()


def test_unpacking_never_writes_over_a_file_or_into_the_store(tmp_path):
    store = Store(tmp_path / "store")
    add(store, 0)
    with pytest.raises(InputError, match="is the store itself"):
        store.unpack(tmp_path / "store")
    store.unpack(tmp_path / "out")
    with pytest.raises(InputError, match="exists already"):
        store.unpack(tmp_path / "out")


def test_runs_can_be_added_and_listed_while_the_store_is_packed(tmp_path):
    store, packing = Store(tmp_path), Store(tmp_path)
    with ThreadPoolExecutor(1) as other:
        adding = other.submit(add, store, *range(60))
        while not adding.done():
            packing.pack()
            packing.refresh()
        adding.result()
    packing.refresh()
    assert splits(store) == splits(packing) == splits(Store(tmp_path)) == list(range(60))
    assert RunLog(tmp_path, "table3").to_jsonl().count(b"\n") == 61


@pytest.mark.slow
def test_two_processes_write_while_a_third_packs(tmp_path):
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    both = [subprocess.Popen([*command, method]) for method in ("gcn", "gat")]
    while any(process.poll() is None for process in both):
        Store(tmp_path).pack()
    assert [process.returncode for process in both] == [0, 0]
    found = [(record.run.method, record.run.split) for record in Store(tmp_path).runs("table3")]
    assert sorted(found) == sorted((method, split) for method in ("gcn", "gat") for split in range(40))
    runs = [line for line in RunLog(tmp_path, "table3").to_jsonl().split(b"\n") if b'"run"' in line]
    assert len(runs) == 80


@pytest.mark.parametrize("act", ["append", "pack"])
def test_a_log_waits_for_the_process_that_holds_its_lock(tmp_path, act):
    log = RunLog(tmp_path, "table3")
    log.append({"kind": "environment"})
    done = threading.Event()

    def write() -> None:
        log.append({"kind": "environment"}) if act == "append" else log.pack()
        done.set()

    with held_elsewhere("waiting", tmp_path / LOCKS / "table3.lock") as process:
        writer = threading.Thread(target=write)
        writer.start()
        assert not done.wait(0.3)
        process.kill()
        process.wait(timeout=60)
        assert done.wait(60)
        writer.join()
