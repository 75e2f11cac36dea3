"""Adjacencies: directions are dropped, loops and repeats too, normalisations are PyG's."""

from __future__ import annotations

import pytest
import torch
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import to_dense_adj

from infomotif import Graph, make_roles
from infomotif.errors import InputError
from infomotif.nn import Adjacency


@pytest.fixture(scope="module")
def adjacency():
    return Adjacency.from_graph(make_roles(num_nodes=120))


def test_messages_pass_both_ways_on_a_directed_graph():
    adjacency = Adjacency.from_graph(Graph.from_edges([0], [1], num_nodes=3, directed=True))
    assert adjacency.total.to_dense().tolist() == [[0, 1, 0], [1, 0, 0], [0, 0, 0]]


def test_edge_index_runs_from_source_to_target():
    given = torch.tensor([[0, 2], [1, 1]])
    adjacency = Adjacency.from_edge_index(given, 3)
    assert adjacency.total.to_dense().tolist() == [[0, 0, 0], [1, 0, 1], [0, 0, 0]]
    assert adjacency.edge_index.tolist() == given.tolist()


def test_loops_and_repeats_are_left_out():
    adjacency = Adjacency.from_edge_index(torch.tensor([[0, 0, 1, 1], [1, 1, 1, 0]]), 2)
    assert adjacency.total.to_dense().tolist() == [[0, 1], [1, 0]]


def test_edge_index_and_graph_say_the_same(adjacency):
    again = Adjacency.from_edge_index(adjacency.edge_index, adjacency.num_nodes)
    assert torch.equal(again.total.to_dense(), adjacency.total.to_dense())


def test_gcn_is_pyg_gcn_norm(adjacency):
    index, weight = gcn_norm(adjacency.edge_index, num_nodes=adjacency.num_nodes)
    expected = to_dense_adj(index, edge_attr=weight, max_num_nodes=adjacency.num_nodes)[0].t()
    torch.testing.assert_close(adjacency.gcn.to_dense(), expected)


def test_mean_rows_sum_to_one_or_are_empty():
    adjacency = Adjacency.from_graph(Graph.from_edges([0, 0], [1, 2], num_nodes=4, directed=False))
    assert adjacency.mean.to_dense().sum(dim=1).tolist() == [1, 1, 1, 0]


def test_an_isolated_node_gets_messages_only_from_itself():
    adjacency = Adjacency.from_graph(Graph.from_edges([0], [1], num_nodes=3, directed=False))
    assert adjacency.gcn.to_dense()[2].tolist() == [0, 0, 1]
    assert adjacency.with_loops.indptr.tolist() == [0, 2, 4, 5]


def test_a_graph_without_edges():
    adjacency = Adjacency.from_graph(Graph.from_edges([], [], num_nodes=2, directed=False))
    assert adjacency.gcn.to_dense().tolist() == [[1, 0], [0, 1]]
    assert adjacency.edge_index.shape == (2, 0)


def test_a_wrong_shape_is_named():
    with pytest.raises(InputError, match=r"shape \[2, E\] \(got \[3, 2\]\)"):
        Adjacency.from_edge_index(torch.zeros(3, 2, dtype=torch.long), 4)
