"""The Graph: what goes in comes out, and nothing changes it."""

from __future__ import annotations

import contextlib
import copy
import io
from multiprocessing import Pipe
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from rich.console import Console
from torch_geometric.data import Data

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.csr import index_type
from infomotif.graph.schema import Column, Schema
from infomotif.io import from_pyg
from tests.graph.graphs import pairs, small


def test_rows_are_sorted_and_complete() -> None:
    graph = small()
    assert graph.csr.indptr.tolist() == [0, 1, 2, 4, 4, 4]
    assert graph.csr.indices.tolist() == [1, 2, 0, 3]


def test_self_loops_and_repeats_are_dropped_and_counted() -> None:
    graph = Graph.from_edges([0, 0, 1, 1], [1, 1, 1, 0], num_nodes=2, directed=True)
    assert pairs(graph.csr) == {(0, 1), (1, 0)}
    assert dict(graph.notes) == {"self_loops": 1, "repeated_edges": 1}


def test_an_undirected_edge_is_stored_both_ways_and_counts_once() -> None:
    graph = Graph.from_edges([0, 1, 2], [1, 0, 1], num_nodes=3, directed=False)
    assert pairs(graph.csr) == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert graph.num_edges == 2
    assert dict(graph.notes) == {"both_directions": 1}


def test_of_repeated_edges_the_first_weight_counts() -> None:
    directed = Graph.from_edges([0, 0, 1], [1, 1, 0], num_nodes=2, directed=True, weights=[5, 6, 7])
    assert directed.csr.weights is not None
    assert directed.csr.weights.tolist() == [5, 7]
    undirected = Graph.from_edges([1, 0], [0, 1], num_nodes=2, directed=False, weights=[5, 6])
    assert undirected.csr.weights is not None
    assert undirected.csr.weights.tolist() == [5, 5]


@settings(deadline=None, max_examples=60)
@given(st.integers(1, 8), st.data())
def test_edges_equal_a_set_of_pairs(n: int, data: st.DataObject) -> None:
    ends = data.draw(hnp.arrays(np.int64, st.tuples(st.just(2), st.integers(0, 30)), elements=st.integers(0, n - 1)))
    directed = data.draw(st.booleans())
    graph = Graph.from_edges(ends[0], ends[1], num_nodes=n, directed=directed)
    expected = {(u, v) for u, v in ends.T.tolist() if u != v}
    expected |= set() if directed else {(v, u) for u, v in expected}
    assert pairs(graph.csr) == expected
    assert pairs(graph.undirected) == expected | {(v, u) for u, v in expected}
    assert pairs(graph.reverse) == {(v, u) for u, v in expected}
    assert graph.degrees.tolist() == [sum(u == v for u, _ in pairs(graph.undirected)) for v in range(n)]
    dropped = sum(graph.notes.get(key, 0) for key in ("self_loops", "repeated_edges", "both_directions"))
    assert graph.num_edges + dropped == ends.shape[1]


@pytest.mark.parametrize("kind", [np.int8, np.int32, np.int64, np.uint32, np.uint64])
def test_any_kind_of_whole_numbers_is_an_end(kind: type[np.integer[Any]]) -> None:
    graph = Graph.from_edges(np.array([0, 1], kind), np.array([1, 2], np.int64), num_nodes=3, directed=True)
    assert pairs(graph.csr) == {(0, 1), (1, 2)}
    assert graph.csr.indices.dtype == np.int32


def test_indices_are_32_bits_where_they_fit() -> None:
    assert small().csr.indptr.dtype == small().csr.indices.dtype == np.int32
    assert index_type(2**31 - 1, 10) is np.int32
    assert index_type(2**31, 10) is np.int64
    assert index_type(10, 2**31) is np.int64


