"""``infomotif convert``: from files and datasets to a folder that other commands take."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from infomotif.cli import main
from infomotif.cli.convert import size
from infomotif.errors import InputError
from infomotif.io import open_store, read_csv


def run(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as ended:
        main.run([str(argument) for argument in arguments])
    shown = capsys.readouterr()
    return int(ended.value.code or 0), shown.out, shown.err


@pytest.fixture
def pair(tmp_path: Path) -> tuple[Path, Path]:
    edges, nodes = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    edges.write_text("source,target\na,b\nb,c\na,c\nc,d\n")
    nodes.write_text("id,topic,age\na,x,1\nb,y,2\nc,x,3\nd,,4\n")
    return edges, nodes


def test_files_become_a_store_that_commands_take(pair, tmp_path, capsys):
    edges, nodes = pair
    store = tmp_path / "stores" / "mine"
    code, out, _ = run(capsys, "convert", "--edges", edges, "--nodes", nodes, "--label", "topic", "--json", store)
    told, graph = json.loads(out), read_csv(edges, nodes, label="topic")
    assert (code, told["nodes"], told["edges"], told["fingerprint"]) == (0, 4, 4, graph.fingerprint())
    code, out, _ = run(capsys, "motifs", store, "--random-graphs", "0", "--json")
    assert (code, json.loads(out)["motifs"][3]["total"]) == (0, 1)
    code, out, _ = run(capsys, "doctor", store, "--json")
    assert code == 0
    assert f"infomotif train {store}" in json.loads(out)["command"]


def test_files_have_no_component_to_choose(pair, tmp_path, capsys):
    code, _, err = run(capsys, "convert", "--edges", pair[0], "--nodes", pair[1], "--component", "all", tmp_path / "s")
    assert (code, "--component is for datasets" in err, (tmp_path / "s").exists()) == (2, True, False)


def test_a_dataset_becomes_a_store(tmp_path, capsys):
    code, out, _ = run(capsys, "convert", "karate", tmp_path / "karate")
    assert code == 0
    assert "graph store" in out
    assert open_store(tmp_path / "karate", verify=True).num_edges == 78


def test_training_from_a_store_can_be_explained(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert run(capsys, "convert", "karate", "club", "--float16")[0] == 0
    options = ("--preset", "paper", "--set", "epochs=2", "--set", "hidden=4", "--json", "--out", "run")
    code, out, _ = run(capsys, "train", "club", *options)
    assert code == 0
    assert json.loads(out)["plan"]["ratio"] == 0.6
    monkeypatch.chdir("/")
    assert run(capsys, "explain", tmp_path / "run", "3", "--json")[0] == 0


BAD = {
    "no folder": (("convert", "--edges", "e.csv"), "Missing argument"),
    "no source": (("convert", "out"), "give a dataset and a folder"),
    "two sources": (("convert", "cora", "out", "--edges", "e.csv"), "give a dataset and a folder"),
    "no such file": (("convert", "--edges", "absent.csv", "out"), "absent.csv: no such file"),
    "no such dataset": (("convert", "coar", "out"), "unknown dataset 'coar': did you mean 'cora'"),
    "memory": (("convert", "--edges", "e.csv", "out", "--memory", "lots"), "--memory must be a size such as"),
    "little memory": (("convert", "--edges", "e.csv", "out", "--memory", "1MB"), "memory must be at least 64 MB"),
    "bad line": (("convert", "--edges", "e.csv", "out"), "e.csv line 3: expected 2 fields as in line 1, got 1"),
    "not a store": (("motifs", "./out"), "out: not a graph store"),
    "in the way": (("convert", "karate", "full"), "full: cannot be written (the folder is not empty)"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_input_is_one_line_and_code_2(name, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("e.csv").write_text("source,target\na,b\nc\n")
    Path("full").mkdir()
    Path("full", "mine.txt").write_text("mine")
    arguments, message = BAD[name]
    code, out, err = run(capsys, *arguments)
    assert (code, out) == (2, "")
    assert message in err.replace("\n", " ")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["e.csv", "full"]


@pytest.mark.parametrize("text", ["", "GB", "-1GB", "2TB", "1e9", "2ib"])
def test_sizes_that_are_none(text):
    with pytest.raises(InputError, match="--memory must be a size"):
        size(text)
