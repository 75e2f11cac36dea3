"""Sampled neighbourhoods: what is drawn, how often, and what encoders make of it."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from scipy.stats import chisquare

from infomotif import Graph, InputError, make_roles
from infomotif.nn import ENCODERS, Adjacency, NeighbourSampler, make_encoder
from infomotif.nn.encoders import encode
from tests.nn.made import mean_of_samples


def star(leaves: int) -> Graph:
    return Graph.from_edges(np.zeros(leaves, int), np.arange(1, leaves + 1), num_nodes=leaves + 1, directed=False)


def roles() -> Graph:
    return make_roles(num_nodes=120)


def test_targets_come_first_and_each_node_once():
    graph = roles()
    targets = np.array([7, 3, 50])
    blocks = NeighbourSampler(graph, [2, 2]).sample(targets, seed=1)
    assert blocks.nodes[:3].tolist() == [7, 3, 50]
    assert len(set(blocks.nodes.tolist())) == len(blocks.nodes) == blocks.sizes[-1]
    assert blocks.num_targets == 3


def test_sampled_neighbours_are_distinct_neighbours_and_as_many_as_allowed():
    graph = roles()
    blocks = NeighbourSampler(graph, [3, 2]).sample(np.arange(0, 120, 7), seed=5)
    for row in range(blocks.sizes[1]):
        node = blocks.nodes[row]
        own = graph.undirected.indices[graph.undirected.indptr[node] : graph.undirected.indptr[node + 1]]
        drawn = blocks.nodes[blocks.indices[blocks.indptr[row] : blocks.indptr[row + 1]]]
        assert set(drawn.tolist()) <= set(own.tolist())
        assert len(set(drawn.tolist())) == len(drawn) == min(len(own), 3 if row < blocks.sizes[0] else 2)
        assert blocks.degrees[row] == len(own)


def test_every_subset_of_neighbours_is_equally_likely():
    sampler, counts = NeighbourSampler(star(5), [2]), {}
    for seed in range(3000):
        blocks = sampler.sample(np.array([0]), seed=seed)
        drawn = tuple(sorted(blocks.nodes[1:].tolist()))
        counts[drawn] = counts.get(drawn, 0) + 1
    assert len(counts) == 10
    assert chisquare(list(counts.values())).pvalue > 1e-4


def test_what_is_drawn_for_a_node_does_not_depend_on_its_batch():
    sampler = NeighbourSampler(star(50), [4])
    alone = sampler.sample(np.array([0]), seed=9)
    together = sampler.sample(np.array([17, 0, 3]), seed=9)
    drawn = together.nodes[together.indices[together.indptr[1] : together.indptr[2]]]
    assert sorted(alone.nodes[1:].tolist()) == sorted(drawn.tolist())


def test_isolated_targets_and_no_targets():
    graph = Graph.from_edges([0], [1], num_nodes=4, directed=False)
    blocks = NeighbourSampler(graph, [2, 2]).sample(np.array([3, 2]), seed=0)
    assert blocks.nodes.tolist() == [3, 2]
    assert blocks.indices.tolist() == []
    assert NeighbourSampler(graph, [2]).sample(np.empty(0, np.int64), seed=0).num_targets == 0


@pytest.mark.parametrize("fanout", [[], [-1], [2, -3], 10, [1.5]])
def test_a_fanout_that_cannot_be_drawn_is_refused(fanout):
    with pytest.raises(InputError, match="fanout must hold"):
        NeighbourSampler(roles(), fanout)


@pytest.mark.parametrize("targets", [[-1], [160], [1, 1], [1.5], [True, False], [[1]]])
def test_targets_that_are_not_distinct_nodes_are_refused_and_leave_no_trace(targets):
    sampler = NeighbourSampler(roles(), [2])
    with pytest.raises(InputError, match="targets "):
        sampler.sample(np.array(targets), seed=0)
    again, fresh = (each.sample(np.array([1]), seed=0) for each in (sampler, NeighbourSampler(roles(), [2])))
    assert again.nodes.tolist() == fresh.nodes.tolist()


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_a_seed_out_of_range_is_refused(seed):
    with pytest.raises(InputError, match="seed must be"):
        NeighbourSampler(roles(), [2]).sample(np.array([0]), seed=seed)


def test_blocks_serve_no_more_layers_than_they_have_hops():
    blocks = NeighbourSampler(roles(), [2]).sample(np.array([0]), seed=0)
    with pytest.raises(InputError, match="blocks of 1 hops cannot serve 2 layers"):
        blocks.layer(0, 2)


OPTIONS = [{}, {"residual": True}, {"jump": "cat"}]


@pytest.mark.parametrize(
    ("name", "options"), [(n, o) for n in ENCODERS for o in OPTIONS if n != "appnp" or "jump" not in o]
)
def test_with_all_neighbours_the_targets_are_as_in_the_whole_graph(name, options):
    graph = roles()
    torch.manual_seed(0)
    encoder = make_encoder(name, graph.num_attributes, 16, layers=2, **options).eval()
    x = torch.from_numpy(np.asarray(graph.x.toarray() if hasattr(graph.x, "toarray") else graph.x, np.float32))
    whole = encode(encoder, x, Adjacency.from_graph(graph))
    targets = np.array([5, 100, 31])
    blocks = NeighbourSampler(graph, [0] * encoder.hops).sample(targets, seed=0)
    own = encode(encoder, x[torch.from_numpy(blocks.nodes)], blocks)
    torch.testing.assert_close(own, whole[targets], rtol=1e-5, atol=1e-6)


@pytest.mark.parametrize("operator", ["gcn", "total", "mean"])
def test_sampled_operators_are_unbiased(operator):
    graph = star(6)
    x = torch.randn(7, 3, generator=torch.Generator().manual_seed(0))
    exact = (getattr(Adjacency.from_graph(graph), operator) @ x)[0]
    found = mean_of_samples(NeighbourSampler(graph, [2]), operator, x, 2000)
    torch.testing.assert_close(found, exact, rtol=0.1, atol=0.15)


def test_a_pyg_module_takes_blocks():
    from torch_geometric.nn import GraphSAGE

    graph = roles()
    torch.manual_seed(0)
    module = GraphSAGE(graph.num_attributes, 16, 2).eval()
    x = torch.from_numpy(np.asarray(graph.x.toarray() if hasattr(graph.x, "toarray") else graph.x, np.float32))
    whole = encode(module, x, Adjacency.from_graph(graph))
    blocks = NeighbourSampler(graph, [0, 0]).sample(np.array([4, 9]), seed=0)
    data = blocks.to_pyg(graph)
    torch.testing.assert_close(module(data.x, data.edge_index)[:2], whole[[4, 9]], rtol=1e-5, atol=1e-6)
    torch.testing.assert_close(encode(module, data.x, blocks), whole[[4, 9]], rtol=1e-5, atol=1e-6)
    assert data.n_id[:2].tolist() == [4, 9]
    assert data.y.tolist() == graph.y[blocks.nodes].tolist()
