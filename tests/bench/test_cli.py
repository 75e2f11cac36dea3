"""``infomotif bench``: the table, JSON, the report, and one line for bad input."""

from __future__ import annotations

import json

import pytest
from typer.testing import CliRunner

from infomotif.cli import console
from infomotif.cli.main import app, run

QUICK = ["--datasets", "brazil", "--methods", "gcn,structural-lr", "--splits", "2", "--no-tune", "--set", "epochs=3"]


pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("fresh_consoles")]


def invoke(*arguments: str):
    result = CliRunner().invoke(app, ["bench", *arguments])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    assert result.exit_code == 0, result.output
    return result


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    for make in (console.out, console.err):
        make.cache_clear()
    folder = tmp_path_factory.mktemp("bench") / "store"
    return folder, invoke("table3", *QUICK, "--store", str(folder))


def test_the_table_shows_ours_and_the_papers(store):
    _, result = store
    assert "GCN" in result.stdout
    assert "paper 36.5 ± 1.5" in result.stdout
    assert "(2)" in result.stdout
    assert "12 runs" in result.stdout


def test_labels_are_named(tmp_path):
    arguments = [*QUICK[:2], "--methods", "gcn", *QUICK[4:], "--labels", "5 %,3 per class", "--store", str(tmp_path)]
    shown = json.loads(invoke("few-labels", *arguments, "--json").stdout)
    assert [(cell["column"], cell["train_nodes"]) for cell in shown["cells"]] == [("5 %", 7), ("3 per class", 12)]


def test_progress_goes_to_stderr_with_time_left(store):
    _, result = store
    assert "[1 of about 12] brazil gcn 20 % split 0 (epochs=3)" in result.stderr
    assert "left" in result.stderr


def test_it_is_not_run_again_and_json_is_plain(store):
    folder, _ = store
    result = invoke("table3", *QUICK, "--store", str(folder), "--json")
    assert "split" not in result.stderr
    shown = json.loads(result.stdout)
    assert shown["experiment"] == "table3"
    assert {cell["splits"] for cell in shown["cells"]} == {2}
    assert any("commit" in line for line in shown["provenance"])


def test_out_writes_everything(store, tmp_path):
    folder, _ = store
    invoke("table3", *QUICK, "--store", str(folder), "--out", str(tmp_path))
    assert "GCN" in (tmp_path / "table3.md").read_text(encoding="utf-8")
    assert (tmp_path / "table3.csv").exists()


def test_a_store_is_packed_and_unpacked(tmp_path):
    folder = tmp_path / "store"
    invoke("table3", "--datasets", "brazil", "--methods", "structural-lr", "--splits", "1", "--store", str(folder))
    lines = (folder / "table3.jsonl").read_bytes()
    assert "packed table3: 5 lines, " in invoke("pack", "--store", str(folder)).stderr
    assert not (folder / "table3.jsonl").exists()
    invoke("unpack", "--store", str(folder), "--out", str(tmp_path / "lines"))
    assert (tmp_path / "lines" / "table3.jsonl").read_bytes() == lines


def test_the_report_runs_nothing(store, tmp_path):
    folder, _ = store
    before = (folder / "table3.jsonl").read_bytes()
    invoke("report", "--store", str(folder), "--out", str(tmp_path))
    assert (tmp_path / "table3.html").exists()
    assert (folder / "table3.jsonl").read_bytes() == before


def test_without_an_experiment_all_are_listed(store):
    folder, _ = store
    rows = {row["name"]: row for row in json.loads(invoke("--store", str(folder), "--json").stdout)}
    assert rows["table3"]["runs"] == 12
    assert len(rows) == 17
    assert "sensitivity" in invoke("--store", str(folder)).stdout


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["tabel3"], "unknown experiment 'tabel3': did you mean 'table3'"),
        (["nowhere.yaml"], "nowhere.yaml: no such file"),
        (["table3", "--methods", "gnc"], "unknown method of table3 'gnc'"),
        (["table3", "--datasets", "cora"], "unknown dataset of table3"),
        (["table3", "--ratios", "half"], "labels must have the form 0.2"),
        (["table3", "--ratios", "0.5"], "must be one of 20 %, 40 %, 60 %"),
        (["table3", "--set", "lr"], "must have the form key=value"),
        (["table3", "--set", "lr=-1"], "lr must be above 0"),
        (["table3", "--methods", "gcn,gat", "--set", "lr=nan"], "lr must be"),
        (["table3", "--methods", "gcn", "--set", "regularize=yes"], "gcn is defined by its value of 'regularize'"),
        (["table3", "--splits", "1001"], "splits must be from 1 to 1000 (got 1001)"),
        (["report", "--store", "nowhere"], "no such folder"),
        *(
            (["report", *option], f"{option[0]} is for running an experiment, not for 'report'")
            for option in (
                ["--splits", "2"], ["--methods", "gcn"], ["--json"], ["--datasets", "usa"], ["--labels", "0.2"],
                ["--set", "lr=1"], ["--no-tune"], ["--jobs", "2"], ["--dask", "x"],
            )
        ),
        (["pack", "--store", "nowhere"], "no such folder"),
        (["pack", "--out", "x"], "--out is for running an experiment, not for 'pack', which takes the whole store"),
        (["pack", "--json"], "--json is for running an experiment"),
        (["unpack", "--store", "."], "unpack needs a folder to write to; name it with --out FOLDER"),
        (["--splits", "2"], "--splits is for running an experiment, not for the list"),
        (["--out", "x"], "--out is for running an experiment, not for the list"),
        (["table3", "--methods", ","], "methods must name at least one"),
        (["table3", "--datasets", ","], "datasets must name at least one"),
        (["table3", "--labels", " , "], "labels must name at least one"),
        (["table3", "--methods", "structural-lr", "--set", "lr=0.1"], "structural-lr has no settings"),
        (["table3", "--methods", "node2vec", "--set", "pp=1"], "unknown setting of node2vec 'pp'"),
        (["table3", "--methods", "node2vec", "--set", "p=x"], "node2vec: p must be a number (got 'x')"),
        (["table3", "--methods", "node2vec", "--set", "p=-1"], "p must be from 1e-06 to 1e+06"),
        (["table3", "--methods", "gcn,node2vec", "--set", "q=0.5"], "gcn: q must be a whole number"),
    ],
)  # fmt: skip
def test_bad_input_is_one_line_and_code_two(arguments, message, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as stopped:
        run(["bench", *arguments])
    told = capsys.readouterr().err.strip()
    assert stopped.value.code == 2
    assert message in told
    assert len(told.splitlines()) == 1
    assert not list(tmp_path.iterdir())


def test_a_file_in_place_of_the_results_folder_is_refused_before_anything_runs(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "taken").touch()
    with pytest.raises(SystemExit) as stopped:
        run(["bench", "table3", "--out", "taken/deeper"])
    assert (stopped.value.code, "taken: is a file; --out takes a folder" in capsys.readouterr().err) == (2, True)
    assert [path.name for path in tmp_path.iterdir()] == ["taken"]
