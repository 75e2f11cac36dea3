"""A random graph, written in each format, is read back the same."""

from __future__ import annotations

import tempfile
from pathlib import Path

import networkx as nx
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import (
    from_networkx,
    from_pyg,
    read_csv,
    read_edge_list,
    read_graphml,
    write_csv,
    write_edge_list,
    write_graphml,
    write_parquet,
    written_schema,
)
from tests.io.strategies import assert_same, graphs, plain_text

settings.register_profile("round-trips", deadline=None, max_examples=40)
settings.load_profile("round-trips")


@given(graphs(), st.sampled_from(["", ".gz"]))
def test_csv(graph: Graph, packed: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        edges, nodes = Path(folder, f"edges.csv{packed}"), Path(folder, f"nodes.csv{packed}")
        write_csv(graph, edges, nodes)
        assert_same(graph, read_csv(edges, nodes, directed=graph.directed))


@given(graphs())
def test_parquet(graph: Graph) -> None:
    with tempfile.TemporaryDirectory() as folder:
        edges, nodes = Path(folder, "edges.parquet"), Path(folder, "nodes.parquet")
        write_parquet(graph, edges, nodes)
        assert_same(graph, read_csv(edges, nodes, directed=graph.directed))


@given(graphs(ordered_classes=False))
def test_csv_with_its_schema_keeps_classes_in_any_order(graph: Graph) -> None:
    with tempfile.TemporaryDirectory() as folder:
        edges, nodes = Path(folder, "edges.csv"), Path(folder, "nodes.csv")
        write_csv(graph, edges, nodes)
        assert_same(graph, read_csv(edges, nodes, directed=graph.directed, schema=written_schema(graph)))


@given(graphs())
def test_graphml(graph: Graph) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.graphml")
        write_graphml(graph, path)
        assert_same(graph, read_graphml(path))


@given(graphs(texts=plain_text, attributes=False))
def test_graphml_as_networkx_writes_it(graph: Graph) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "graph.graphml")
        nx.write_graphml(graph.to_networkx(), path)
        assert_same(graph, read_graphml(path))


@given(graphs(texts=plain_text, attributes=False))
def test_edge_list_with_labels(graph: Graph) -> None:
    with tempfile.TemporaryDirectory() as folder:
        edges, labels = Path(folder, "graph.edgelist"), Path(folder, "labels.txt")
        write_edge_list(graph, edges, labels=labels)
        assert_same(graph, read_edge_list(edges, labels=labels, directed=graph.directed))


@given(graphs(texts=plain_text, attributes=False, lone_nodes=False))
def test_edge_list_alone(graph: Graph) -> None:
    with tempfile.TemporaryDirectory() as folder:
        edges = Path(folder, "graph.edgelist")
        write_edge_list(graph, edges)
        assert_same(graph.replace(y=None), read_edge_list(edges, directed=graph.directed))


@given(graphs())
def test_networkx(graph: Graph) -> None:
    assert_same(graph, from_networkx(graph.to_networkx()))


@given(graphs(ordered_classes=False))
def test_pyg(graph: Graph) -> None:
    back = from_pyg(
        graph.to_pyg(),
        directed=graph.directed,
        class_names=graph.class_names or None,
        names=graph.names,
        attribute_names=graph.attribute_names or None,
    )
    # PyG lists an undirected edge in both directions, which is noted on the way in.
    assert_same(graph, back.replace(notes={}))


def test_missing_labels_of_edge_lists_and_graphml_are_no_classes(tmp_path: Path) -> None:
    (tmp_path / "e").write_text("a b\nb c\n")
    (tmp_path / "l").write_text("a x\nb NA\nc y\n")
    key = '<key id="label" for="node" attr.name="label" attr.type="string"/>'
    labels = {"a": "x", "b": "NA", "c": "y"}
    nodes = "".join(f'<node id="{v}"><data key="label">{y}</data></node>' for v, y in labels.items())
    (tmp_path / "g").write_text(f"<graphml>{key}<graph>{nodes}</graph></graphml>")
    for graph in (read_edge_list(tmp_path / "e", labels=tmp_path / "l"), read_graphml(tmp_path / "g")):
        assert (graph.class_names, graph.y.tolist()) == (("x", "y"), [0, -1, 1])  # type: ignore[union-attr]


def test_classes_that_would_be_read_as_missing_are_not_written(tmp_path: Path) -> None:
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, y=[0, 1], class_names=["x", "NA"])
    for write in (
        lambda: write_csv(graph, tmp_path / "e", tmp_path / "n"),
        lambda: write_parquet(graph, tmp_path / "e", tmp_path / "n"),
        lambda: write_graphml(graph, tmp_path / "g"),
        lambda: write_edge_list(graph, tmp_path / "e", labels=tmp_path / "l"),
    ):
        with pytest.raises(InputError, match="the class name 'NA' cannot be written: .*; rename it"):
            write()
    write_edge_list(graph, tmp_path / "e")
