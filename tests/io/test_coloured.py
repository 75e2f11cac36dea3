"""Types and signs in every format: what is written is read back, and what is wrong is named with its place."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import networkx as nx
import numpy as np
import pytest
from hypothesis import given, settings

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import (
    convert_csv,
    from_dataframe,
    from_igraph,
    from_networkx,
    open_store,
    read_csv,
    read_graphml,
    save_store,
    write_csv,
    write_edge_list,
    write_graphml,
    write_parquet,
    written_schema,
)
from infomotif.io.options import ReadOptions
from infomotif.io.store.convert import convert
from infomotif.io.store.external_sort import Limits
from tests.io.strategies import assert_same, coloured_graphs, reading

settings.register_profile("coloured", deadline=None, max_examples=25)
settings.load_profile("coloured")


@given(coloured_graphs())
def test_csv_parquet_and_conversion(graph: Graph) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for kind, write in (("csv", write_csv), ("parquet", write_parquet)):
            edges, nodes = Path(folder, f"edges.{kind}"), Path(folder, f"nodes.{kind}")
            write(graph, edges, nodes)
            assert_same(graph, read_csv(edges, nodes, directed=graph.directed, **reading(graph)))
            assert_same(graph, read_csv(edges, nodes, directed=graph.directed, schema=written_schema(graph)))
            options = ReadOptions(directed=graph.directed, name="drawn", **reading(graph))
            stored = convert(edges, nodes, Path(folder, kind), options, limits=Limits(2, 3, 2), show=False)
            assert_same(graph, stored)
            assert stored.schema == read_csv(edges, nodes, directed=graph.directed, **reading(graph)).schema


@given(coloured_graphs())
def test_graphml_networkx_igraph_and_stores(graph: Graph) -> None:
    with tempfile.TemporaryDirectory() as folder:
        write_graphml(graph, Path(folder, "graph.graphml"))
        assert_same(graph, read_graphml(Path(folder, "graph.graphml"), **reading(graph)))
        save_store(graph, Path(folder, "store"))
        stored = open_store(Path(folder, "store"), verify=True)
        assert_same(graph, stored)
        assert stored.pair_types is None or stored.pair_types[0].tolist() == graph.pair_types[0].tolist()  # type: ignore[index]
    assert_same(graph, from_networkx(graph.to_networkx(), **reading(graph)))
    assert_same(graph, from_igraph(graph.to_igraph(), **reading(graph)))


def test_a_store_keeps_attribute_types(tmp_path: Path) -> None:
    graph = typed(tmp_path)
    save_store(graph, tmp_path / "store")
    assert open_store(tmp_path / "store").attribute_types.tolist() == graph.attribute_types.tolist()  # type: ignore[union-attr]


NODES = "id,kind,age,city,label\na,author,7,Ulm,x\nb,author,8,Bonn,y\np,paper,,,\n"
EDGES = "source,target,relation\na,p,writes\nb,p,writes\na,b,knows\n"


def files(folder: Path, edges: str = EDGES, nodes: str = NODES) -> tuple[Path, Path]:
    (folder / "edges.csv").write_text(edges)
    (folder / "nodes.csv").write_text(nodes)
    return folder / "edges.csv", folder / "nodes.csv"


def typed(folder: Path, **options: Any) -> Graph:
    return read_csv(*files(folder), **({"node_type": "kind", "edge_type": "relation"} | options))


def test_a_column_that_a_type_never_has_is_not_one_of_that_type(tmp_path: Path) -> None:
    graph = typed(tmp_path)
    assert graph.attribute_names == ("age", "city=Bonn", "city=Ulm")
    assert graph.attribute_types is not None
    assert graph.attribute_types.tolist() == [0, 0, 0]
    assert np.asarray(graph.x).tolist() == [[7, 0, 1], [8, 1, 0], [0, 0, 0]]
    stored = convert_csv(*files(tmp_path), tmp_path / "s", node_type="kind", edge_type="relation")
    assert_same(graph, stored)
    assert stored.attribute_types is not None
    assert stored.attribute_types.tolist() == [0, 0, 0]


def test_a_gap_within_a_type_is_still_refused(tmp_path: Path) -> None:
    nodes = NODES.replace("b,author,8", "b,author,")
    with pytest.raises(InputError, match="line 3, column 'age': the value is missing"):
        read_csv(*files(tmp_path, nodes=nodes), node_type="kind")


def test_new_files_of_a_model_have_the_same_types(tmp_path: Path) -> None:
    schema = typed(tmp_path).schema
    again = read_csv(*files(tmp_path), schema=schema)
    assert again.fingerprint() == typed(tmp_path).fingerprint()
    nodes = NODES.replace("p,paper", "p,papier")
    with pytest.raises(InputError, match="line 4, column 'kind': unknown node type 'papier'; did you mean 'paper'"):
        read_csv(*files(tmp_path, nodes=nodes), schema=schema)
    with pytest.raises(InputError, match="line 2, column 'relation': unknown edge type 'wrote'"):
        read_csv(*files(tmp_path, edges=EDGES.replace("a,p,writes", "a,p,wrote")), schema=schema)
    nodes = NODES.replace("p,paper,,", "p,paper,3,")
    with pytest.raises(InputError, match="line 4, column 'age': only nodes of the type 'author' have a value here"):
        read_csv(*files(tmp_path, nodes=nodes), schema=schema)


@pytest.mark.parametrize(
    ("edges", "nodes", "options", "message"),
    [
        (EDGES, NODES.replace("b,author", "b,"), {}, r"nodes.csv line 3, column 'kind': the node's type is missing"),
        (
            EDGES.replace("a,b,knows", "a,b,"),
            NODES,
            {},
            r"edges.csv line 4, column 'relation': the edge's type is miss",
        ),
        (EDGES, NODES, {"node_type": "kin"}, r"no column 'kin'; did you mean 'kind'\?.*--node-type"),
        (EDGES, NODES, {"edge_type": "rel"}, r"no column 'rel'.*--edge-type"),
        (EDGES, NODES, {"sign": "relation"}, "edges have a type .'relation'. or a sign .'relation'., not both"),
        (EDGES, NODES, {"drop_unsigned": True}, "drop_unsigned is for signed graphs"),
        (EDGES, NODES, {"node_type": "id"}, "cannot be both id or label and type"),
        (EDGES, NODES, {"edge_type": "source"}, "cannot be both an end or weight and a type"),
        (EDGES + "a,p,likes\n", NODES, {}, "two edges from 'a' to 'p' have the types 'writes' and 'likes'"),
    ],
)
def test_bad_types_are_named_with_their_place(
    tmp_path: Path, edges: str, nodes: str, options: dict[str, Any], message: str
) -> None:
    paths = files(tmp_path, edges, nodes)
    given = {"node_type": "kind", "edge_type": "relation"} | options
    with pytest.raises(InputError, match=message):
        read_csv(*paths, **given)
    with pytest.raises(InputError, match=message):
        convert_csv(*paths, tmp_path / "store", **given)
    assert not (tmp_path / "store").exists()


def test_too_many_types_are_refused(tmp_path: Path) -> None:
    edges = "source,target,kind\n" + "".join(f"{i},{i + 1},t{i}\n" for i in range(300))
    (tmp_path / "edges.csv").write_text(edges)
    with pytest.raises(InputError, match="column 'kind': more than 255 different edge types; group rare ones"):
        read_csv(tmp_path / "edges.csv", edge_type="kind")


def signed(folder: Path, *lines: str, **options: Any) -> Graph:
    path = folder / "signed.csv"
    path.write_text("source,target,sign\n" + "".join(line + "\n" for line in lines))
    return read_csv(path, sign="sign", **options)


def test_signs_are_numbers_or_characters(tmp_path: Path) -> None:
    graph = signed(tmp_path, "0,1,1.0", "1,2,-10", "2,3,+", "3,4,-", "4,5,1e-3")
    assert graph.edge_types is not None
    assert graph.edge_types.tolist() == [0, 1, 0, 1, 0]
    assert graph.signed


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (("0,1,1", "1,2,"), r"signed.csv line 3, column 'sign': the sign is empty, neither \+ nor -; correct it, or"),
        (("0,1,1", "1,2,0"), r"line 3, column 'sign': the sign is 0, neither \+ nor -"),
        (("0,1,1", "1,2,0.0"), "the sign is 0"),
        (("0,1,1", "1,2,NaN"), "the sign is empty"),
        (("0,1,", "1,2,", "2,3,1", "3,4,", "4,5,"), r"\(4 such edges: line 2, 3, 5, \.\.\.\).*--drop-unsigned"),
        (("0,1,1", "1,2,good"), "line 3, column 'sign': the sign 'good' is not a number, \\+ or -"),
        (("0,1,1", "0,1,-1"), "two edges from '0' to '1' have the types '\\+' and '-'.*keep one of them"),
    ],
)
def test_bad_signs_are_named_with_their_place(tmp_path: Path, lines: tuple[str, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        signed(tmp_path, *lines)


def test_edges_without_a_sign_can_be_dropped_and_are_counted(tmp_path: Path) -> None:
    lines = ("0,1,1", "1,2,", "2,3,0", "3,0,-1")
    graph = signed(tmp_path, *lines, drop_unsigned=True)
    assert graph.num_edges == 2
    assert dict(graph.notes) == {"unsigned_edges": 2}
    stored = convert_csv(tmp_path / "signed.csv", None, tmp_path / "store", sign="sign", drop_unsigned=True)
    assert_same(graph, stored)
    assert dict(stored.notes) == {"unsigned_edges": 2}


def test_data_frames_have_types_and_signs() -> None:
    frame = {"source": ["a", "b"], "target": ["b", "c"], "sign": [2.5, -1.0]}
    assert from_dataframe(frame, sign="sign").edge_types.tolist() == [0, 1]  # type: ignore[union-attr]
    frame["sign"] = [2.5, float("nan")]
    with pytest.raises(InputError, match="edges row 1, column 'sign': the sign is empty"):
        from_dataframe(frame, sign="sign")


def test_attributes_of_networkx_are_types_where_asked() -> None:
    club = nx.Graph()
    club.add_node(0, kind="author", age=1.0)
    club.add_node(1, kind="paper")
    club.add_edge(0, 1, sign=-1)
    graph = from_networkx(club, node_type="kind", sign="sign")
    assert graph.node_type_names == ("author", "paper")
    assert graph.edge_types is not None
    assert graph.edge_types.tolist() == [1, 1]
    assert graph.attribute_types is not None
    assert graph.attribute_types.tolist() == [0]
    club.edges[0, 1]["sign"] = 0
    with pytest.raises(InputError, match=r"NetworkX edge \('0', '1'\): the sign 'sign' is 0"):
        from_networkx(club, node_type="kind", sign="sign")
    with pytest.raises(InputError, match="no node has 'type'"):
        from_networkx(club, node_type="type")
    del club.nodes[1]["kind"]
    with pytest.raises(InputError, match="NetworkX node '1', column 'kind': the node's type is missing"):
        from_networkx(club, node_type="kind")


def test_graphml_names_the_line_of_a_missing_sign(tmp_path: Path) -> None:
    graph = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=True, edge_types=["+", "-"])
    write_graphml(graph, tmp_path / "g.graphml")
    text = (tmp_path / "g.graphml").read_text()
    (tmp_path / "g.graphml").write_text(text.replace('<data key="edge-type">-1</data>', ""))
    with pytest.raises(InputError, match=r"g.graphml line 9, edge's 'sign': the sign 'sign' is empty"):
        read_graphml(tmp_path / "g.graphml", sign="sign")


def test_an_edge_list_holds_no_types(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot hold types or signs"):
        write_edge_list(signed(tmp_path, "0,1,1"), tmp_path / "e.edgelist")


def test_a_store_without_types_is_of_the_earlier_version(tmp_path: Path) -> None:
    import json

    save_store(Graph.from_edges([0], [1], num_nodes=2, directed=True), tmp_path / "plain")
    save_store(Graph.from_edges([0], [1], num_nodes=2, directed=True, edge_types=["x"]), tmp_path / "typed")
    about = json.loads((tmp_path / "plain" / "graph.json").read_text())
    assert about["version"] == 2
    assert "node_type_names" not in about
    assert json.loads((tmp_path / "typed" / "graph.json").read_text())["version"] == 3
