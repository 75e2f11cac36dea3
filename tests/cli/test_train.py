"""``infomotif train`` and ``infomotif predict``: what they write and show, and one line for every mistake."""

from __future__ import annotations

import csv
import io
import json
import re
import shutil
from pathlib import Path

import numpy as np
import pytest
import yaml

from infomotif import load, make_roles
from infomotif.cli.main import run as run_command
from infomotif.runs.opened import read_config, read_result

pytestmark = pytest.mark.slow

SHORT = ["--set", "epochs=2", "--set", "hidden=8"]
QUICK = ["--preset", "paper", *SHORT]


class Outcome:
    """What a command printed and how it ended."""

    def __init__(self, code: int, out: str, err: str) -> None:
        self.code, self.out, self.err = code, out, err


@pytest.fixture
def command(capsys, tmp_path, monkeypatch):
    """Run a command in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def call(*arguments: object) -> Outcome:
        capsys.readouterr()
        with pytest.raises(SystemExit) as ended:
            run_command([str(argument) for argument in arguments])
        shown = capsys.readouterr()
        return Outcome(ended.value.code, shown.out, shown.err)

    return call


@pytest.fixture
def good(command):
    """Run a command that must succeed."""

    def call(*arguments: object) -> Outcome:
        outcome = command(*arguments)
        assert outcome.code == 0, outcome.err
        return outcome

    return call


@pytest.fixture
def bad(command):
    """Run a command that must end with code 2 and one line."""

    def call(*arguments: object) -> str:
        outcome = command(*arguments)
        assert outcome.code == 2
        assert outcome.out == ""
        assert outcome.err.startswith("error: ")
        assert outcome.err.count("\n") == 1
        return outcome.err

    return call


def write_files(folder: Path, *, nodes: int = 90, seed: int = 0, prefix: str = "") -> tuple[Path, Path]:
    """Write a made graph as edges and nodes files: two numbers, a category, a topic, some topics missing."""
    graph = make_roles(num_nodes=nodes, num_classes=3, seed=seed)
    rng = np.random.default_rng(seed)
    source, target = graph.edges()
    edges, table = folder / f"{prefix}edges.csv", folder / f"{prefix}nodes.csv"
    with edges.open("w") as stream:
        stream.write("source,target\n" + "".join(f"n{u},n{v}\n" for u, v in zip(source, target, strict=True)))
    with table.open("w") as stream:
        stream.write("id,age,income,city,topic\n")
        for v in range(nodes):
            city = ["Bonn", "Ulm", "Jena"][int(graph.y[v])] if rng.random() < 0.8 else "Bonn"
            topic = f"topic {graph.y[v]}" if v % 5 else ""
            stream.write(f"n{v},{rng.integers(20, 60)},{rng.random():.3f},{city},{topic}\n")
    return edges, table


# What training shows and writes


def test_both_models_and_their_difference_are_shown(good, tmp_path):
    shown = good("train", "karate", "--out", "run", *QUICK)
    assert "InfoMotif-GCN (paper)" in shown.out
    assert "difference" in shown.out
    assert "run folder: run" in shown.out
    names = {path.name for path in (tmp_path / "run").iterdir()}
    assert {
        "config.yaml",
        "metrics.jsonl",
        "model.json",
        "model.safetensors",
        "predictions.csv",
        "result.json",
    } <= names


def test_a_base_is_not_called_infomotif(good):
    shown = good("train", "karate", "--out", "run", *QUICK, "--set", "regularize=no")
    assert "InfoMotif" not in shown.out
    assert "GCN (once more) against GCN" in shown.out


def test_json_is_the_result_and_nothing_else(good, tmp_path):
    shown = json.loads(good("train", "karate", "--out", "run", "--json", *QUICK).out)
    assert shown.pop("folder") == "run"
    written = json.loads((tmp_path / "run" / "result.json").read_text())
    assert shown == {key: value for key, value in written.items() if key not in ("checksum", "files")}


def test_every_option_reaches_the_plan(good):
    options = ["--encoder", "gat", "--preset", "joint", "--ratio", "0.3", "--val", "0.1", "--splits", "2"]
    more = ["--seed", "5", "--threads", "1", "-m", "M7", "--set", "heads=2"]
    shown = json.loads(good("train", "karate", "--out", "run", "--json", *options, *more, *SHORT).out)
    plan = shown["plan"]
    assert (plan["encoder"], plan["preset"], plan["ratio"], plan["val"]) == ("gat", "joint", 0.3, 0.1)
    assert (plan["splits"], plan["seed"], plan["motifs"], plan["threads"]) == (2, 5, "M7", 1)
    assert plan["settings"] == {"heads": 2, "epochs": 2, "hidden": 8}
    assert shown["outcome"]["infomotif"]["count"] == 2


def test_run_folders_are_numbered(good, tmp_path):
    for _ in range(2):
        good("train", "karate", *QUICK)
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["karate", "karate-2"]


def test_a_folder_named_like_markup_is_shown_as_it_is(good):
    assert "run folder: [red]run" in good("train", "karate", "--out", "[red]run", *QUICK).out


def test_own_files_are_trained_on(good, tmp_path):
    edges, nodes = write_files(tmp_path)
    shown = json.loads(good("train", "--edges", edges, "--nodes", nodes, "--label", "topic", "--json", *QUICK).out)
    assert shown["plan"]["ratio"] == 0.6
    assert shown["trainings"][0]["nodes"] == [43, 14, 15]
    model = load(shown["folder"])
    assert model.attribute_names_ == ("age", "income", "city=Bonn", "city=Jena", "city=Ulm")
    assert model.classes_.tolist() == ["topic 0", "topic 1", "topic 2"]


def test_a_class_without_training_nodes_is_told_in_one_line(good):
    shown = good("train", "karate", "--ratio", "0.02", "--out", "run", *QUICK)
    told = [line for line in shown.err.splitlines() if "warning" in line.lower()]
    assert told
    assert all(line.startswith("warning: no training node has class ") for line in told)


def test_without_an_argument_the_embedded_graph_is_trained_on(good):
    shown = good("train", "--preset", "paper", "--set", "epochs=1", "--set", "hidden=4", "--set", "q=2")
    assert "Training on 'roles' (the embedded graph; name a dataset or --edges for another)." in shown.err
    assert "run folder: runs/roles" in shown.out


def test_resume_without_a_folder_goes_on_with_the_unfinished_one(command, tmp_path):
    quick = ["train", "karate", *QUICK]
    assert command(*quick).code == 0
    (tmp_path / "runs" / "karate" / "result.json").unlink()
    assert command(*quick, "--resume").code == 0
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["karate"]


def test_resume_with_nothing_to_resume_says_so(good, bad, tmp_path):
    assert "run: no run to resume yet; beginning one" in good("train", "karate", "--out", "run", "--resume", *QUICK).err
    good("train", "karate", *QUICK)
    assert "no unfinished run of 'karate' in 'runs' to resume" in bad("train", "karate", "--resume", *QUICK)
    assert [path.name for path in (tmp_path / "runs").iterdir()] == ["karate"]


# With so large a weight the base trains, and InfoMotif after it does not.
@pytest.mark.parametrize(
    ("preset", "setting"), [("auto", "lr=1e30"), ("joint", "lr=1e30"), ("joint", "mi_weight=1e300")]
)
def test_a_training_that_diverges_leaves_no_folder(command, tmp_path, preset, setting):
    found = command("train", "karate", "--preset", preset, "--set", setting, "--set", "epochs=9", "--set", "hidden=8")
    assert found.code == 2
    assert f"lower {setting.partition('=')[0]} (now " in found.err
    assert not (tmp_path / "runs" / "karate").exists()


@pytest.mark.parametrize("out", ["file/run", "file"])
def test_a_folder_that_cannot_be_made_is_named(command, tmp_path, out):
    (tmp_path / "file").write_text("taken")
    found = command("train", "karate", "--out", out)
    assert found.code == 2
    assert out in found.err


@pytest.mark.parametrize("val", ["nan", "-0.5", "5"])
def test_a_validation_share_is_checked_for_fixed_training_nodes_too(command, val):
    assert "val must be at least 0 and below 1" in command("train", "roles-drift", "--val", val).err


# Config files


def test_a_config_file_gives_options_and_settings(good, tmp_path):
    settings = {"epochs": 2, "hidden": 8, "lr": "1e-3", "novelty": False}
    values = {"dataset": "karate", "encoder": "sage", "ratio": 0.5, "motifs": "M7", "preset": "paper"}
    (tmp_path / "my.yaml").write_text(yaml.safe_dump(values | {"settings": settings}))
    plan = json.loads(good("train", "--config", "my.yaml", "--json").out)["plan"]
    assert (plan["encoder"], plan["ratio"], plan["motifs"]) == ("sage", 0.5, "M7")
    assert plan["settings"] == {"epochs": 2, "hidden": 8, "lr": 0.001, "novelty": False}


def test_the_config_of_a_run_trains_it_again(good, tmp_path):
    first = json.loads(good("train", "karate", "--out", "one", "--json", *QUICK).out)
    again = json.loads(good("train", "--config", "one/config.yaml", "--out", "two", "--json").out)
    assert (again["plan"], again["outcome"]) == (first["plan"], first["outcome"])


def test_a_config_file_takes_the_names_of_the_options(good, tmp_path):
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\nc,d\nd,a\na,c\ne,a\nf,b\n")
    (tmp_path / "nodes.csv").write_text("key,label\na,x\nb,y\nc,x\nd,y\ne,x\nf,y\n")
    text = "edges: edges.csv\nnodes: nodes.csv\nid: key\nundirected: true\npreset: base\nset: {epochs: 2, hidden: 4}\n"
    (tmp_path / "my.yaml").write_text(text)
    plan = json.loads(good("train", "--config", "my.yaml", "--json").out)["plan"]
    assert (plan["source"]["node_id"], plan["source"]["directed"]) == ("key", False)
    assert plan["settings"] == {"epochs": 2, "hidden": 4}


def test_the_command_line_goes_over_the_config_file(good, tmp_path):
    (tmp_path / "my.yaml").write_text("encoder: sage\nratio: 0.5\npreset: paper\nsettings: {epochs: 2, hidden: 16}\n")
    arguments = ["--config", "my.yaml", "--encoder", "gcn", "--set", "hidden=8", "--json"]
    plan = json.loads(good("train", "karate", *arguments).out)["plan"]
    assert (plan["encoder"], plan["ratio"], plan["settings"]["hidden"]) == ("gcn", 0.5, 8)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("encodr: gat", "unknown option in my.yaml 'encodr': did you mean 'encoder'"),
        ("ratio: much", r"my.yaml: ratio must be a number \(got 'much'\)"),
        ("ratio: [1]", "my.yaml: ratio must be a number"),
        ("ratio: 0", r"ratio must be above 0 and at most 1 \(got 0.0\)"),
        ("splits: two", r"my.yaml: splits must be a whole number \(got 'two'\)"),
        ("splits: 0", r"my.yaml: splits must be at least 1 \(got 0\)"),
        ("splits: yes", "my.yaml: splits must be a whole number"),
        ("seed: -1", r"my.yaml: seed must be at least 0 \(got -1\)"),
        ("threads: 0", "my.yaml: threads must be at least 1"),
        ("directed: 3", "my.yaml: directed must be yes or no"),
        ("motifs: [1]", "my.yaml: motifs must be a list of names"),
        ("motifs: M77", "unknown motif 'M77'"),
        ("encoder: 5", "unknown encoder '5'"),
        ("encoder: [gat]", "my.yaml: encoder must be text"),
        ("edges: {a: b}", "my.yaml: edges must be text"),
        ("preset: papr", "did you mean 'paper'"),
        ("settings: 3", "my.yaml: settings must hold keys and values"),
        ("settings: {lrr: 1}", "did you mean 'lr'"),
        ("settings: {lr: fast}", r"lr must be a number \(got 'fast'\)"),
        ("settings: {lr: [1]}", "lr must be a number"),
        ("settings: {1: 2}", "unknown setting '1'"),
        ("settings: {ratio: 0.5}", "unknown setting 'ratio'"),
        ("- gat", "my.yaml: must hold keys and values, such as 'encoder: gat'"),
        ("a: [", "my.yaml, line 1: not valid YAML"),
        ("settings: {}\nseed: 2024-13-45", "my.yaml: not valid YAML .month must be"),
        ("seed: 1\nseed: 2", "my.yaml, line 2: not valid YAML .'seed' appears twice"),
        (f"a: {'[' * 3000}", "my.yaml, line 1: not valid YAML .more than 100 levels"),
        ("!!python/object/apply:os.getcwd []", "my.yaml, line 1: not valid YAML"),
    ],
)
def test_a_mistake_in_a_config_file_is_one_line(bad, tmp_path, text, message):
    (tmp_path / "my.yaml").write_text(text)
    error = bad("train", "karate", "--config", "my.yaml")
    assert re.search(message, error), error
    assert [path.name for path in tmp_path.iterdir()] == ["my.yaml"]


# Mistakes


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["karat"], "did you mean 'karate'"),
        (["karate", "--encoder", "gcm"], "unknown encoder 'gcm': did you mean 'gcn'"),
        (["karate", "--preset", "papr"], "unknown preset 'papr': did you mean 'paper'"),
        (["karate", "--set", "lrr=1"], "unknown setting 'lrr': did you mean 'lr'"),
        (["karate", "--set", "lr"], "'lr' must have the form key=value"),
        (["karate", "--set", "lr=fast"], "lr must be a number (got 'fast')"),
        (["karate", "--set", "dropout=1"], "dropout must be at least 0 and below 1 (got 1.0)"),
        (["karate", "--set", "schedule=jont"], "did you mean 'joint'"),
        (["karate", "-m", "M77"], "unknown motif 'M77'"),
        (["karate", "-m", "M1"], "direction"),
        (["karate", "--ratio", "0"], "ratio must be above 0 and at most 1 (got 0.0)"),
        (["karate", "--ratio", "1.5"], "ratio must be above 0 and at most 1 (got 1.5)"),
        (["karate", "--ratio", "nan"], "ratio must be above 0 and at most 1 (got nan)"),
        (["karate", "--ratio", "0.9"], "0.9 + 0.2 must not exceed 1"),
        (["karate", "--ratio", "much"], "'--ratio'"),
        (["roles-drift", "--ratio", "0.5"], "roles-drift fixes which nodes train; leave --ratio out"),
        (["karate", "--val", "-1"], "val must be at least 0 and below 1 (got -1.0)"),
        (["karate", "--splits", "0"], "'--splits'"),
        (["karate", "--seed", "-1"], "'--seed'"),
        (["karate", "--threads", "0"], "'--threads'"),
        (["karate", "--bogus"], "--bogus"),
        (["karate", "--device", "gpu"], "device must be auto, cpu, cuda or cuda:N (got 'gpu')"),
        (["karate", "--encoder", "gat", "--set", "hidden=7"], "hidden must be a multiple of heads"),
        (["karate", "--val", "0", "--set", "patience=2"], "patience needs validation nodes"),
        (["karate", "--config", "nothing.yaml"], "nothing.yaml: no such file; --config takes a YAML file"),
        (["karate", "--edges", "edges.csv"], "give a dataset or graph store ('karate') or your files"),
        (["karate", "--label", "team"], "--label is for your files (--edges)"),
        (["karate", "--ignore", "name"], "--ignore is for your files (--edges)"),
        (["karate", "--fill", "mean"], "--fill is for your files (--edges)"),
        (["karate", "--source", "from"], "--source is for your files (--edges)"),
        (["karate", "--target", "to"], "--target is for your files (--edges)"),
        (["karate", "--id", "name"], "--id is for your files (--edges)"),
        (["karate", "--unknown", "drop"], "--unknown is for your files (--edges)"),
        (["karate", "--undirected"], "--undirected is for your files (--edges)"),
        (["--edges", "edges.csv", "--component", "all"], "--component is for datasets"),
        (["./store", "--component", "all"], "--component is for datasets"),
        (
            ["--edges", "e.edgelist", "--label", "x"],
            "--label is for CSV or parquet and for GraphML, not for an edge list (e.edgelist)",
        ),
        (["--edges", "g.graphml", "--id", "x"], "--id is for CSV or parquet, not for GraphML (g.graphml)"),
        (["--edges", "nothing.csv"], "nothing.csv"),
        (["--nodes", "nothing.csv"], "--nodes needs --edges"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_mistake_is_one_line_and_leaves_nothing_behind(bad, tmp_path, arguments, message):
    assert message in bad("train", *QUICK, *arguments)
    assert list(tmp_path.iterdir()) == []


def test_files_without_labels_are_refused(bad, tmp_path):
    edges, nodes = write_files(tmp_path)
    message = bad("train", "--edges", edges, "--nodes", nodes, "--label", "subject", *QUICK)
    assert "subject" in message
    assert not (tmp_path / "runs").exists()


def test_an_existing_run_is_not_overwritten(good, bad, tmp_path):
    good("train", "karate", "--out", "run", *QUICK)
    before = (tmp_path / "run" / "result.json").read_bytes()
    assert "run: holds a run already; add --resume" in bad("train", "karate", "--out", "run", *QUICK)
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "file").touch()
    assert "other: exists and is not a run" in bad("train", "karate", "--out", "other", *QUICK)
    assert (tmp_path / "run" / "result.json").read_bytes() == before


def test_resume_reads_a_finished_run_and_refuses_another(good, bad):
    first = json.loads(good("train", "karate", "--out", "run", "--json", *QUICK).out)
    again = json.loads(good("train", "karate", "--out", "run", "--json", "--resume", *QUICK).out)
    assert again == first
    other = bad("train", "karate", "--out", "run", "--resume", "--seed", 9, *QUICK)
    assert "config.yaml: began with other options (seed); leave them out, or name another --out" in other


def test_resume_alone_goes_on_with_the_options_of_the_run(good, command, tmp_path):
    words = ["train", "karate", "--preset", "paper", "--seed", 3, "--splits", 2, "--motifs", "graphlets4", *QUICK]
    good(*words, "--out", "whole")
    shutil.copytree(tmp_path / "whole", tmp_path / "cut")
    for name in ("result.json", "predictions.csv", "model.json"):
        (tmp_path / "cut" / name).unlink()
    good("train", "--resume", "--out", "cut")
    for name in ("predictions.csv", "model.safetensors", "config.yaml"):
        assert (tmp_path / "cut" / name).read_bytes() == (tmp_path / "whole" / name).read_bytes()


@pytest.mark.parametrize(
    ("words", "finding"),
    [
        (["--preset", "joints"], "unknown preset 'joints': did you mean 'joint'?"),
        (["--set", "epoch=3"], "epochs"),
        (["--encoder", "gnc"], "unknown encoder 'gnc'"),
        (["--ratio", "3"], "ratio must be above 0"),
        (["--motifs", "triad"], "triad"),
        (["--out", "taken"], "taken: exists and is not a run"),
    ],
)
def test_options_are_checked_before_the_graph_is_read(bad, tmp_path, monkeypatch, words, finding):
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").touch()
    monkeypatch.setattr("infomotif.datasets.load_dataset", lambda *_, **__: pytest.fail("the graph was read"))
    assert finding in bad("train", "karate", *words)


def test_a_diverging_training_ends_with_code_2_and_advice(command):
    outcome = command("train", "karate", "--out", "run", "--set", "lr=1e30", "--set", "epochs=9", "--set", "hidden=8")
    assert outcome.code == 2
    last = outcome.err.splitlines()[-1]
    assert last.startswith("error: the ")
    assert "lower lr" in last


# Prediction


@pytest.fixture
def trained(good, tmp_path):
    """A run on own files."""
    edges, nodes = write_files(tmp_path)
    good("train", "--edges", edges, "--nodes", nodes, "--label", "topic", "--out", "run", *QUICK)
    return tmp_path / "run"


def rows_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text)))


def test_prediction_on_the_training_graph_repeats_the_runs(good, trained):
    rows = rows_of(good("predict", trained).out)
    kept = rows_of((trained / "predictions.csv").read_text())
    assert [(row["id"], row["predicted"]) for row in rows] == [(row["id"], row["predicted"]) for row in kept]


def test_prediction_writes_sets_of_another_coverage(good, bad, trained):
    rows = rows_of(good("predict", trained, "--coverage", "0.6").out)
    kept = rows_of((trained / "predictions.csv").read_text())
    pairs = [(set(a["set(0.6)"].split("|")), set(b["set(0.9)"].split("|"))) for a, b in zip(rows, kept, strict=True)]
    assert all(small <= large for small, large in pairs)
    assert all(row["predicted"] == row["set(0.6)"].split("|")[0] for row in rows)
    assert "coverage must be above 0 and below 1 (got 90.0)" in bad("predict", trained, "--coverage", "90")


def test_suggestions_are_unlabelled_nodes(good, trained):
    rows = {row["id"]: row for row in rows_of((trained / "predictions.csv").read_text())}
    shown = json.loads(good("suggest", trained, "-n", "3", "--json").out)["suggestions"]
    assert len(shown) == 3
    assert all(rows[suggestion["name"]]["label"] == "" for suggestion in shown)
    assert "3 suggestions written to s.csv" in good("suggest", trained, "-n", "3", "--out", "s.csv").out
    written = rows_of(Path("s.csv").read_text())
    assert [row["id"] for row in written] == [suggestion["name"] for suggestion in shown]
    assert "What to label next" in good("suggest", trained).out


def test_the_base_of_a_run_predicts_too(good, bad, trained):
    rows = rows_of(good("predict", trained / "base").out)
    assert len(rows) == len(rows_of((trained / "predictions.csv").read_text()))
    assert "leave --coverage out" in bad("predict", trained / "base", "--coverage", "0.8")


def test_prediction_on_a_dataset(good):
    good("train", "karate", "--out", "run", *QUICK)
    rows = rows_of(good("predict", "run").out)
    assert len(rows) == 34
    assert rows_of(good("predict", "run", "--dataset", "karate").out) == rows


def test_prediction_on_new_files_with_the_same_columns(good, trained, tmp_path):
    edges, nodes = write_files(tmp_path, nodes=60, seed=3, prefix="new-")
    shown = good("predict", trained, "--edges", edges, "--nodes", nodes, "--out", "new.csv")
    assert "60 predictions written to new.csv" in shown.out
    rows = rows_of((tmp_path / "new.csv").read_text())
    assert len(rows) == 60
    assert {row["predicted"] for row in rows} <= {"topic 0", "topic 1", "topic 2"}


def test_prediction_tells_its_accuracy_as_json(good, trained):
    shown = json.loads(good("predict", trained, "--json").out)
    assert shown["nodes"] == 90
    kept = json.loads((trained / "result.json").read_text())["trainings"]
    assert shown["test_accuracy"] == next(each["test_accuracy"] for each in kept if each["model"] == "infomotif")
    assert {"train_accuracy", "val_accuracy"} < set(shown)
    low, high = shown["test_interval"]
    assert low <= shown["test_accuracy"] <= high
    assert "accuracy_on_labelled" not in shown


def test_prediction_tells_its_accuracy_on_other_labelled_files(good, trained, tmp_path):
    edges, nodes = write_files(tmp_path, nodes=60, seed=3, prefix="new-")
    shown = json.loads(good("predict", trained, "--edges", edges, "--nodes", nodes, "--json").out)
    assert 0 <= shown["accuracy_on_labelled"] <= 1
    assert "test_accuracy" not in shown


def test_columns_in_another_order_give_the_same_predictions(good, trained, tmp_path):
    edges, nodes = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    table = list(csv.reader(nodes.open()))
    swapped = tmp_path / "swapped.csv"
    with swapped.open("w", newline="") as stream:
        csv.writer(stream).writerows([row[0], *row[:0:-1]] for row in table)
    first, second = (good("predict", trained, "--edges", edges, "--nodes", file).out for file in (nodes, swapped))
    assert first == second


def test_a_missing_column_is_named(bad, trained, tmp_path):
    edges, nodes = write_files(tmp_path, nodes=60, seed=3, prefix="new-")
    table = list(csv.reader(nodes.open()))
    with nodes.open("w", newline="") as stream:
        csv.writer(stream).writerows([row[0], *row[2:]] for row in table)
    message = bad("predict", trained, "--edges", edges, "--nodes", nodes, "--out", "new.csv")
    assert "age" in message
    assert not (tmp_path / "new.csv").exists()


def test_edges_alone_do_not_make_up_attributes(bad, trained, tmp_path):
    edges, _ = write_files(tmp_path, nodes=60, seed=3, prefix="new-")
    assert bad("predict", trained, "--edges", edges)


def test_a_one_hot_model_refuses_other_nodes(good, bad, tmp_path):
    good("train", "karate", "--out", "run", *QUICK)
    (tmp_path / "edges.csv").write_text("source,target\na,b\nb,c\n")
    message = bad("predict", "run", "--edges", "edges.csv")
    assert "knows only the 34 nodes that it was trained on (got 3)" in message


def test_what_is_no_run_is_named(bad, trained, tmp_path):
    assert "is not a model folder" in bad("predict", tmp_path / "nothing")
    (trained / "config.yaml").unlink()
    assert "config.yaml: no such file" in bad("predict", trained)


@pytest.mark.parametrize(
    "source",
    [
        "3", "[a]", "{edges: 5}", "{edges: nothing.csv}", "{colour: red, dataset: karate}", "{dataset: [a]}",
        "{dataset: karate, ignore: 5}", "{dataset: karate, directed: maybe}", "{dataset: karate, ignore: [1]}",
    ],
)  # fmt: skip
def test_a_config_that_names_no_graph_is_refused(bad, trained, source):
    (trained / "config.yaml").write_text(f"source: {source}")
    assert bad("predict", trained)


def test_a_broken_model_is_refused(bad, trained):
    weights = trained / "model.safetensors"
    weights.write_bytes(weights.read_bytes()[:-1])
    assert "model.safetensors: sha256 is" in bad("predict", trained)


def test_moved_files_are_named(bad, trained, tmp_path):
    (tmp_path / "edges.csv").rename(tmp_path / "elsewhere.csv")
    assert "edges.csv" in bad("predict", trained)


def test_the_run_knows_where_its_graph_came_from(trained, tmp_path):
    source = read_config(trained)["source"]
    assert source["edges"] == str(tmp_path / "edges.csv")
    assert source["label"] == "topic"


def test_help_has_examples(good):
    assert "infomotif train cora" in good("train", "--help").out
    assert "infomotif predict" in good("predict", "--help").out


# Settings that validation chooses


@pytest.fixture
def files(tmp_path):
    """Own files as options."""
    edges, nodes = write_files(tmp_path)
    return ["--edges", edges, "--nodes", nodes, "--label", "topic", "--out", "run", "--set", "q=2", *SHORT]


def test_by_default_validation_chooses_and_what_it_tried_is_shown(good, files, tmp_path):
    shown = good("train", *files, "--budget", "6 trainings")
    assert "What was tried" in shown.out
    assert "auto: " in shown.out
    assert "95 % interval" in shown.out
    assert "measured before the last training" in shown.out.replace("\n", " ")
    choice = json.loads((tmp_path / "run" / "result.json").read_text())["choice"]
    assert choice["reason"] in shown.out.replace("\n", " ")
    assert read_config(tmp_path / "run")["search"] == {"budget": "6 trainings"}
    assert not (tmp_path / "run" / "base").exists()


def test_choices_that_differ_between_splits_are_told(good, files, tmp_path):
    shown = good("train", *files, "--splits", "2", "--budget", "3 trainings")
    assert "every split chose by its own labels" in read_result(tmp_path / "run").choice.notes[-1]
    assert "(2 splits)" in shown.out


def test_a_search_can_be_narrowed_and_repeated_from_its_config(good, files, tmp_path):
    narrow = ("--single", "--no-refit", "--without", "motifs", "--budget", "3 trainings")
    good("train", *files, *narrow)
    result = read_result(tmp_path / "run")
    assert sum(member.weight > 0 for member in result.choice.members) == 1
    assert not any(tried.motifs for tried in result.choice.tried)
    again = good("train", "--config", "run/config.yaml", "--out", "again", "--json").out
    assert json.loads(again)["choice"]["name"] == result.choice.name
    told = good("explain", "run", "n3").out
    assert "this is a base GNN" in told


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--budget", "soon"], "budget must be seconds such as 30"),
        (["--without", "edges"], "unknown part of --without"),
        (["--single", "--preset", "joint"], "are for --preset auto; leave them out"),
    ],
)
def test_options_of_the_search_are_checked(command, options, message):
    found = command("train", "karate", *options)
    assert found.code == 2
    assert message in found.err


def test_where_nothing_can_be_tried_that_is_said(good):
    shown = good("train", "karate", *SHORT, "--set", "sampling=neighbours")
    assert "warning: preset auto takes 'joint': candidates are tried on the whole graph" in shown.err
    assert "auto: nothing was tried" in shown.out
