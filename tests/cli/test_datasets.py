"""``infomotif datasets`` and the options that name a graph."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from infomotif.cli.graph_options import GraphSource
from infomotif.cli.main import run
from infomotif.datasets import DATASETS
from infomotif.errors import InputError

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


EDGES = "source,target\na,b\nb,c\n"
NODES = "id,topic,age\na,x,1\nb,y,2\nc,,3\n"


@pytest.fixture
def files(tmp_path: Path) -> Path:
    (tmp_path / "edges.csv").write_text(EDGES)
    (tmp_path / "nodes.csv").write_text(NODES)
    (tmp_path / "plain.edgelist").write_text("a b\nb c\n")
    (tmp_path / "g.graphml").write_text(
        '<graphml><graph edgedefault="undirected"><node id="a"/><node id="b"/><edge source="a" target="b"/></graph>'
        "</graphml>"
    )
    return tmp_path


def test_a_dataset_by_name() -> None:
    assert GraphSource(dataset="karate").read(need_labels=True).name == "karate"


def test_own_files(files: Path) -> None:
    graph = GraphSource(edges=files / "edges.csv", nodes=files / "nodes.csv", label="topic").read(need_labels=True)
    assert repr(graph) == "Graph('edges', 3 nodes, 2 directed edges, 1 attributes, 2 classes)"


def test_other_formats_by_their_names(files: Path) -> None:
    assert GraphSource(edges=files / "plain.edgelist", directed=False).read().num_edges == 2
    assert not GraphSource(edges=files / "g.graphml").read().directed


def test_a_schema_from_training(files: Path) -> None:
    first = GraphSource(edges=files / "edges.csv", nodes=files / "nodes.csv", label="topic").read()
    (files / "new.csv").write_text("id,age\na,4\nb,5\nc,6\n")
    new = GraphSource(edges=files / "edges.csv", nodes=files / "new.csv").read(schema=first.schema)
    assert (new.attribute_names, new.class_names) == (first.attribute_names, first.class_names)


def test_options_that_name_no_graph_or_two(files: Path) -> None:
    edges, nodes = files / "edges.csv", files / "nodes.csv"
    cases = [
        ({}, "name a dataset"),
        ({"nodes": nodes}, "--nodes needs --edges"),
        ({"dataset": "cora", "edges": edges}, "not both"),
        ({"edges": files / "g.graphml", "nodes": nodes}, "leave --nodes out"),
        ({"edges": edges}, "no node has a label"),
    ]
    for options, why in cases:
        with pytest.raises(InputError, match=why):
            GraphSource(**options).read(need_labels=True)  # type: ignore[arg-type]


def test_the_words_of_a_source_name_it_again(files: Path) -> None:
    given = GraphSource(
        edges=files / "e.csv", nodes=files / "n.csv", label="topic", directed=False, node_id="key", ignore=["a", "b"]
    )
    words = given.words()
    assert words[:4] == ["--edges", str(files / "e.csv"), "--nodes", str(files / "n.csv")]
    assert words[4:] == ["--label", "topic", "--undirected", "--id", "key", "--ignore", "a", "--ignore", "b"]
    assert GraphSource(dataset="cora", component="all").words() == ["cora", "--component", "all"]