@pytest.mark.parametrize("sparse", [False, True])
def test_nothing_can_be_changed(sparse: bool) -> None:
    x = np.array([[1, 0], [0, 2]], dtype=np.float32)
    y, weights = np.array([0, 1]), np.array([1.0])
    graph = Graph.from_edges(
        [0], [1], num_nodes=2, directed=True, x=sp.csr_array(x) if sparse else x, y=y, weights=weights, names=["a", "b"]
    )
    before = graph.fingerprint()
    for array in (
        graph.csr.indptr,
        graph.csr.indices,
        graph.csr.weights,
        graph.y,
        graph.names,
        graph.undirected.indices,
    ):
        assert array is not None
        with pytest.raises(ValueError, match="read-only"):
            array[0] = array[0]
        with pytest.raises(ValueError, match="WRITEABLE"):
            array.flags.writeable = True
    for key in ("x", "y", "name", "directed", "csr", "fresh"):
        with pytest.raises(AttributeError):
            setattr(graph, key, None)
        with pytest.raises(AttributeError):
            delattr(graph, key)
    with pytest.raises(TypeError):
        graph.notes["more"] = 1  # type: ignore[index]
    x[:], y[:], weights[:] = 9, 0, 9
    own: Any = graph.x
    with contextlib.suppress(ValueError):
        own[0, 1] = 5
    again = Graph.from_edges(
        [0], [1], num_nodes=2, directed=True, x=graph.x, y=graph.y, weights=graph.csr.weights, names=["a", "b"]
    )
    assert graph.fingerprint() == again.fingerprint() == before


def test_a_copy_is_the_graph_itself() -> None:
    graph = small()
    assert copy.copy(graph) is graph
    assert copy.deepcopy(graph) is graph


@pytest.mark.parametrize("sparse", [False, True])
def test_processes_can_hand_graphs_to_each_other(sparse: bool) -> None:
    graph = small(weights=[1, 2, 3, 4], schema=Schema((Column("height", "numeric"), Column("width", "numeric"))))
    graph = graph.replace(x=sp.csr_array(graph.x), schema=graph.schema) if sparse else graph
    here, there = Pipe()
    here.send(graph)
    back = there.recv()
    assert back.fingerprint() == graph.fingerprint()
    assert (back.names.tolist(), back.schema, dict(back.notes)) == (
        graph.names.tolist(),
        graph.schema,
        dict(graph.notes),
    )
    with pytest.raises(AttributeError):
        back.name = "other"


PINNED = "b6c9f52cdbfcf8fae3bfa7b2dd7a9dec345b266004a739918b9e50f6d4d9ad0a"


def test_the_fingerprint_stays_the_same_from_release_to_release() -> None:
    assert small().fingerprint() == PINNED


def test_the_fingerprint_does_not_see_how_things_are_stored() -> None:
    graph = small()
    x = np.asarray(graph.x)
    rows, columns = np.nonzero(x)
    with_a_zero: Any = (np.append(x[rows, columns], 0), (np.append(rows, 2), np.append(columns, 0)))
    stored: Any = sp.csr_array(with_a_zero, shape=x.shape)
    assert stored.nnz == len(rows) + 1
    assert small(x=stored).fingerprint() == PINNED
    assert small(x=sp.coo_matrix(x)).fingerprint() == PINNED
    assert small(x=-0.0 * (x == 0) + x).fingerprint() == PINNED
    assert small(names=["v", "w", "x", "y", "z"], name="other", attribute_names=None).fingerprint() == PINNED


@pytest.mark.parametrize(
    "change",
    [
        {"directed": False},
        {"num_nodes": 6, "x": np.zeros((6, 2)), "y": [0] * 6, "names": None},
        {"weights": [1, 1, 1, 1]},
        {"x": None, "attribute_names": None},
        {"x": [[1, 0], [0, 2], [0, 0], [3, 4], [0.5, 1e-30]]},
        {"x": [[1, 0, 0], [0, 2, 0], [0, 0, 0], [3, 4, 0], [0.5, 0, 0]], "attribute_names": None},
        {"y": [0, 1, -1, 0, 0]},
        {"y": [0, 1, -1, 0, -1]},
        {"y": None},
        {"class_names": ["red", "green"]},
        {"class_names": ["red", "blue", "green"]},
    ],
)
def test_the_fingerprint_sees_structure_attributes_and_labels(change: dict[str, Any]) -> None:
    assert small(**change).fingerprint() != PINNED


