"""Which graph a command works on: options become one source, which reads the graph and names itself again."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

import pytest
import typer

from infomotif.cli.graph_options import GraphSource, graph_options
from infomotif.datasets import load_dataset
from infomotif.errors import InputError
from infomotif.io import save_store
from infomotif.io.store.stamp import Stamp
from tests.commands import command

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


def test_a_command_takes_its_options_as_one_source(files: Path) -> None:
    taken: list[GraphSource] = []
    app = typer.Typer()

    @app.command()
    @graph_options()
    def show(graph: GraphSource, times: int = 1) -> None:
        taken.extend([graph] * times)

    words = ["--edges", str(files / "edges.csv"), "--undirected", "--ignore", "a", "--ignore", "b", "--id", "key"]
    app([*words, "--times", "2"], standalone_mode=False)
    assert taken[0] == taken[1]
    assert taken[0].words() == ["--edges", str(files / "edges.csv"), "--undirected", "--id", "key", *words[3:7]]


def test_a_command_may_do_without_some_options() -> None:
    @graph_options(without=("fill", "label"), dataset=False)
    def few(graph: GraphSource) -> None: ...

    @graph_options(only=("edges", "dataset"))
    def fewer(graph: GraphSource) -> None: ...

    names = list(inspect.signature(few).parameters)
    assert not {"fill", "label", "dataset", "graph"} & set(names)
    assert "categorical" in names
    assert list(inspect.signature(fewer).parameters) == ["dataset", "edges"]


@pytest.mark.parametrize("name", ["train", "motifs", "doctor", "convert", "predict"])
def test_the_help_of_every_command_names_the_formats(capsys: Any, name: str) -> None:
    code, out, _ = command(capsys, name, "--help")
    assert code == 0
    assert ".graphml" in out


def test_a_source_says_how_it_is_read_again_from_any_folder(files: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(files)
    resolved = GraphSource(edges=Path("edges.csv"), ignore=["age"]).resolved()
    assert resolved == {
        "edges": str(files / "edges.csv"), "directed": True, "source": "source", "target": "target", "node_id": "id",
        "ignore": ["age"], "unknown": "error", "component": "largest", "drop_unsigned": False,
    }  # fmt: skip


def test_verify_is_for_graph_stores_and_is_not_part_of_a_run(tmp_path):
    save_store(load_dataset("karate"), tmp_path / "store")
    source = GraphSource(dataset=str(tmp_path / "store"), verify=True)
    assert source.read().num_nodes == 34
    assert source.words()[-1] == "--verify"
    assert "verify" not in source.resolved()
    with pytest.raises(InputError, match="--verify is for graph stores"):
        GraphSource(dataset="karate", verify=True).read()


def test_a_store_that_a_disk_damaged_after_it_was_checked_is_found_by_verify(tmp_path, monkeypatch):
    store = tmp_path / "store"
    save_store(load_dataset("karate"), store)
    (store / "y.npy").write_bytes((store / "y.npy").read_bytes()[:-1] + b"\1")
    # No time and no size tell of it.
    monkeypatch.setattr(Stamp, "is_left", lambda self: True)
    GraphSource(dataset=str(store)).read()
    with pytest.raises(InputError, match="y.npy: does not have the checksum"):
        GraphSource(dataset=str(store), verify=True).read()
