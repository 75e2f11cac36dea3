"""The table of formats: what is registered is read, offered and named in messages."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from infomotif.cli.graph_options import GraphSource
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import read_graph, write_graph
from infomotif.io.options import ReadOptions
from infomotif.io.registry import FORMATS, TABLES, Format, edges_help, format_of, register
from tests.commands import command

ARROWS = Format(
    "arrows", "arrow files", (".arrows",), "tests.io.arrows", ("directed",), "none", "one a>b per line",
    "which hold nothing but arrows",
)  # fmt: skip


@pytest.fixture
def arrows(tmp_path: Path) -> Iterator[Path]:
    """Register the format of the tests, and give a file of it."""
    register(ARROWS)
    path = tmp_path / "small.arrows"
    path.write_text("a>b\nb>c\nc>a\n")
    yield path
    del FORMATS["arrows"]


def test_a_registered_format_is_read_by_the_library(arrows: Path) -> None:
    assert read_graph(arrows).num_edges == 3
    assert repr(read_graph(arrows, directed=False)).startswith("Graph('small', 3 nodes, 3 undirected edges")


def test_a_registered_format_is_read_by_commands(arrows: Path, capsys: Any) -> None:
    code, out, _ = command(capsys, "motifs", "--edges", str(arrows), "--random-graphs", "0", "--json")
    assert (code, json.loads(out)["nodes"]) == (0, 3)
    store = str(arrows.parent / "store")
    code, out, _ = command(capsys, "convert", "--edges", str(arrows), store, "--json")
    assert (code, json.loads(out)["edges"]) == (0, 3)


def test_a_registered_format_is_offered_by_the_help(arrows: Path) -> None:
    assert "one a>b per line (.arrows)" in edges_help()


def test_messages_name_a_registered_format(arrows: Path, capsys: Any) -> None:
    code, _, err = command(capsys, "motifs", "--edges", str(arrows), "--source", "from")
    assert code == 2
    assert "--source is for CSV or parquet, not for arrow files" in err
    assert "which hold nothing but arrows; leave it out" in err
    (arrows.parent / "g.graphml").write_text("<graphml/>")
    code, _, err = command(capsys, "motifs", "--edges", str(arrows.parent / "g.graphml"), "--undirected")
    assert "--undirected is for CSV or parquet and for an edge list and for arrow files, not for GraphML" in err


def test_a_format_without_a_writer_says_so(arrows: Path) -> None:
    with pytest.raises(InputError, match="arrow files can be read, not written"):
        write_graph(read_graph(arrows), arrows)


def test_names_and_suffixes_are_taken_once(arrows: Path) -> None:
    with pytest.raises(InputError, match="there is a format 'arrows' already"):
        register(ARROWS)
    with pytest.raises(InputError, match=r"\.txt belongs to an edge list; choose another suffix for arrow files"):
        register(replace(ARROWS, name="other", suffixes=(".txt",)))


@pytest.mark.parametrize(
    ("name", "with_nodes", "found"),
    [
        ("a.csv", False, "csv"),
        ("a.PARQUET", True, "csv"),
        ("a.csv.gz", True, "csv"),
        ("a", False, "csv"),
        ("a.b.txt", False, "edge list"),
        ("a.txt", True, "csv"),
        ("A.GraphML.gz", False, "graphml"),
        ("a.graphml", True, "graphml"),
    ],
)
def test_the_name_of_a_file_tells_its_format(name: str, with_nodes: bool, found: str) -> None:
    assert format_of(Path("some.folder", name), with_nodes=with_nodes).name == found


@pytest.mark.parametrize("name", ["edges.csv", "edges.tsv.gz", "edges.parquet", "g.graphml", "edges.txt"])
def test_what_is_written_by_name_is_read_by_name(tmp_path: Path, name: str) -> None:
    graph = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=True, y=[0, 1, -1], class_names=["x", "y"])
    nodes = None if name == "g.graphml" else tmp_path / "nodes"
    write_graph(graph, tmp_path / name, nodes)
    if name == "edges.txt":
        found = FORMATS["edge list"].read(tmp_path / name, nodes, ReadOptions())
    else:
        found = read_graph(tmp_path / name, nodes)
    assert found.fingerprint() == graph.fingerprint()


def test_tables_are_not_written_without_nodes(tmp_path: Path) -> None:
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=True)
    with pytest.raises(InputError, match="tables need a nodes file too"):
        write_graph(graph, tmp_path / "e.csv")
    with pytest.raises(InputError, match="GraphML holds nodes and edges; leave the nodes file out"):
        write_graph(graph, tmp_path / "g.graphml", tmp_path / "n.csv")


def test_options_that_do_not_apply_are_refused_not_ignored(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"fill is for CSV or parquet and for GraphML, not for an edge list .*e\.txt"):
        read_graph(tmp_path / "e.txt", fill=0)
    with pytest.raises(InputError, match="unknown option of ReadOptions 'lable': did you mean 'label'"):
        read_graph(tmp_path / "e.csv", lable="topic")


def test_options_of_every_format_are_options_of_commands() -> None:
    known = GraphSource().values()
    for format in FORMATS.values():
        assert set(format.options) <= set(known)
    assert set(TABLES.options) == set(known) - {"dataset", "edges", "nodes", "component", "verify"}
