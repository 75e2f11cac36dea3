"""Weights of edges are those of their closure, whatever the order of the edges."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
import torch
from torch_geometric.data import Batch, Data, HeteroData
from torch_geometric.nn import GCNConv
from torch_geometric.utils import from_networkx

import infomotif as im
from infomotif.motifs import closure_weights
from infomotif.pyg import MotifEdgeWeight


@pytest.fixture(scope="module")
def data() -> Data:
    made = from_networkx(nx.gnp_random_graph(40, 0.15, seed=1))
    order = torch.randperm(made.num_edges, generator=torch.Generator().manual_seed(0))
    made.edge_index = made.edge_index[:, order]
    return made


def expected(data: Data) -> np.ndarray:
    return closure_weights(data).toarray()[tuple(data.edge_index.numpy())]


def test_weights_are_floor_and_closure_to_a_power(data):
    weights = MotifEdgeWeight(power=2, floor=0.1)(data.clone()).edge_weight
    np.testing.assert_allclose(weights.numpy(), (0.1 + expected(data)) ** 2, rtol=1e-6)
    assert weights.dtype == torch.float32


def test_power_zero_gives_ones(data):
    assert MotifEdgeWeight(power=0)(data.clone()).edge_weight.eq(1).all()


def test_self_loops_have_weight_one_and_repeated_edges_the_same():
    ends = torch.tensor([[0, 1, 2, 0, 0, 1], [1, 2, 0, 0, 1, 0]])
    data = MotifEdgeWeight(floor=0.0)(Data(edge_index=ends, num_nodes=4))
    assert data.edge_weight.tolist() == [1.0] * 6


def test_the_attribute_may_have_another_name(data):
    made = MotifEdgeWeight(attr_name="closure")(data.clone())
    assert "edge_weight" not in made
    assert made.closure.shape == (data.num_edges,)


def test_lists_and_batches_equal_single_graphs(data):
    graphs = [
        data.clone(),
        Data(edge_index=torch.tensor([[0, 1], [1, 0]]), num_nodes=3),
        data.subgraph(torch.arange(20)),
    ]
    transform = MotifEdgeWeight()
    alone = torch.cat([transform(graph.clone()).edge_weight for graph in graphs])
    torch.testing.assert_close(torch.cat([graph.edge_weight for graph in transform(graphs)]), alone)
    torch.testing.assert_close(transform(Batch.from_data_list(graphs)).edge_weight, alone)
    assert "edge_weight" not in graphs[0]
    assert transform([]) == []


def test_a_layer_of_pyg_takes_the_weights(data):
    made = MotifEdgeWeight()(data.clone())
    assert GCNConv(4, 2)(torch.ones(40, 4), made.edge_index, made.edge_weight).shape == (40, 2)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"power": -1}, "power must be"),
        ({"floor": float("nan")}, "floor must be"),
        ({"attr_name": ""}, "attr_name must"),
    ],
)
def test_bad_arguments_are_explained(options, message):
    with pytest.raises(im.InputError, match=message):
        MotifEdgeWeight(**options)


def test_other_data_is_refused():
    with pytest.raises(im.InputError, match="to_homogeneous"):
        MotifEdgeWeight()(HeteroData())


def test_it_prints_its_settings():
    assert repr(MotifEdgeWeight(2)) == "MotifEdgeWeight(power=2, floor=0.05)"
