"""PyG data: what goes in comes out, and what does not fit is explained."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from torch_geometric.data import Data

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import from_pyg
from tests.graph.graphs import pairs, small


def test_pyg_holds_the_same() -> None:
    data = small(weights=[1, 2, 3, 4]).to_pyg()
    assert data.num_nodes == 5
    assert data.edge_index.tolist() == [[0, 1, 2, 2], [1, 2, 0, 3]]
    assert data.edge_weight.tolist() == [2, 3, 4, 1]
    assert data.y.tolist() == [0, 1, -1, 0, 1]
    data.x += 1
    assert np.asarray(small().x)[0, 0] == 1


def test_an_undirected_graph_is_recognised_in_pyg() -> None:
    graph = Graph.from_edges([0, 1], [1, 2], num_nodes=4, directed=False)
    back = from_pyg(graph.to_pyg())
    assert not back.directed
    assert back.num_nodes == 4
    assert back.fingerprint() == graph.fingerprint()


def test_weights_that_differ_by_direction_keep_pyg_graphs_directed() -> None:
    ends = torch.tensor([[0, 1], [1, 0]])
    assert from_pyg(Data(edge_index=ends, edge_weight=torch.tensor([1.0, 5.0]), num_nodes=2)).directed
    assert not from_pyg(Data(edge_index=ends, edge_weight=torch.tensor([5.0, 5.0]), num_nodes=2)).directed


def test_attributes_of_sixteen_bits_in_pyg() -> None:
    data = Data(edge_index=torch.tensor([[0], [1]]), x=torch.ones(2, 3, dtype=torch.bfloat16))
    assert np.asarray(from_pyg(data).x).tolist() == [[1.0] * 3] * 2


@pytest.mark.parametrize("layout", ["coo", "csr"])
def test_sparse_attributes_and_adjacency_of_torch(layout: str) -> None:
    x = torch.tensor([[0.0, 2.0], [1.0, 0.0]])
    adj_t = torch.tensor([[0.0, 0.0], [1.0, 0.0]])
    change = torch.Tensor.to_sparse_coo if layout == "coo" else torch.Tensor.to_sparse_csr
    graph = from_pyg(Data(x=change(x), adj_t=change(adj_t)))  # type: ignore[no-untyped-call]
    assert sp.issparse(graph.x)
    assert graph.x.toarray().tolist() == x.tolist()
    assert pairs(graph.csr) == {(0, 1)}
    assert graph.csr.weights is None


@pytest.mark.parametrize("layout", ["coo", "csr"])
def test_the_values_of_a_sparse_adjacency_are_weights(layout: str) -> None:
    data = Data(edge_index=torch.tensor([[0, 0, 2], [1, 2, 1]]), edge_weight=torch.tensor([1.0, 2.0, 3.0]), num_nodes=3)
    adj_t = torch.sparse_coo_tensor(data.edge_index.flip(0), data.edge_weight, (3, 3))
    graph = from_pyg(Data(adj_t=adj_t if layout == "coo" else adj_t.to_sparse_csr(), num_nodes=3))
    assert graph.csr.weights is not None
    assert graph.fingerprint() == from_pyg(data).fingerprint()


def test_unknown_labels_of_other_conventions() -> None:
    data = Data(edge_index=torch.tensor([[0], [1]]), y=torch.tensor([[-100], [1]]), num_nodes=2)
    graph = from_pyg(data)
    assert graph.y is not None
    assert graph.y.tolist() == [-1, 1]


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (Data(x=torch.eye(2)), r"data.edge_index must have shape \[2, edges\] \(got None\)"),
        (Data(edge_index=torch.zeros(3, 4, dtype=torch.long), num_nodes=2), r"got \(3, 4\)"),
        (Data(edge_index=torch.tensor([[0], [5]]), num_nodes=2), r"edge endpoints must lie in 0..1 \(got 5\)"),
        (Data(edge_index=torch.tensor([[0], [1]]), y=torch.rand(2), num_nodes=2), "one class number per node"),
        (
            Data(edge_index=torch.tensor([[0], [1]]), y=torch.tensor([0, 2**62]), num_nodes=2),
            f"node 1 has the class number {2**62}, .*; number the classes from 0",
        ),
    ],
)
def test_pyg_data_that_does_not_fit_is_refused(data: Data, why: str) -> None:
    with pytest.raises(InputError, match=why):
        from_pyg(data)
