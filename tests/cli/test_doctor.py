"""``infomotif doctor`` on files: plain words, JSON, and a command that works."""

import json
import shlex

import numpy as np
import pytest

from tests.commands import command


@pytest.fixture
def files(tmp_path):
    rng = np.random.default_rng(0)
    topic = rng.choice(["art", "law"], 80)
    rows = [f"p{v},{topic[v]},{rng.integers(0, 9)},{topic[v].upper()}" for v in range(80)]
    (tmp_path / "nodes.csv").write_text("id,topic,size,shelf\n" + "\n".join(rows) + "\n")
    ends = rng.integers(0, 80, (200, 2))
    (tmp_path / "edges.csv").write_text("source,target\n" + "".join(f"p{a},p{b}\n" for a, b in ends))
    return ["--edges", str(tmp_path / "edges.csv"), "--nodes", str(tmp_path / "nodes.csv"), "--label", "topic"]


def test_a_column_that_is_the_label_is_named(capsys, files):
    code, out, _ = command(capsys, "doctor", *files)
    assert code == 0
    assert "'shelf' (100 %)" in " ".join(out.split())
    assert "--ignore shelf" in out


def test_the_command_it_gives_can_be_run(capsys, files, tmp_path):
    _, out, _ = command(capsys, "doctor", *files, "--json")
    found = json.loads(out)
    words = shlex.split(found["command"])[1:]
    assert "--ignore" in words
    code, *_ = command(capsys, *words, "--set", "epochs=2", "--splits", "1", "--out", str(tmp_path / "run"))
    assert code == 0


@pytest.mark.parametrize(
    ("words", "share", "command_"),
    [
        ((), "1 %", ""),
        (("--ratio", "0.3"), "30 %", " --ratio 0.3"),
        (("--ratio", "0.9"), "90 %", " --ratio 0.9 --val 0.1"),
        (("--ratio", "0.8000001"), "80 %", " --ratio 0.8000001 --val 0.1999"),
    ],
)
def test_it_looks_at_the_training_that_its_command_starts(capsys, words, share, command_):
    found = json.loads(command(capsys, "doctor", "roles", *words, "--json")[1])
    assert f"if {share} of the labels train" in json.dumps(found["findings"])
    assert found["command"].startswith(f"infomotif train roles{command_}")


def test_a_ratio_that_its_command_would_refuse_is_refused(capsys):
    code, _, err = command(capsys, "doctor", "roles-drift", "--ratio", "0.5")
    assert (code, err) == (2, "error: roles-drift fixes which nodes train; leave --ratio out\n")


def test_names_do_not_reach_the_terminal_as_commands_to_it(capsys, files, tmp_path):
    text = (tmp_path / "nodes.csv").read_text()
    (tmp_path / "nodes.csv").write_text(text.replace("shelf", "sh\x1b[31melf"))
    _, out, _ = command(capsys, "doctor", *files)
    assert "\x1b" not in out
    assert "sh\\x1b[31melf" in out


def test_without_labels_there_is_nothing_to_train(capsys, files):
    code, out, _ = command(capsys, "doctor", *files[:2])
    assert (code, "so train with" in out) == (0, False)
    assert json.loads(command(capsys, "doctor", *files[:2], "--json")[1])["command"] is None


def test_bad_files_are_one_line(capsys, tmp_path):
    code, _, err = command(capsys, "doctor", "--edges", str(tmp_path / "none.csv"))
    assert code == 2
    assert "none.csv" in err