def test_the_fingerprint_sees_weights_and_the_borders_of_class_names() -> None:
    assert small(weights=[1, 1, 1, 1]).fingerprint() != small(weights=[1, 1, 1, 2]).fingerprint()
    assert small(class_names=["ab", "c"]).fingerprint() != small(class_names=["a", "bc"]).fingerprint()


def test_a_subgraph_keeps_everything_of_its_nodes() -> None:
    graph = small(weights=[1, 2, 3, 0])
    part = graph.subgraph([3, 2, 0])
    assert part.names.tolist() == ["d", "c", "a"]
    assert pairs(part.csr) == {(1, 0), (1, 2)}
    assert part.csr.weights is not None
    assert part.csr.weights.tolist() == [1, 0]
    assert np.asarray(part.x).tolist() == [[3, 4], [0, 0], [1, 0]]
    assert (part.y.tolist(), part.class_names, part.attribute_names) == (
        [0, -1, 0],
        graph.class_names,
        ("height", "width"),
    )  # type: ignore[union-attr]
    assert part.subgraph(np.array([True, False, True])).names.tolist() == ["d", "a"]
    assert part.subgraph([]).num_nodes == 0


@pytest.mark.parametrize("nodes", [[0, 0], [5], [-1], [0.5], [True, False]])
def test_a_subgraph_of_nodes_that_are_not_there_is_refused(nodes: list[Any]) -> None:
    with pytest.raises(InputError):
        small().subgraph(nodes)


def test_the_largest_component_ignores_directions() -> None:
    part = small().largest_component()
    assert part.names.tolist() == ["a", "b", "c", "d"]
    assert dict(part.notes) == {"nodes_outside_component": 1}
    assert part.largest_component() is part


def test_of_equal_components_the_first_is_taken() -> None:
    graph = Graph.from_edges([0, 2], [3, 1], num_nodes=4, directed=True)
    assert graph.largest_component().names.tolist() == ["0", "3"]


def test_a_graph_without_nodes_or_edges() -> None:
    empty = Graph.from_edges([], [], num_nodes=0, directed=True, y=[], x=np.empty((0, 2)))
    assert (empty.num_nodes, empty.num_edges, empty.largest_component().num_nodes) == (0, 0, 0)
    assert len(empty.fingerprint()) == 64
    lone = Graph.from_edges([], [], num_nodes=3, directed=False)
    assert lone.undirected.indptr.tolist() == [0, 0, 0, 0]
    assert lone.largest_component().num_nodes == 1
    Console(file=io.StringIO()).print(empty, lone)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"num_nodes": 3}, "edge endpoints must lie in 0..2 (got 3)"),
        ({"num_nodes": -1}, "num_nodes must not be negative (got -1)"),
        ({"x": [[1.0]] * 4}, "attributes must have one row per node: expected 5 rows, got 4"),
        ({"x": [1.0] * 5}, "attributes must be a matrix [nodes, attributes] (got 1 dimensions)"),
        (
            {"x": [[1, 2], [1, 2], [1, 2], [1, np.nan], [1, 2]]},
            "attributes must be finite numbers (got nan at position [3, 1])",
        ),
        ({"x": sp.csr_array([[np.inf, 1]] * 5)}, "attributes must be finite numbers (got inf at position [0])"),
        ({"weights": [1, 2, 3, np.inf]}, "edge weights must be finite numbers (got inf at position [3])"),
        ({"weights": [1, 2]}, "weights must have one entry per edge: expected 4, got 2"),
        ({"y": [0, 1]}, "labels must have one entry per node: expected 5, got shape (2,)"),
        ({"y": [0, 1, 2, 0, 0]}, "labels must lie in -1..1, as there are 2 class names"),
        ({"y": [0, 1, -2, 0, 0]}, "labels must lie in -1..1, as there are 2 class names"),
        ({"y": [0.0] * 5}, "labels must be class numbers, -1 where unknown; readers turn names into numbers"),
        ({"class_names": ["red", "red"]}, "class names must differ from each other"),
        ({"names": ["a"] * 5}, "node names must be unique ('a' occurs 5 times)"),
        ({"names": ["a", "b"]}, "names must have one entry per node: expected 5, got 2"),
        ({"attribute_names": ["height"]}, "attribute_names must name all 2 attributes (got 1)"),
    ],
)
def test_what_does_not_fit_is_refused(change: dict[str, Any], why: str) -> None:
    with pytest.raises(InputError) as caught:
        small(**change)
    assert str(caught.value) == why


