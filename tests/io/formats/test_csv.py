"""What CSV and parquet pairs mean."""

from __future__ import annotations

import gzip
import math
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import Column, Schema, read_csv, require_labels, write_csv
from infomotif.io.tables.diagnose import MISSING
from infomotif.io.tables.file import BLOCK

EDGES = "source,target\na,b\nb,c\n"


def pair(tmp_path: Path, nodes: str | bytes, edges: str | bytes = EDGES) -> tuple[Path, Path]:
    for name, text in (("edges.csv", edges), ("nodes.csv", nodes)):
        (tmp_path / name).write_bytes(text.encode() if isinstance(text, str) else text)
    return tmp_path / "edges.csv", tmp_path / "nodes.csv"


def dense(graph: Graph) -> list[list[float]]:
    assert graph.x is not None
    return np.asarray(graph.x if isinstance(graph.x, np.ndarray) else graph.x.toarray()).tolist()


def test_numbers_and_booleans_stay_and_text_becomes_one_hot(tmp_path: Path) -> None:
    graph = read_csv(*pair(tmp_path, "id,age,old,city\na,1,true,Ulm\nb,2.5,false,Bonn\nc,-3,true,Ulm\n"))
    assert graph.attribute_names == ("age", "old", "city=Bonn", "city=Ulm")
    assert dense(graph) == [[1, 1, 0, 1], [2.5, 0, 1, 0], [-3, 1, 0, 1]]


def test_yes_and_no_are_booleans_in_any_letter_case(tmp_path: Path) -> None:
    graph = read_csv(*pair(tmp_path, "id,old,tall,land\na,yes,1,NO\nb,No,YES,DE\nc,yEs,false,NO\n"))
    assert graph.attribute_names == ("old", "tall", "land=DE", "land=NO")
    assert [row[:2] for row in dense(graph)] == [[1, 1], [0, 1], [1, 0]]
    assert graph.schema is not None
    assert [column.kind for column in graph.schema.columns] == ["boolean", "boolean", "categorical"]
    new = read_csv(*pair(tmp_path, "id,old,tall,land\na,0,no,DE\nb,1,no,DE\nc,0,NO,DE\n"), schema=graph.schema)
    assert dense(new) == [[0, 0, 1, 0], [1, 0, 1, 0], [0, 0, 1, 0]]


def test_ids_are_text_exactly_as_they_stand(tmp_path: Path) -> None:
    graph = read_csv(*pair(tmp_path, "id\n007\n7\nNA\nnull\n1.0\n", "source,target\n007,7\nNA,null\n1.0,NA\n"))
    assert graph.names.tolist() == ["007", "7", "NA", "null", "1.0"]
    assert graph.num_edges == 3


def test_na_is_a_category_in_text_and_missing_in_numbers(tmp_path: Path) -> None:
    graph = read_csv(*pair(tmp_path, "id,country\na,NA\nb,DE\nc,NA\n"))
    assert graph.attribute_names == ("country=DE", "country=NA")


def test_words_for_missing_values_are_no_classes(tmp_path: Path) -> None:
    for word in MISSING:
        graph = read_csv(*pair(tmp_path, f"id,label\na,{word}\nb,x\nc,y\n"))
        assert (graph.class_names, graph.y.tolist()) == (("x", "y"), [-1, 0, 1])  # type: ignore[union-attr]
        again = read_csv(*pair(tmp_path, f"id,label\na,y\nb,{word}\nc,\n"), schema=graph.schema)
        assert again.y.tolist() == [1, -1, -1]  # type: ignore[union-attr]


def test_nan_in_parquet_is_no_label(tmp_path: Path) -> None:
    edges, _ = pair(tmp_path, "")
    labels = pa.array([0.0, math.nan, 1.0], from_pandas=False)
    pq.write_table(pa.table({"id": ["a", "b", "c"], "label": labels}), tmp_path / "nodes")
    graph = read_csv(edges, tmp_path / "nodes")
    assert (graph.class_names, graph.y.tolist()) == (("0", "1"), [0, -1, 1])  # type: ignore[union-attr]


