"""Own files from training to prediction on changed files: what may differ, and what is said of it."""

import csv

import numpy as np
import pytest

from infomotif.cli.main import run
from tests.commands import command
from tests.runs.plans import reseal

pytestmark = pytest.mark.slow

QUICK = ["--preset", "paper", "--set", "epochs=2", "--set", "hidden=8"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    path = tmp_path_factory.mktemp("own")
    rng = np.random.default_rng(1)
    with (path / "nodes.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["id", "team", "years", "tool"])
        writer.writerows([f"p{v}", ["a", "b", ""][v % 3], v % 7, ["pen", "lab"][v % 2]] for v in range(60))
    edges = sorted({(f"p{a}", f"p{b}") for a, b in rng.integers(0, 60, (160, 2)).tolist() if a != b})
    (path / "edges.csv").write_text("source,target\n" + "".join(f"{a},{b}\n" for a, b in edges))
    files = ["--edges", str(path / "edges.csv"), "--nodes", str(path / "nodes.csv"), "--label", "team"]
    with pytest.raises(SystemExit) as stop:
        run(["train", *files, *QUICK, "--out", str(path / "run")])
    assert not stop.value.code
    return path


def predict(capsys, folder, nodes: str, *options: str) -> tuple[int, str, str]:
    (folder / "new.csv").write_text(nodes)
    (folder / "new-edges.csv").write_text("source,target\nx,y\n")
    files = ["--edges", str(folder / "new-edges.csv"), "--nodes", str(folder / "new.csv")]
    return command(capsys, "predict", str(folder / "run"), *files, *options)


def test_predictions_have_probabilities_label_and_split(folder):
    with (folder / "run" / "predictions.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["id", "predicted", "p(a)", "p(b)", "set(0.9)", "label", "split", "calibration"]
    assert {row["split"] for row in rows} == {"train", "val", "test", ""}
    assert all((row["label"] == "") == (row["split"] == "") for row in rows)
    assert (folder / "run" / "report.html").exists()


def test_new_nodes_are_predicted(capsys, folder):
    code, out, _ = predict(capsys, folder, "id,years,tool\nx,1,pen\ny,2,lab\n")
    assert code == 0
    assert [line.split(",")[0] for line in out.splitlines()] == ["id", "x", "y"]


def test_what_was_ignored_in_files_does_not_hinder_a_store(capsys, folder):
    files = ["--edges", str(folder / "edges.csv"), "--nodes", str(folder / "nodes.csv"), "--ignore", "tool"]
    out, store = str(folder / "ignoring"), str(folder / "store")
    assert command(capsys, "train", *files, "--label", "team", *QUICK, "--out", out)[0] == 0
    assert command(capsys, "convert", *files, "--label", "team", store)[0] == 0
    assert command(capsys, "predict", out, "--dataset", store)[0] == 0
    code, _, err = command(capsys, "predict", out, "--dataset", store, "--ignore", "tool")
    assert (code, "--ignore is for new files" in err) == (2, True)


def test_new_files_may_need_filling_and_ignoring(capsys, folder):
    nodes = "id,years,tool,extra\nx,,pen,1\ny,2,lab,1\n"
    code, out, _ = predict(capsys, folder, nodes, "--fill", "mean", "--ignore", "extra")
    assert (code, len(out.splitlines())) == (0, 3)
    assert "--fill" in predict(capsys, folder, nodes, "--ignore", "extra")[2]
    code, _, err = command(capsys, "predict", str(folder / "run"), "--fill", "mean")
    assert (code, "--fill is for new files" in err) == (2, True)


def test_a_run_with_options_that_its_source_does_not_take_can_still_be_opened(capsys, folder):
    # Earlier versions kept them without using them.
    config = folder / "run" / "config.yaml"
    text = config.read_text()
    assert "component: largest" in text
    config.write_text(text.replace("component: largest", "component: all"))
    reseal(folder / "run")
    try:
        code, out, _ = command(capsys, "predict", str(folder / "run"))
        assert (code, len(out.splitlines())) == (0, 61)
        code, _, err = command(capsys, "predict", str(folder / "run"), "--component", "all")
        assert (code, "--component is for --dataset" in err) == (2, True)
    finally:
        config.write_text(text)
        reseal(folder / "run")


def test_an_unseen_category_is_a_warning(capsys, folder):
    code, _, err = predict(capsys, folder, "id,years,tool\nx,1,drill\ny,2,lab\n")
    assert code == 0
    assert "warning: 1 values are of categories that the model was not trained on" in err


@pytest.mark.parametrize(
    ("nodes", "message"),
    [
        ("id,years\nx,1\ny,2\n", "tool"),
        ("id,years,tool,extra\nx,1,pen,1\ny,2,lab,1\n", "column 'extra'"),
        ("id,years,tool\nx,young,pen\ny,2,lab\n", "'young' is not a number"),
    ],
)
def test_other_columns_are_an_error_in_one_line(capsys, folder, nodes, message):
    code, out, err = predict(capsys, folder, nodes)
    assert code == 2
    assert out == ""
    assert message in err
    assert err.count("\n") == 1


def test_the_explanation_of_a_node_with_a_name(capsys, folder):
    code, out, _ = command(capsys, "explain", str(folder / "run"), "p7")
    assert code == 0
    assert "p7 is predicted" in out
