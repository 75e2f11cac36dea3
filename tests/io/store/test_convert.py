"""Converting in blocks gives the graph that reading at once gives, and says as exactly what is wrong."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import ReadOptions, convert_csv, read_csv, write_csv, write_parquet
from infomotif.io.store.convert import convert
from infomotif.io.store.external_sort import Limits
from tests.io.strategies import assert_same, graphs


def in_tiny_blocks(edges: Path, nodes: Path | None, folder: Path, *, block: int = 40, **options: Any) -> Graph:
    """Convert with blocks of a few records and ranges of a few edges."""
    limits = Limits(edges=3, piece=5, files=1000)
    return convert(edges, nodes, folder, ReadOptions(**options), block=block, limits=limits)


def same_both_ways(edges: Path, nodes: Path | None, **options: Any) -> None:
    with tempfile.TemporaryDirectory() as folder:
        expected = read_csv(edges, nodes, **options)
        found = in_tiny_blocks(edges, nodes, Path(folder, "store"), **options)
        assert_same(expected, found)
        assert expected.schema == found.schema
        assert isinstance(expected.x, np.ndarray) == isinstance(found.x, np.ndarray)
        for kind in ("reverse", "undirected"):
            for one, other in zip(getattr(expected, kind)[:2], getattr(found, kind)[:2], strict=True):
                assert np.array_equal(one, other)


@settings(deadline=None, max_examples=25)
@given(graphs(), st.sampled_from(["csv", "csv.gz", "parquet"]), st.booleans())
def test_any_graph_is_converted_as_it_is_read(graph: Graph, kind: str, both: bool) -> None:
    with tempfile.TemporaryDirectory() as folder:
        edges, nodes = Path(folder, f"edges.{kind}"), Path(folder, f"nodes.{kind}")
        (write_parquet if kind == "parquet" else write_csv)(graph, edges, nodes)
        same_both_ways(edges, nodes, directed=graph.directed)
        if graph.num_edges and both:
            same_both_ways(edges, None, directed=graph.directed)


@settings(deadline=None, max_examples=20)
@given(
    st.lists(st.tuples(*[st.integers(0, 9)] * 3), min_size=1, max_size=40),
    st.booleans(),
    st.booleans(),
    st.sampled_from(["error", "drop"]),
)
def test_loops_repetitions_and_unknown_nodes_are_counted_alike(edges, directed: bool, weighted: bool, unknown: str):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        frame = pd.DataFrame(edges, columns=["source", "target", "weight"])
        frame if weighted else frame.drop(columns="weight")
        frame.to_csv(folder / "edges.csv", index=False)
        known = 10 if unknown == "error" else 8
        pd.DataFrame({"id": range(known), "y": "a"}).to_csv(folder / "nodes.csv", index=False)
        same_both_ways(folder / "edges.csv", folder / "nodes.csv", directed=directed, unknown=unknown)


FIELDS = ["1", "0", "-2.5", "1e3", "true", "false", "", "NA", "x", "a,b", "2020-01-01", "12:30:00", "7", "two\nlines"]


@settings(deadline=None, max_examples=40)
@given(st.data(), st.sampled_from([None, "zero", "mean", "2"]))
def test_columns_of_any_mixture_become_the_same_attributes(data: st.DataObject, fill: str | None) -> None:
    pools = st.sampled_from(
        [
            FIELDS,
            FIELDS[:4],
            FIELDS[4:8],
            ["0", "1", "true"],
            ["0", "Yes", "no", "NA"],
            FIELDS[6:9],
            ["", "NA", "5"],
            FIELDS[-4:],
        ]
    )
    n = data.draw(st.integers(1, 20))
    columns = {
        f"c{i}": data.draw(st.lists(st.sampled_from(data.draw(pools)), min_size=n, max_size=n)) for i in range(3)
    }
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "edges.csv").write_text("source,target\n0,0\n")
        pd.DataFrame({"id": range(n), "label": "ab"[n % 2], **columns}).to_csv(folder / "nodes.csv", index=False)
        try:
            read_csv(folder / "edges.csv", folder / "nodes.csv", fill=fill)
        except InputError:
            with pytest.raises(InputError):
                in_tiny_blocks(folder / "edges.csv", folder / "nodes.csv", folder / "store", fill=fill)
            assert not (folder / "store").exists()
        else:
            same_both_ways(folder / "edges.csv", folder / "nodes.csv", fill=fill)


def test_a_category_without_values_is_no_attribute(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("source,target\n0,1\n")
    (tmp_path / "nodes.csv").write_text("id,a\n0,\n1,\n")
    same_both_ways(tmp_path / "edges.csv", tmp_path / "nodes.csv", fill="zero", categorical=["a"])
    with pytest.raises(InputError, match="nodes.csv line 2, column 'a': the value is missing"):
        in_tiny_blocks(tmp_path / "edges.csv", tmp_path / "nodes.csv", tmp_path / "s", categorical=["a"])


def test_missing_labels_are_no_classes(tmp_path: Path) -> None:
    labels = ["x", "NA", "y", "nan", "None", "x", "", "y"]
    (tmp_path / "edges.csv").write_text("source,target\n0,1\n")
    pd.DataFrame({"id": range(8), "label": labels}).to_csv(tmp_path / "nodes.csv", index=False)
    same_both_ways(tmp_path / "edges.csv", tmp_path / "nodes.csv")
    pd.DataFrame({"id": range(8), "label": labels}).to_parquet(tmp_path / "nodes.parquet")
    same_both_ways(tmp_path / "edges.csv", tmp_path / "nodes.parquet")
    graph = read_csv(tmp_path / "edges.csv", tmp_path / "nodes.parquet")
    assert graph.y is not None
    assert graph.y.tolist() == [0, -1, 1, -1, -1, 0, -1, 1]


def test_sparse_attributes_stay_sparse(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    columns = {f"w{i}": (rng.random(50) < 0.1).astype(int) for i in range(20)}
    pd.DataFrame({"id": range(50), **columns}).to_csv(tmp_path / "nodes.csv", index=False)
    pd.DataFrame(rng.integers(0, 50, (80, 2)), columns=["source", "target"]).to_csv(tmp_path / "edges.csv", index=False)
    same_both_ways(tmp_path / "edges.csv", tmp_path / "nodes.csv")


def test_half_precision(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("source,target\n0,1\n")
    (tmp_path / "nodes.csv").write_text("id,age\n0,1.5\n1,3.25\n")
    graph = convert_csv(tmp_path / "edges.csv", tmp_path / "nodes.csv", tmp_path / "store", float16=True)
    assert graph.x is not None
    assert (graph.x.dtype, graph.x.ravel().tolist()) == (np.float16, [1.5, 3.25])


BAD = {
    "ragged edges": ("source,target\n0,1\n0\n", None, "edges.csv line 3: expected 2 fields"),
    "empty end": ("source,target\n0,1\n,1\n", None, "edges.csv line 3, column 'source': the node is empty"),
    "no edges": ("source,target\n", None, "edges.csv: no edge follows"),
    "unknown node": ("source,target\n0,1\n0,7\n", "id\n0\n1\n", "edges.csv line 3, column 'target': node '7' has no"),
    "spaces": ("source,target\n0,1\n0, 1\n", "id\n0\n1\n", "remove the spaces around it"),
    "weight": ("source,target,weight\n0,1,2\n0,1,x\n", "id\n0\n1\n", "edges.csv line 3, column 'weight': 'x' is not a"),
    "infinite": ("source,target,weight\n0,1,2\n0,1,inf\n", "id\n0\n1\n", "edges.csv line 3, column 'weight': the wei"),
    "no column": ("from,to\n0,1\n", None, "no column 'source'"),
    "same id": ("source,target\n0,1\n", "id\n0\n1\n2\n1\n", "nodes.csv line 5: id '1' is already on line 3"),
    "empty id": ("source,target\n0,1\n", "id,a\n0,1\n,2\n", "nodes.csv line 3, column 'id': the id is empty"),
    "missing value": ("source,target\n0,1\n", "id,a\n0,1\n1,\n", "nodes.csv line 3, column 'a': the value is missing"),
    "not UTF-8": ("source,target\n0,1\n", b"id,a\n0,x\n1,\xff\n", "nodes.csv line 3: not UTF-8"),
    "open quote": ("source,target\n0,1\n", 'id,a\n0,x\n1,"y\n', "nodes.csv line 3: a quote opens here"),
    "open quote in an unused column": (
        'source,target,note\n0,1,"x\n1,2,\n',
        None,
        "edges.csv line 2: a quote opens here",
    ),
    "quote closed too late": ('source,target,note\n0,1,"x\n1,2,"y"\n', None, "edges.csv line 2: a quote opens here"),
    "no nodes": ("source,target\n0,1\n", "id,a\n", "nodes.csv: no node follows"),
    "text amid numbers": (
        "source,target\n0,1\n",
        "id,a\n0,1\n1,2\n2,b\n",
        "nodes.csv line 4, column 'a': 'b' is not a",
    ),
    "one class": ("source,target\n0,1\n", "id,topic\n0,x\n1,x\n", "all labels are of one class"),
}


@pytest.mark.parametrize("name", BAD)
def test_bad_files_are_refused_with_their_place(name: str, tmp_path: Path) -> None:
    edges, nodes, message = BAD[name]
    (tmp_path / "edges.csv").write_text(edges)
    if nodes is not None:
        (tmp_path / "nodes.csv").write_bytes(nodes if isinstance(nodes, bytes) else nodes.encode())
    label = "topic" if nodes is not None and "topic" in str(nodes) else None
    before = sorted(path.name for path in tmp_path.iterdir())
    given = None if nodes is None else tmp_path / "nodes.csv"
    with pytest.raises(InputError, match=message):
        in_tiny_blocks(tmp_path / "edges.csv", given, tmp_path / "s", block=8, label=label)
    assert sorted(path.name for path in tmp_path.iterdir()) == before


def test_too_many_texts_end_early(tmp_path: Path) -> None:
    (tmp_path / "edges.csv").write_text("source,target\n0,1\n")
    lines = "".join(f"{i},t{i}\n" for i in range(100))
    (tmp_path / "nodes.csv").write_text("id,a\n" + lines)
    with pytest.raises(InputError, match="has more than .* different texts, at most 2 become one-hot"):
        in_tiny_blocks(tmp_path / "edges.csv", tmp_path / "nodes.csv", tmp_path / "store", max_categories=2)
