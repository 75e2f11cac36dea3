"""Data frames of several libraries become the same graph as a file with the same columns."""

from __future__ import annotations

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest

import infomotif as im
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import from_dataframe, read_csv

EDGES = {"source": ["007", "b", "b"], "target": ["b", "c", "007"], "weight": [1.0, 2.0, 0.5]}
NODES = {"id": ["007", "b", "c"], "topic": ["x", "y", None], "age": [1, 2, 3], "city": ["Bonn", "Ulm", "Ulm"]}
KINDS = {"pandas": pd.DataFrame, "polars": pl.DataFrame, "pyarrow": pa.table, "dictionary": dict}


@pytest.mark.parametrize("kind", KINDS.values(), ids=KINDS)
def test_a_frame_is_read_as_a_file_is(kind, tmp_path) -> None:
    pd.DataFrame(EDGES).to_csv(tmp_path / "edges.csv", index=False)
    pd.DataFrame(NODES).to_csv(tmp_path / "nodes.csv", index=False)
    written = read_csv(tmp_path / "edges.csv", tmp_path / "nodes.csv", label="topic")
    graph = from_dataframe(kind(EDGES), kind(NODES), label="topic")
    assert graph.fingerprint() == written.fingerprint()
    assert graph.names.tolist() == written.names.tolist()
    assert (graph.attribute_names, graph.schema) == (written.attribute_names, written.schema)


@pytest.mark.parametrize(
    "frame",
    [
        pd.DataFrame({"source": [2, 10], "target": [10, -7]}),
        pl.DataFrame({"source": [2, 10], "target": [10, -7]}),
        pd.DataFrame({"source": [2.0, 10.0], "target": [10.0, -7.0]}),
        pl.DataFrame({"source": ["2", "10"], "target": ["10", "-7"]}, schema_overrides={"source": pl.Categorical}),
        pd.DataFrame({"source": ["2", "10"], "target": ["10", "-7"]}, dtype="category"),
        pd.DataFrame({"source": [2, 10], "target": [10, -7]}, index=["p", "q"]),
    ],
    ids=["pandas", "polars", "floats", "polars categories", "pandas categories", "index"],
)
def test_ids_of_any_kind_become_names(frame) -> None:
    graph = from_dataframe(frame)
    assert (graph.names.tolist(), graph.num_edges) == (["-7", "2", "10"], 2)


def test_columns_are_chosen_by_name() -> None:
    frame = pl.DataFrame({"a": [1, 1], "b": [2, 3], "w": [3, 4]})
    graph = from_dataframe(frame, source="a", target="b", weight="w", directed=False)
    assert graph.to_scipy().toarray().tolist() == [[0, 3, 4], [3, 0, 0], [4, 0, 0]]


def test_a_named_index_of_pandas_is_a_column() -> None:
    nodes = pd.DataFrame({"age": [1.0, 2.0]}, index=pd.Index(["a", "b"], name="id"))
    graph = from_dataframe(pd.DataFrame({"source": ["a"], "target": ["b"]}), nodes)
    assert (graph.names.tolist(), graph.attribute_names) == (["a", "b"], ("age",))


@pytest.mark.parametrize(
    ("edges", "nodes", "why"),
    [
        (
            {"from": [1], "target": [2]},
            None,
            r"edges: no column 'source'; columns: from, target \(choose with source of from_dataframe\)",
        ),
        ({"source": [1.0, np.nan], "target": [2, 3]}, None, "edges row 1, column 'source': the node is empty; fill it"),
        ({"source": [1, None], "target": [2, 3]}, None, "edges row 1, column 'source': the node is empty"),
        ({"source": [1.5], "target": [2]}, None, "column 'source' holds numbers that are not whole"),
        (
            {"source": [1], "target": [2], "weight": [np.nan]},
            None,
            "edges row 0, column 'weight': the weight is missing",
        ),
        ({"source": [1], "target": [2], "weight": [np.inf]}, None, "weight is inf, not a finite number; correct it"),
        ({"source": [1], "target": [2]}, {"id": [1]}, "edges row 0, column 'target': node '2' has no row in nodes"),
        ({"source": [1], "target": [2]}, {"id": [1, 2, 1]}, "nodes row 2: id '1' is already on row 0; keep one"),
        ({"source": [], "target": []}, None, "edges: no edge"),
        ({"source": [[1]], "target": [2]}, None, "column 'source' holds list"),
    ],
)
def test_bad_frames_are_refused(edges, nodes, why) -> None:
    with pytest.raises(InputError, match=why):
        from_dataframe(pa.table(edges), None if nodes is None else pa.table(nodes))


def test_a_column_of_several_types_is_refused() -> None:
    frame = pd.DataFrame({"source": [1, "a"], "target": [2, 3]}, dtype=object)
    with pytest.raises(InputError, match="edges: the data frame cannot be read .*; give each column one type"):
        from_dataframe(frame)


def test_columns_of_one_name_are_refused() -> None:
    with pytest.raises(InputError, match="two columns are called 'a'"):
        from_dataframe(pa.table([pa.array([1]), pa.array([2])], names=["a", "a"]))


def test_an_array_is_refused() -> None:
    with pytest.raises(InputError, match="edges must be a data frame of pandas, polars or pyarrow"):
        from_dataframe(np.zeros((2, 2)))


def test_motifs_are_counted_in_a_frame() -> None:
    frame = pl.DataFrame({"source": ["a", "b", "c"], "target": ["b", "c", "a"]})
    assert im.MotifIndex(frame, ["M5"]).totals.tolist() == [1]
    assert Graph.from_dataframe(frame, directed=False).num_edges == 3