def test_classes_that_are_numbers_are_in_order_of_value(tmp_path: Path) -> None:
    assert read_csv(*pair(tmp_path, "id,label\na,10\nb,9\nc,\n")).class_names == ("9", "10")


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@pytest.mark.parametrize("mark", [b"", b"\xef\xbb\xbf"])
@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_line_ends_byte_order_marks_and_delimiters(tmp_path: Path, end: str, mark: bytes, delimiter: str) -> None:
    def text(lines: list[str]) -> bytes:
        return mark + end.join(line.replace(",", delimiter) for line in lines).encode()

    edges, nodes = text(["source,target,weight", "a,b,2", "b,c,3"]), text(["id,label,age", "a,x,1", "b,y,2", "c,,3"])
    graph = read_csv(*pair(tmp_path, nodes, edges))
    assert dense(graph) == [[1], [2], [3]]
    assert graph.csr.weights is not None
    assert graph.csr.weights.tolist() == [2, 3]


def test_quotes_hold_delimiters_quotes_and_line_breaks(tmp_path: Path) -> None:
    nodes = 'id,"la""bel, really"\n"a","x\ny"\n"b,b",z\nc,\n'
    edges = 'source,target\na,"b,b"\n\n"b,b",c\n'
    graph = read_csv(*pair(tmp_path, nodes, edges), label='la"bel, really')
    assert graph.names.tolist() == ["a", "b,b", "c"]
    assert graph.class_names == ("x\ny", "z")


def test_gz_is_read_whatever_the_name(tmp_path: Path) -> None:
    edges, nodes = pair(tmp_path, gzip.compress(b"id,age\na,1\nb,2\nc,3\n"), gzip.compress(EDGES.encode()))
    assert dense(read_csv(edges, nodes)) == [[1], [2], [3]]


def test_own_column_names(tmp_path: Path) -> None:
    edges, nodes = pair(tmp_path, "paper,age\na,1\nb,2\n", "when,to,from,w\n1,b,a,5\n")
    graph = read_csv(edges, nodes, source="from", target="to", weight="w", node_id="paper")
    assert [e.tolist() for e in graph.edges()] == [[0], [1]]
    assert graph.csr.weights is not None
    assert graph.csr.weights.tolist() == [5]


def test_without_nodes_the_edges_name_them_in_order(tmp_path: Path) -> None:
    edges, _ = pair(tmp_path, "", "source,target\n10,9\n9,2\n")
    assert read_csv(edges).names.tolist() == ["2", "9", "10"]


def test_undirected_edges_count_once(tmp_path: Path) -> None:
    edges, nodes = pair(tmp_path, "id\na\nb\nc\n", "source,target\na,b\nb,a\na,b\nc,c\n")
    graph = read_csv(edges, nodes, directed=False)
    assert graph.num_edges == 1
    assert dict(graph.notes) == {"self_loops": 1, "repeated_edges": 1, "both_directions": 1}


def test_unknown_nodes_can_be_dropped(tmp_path: Path) -> None:
    edges, nodes = pair(tmp_path, "id\na\nb\n", "source,target,weight\nzz,b,1\na,b,2\na,zz,3\n")
    graph = read_csv(edges, nodes, unknown="drop")
    assert (graph.num_edges, dict(graph.notes)) == (1, {"unknown_endpoints": 2})
    assert graph.csr.weights is not None
    assert graph.csr.weights.tolist() == [2]


@pytest.mark.parametrize(("fill", "value"), [("mean", 2.0), ("zero", 0.0), (7, 7.0), ("7.5", 7.5)])
def test_missing_values_are_filled(tmp_path: Path, fill: str | float, value: float) -> None:
    graph = read_csv(*pair(tmp_path, "id,age,city\na,1,Ulm\nb,,\nc,3,Bonn\n"), fill=fill)
    assert dense(graph)[1] == [value, 0, 0]
    assert dict(graph.notes) == {"filled_values": 2}


def test_numbers_can_be_declared_categories(tmp_path: Path) -> None:
    graph = read_csv(*pair(tmp_path, "id,code\na,01\nb,2\nc,01\n"), categorical=["code"])
    assert graph.attribute_names == ("code=01", "code=2")


def test_columns_can_be_ignored(tmp_path: Path) -> None:
    graph = read_csv(*pair(tmp_path, "id,label,age,note\na,x,1,p\nb,y,2,q\nc,,3,r\n"), ignore=["note", "label"])
    assert graph.attribute_names == ("age",)
    assert graph.y is None


def test_dates_are_text(tmp_path: Path) -> None:
    graph = read_csv(*pair(tmp_path, "id,day\na,2024-01-01\nb,2024-01-02\nc,2024-01-01\n"))
    assert graph.attribute_names == ("day=2024-01-01", "day=2024-01-02")


