"""``infomotif datasets``: list, fetch and verify."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from infomotif.cli.main import run
from infomotif.datasets import DATASETS, load_dataset
from infomotif.io import save_store

pytestmark = pytest.mark.usefixtures("fresh_consoles")


def answer(*args: str) -> int:
    with pytest.raises(SystemExit) as end:
        run(list(args))
    return int(end.value.code or 0)


def test_it_lists_all_datasets(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer("datasets") == 0
    text = capsys.readouterr().out
    for name, spec in DATASETS.items():
        assert name in text
        assert spec.licence in text
    assert max(map(len, text.splitlines())) <= 80


def test_it_lists_for_machines(capsys: pytest.CaptureFixture[str]) -> None:
    for args in (["datasets", "--json"], ["datasets", "list", "--json"]):
        assert answer(*args) == 0
        rows = json.loads(capsys.readouterr().out)
        assert [row["name"] for row in rows] == list(DATASETS)
        assert rows[-2]["settings"] == {"ratio": 0.01, "hidden": 64}
        assert rows[-2]["state"] == "embedded"


def test_fetch_and_verify_an_embedded_graph(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer("datasets", "fetch", "karate") == 0
    assert capsys.readouterr().out == "karate: embedded, needs no files\n"
    assert answer("datasets", "verify", "karate", "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert row["name"] == "karate"
    assert len(row["sha256"]) == 64


def test_verify_names_the_file_that_is_wrong(no_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for file in DATASETS["brazil"].files:
        (no_data / file.path).parent.mkdir(parents=True, exist_ok=True)
        (no_data / file.path).write_text("0 1\n")
    assert answer("datasets", "verify", "brazil") == 2
    said = capsys.readouterr().err
    assert "brazil-airports.edgelist: sha256 is" in said
    assert "infomotif datasets fetch brazil" in said
    assert said.count("\n") == 1


def test_verify_of_a_graph_that_is_not_here_names_the_command(
    no_data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert answer("datasets", "verify", "usa") == 2
    assert "run 'infomotif datasets fetch usa'" in capsys.readouterr().err


def test_an_unknown_dataset_is_answered_with_the_nearest(capsys: pytest.CaptureFixture[str]) -> None:
    assert answer("datasets", "fetch", "karat") == 2
    assert capsys.readouterr().err.startswith("error: unknown dataset 'karat': did you mean 'karate'?")


def test_help_loads_nothing_heavy() -> None:
    code = (
        "import sys, contextlib\n"
        "from infomotif.cli.main import app\n"
        "with contextlib.suppress(SystemExit):\n    app(['datasets', '--help'])\n"
        "heavy = {'torch', 'pandas', 'pyarrow', 'numba', 'scipy', 'networkx', 'sklearn', 'matplotlib', 'numpy'}\n"
        "sys.stderr.write(','.join(sorted(heavy & set(sys.modules))))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stderr == ""


def test_verifying_a_graph_store_reads_every_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    store = tmp_path / "store"
    save_store(load_dataset("karate"), store)
    assert answer("datasets", "verify", str(store), "--json") == 0
    (row,) = json.loads(capsys.readouterr().out)
    assert (row["files"], row["sha256"]) == (3, load_dataset("karate").fingerprint())
    damaged = store / "y.npy"
    damaged.write_bytes(damaged.read_bytes()[:-8] + bytes(8))
    assert answer("datasets", "verify", str(store)) == 2
    assert "y.npy: does not have the checksum in graph.json" in capsys.readouterr().err
