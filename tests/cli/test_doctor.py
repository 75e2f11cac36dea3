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


def test_all_problems_of_tables_are_reported_in_one_run(capsys, tmp_path):
    edges, nodes = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    edges.write_text("source,target,weight\na,b,1\nb,zz,inf\n,c,1\n")
    names = "".join(f"p{v},x,1,{v},t{v},\n" for v in range(1200))
    nodes.write_text("id,topic,size,length,title,blank\na,x,,1,one,\nb,y,2,oops,two,\nb,y,2,3,two,\n" + names)
    words = ["doctor", "--edges", str(edges), "--nodes", str(nodes), "--label", "topic", "--ignore", "nothing"]
    code, _, err = command(capsys, *words)
    assert code == 2
    lines = err.splitlines()
    for finding in (
        "line 2, column 'size': the value is missing", "'oops' is not a number", "'title' has 1,202 different texts",
        "'blank' is empty in every row", "id 'b' is already on line 3", "no column 'nothing'",
        "column 'weight': the weight is inf", "column 'source': the node is empty",
    ):  # fmt: skip
        assert sum(finding in line for line in lines) == 1, finding
    assert all(line.startswith("error: ") for line in lines)
    printed = json.loads(command(capsys, *words, "--json")[1])["problems"]
    assert ["error: " + text for text in printed] == lines


def test_gaps_a_label_that_is_not_named_and_directions_are_reported_together(capsys, tmp_path):
    edges, nodes = tmp_path / "edges.csv", tmp_path / "nodes.csv"
    edges.write_text("source,target\n" + "".join(f"{v},{v + 1}\n" for v in range(40)))
    nodes.write_text(
        "id,topic,age\n" + "".join(f"{v},{'xy'[v % 2] * (v % 3)},{'' if v == 7 else v}\n" for v in range(41))
    )
    code, _, err = command(capsys, "doctor", "--edges", str(edges), "--nodes", str(nodes))
    assert code == 2
    assert ["add --undirected" in err, "--label topic" in err, "line 9, column 'age'" in err] == [True, True, True]
    assert len(err.splitlines()) == 3


def test_both_files_that_cannot_be_read_are_named(capsys, tmp_path):
    code, _, err = command(capsys, "doctor", "--edges", str(tmp_path / "e.csv"), "--nodes", str(tmp_path / "n.csv"))
    assert code == 2
    assert ["n.csv" in err.splitlines()[0], "e.csv" in err.splitlines()[1]] == [True, True]


def test_all_ragged_lines_are_named(capsys, tmp_path):
    (tmp_path / "e.csv").write_text("source,target\na\na,b\na,b,c\n")
    code, _, err = command(capsys, "doctor", "--edges", str(tmp_path / "e.csv"))
    assert code == 2
    assert [line.split(":")[2] for line in err.splitlines()] == [
        " expected 2 fields as in line 1, got 1; correct the line",
        " expected 2 fields as in line 1, got 3; correct the line",
    ]


def test_all_problems_of_an_edge_list_are_reported_in_one_run(capsys, tmp_path):
    (tmp_path / "e.txt").write_text("a b 1\na b\nb c x\nc d 1\n")
    code, _, err = command(capsys, "doctor", "--edges", str(tmp_path / "e.txt"))
    assert code == 2
    assert ["line 2" in err.splitlines()[0], "line 3" in err.splitlines()[1]] == [True, True]


def test_all_problems_of_graphml_are_reported_in_one_run(capsys, tmp_path):
    (tmp_path / "g.graphml").write_text(
        '<graphml><key id="a" for="node" attr.name="age" attr.type="int"/><graph>\n<node id="1"/>\n'
        '<node id="1"><data key="a">x</data></node>\n<edge source="1" target="9"/>\n<edge source="1"/>\n'
        "</graph></graphml>"
    )
    code, _, err = command(capsys, "doctor", "--edges", str(tmp_path / "g.graphml"))
    assert code == 2
    for finding in ("already on line 2", "'x', not a number", "'9' is nowhere", "lacks 'target'"):
        assert sum(finding in line for line in err.splitlines()) == 1, err
