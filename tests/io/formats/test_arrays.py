"""SciPy matrices and edge indices become graphs and come back; bad ones are refused in one line."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import given
from hypothesis import strategies as st

import infomotif as im
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import from_edge_index, from_scipy
from tests.graph.graphs import small

FORMATS = ["csr_array", "csc_array", "coo_array", "lil_array", "dok_array", "bsr_array", "csr_matrix"]


@given(st.integers(1, 6), st.booleans(), st.data())
def test_a_matrix_comes_back(n: int, weighted: bool, data: st.DataObject) -> None:
    values = st.sampled_from([0.0, 1.0, 2.5, -3.0]) if weighted else st.sampled_from([0.0, 1.0])
    dense = np.array(data.draw(st.lists(values, min_size=n * n, max_size=n * n))).reshape(n, n)
    np.fill_diagonal(dense, 0)
    graph = from_scipy(sp.csr_array(dense))
    assert graph.to_scipy().toarray().tolist() == dense.tolist()
    assert graph.directed == (not dense.any() or not np.array_equal(dense, dense.T))


@pytest.mark.parametrize("kind", FORMATS)
def test_every_format_is_read(kind: str) -> None:
    matrix = getattr(sp, kind)(np.array([[0, 1, 0], [0, 0, 1], [1, 0, 0]]))
    graph = from_scipy(matrix)
    assert (graph.directed, graph.num_edges, graph.csr.weights) == (True, 3, None)


def test_repeated_entries_are_added_zeros_are_no_edges_and_the_matrix_stays_as_it_was() -> None:
    matrix = sp.coo_array(([1.0, 1.5, 0.0, 4.0], ([0, 0, 1, 2], [1, 1, 2, 2])), shape=(3, 3))
    graph = from_scipy(matrix)
    assert (graph.to_scipy().toarray().tolist(), matrix.nnz) == ([[0, 2.5, 0], [0, 0, 0], [0, 0, 0]], 4)
    assert dict(graph.notes) == {"self_loops": 1}


def test_the_matrix_of_a_graph_without_weights_counts_walks_exactly() -> None:
    matrix = small(weights=None).to_scipy()
    assert matrix.dtype == np.int64
    matrix.data[:] = 0


@pytest.mark.parametrize(
    ("matrix", "why"),
    [
        (np.eye(2), r"expected a SciPy sparse matrix \(got ndarray\); wrap it"),
        (sp.csr_array((2, 3)), r"must be square \(got shape \(2, 3\)\)"),
        (sp.coo_array([1, 2]), "must be square"),
        (sp.csr_array([[0, np.nan], [0, 0]]), r"entry \[0, 1\] of the matrix is nan, not a finite number; correct it"),
        (sp.csr_array([[0, 0], [np.inf, 0]]), r"entry \[1, 0\] of the matrix is inf"),
        (sp.csr_array([[0, 1e300], [0, 0]]), r"entry \[0, 1\] of the matrix is 1e\+300"),
        (sp.csr_array([[0, 1j], [0, 0]]), "must hold numbers"),
    ],
)
def test_bad_matrices_are_refused(matrix: object, why: str) -> None:
    with pytest.raises(InputError, match=why):
        from_scipy(matrix)


@pytest.mark.parametrize("wrap", [np.array, torch.tensor], ids=["numpy", "torch"])
def test_an_edge_index_is_read(wrap) -> None:
    graph = from_edge_index(wrap([[0, 1, 1], [1, 0, 2]]), weights=wrap([1.0, 1.0, 2.0]), x=wrap([[1.0]] * 3))
    assert (graph.directed, graph.num_nodes, graph.num_edges, graph.num_attributes) == (True, 3, 3, 1)
    assert graph.to_scipy().toarray().tolist() == [[0, 1, 0], [1, 0, 2], [0, 0, 0]]


def test_an_edge_index_comes_back() -> None:
    edges = torch.tensor([[0, 0, 1, 2], [1, 2, 0, 0]])
    back = from_edge_index(edges, num_nodes=5).to_edge_index()
    assert (back.tolist(), back.dtype) == (edges.tolist(), torch.int64)


def test_self_loops_and_repeated_edges_are_counted() -> None:
    graph = from_edge_index(np.array([[0, 0, 0, 1], [1, 1, 0, 0]]))
    assert (graph.num_edges, graph.directed) == (1, False)
    assert dict(graph.notes) == {"self_loops": 1, "repeated_edges": 1, "both_directions": 1}


@pytest.mark.parametrize(
    ("edge_index", "options", "why"),
    [
        ([[0, 1], [1, 2], [2, 0]], {}, r"shape \[2, edges\] \(got \[3, 2\]\); transpose it"),
        ([0, 1], {}, r"shape \[2, edges\] \(got \[2\]\)"),
        ([[0.0, 1.0], [1.0, np.nan]], {}, r"must hold node numbers \(got float64\)"),
        ([[0, -1], [1, 0]], {}, r"must lie in 0\.\.1 \(got -1\)"),
        ([[0, 5], [1, 0]], {"num_nodes": 3}, r"must lie in 0\.\.2 \(got 5\)"),
        ([[0, 10**12], [1, 0]], {}, r"2 edges and the node number 1000000000000; number the nodes from 0"),
        ([[0], [1]], {"weights": [np.nan]}, "edge weights must be finite"),
        ([[0], [1]], {"weights": [1, 2]}, "one entry per edge"),
    ],
)
def test_bad_edge_indices_are_refused(edge_index, options, why) -> None:
    with pytest.raises(InputError, match=why):
        from_edge_index(np.array(edge_index), **options)


def test_an_empty_edge_index_is_a_graph_without_edges() -> None:
    assert from_edge_index(np.zeros((2, 0)), num_nodes=3).num_nodes == 3


def test_the_graph_itself_is_a_door() -> None:
    matrix = sp.csr_array([[0, 1], [1, 0]])
    assert repr(Graph.from_scipy(matrix, name="pair")) == repr(im.from_scipy(matrix, name="pair"))
    assert Graph.from_edge_index(np.array([[0], [1]]), directed=True).num_edges == 1


@pytest.mark.parametrize("wrap", [sp.csr_array, sp.coo_matrix])
def test_motifs_are_counted_in_a_matrix(wrap) -> None:
    assert im.MotifIndex(wrap(1 - np.eye(4, dtype=int)), ["M7"]).totals.tolist() == [4]


def test_motifs_are_counted_in_an_edge_index() -> None:
    edges = np.array([[0, 1, 2], [1, 2, 0]])
    assert im.MotifIndex(torch.from_numpy(np.hstack([edges, edges[::-1]])), ["M7"]).totals.tolist() == [1]