def test_many_rare_columns_are_sparse(tmp_path: Path) -> None:
    names = [f"w{i}" for i in range(20)]
    rows = [f"{v}," + ",".join("1" if i == k else "0" for i in range(20)) for k, v in enumerate("abc")]
    graph = read_csv(*pair(tmp_path, ",".join(["id", *names]) + "\n" + "\n".join(rows)))
    assert not isinstance(graph.x, np.ndarray)
    assert dense(graph)[1] == [float(i == 1) for i in range(20)]


def test_a_row_wider_than_a_block_is_read(tmp_path: Path) -> None:
    long = "x" * (BLOCK + 1)
    graph = read_csv(*pair(tmp_path, f"id,text\na,{long}\nb,y\nc,y\n"))
    assert graph.attribute_names == (f"text={long}", "text=y")


def test_pandas_parquet_with_whole_number_ids_categories_and_missing_labels(tmp_path: Path) -> None:
    nodes = pd.DataFrame({"id": [1, 2, 3], "label": [0.0, 1.0, np.nan], "kind": pd.Categorical(["p", "q", "p"])})
    nodes.to_parquet(tmp_path / "nodes")
    pd.DataFrame({"source": [1, 2], "target": [2, 3]}).to_parquet(tmp_path / "edges")
    graph = read_csv(tmp_path / "edges", tmp_path / "nodes")
    assert (graph.names.tolist(), graph.class_names) == (["1", "2", "3"], ("0", "1"))
    assert graph.y is not None
    assert graph.y.tolist() == [0, 1, -1]
    assert graph.attribute_names == ("kind=p", "kind=q")


def test_parquet_rows_are_counted_from_one(tmp_path: Path) -> None:
    pd.DataFrame({"source": ["a"], "target": ["zz"]}).to_parquet(tmp_path / "edges")
    pd.DataFrame({"id": ["a", "b"]}).to_parquet(tmp_path / "nodes")
    with pytest.raises(InputError, match="edges row 1, column 'target': node 'zz'"):
        read_csv(tmp_path / "edges", tmp_path / "nodes")


@pytest.mark.parametrize(
    ("column", "why"),
    [
        ([[1.0], [2.0]], "column 'c' holds list"),
        (pd.to_datetime(["2024-01-01", "2024-01-02"]), "column 'c' holds timestamp"),
    ],
)
def test_parquet_columns_that_are_no_attributes_are_refused(tmp_path: Path, column: object, why: str) -> None:
    pd.DataFrame({"source": ["a"], "target": ["b"]}).to_parquet(tmp_path / "edges")
    pd.DataFrame({"id": ["a", "b"], "c": column}).to_parquet(tmp_path / "nodes")
    with pytest.raises(InputError, match=why):
        read_csv(tmp_path / "edges", tmp_path / "nodes")


@pytest.mark.parametrize("number", [1.5, float("inf"), 1e300])
def test_fractions_and_numbers_beyond_exactness_are_no_ids(tmp_path: Path, number: float) -> None:
    pd.DataFrame({"source": [number], "target": [2.0]}).to_parquet(tmp_path / "edges")
    with pytest.raises(InputError, match="column 'source' holds numbers that are not whole"):
        read_csv(tmp_path / "edges")


TRAINED = "id,label,age,old,city,note\na,x,1,true,Ulm,p\nb,y,,false,Bonn,q\nc,,3,true,Ulm,r\n"


def trained(tmp_path: Path) -> Schema:
    graph = read_csv(*pair(tmp_path, TRAINED), fill="mean", ignore=["note"])
    assert graph.schema is not None
    return Schema.from_dict(graph.schema.to_dict())


def test_the_schema_says_what_every_column_became(tmp_path: Path) -> None:
    assert trained(tmp_path) == Schema(
        columns=(
            Column("age", "numeric", fill=2.0),
            Column("old", "boolean", fill=2 / 3),
            Column("city", "categorical", ("Bonn", "Ulm"), fill=0.0),
        ),
        label="label",
        classes=("x", "y"),
        ignored=("note",),
    )


def test_new_files_give_the_same_attributes_in_the_same_order(tmp_path: Path) -> None:
    schema = trained(tmp_path)
    graph = read_csv(*pair(tmp_path, "city,age,old,id\nUlm,,true,a\nUlm,4,false,b\nUlm,5,true,c\n"), schema=schema)
    assert graph.attribute_names == ("age", "old", "city=Bonn", "city=Ulm")
    assert dense(graph)[0] == [2, 1, 0, 1]
    assert (graph.class_names, graph.y.tolist()) == (("x", "y"), [-1, -1, -1])  # type: ignore[union-attr]
    assert graph.schema == schema


