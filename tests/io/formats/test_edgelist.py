"""Edge lists: bad lines, names that cannot be written, missing labels."""

from __future__ import annotations

from pathlib import Path

import pytest

from infomotif.datasets import load_dataset
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import read_edge_list, write_edge_list
from tests.io.formats.written import written

LISTS: list[tuple[str, str | bytes, str | None, str]] = [
    ("no edges", "# nothing\n", None, "E: no edges in the file; write one edge per line"),
    (
        "one name",
        "a b\nb\n",
        None,
        "E line 2: expected 2 fields (source, target, optional weight), got 1; correct the line",
    ),
    (
        "weights on some lines",
        "a b\nb c 2\n",
        None,
        "E line 2: expected 2 fields (source, target, optional weight), got 3; correct the line",
    ),
    ("weight that is text", "# w\n\na b x\n", None, "E line 3: the weight 'x' is not a number; correct it"),
    ("weight that is infinite", "a b inf\n", None, "E line 1: the weight inf is not a finite number; correct it"),
    ("not UTF-8", b"a b\nb \xff\n", None, "E line 2: not UTF-8 (byte 0xff); save the file as UTF-8"),
    (
        "unknown node",
        "a b\nb c\n",
        "node label\na 0\nb 1\n",
        "E line 2: node 'c' has no line in N; add it or drop the edge",
    ),
    (
        "repeated label line",
        "a b\n",
        "a 0\nb 1\na 1\n",
        "N line 3: node 'a' is already on line 1; keep one of them",
    ),
    ("long label line", "a b\n", "a 0\nb 1 2\n", "N line 2: expected 'node label', got 3 fields; correct the line"),
    ("no labels", "a b\n", "node label\n", "N: no nodes in the file; write one 'node label' per line"),
]


@pytest.mark.parametrize(("edges", "labels", "line"), [row[1:] for row in LISTS], ids=[row[0] for row in LISTS])
def test_a_bad_edge_list_gets_one_line(tmp_path: Path, edges: str | bytes, labels: str | None, line: str) -> None:
    e = written(tmp_path / "E", edges)
    n = None if labels is None else written(tmp_path / "N", labels)
    with pytest.raises(InputError) as caught:
        read_edge_list(e, labels=n)
    assert str(caught.value).replace(str(e), "E").replace(str(n), "N") == line


@pytest.mark.parametrize(("text", "delimiter"), [("a,\n", ","), (",b\n", ",")])
def test_an_empty_name_is_no_node(tmp_path: Path, text: str, delimiter: str) -> None:
    path = written(tmp_path / "E", text)
    with pytest.raises(InputError, match="line 1: a field is empty"):
        read_edge_list(path, delimiter=delimiter)
    with pytest.raises(InputError, match="the delimiter must not be empty"):
        read_edge_list(path, delimiter="")


def test_class_names_are_no_matter_where_labels_are_not_written(tmp_path: Path) -> None:
    write_edge_list(load_dataset("karate"), tmp_path / "karate.edgelist")
    with pytest.raises(InputError, match=r"the name 'Mr\. Hi' cannot be written"):
        write_edge_list(load_dataset("karate"), tmp_path / "karate.edgelist", labels=tmp_path / "labels")


def test_names_that_an_edge_list_cannot_hold_are_refused(tmp_path: Path) -> None:
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, names=["a b", "c"])
    with pytest.raises(InputError, match="the name 'a b' cannot be written to an edge list; use write_csv"):
        write_edge_list(graph, tmp_path / "e")
    with pytest.raises(InputError, match="cannot hold attributes"):
        write_edge_list(graph.replace(x=[[1], [2]]), tmp_path / "e")
