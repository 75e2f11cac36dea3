"""Weighted adjacencies: normalisations, two directions, samples, and what is refused."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch_geometric.nn.conv.gcn_conv import gcn_norm
from torch_geometric.utils import to_dense_adj

from infomotif import GCN, SAGE, Graph, InfoMotif, Inputs, Training, load, make_roles
from infomotif.errors import InputError
from infomotif.nn import ENCODERS, Adjacency, NeighbourSampler, make_encoder
from infomotif.nn.encoders import encode
from infomotif.nn.propagation.adjacency import MessageWeights
from tests.nn.made import mean_of_samples

WEIGHABLE = sorted(ENCODERS)


def weighted(weights=None, *, n: int = 30, directed: bool = False) -> Graph:
    rng = np.random.default_rng(0)
    source, target = rng.integers(0, n, (2, 4 * n))
    keep = source < target
    values = rng.uniform(0.1, 3, keep.sum()) if weights is None else np.broadcast_to(weights, keep.sum())
    x = rng.standard_normal((n, 5)).astype(np.float32)
    return Graph.from_edges(source[keep], target[keep], num_nodes=n, directed=directed, weights=values, x=x)


def encoded(name: str, graph: Graph, adjacency, **options):
    torch.manual_seed(0)
    encoder = make_encoder(name, 5, 8, layers=2, **options).eval()
    return encode(encoder, torch.from_numpy(np.array(graph.x)), adjacency)


def test_gcn_is_pyg_gcn_norm():
    adjacency = Adjacency.from_graph(weighted(), weighted=True)
    index, weight = gcn_norm(adjacency.edge_index, adjacency.edge_weight, num_nodes=30)
    expected = to_dense_adj(index, edge_attr=weight, max_num_nodes=30)[0].t()
    torch.testing.assert_close(adjacency.gcn.to_dense(), expected)


def test_mean_weighs_neighbours_and_is_0_where_all_weigh_nothing():
    graph = Graph.from_edges([0, 0, 3], [1, 2, 4], num_nodes=5, directed=False, weights=[1.0, 3.0, 0.0])
    found = Adjacency.from_graph(graph, weighted=True).mean.to_dense()
    assert found[0].tolist() == [0, 0.25, 0.75, 0, 0]
    assert not found[3:].any()


def test_no_edges_have_no_weights():
    for directed in (False, True):
        graph = Graph.from_edges([], [], num_nodes=2, directed=directed, weights=[])
        assert Adjacency.from_graph(graph, weighted=True).gcn.to_dense().tolist() == [[1, 0], [0, 1]]


def test_the_weight_of_two_directions_is_their_mean():
    graph = Graph.from_edges([0, 1, 1, 2], [1, 0, 2, 3], num_nodes=4, directed=True, weights=[1.0, 4.0, 5.0, 0.0])
    found = Adjacency.from_graph(graph, weighted=True).total.to_dense()
    assert found.tolist() == [[0, 2.5, 0, 0], [2.5, 0, 5, 0], [0, 5, 0, 0], [0, 0, 0, 0]]


@pytest.mark.parametrize("name", WEIGHABLE)
def test_equal_weights_change_nothing(name):
    graph = weighted(1.0)
    plain = encoded(name, graph, Adjacency.from_graph(graph))
    torch.testing.assert_close(encoded(name, graph, Adjacency.from_graph(graph, weighted=True)), plain)


@pytest.mark.parametrize("name", WEIGHABLE)
def test_an_edge_of_weight_0_is_none(name):
    graph = weighted(1.0)
    rows, cols = graph.edges()
    rows, cols = rows[rows < cols], cols[rows < cols]
    keep = np.arange(len(rows)) % 3 > 0
    muted = Graph.from_edges(rows, cols, num_nodes=30, directed=False, weights=keep.astype(float), x=graph.x)
    less = Graph.from_edges(rows[keep], cols[keep], num_nodes=30, directed=False, x=graph.x)
    expected = encoded(name, less, Adjacency.from_graph(less))
    torch.testing.assert_close(encoded(name, muted, Adjacency.from_graph(muted, weighted=True)), expected)


@pytest.mark.parametrize("name", [name for name in WEIGHABLE if name != "mlp"])
def test_weights_matter(name):
    graph = weighted()
    plain = encoded(name, graph, Adjacency.from_graph(graph))
    assert not torch.allclose(encoded(name, graph, Adjacency.from_graph(graph, weighted=True)), plain)


@pytest.mark.parametrize("name", WEIGHABLE)
def test_with_all_neighbours_the_targets_are_as_in_the_whole_graph(name):
    graph, targets = weighted(directed=True), np.array([5, 22, 3])
    whole = encoded(name, graph, Adjacency.from_graph(graph, weighted=True))
    hops = make_encoder(name, 5, 8, layers=2).hops
    blocks = NeighbourSampler(graph, [0] * hops, weights=MessageWeights.of(graph)).sample(targets, seed=0)
    torch.manual_seed(0)
    encoder = make_encoder(name, 5, 8, layers=2).eval()
    own = encode(encoder, torch.from_numpy(np.array(graph.x))[torch.from_numpy(blocks.nodes)], blocks)
    torch.testing.assert_close(own, whole[targets], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("operator", ["gcn", "total"])
def test_sampled_operators_are_unbiased(operator):
    graph = Graph.from_edges([0] * 6, range(1, 7), num_nodes=7, directed=False, weights=np.arange(6) / 2)
    x = torch.randn(7, 3, generator=torch.Generator().manual_seed(0))
    exact = (getattr(Adjacency.from_graph(graph, weighted=True), operator) @ x)[0]
    sampler = NeighbourSampler(graph, [2], weights=MessageWeights.of(graph))
    torch.testing.assert_close(mean_of_samples(sampler, operator, x, 3000), exact, rtol=0.1, atol=0.25)


def test_pyg_gets_the_weights_of_a_sample():
    graph = weighted()
    blocks = NeighbourSampler(graph, [2, 2], weights=MessageWeights.of(graph)).sample(np.array([4]), seed=0)
    data = blocks.to_pyg(graph)
    dense = Adjacency.from_graph(graph, weighted=True).total.to_dense()
    source, target = data.n_id[data.edge_index]
    torch.testing.assert_close(data.edge_weight, dense[target, source])


def test_an_edge_index_brings_its_weights():
    graph = weighted()
    adjacency = Adjacency.from_graph(graph, weighted=True)
    again = Adjacency.from_edge_index(adjacency.edge_index, 30, adjacency.edge_weight)
    assert torch.equal(again.gcn.to_dense(), adjacency.gcn.to_dense())


def test_a_graph_without_weights_is_refused():
    with pytest.raises(InputError, match=r"edge_weights needs a graph with weights \(\w+ has none\); add a column"):
        Adjacency.from_graph(Graph.from_edges([0], [1], num_nodes=2, directed=False), weighted=True)


def test_a_weight_below_0_is_named():
    names = ["a", "b", "c"]
    graph = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False, weights=[1.0, -2.0], names=names)
    message = r"weights of 0 or more \(the edge b - c has -2\); shift them, or train with edge_weights=no"
    with pytest.raises(InputError, match=message):
        Adjacency.from_graph(graph, weighted=True)
    one_way = Graph.from_edges([0, 1], [1, 0], num_nodes=2, directed=True, weights=[-1.0, 3.0])
    with pytest.raises(InputError, match=r"the edge 0 - 1 has -1"):
        MessageWeights.of(one_way)


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (torch.ones(3, 1), r"shape \[3\] \(got \[3, 1\]\)"),
        (torch.ones(2), r"shape \[3\] \(got \[2\]\)"),
        (-torch.ones(3), "finite numbers of 0 or more"),
        (torch.full((3,), torch.nan), "finite numbers of 0 or more"),
    ],
)
def test_weights_of_an_edge_index_are_checked(weights, message):
    with pytest.raises(InputError, match=message):
        Adjacency.from_edge_index(torch.tensor([[0, 1, 2], [1, 2, 0]]), 3, weights)


def test_encoders_say_whether_they_take_weights():
    assert all(make_encoder(name, 5, 8).takes_weights for name in WEIGHABLE if name != "mlp")
    assert not make_encoder("mlp", 5, 8).takes_weights
    assert not make_encoder("sage", 5, 8, aggregator="max").takes_weights


def test_the_mean_of_two_directions_is_that_of_dense_matrices():
    rng = np.random.default_rng(1)
    source, target = rng.integers(0, 40, (2, 300))
    weights = rng.integers(0, 5, 300).astype(float)
    graph = Graph.from_edges(source, target, num_nodes=40, directed=True, weights=weights)
    dense, there = np.zeros((40, 40)), np.zeros((40, 40))
    rows, cols = graph.edges()
    dense[rows, cols], there[rows, cols] = graph.csr.weights, 1
    expected = (dense + dense.T) / np.maximum(there + there.T, 1)
    found = Adjacency.from_graph(graph, weighted=True)
    np.testing.assert_allclose(found.total.to_dense().numpy(), expected)
    np.testing.assert_allclose(found.totals, expected.sum(axis=1))


@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize("power", [1, 2])
def test_closure_is_the_share_of_triangles_to_a_power_one_on_average(directed, power):
    rng = np.random.default_rng(0)
    graph = Graph.from_edges(rng.integers(0, 30, 120), rng.integers(0, 30, 120), num_nodes=30, directed=directed)
    joined = np.asarray(Adjacency.from_graph(graph).total.to_dense()) > 0
    expected = np.zeros((30, 30))
    for u, v in zip(*np.nonzero(joined), strict=True):
        both, either = (joined[u] & joined[v]).sum(), (joined[u] | joined[v]).sum() - 2
        expected[u, v] = (0.05 + both / max(either, 1)) ** power
    expected /= expected[joined].mean()
    found = Adjacency.from_graph(graph, closure=power).total.to_dense()
    np.testing.assert_allclose(found, expected, rtol=1e-5)


def test_closure_multiplies_the_weights_of_edges():
    graph = weighted()
    plain, closed, both = (
        MessageWeights.of(graph, weighted=edges, closure=power).values for edges, power in [(1, 0), (0, 1), (1, 1)]
    )
    np.testing.assert_allclose(both, plain * closed, rtol=1e-5)


def test_closure_is_a_setting_of_training_that_files_keep(tmp_path):
    graph = make_roles(num_nodes=80)
    proba = []
    for power in (0, 1):
        inputs = Inputs(closure=power)
        model = InfoMotif(GCN(hidden=8), preset="base", inputs=inputs, training=Training(epochs=3), progress=False)
        proba.append(model.fit(graph, train=np.arange(20)).predict_proba())
    assert not np.allclose(*proba)
    np.testing.assert_array_equal(load(model.save(tmp_path / "model")).predict_proba(graph), proba[1])


def test_closure_needs_an_encoder_whose_messages_take_weights():
    with pytest.raises(InputError, match="closure does not work with the encoder sage"):
        InfoMotif(SAGE(aggregator="max"), inputs=Inputs(closure=1)).fit(make_roles(num_nodes=80), train=np.arange(20))
