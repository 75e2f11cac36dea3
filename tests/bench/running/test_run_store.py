"""The store: nothing is lost, nothing is run twice, two may write at once."""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from infomotif.errors import InputError
from infomotif_bench import Store
from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.running.run import BenchRun
from infomotif_bench.running.run_record import ChoiceRecord
from tests.bench.made import made_record

WRITER = """
import sys
from pathlib import Path
from infomotif_bench.running.run_store import Store
from tests.bench.made import made_record
from tests.bench.running.test_run_store import run
store = Store(Path(sys.argv[1]))
for split in range(40):
    store.add_run(made_record(run(split=split, method=sys.argv[2])), {"cores": 1, "padding": "x" * 3000})
"""


def run(experiment="table3", dataset="brazil", method="gcn", version=1, ratio=0.2, split=0, settings=None, data="d"):
    return BenchRun(experiment, dataset, method, version, Scheme.parse(ratio), split, settings or {}, data)


def test_what_is_added_is_found_again(tmp_path):
    store = Store(tmp_path / "new")
    assert store.find(run()) is None
    store.add_run(made_record(run()), {"cores": 2})
    for one in (store, Store(tmp_path / "new")):
        found = one.find(run())
        assert found.test_accuracy == 0.5
        assert one.environment("table3", found.environment) == {"cores": 2}


@pytest.mark.parametrize(
    "other",
    [
        {"dataset": "usa"}, {"method": "gat"}, {"version": 2}, {"ratio": 0.4}, {"ratio": "3 a class"},
        {"ratio": "20 %, validation train"}, {"split": 1}, {"settings": {"lr": 0.1}}, {"data": "e"},
        {"experiment": "table2"},
    ],
)  # fmt: skip
def test_every_part_of_the_key_counts(tmp_path, other):
    store = Store(tmp_path)
    store.add_run(made_record(run()), {})
    assert store.find(run(**other)) is None


def test_the_order_of_settings_does_not_count():
    assert run(settings={"a": 1, "b": 2}).key == run(settings={"b": 2, "a": 1}).key


@pytest.mark.parametrize("torn", [b'{"kind": "run", "exper', b'{"kind": "run"}', b"\xc3"])
def test_a_torn_last_line_is_repaired(tmp_path, torn):
    store = Store(tmp_path)
    store.add_run(made_record(run()), {})
    path = tmp_path / "table3.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole + torn)
    again = Store(tmp_path)
    assert again.find(run()) is not None
    again.add_run(made_record(run(split=1)), {})
    assert path.read_bytes().startswith(whole)
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [line["kind"] for line in lines] == ["environment", "run", "run"]
    assert Store(tmp_path).find(run(split=1)) is not None


def test_a_store_of_one_torn_line_starts_again(tmp_path):
    (tmp_path / "table3.jsonl").write_bytes(b'{"kind"')
    Store(tmp_path).add_run(made_record(run()), {})
    assert Store(tmp_path).find(run()) is not None


def test_a_long_torn_line_is_repaired(tmp_path):
    store = Store(tmp_path)
    store.add_run(made_record(run()), {})
    path = tmp_path / "table3.jsonl"
    path.write_bytes(path.read_bytes() + b"x" * 200_000)
    Store(tmp_path).add_run(made_record(run(split=1)), {})
    assert len(path.read_text().splitlines()) == 3