def test_a_schema_may_be_the_dictionary_that_a_model_keeps(tmp_path: Path) -> None:
    schema = trained(tmp_path)
    paths = pair(tmp_path, "id,age,old,city\na,1,true,Ulm\nb,2,true,Ulm\nc,3,true,Bonn\n")
    graph = read_csv(*paths, schema=schema.to_dict())
    assert graph.schema == schema
    assert graph.fingerprint() == read_csv(*paths, schema=schema).fingerprint()
    with pytest.raises(InputError, match="not a column schema"):
        read_csv(*paths, schema={"columns": 3})


def test_a_category_never_seen_is_all_zeros_and_noted(tmp_path: Path) -> None:
    schema = trained(tmp_path)
    graph = read_csv(*pair(tmp_path, "id,age,old,city\na,1,true,Rom\nb,2,true,Ulm\nc,3,true,Rom\n"), schema=schema)
    assert dense(graph)[0] == [1, 1, 0, 0]
    assert graph.notes["unseen_categories"] == 2


@pytest.mark.parametrize(
    ("nodes", "line"),
    [
        ("id,age,old\na,1,true\n", "N line 1: no column 'city', which the model was trained on; add it"),
        (
            "id,age,old,city,size\na,1,true,Ulm,3\n",
            "N line 1: column 'size' was not there when the model was trained; remove it or leave it out "
            "(ignore=, --ignore size)",
        ),
        (
            "id,age,old,city\na,1,true,Ulm\nb,old,true,Ulm\n",
            "N line 3, column 'age': 'old' is not a number; correct it",
        ),
        (
            "id,age,old,city\na,1,true,Ulm\nb,1,3,Ulm\n",
            "N line 3, column 'old': expected true or false, got '3'; correct it",
        ),
        (
            "id,age,old,city\na,1,0,Ulm\nb,1,3,Ulm\n",
            "N line 3, column 'old': expected true or false, got 3; correct it",
        ),
        (
            "id,label,age,old,city\na,z,1,true,Ulm\n",
            "N line 2, column 'label': class 'z' is not one of those the model was trained on (x, y); "
            "correct or empty it",
        ),
    ],
)
def test_new_files_with_other_columns_are_refused(tmp_path: Path, nodes: str, line: str) -> None:
    schema = trained(tmp_path)
    e, n = pair(tmp_path, nodes, "source,target\na,a\n")
    with pytest.raises(InputError) as caught:
        read_csv(e, n, schema=schema)
    assert str(caught.value).replace(str(n), "N") == line


def test_a_schema_without_fill_still_refuses_missing_values(tmp_path: Path) -> None:
    graph = read_csv(*pair(tmp_path, "id,age\na,1\nb,2\nc,3\n"))
    paths = pair(tmp_path, "id,age\na,\nb,2\nc,3\n")
    with pytest.raises(InputError, match="the value is missing"):
        read_csv(*paths, schema=graph.schema)
    assert dense(read_csv(*paths, schema=graph.schema, fill="zero"))[0] == [0]


def test_codes_that_look_like_numbers_stay_categories_in_new_files(tmp_path: Path) -> None:
    graph = read_csv(*pair(tmp_path, "id,code\na,01\nb,2+\nc,x\n"), categorical=["code"])
    new = read_csv(*pair(tmp_path, "id,code\na,01\nb,1\nc,01\n"), schema=graph.schema)
    assert dense(new) == [[1, 0, 0], [0, 0, 0], [1, 0, 0]]


def test_something_else_is_no_schema() -> None:
    with pytest.raises(InputError, match="not a column schema"):
        Schema.from_dict({"columns": [{"name": "a", "kind": "odd"}], "label": None, "classes": [], "ignored": []})


def test_a_label_needs_nodes(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="needs a nodes file"):
        read_csv(pair(tmp_path, "")[0], label="topic")


def test_two_classes_are_enough(tmp_path: Path) -> None:
    require_labels(read_csv(*pair(tmp_path, "id,label\na,x\nb,y\nc,\n")))


def test_a_csv_column_cannot_be_named_as_the_id(tmp_path: Path) -> None:
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, x=[[1], [2]], attribute_names=["id"])
    with pytest.raises(InputError, match="attribute names must differ"):
        write_csv(graph, tmp_path / "e", tmp_path / "n")
