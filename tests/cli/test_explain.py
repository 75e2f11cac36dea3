"""``infomotif explain``: text, JSON, and one line for what does not exist."""

import json

import pytest

from tests.commands import command, karate_run
from tests.runs.plans import reseal


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return karate_run(tmp_path_factory.mktemp("runs") / "karate")


def test_a_node_as_json_with_the_base_gnns_answer(capsys, folder):
    code, out, _ = command(capsys, "explain", str(folder), "5", "--json", "--instances", "2")
    found = json.loads(out)
    assert code == 0
    assert found["node"] == "5"
    assert set(found["base"]["probabilities"]) == {"Mr. Hi", "Officer"}
    assert len(found["instances"]) == 2
    assert found["labels"]["hops"] == 2


def test_the_graph_as_text(capsys, folder):
    code, out, _ = command(capsys, "explain", str(folder), "--roles", "2")
    assert code == 0
    assert "by predicted class" in out
    assert "typical nodes" in out


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["5", "--roles", "3"], "--roles is for the whole graph"),
        (["--instances", "2"], "--instances is for a node"),
        (["--twins", "5"], "--twins is for a node"),
    ],
)
def test_an_option_that_would_do_nothing_is_refused(capsys, folder, arguments, message):
    code, out, err = command(capsys, "explain", str(folder), *arguments)
    assert (code, out) == (2, "")
    assert message in err


def test_an_unknown_node_is_one_line(capsys, folder):
    code, _, err = command(capsys, "explain", str(folder), "nobody")
    assert code == 2
    assert "no node is named 'nobody'" in err


def test_a_folder_without_a_run_is_one_line(capsys, tmp_path):
    code, _, err = command(capsys, "explain", str(tmp_path), "5")
    assert code == 2
    assert "model.json" in err


def test_other_data_than_the_run_saw_is_refused(capsys, folder):
    config = folder / "config.yaml"
    before = config.read_text()
    config.write_text(before.replace("dataset: karate", "dataset: roles"))
    reseal(folder)
    try:
        code, _, err = command(capsys, "explain", str(folder), "5")
    finally:
        config.write_text(before)
        reseal(folder)
    assert code == 2
    assert "other data" in err