@pytest.mark.parametrize(
    ("source", "target", "why"),
    [
        ([0.0], [1.0], "source and target must be node numbers"),
        ([0, 1], [1], "source and target must be one-dimensional and of equal length"),
        ([-1], [0], "edge endpoints must lie in 0..1 (got -1)"),
    ],
)
def test_ends_that_are_no_nodes_are_refused(source: list[Any], target: list[Any], why: str) -> None:
    with pytest.raises(InputError) as caught:
        Graph.from_edges(source, target, num_nodes=2, directed=True)
    assert str(caught.value).startswith(why)


def test_one_long_name_does_not_widen_the_others() -> None:
    names = ["x" * 100_000, *map(str, range(1000))]
    graph = Graph.from_edges([0], [1], num_nodes=1001, directed=True, names=names)
    assert graph.names.tolist() == names
    assert graph.names.nbytes < 100_000
    assert graph.index_of(names[0]) == 0


def test_a_name_may_end_in_nul() -> None:
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, names=["a", "a\0"])
    assert graph.names.tolist() == ["a", "a\0"]


def test_nodes_are_found_by_name() -> None:
    assert small().index_of("d") == 3
    with pytest.raises(InputError, match=r"no node is named 'q' in small \(5 nodes\)"):
        small().index_of("q")


def test_names_stand_for_themselves_by_default() -> None:
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=True, x=np.eye(2))
    assert (graph.names.tolist(), graph.attribute_names) == (["0", "1"], ("x0", "x1"))


def test_replaced_class_names_fit_the_labels() -> None:
    assert small().replace(class_names=["p", "q"]).class_names == ("p", "q")
    with pytest.raises(InputError, match=r"labels must lie in -1..0"):
        small().replace(class_names=["p"])


def test_replace_changes_only_what_it_names() -> None:
    schema = Schema((Column("height", "numeric"), Column("width", "numeric")))
    graph = small(schema=schema, weights=[1, 2, 3, 4])
    assert graph.replace(name="other").schema == schema
    wide = graph.replace(x=np.zeros((5, 3)))
    assert (wide.attribute_names, wide.schema) == (("x0", "x1", "x2"), None)
    assert graph.replace(y=[1, 1, 1, 1, 0]).class_names == ("red", "blue")
    assert graph.replace(y=None).num_classes == 0
    assert wide.csr.weights is not None
    with pytest.raises(InputError, match="replace"):
        graph.replace(indices=[1])


def test_the_schema_goes_with_parts_of_the_graph() -> None:
    schema = Schema((Column("height", "numeric"), Column("width", "numeric")))
    assert small(schema=schema).largest_component().schema == schema


def test_it_says_what_it_is() -> None:
    assert repr(small()) == "Graph('small', 5 nodes, 4 directed edges, 2 attributes, 2 classes)"
    console = Console(width=100, record=True, file=io.StringIO())
    console.print(Graph.from_edges([0, 0], [1, 0], num_nodes=2, directed=False, y=[0, -1], class_names=["[red]"]))
    text = console.export_text()
    for part in ("1 undirected", "[red] 1", "without a label", "1 self loops dropped"):
        assert part in text


def test_a_part_of_a_graph_may_have_fewer_nodes_than_classes() -> None:
    data = Data(edge_index=torch.tensor([[0], [1]]), y=torch.tensor([171, 39]), num_nodes=2)
    assert from_pyg(data).num_classes == 172