@pytest.mark.parametrize(
    "line",
    [
        "not json", "[1]", '{"kind": "run"}', "[" * 200_000, '{"kind": "\\ud800"}',
        '{"kind": "environment", "name": "b", "libraries": [1]}', '{"kind": "environment", "name": "b", "cores": []}',
    ],
    ids=lambda line: line[:40],
)  # fmt: skip
def test_a_broken_line_in_the_middle_is_named(tmp_path, line):
    (tmp_path / "table3.jsonl").write_text(line + '\n{"kind": "environment", "name": "a"}\n')
    with pytest.raises(InputError, match=r"table3.jsonl, line 1: not"):
        Store(tmp_path)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("test_accuracy", "x"), ("val_accuracy", float("nan")), ("cpu_seconds", None), ("split", True),
        ("nodes", [1, 2]), ("correct", "wA"), ("correct", "wAAA"), ("created", 5), ("details", []),
        ("kind", "rnu"), ("test_accuracy", 5.0), ("test_accuracy", 0.75), ("failed", "the loss is nan"),
        ("cpu_seconds", 10**400), ("nodes", [10**400, 1, 10**400]), ("nodes", [0, 2, 4]), ("nodes", [2, 2, 0]),
        ("details", {"choice": {}}), ("details", {"epoch_cpu_seconds": "x"}), ("created", "yesterday"),
        ("split", 3_000_000), ("settings", {"lr": 0.5}),
    ],
)  # fmt: skip
def test_a_damaged_field_is_named_with_its_line(tmp_path, field, value):
    lines = [{"kind": "run", **made_record(run(split=split)).to_json()} for split in (0, 1)]
    lines[1][field] = value
    (tmp_path / "table3.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    with pytest.raises(InputError, match=r"table3.jsonl, line 2: not a record of this store .*; remove the line"):
        Store(tmp_path)


def test_a_line_of_another_experiment_is_named(tmp_path):
    Store(tmp_path).add_run(made_record(run()), {})
    (tmp_path / "table3.jsonl").rename(tmp_path / "other.jsonl")
    with pytest.raises(InputError, match="other.jsonl, line 2: .*it is of experiment 'table3', which has its own file"):
        Store(tmp_path)


def test_a_missing_field_is_named(tmp_path):
    line = {"kind": "run", **made_record(run()).to_json()}
    del line["nodes"]
    (tmp_path / "table3.jsonl").write_text(json.dumps(line) + "\n")
    with pytest.raises(InputError, match="line 1: not a record of this store .lacks 'nodes'."):
        Store(tmp_path)


def test_a_file_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(InputError, match="takes a folder"):
        Store(tmp_path / "file")


def test_the_first_record_of_a_key_stays(tmp_path):
    store = Store(tmp_path)
    store.add_run(made_record(run(), val_accuracy=0.1), {})
    store.add_run(made_record(run(), val_accuracy=0.2), {})
    assert Store(tmp_path).find(run()).val_accuracy == 0.1


def test_what_another_process_appends_is_seen(tmp_path):
    first, second = Store(tmp_path), Store(tmp_path)
    first.add_run(made_record(run()), {})
    second.refresh()
    assert second.find(run()) is not None


def test_a_run_serves_another_experiment_and_says_so(tmp_path):
    store = Store(tmp_path)
    store.add_run(made_record(run()), {"cores": 2})
    wanted = run(experiment="ablation")
    store.copy_run(wanted, store.find_elsewhere(wanted))
    found = Store(tmp_path).find(wanted)
    assert found.copied_from == "table3"
    assert Store(tmp_path).environment("ablation", found.environment) == {"cores": 2}


def test_a_choice_is_kept_once(tmp_path):
    store = Store(tmp_path)
    for _ in range(2):
        store.add_choice(ChoiceRecord(experiment="table3", dataset="brazil", row="gcn", settings={"lr": 0.1}))
    assert Store(tmp_path).choice("table3", "brazil", "gcn").settings == {"lr": 0.1}
    assert len((tmp_path / "table3.jsonl").read_text().splitlines()) == 1


def test_runs_can_be_listed_while_others_are_added(tmp_path):
    store = Store(tmp_path)
    with ThreadPoolExecutor(1) as other:
        adding = other.submit(lambda: [store.add_run(made_record(run(split=split)), {}) for split in range(200)])
        while not adding.done():
            store.runs("table3")
        adding.result()
    assert len(store.runs("table3")) == 200


@pytest.mark.slow
def test_two_processes_write_at_once(tmp_path):
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    both = [subprocess.Popen([*command, method]) for method in ("gcn", "gat")]
    assert [process.wait(timeout=120) for process in both] == [0, 0]
    store = Store(tmp_path)
    for method in ("gcn", "gat"):
        assert all(store.find(run(split=split, method=method)) for split in range(40))
