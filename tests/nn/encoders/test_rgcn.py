"""R-GCN: PyG's layer with the same weights, relations of typed, signed and directed graphs, parts of a graph."""

from __future__ import annotations

import numpy as np
import pytest
import torch
import torch.nn.functional as F
from torch_geometric.nn import RGCNConv

from infomotif import RGCN, Graph
from infomotif.errors import InputError
from infomotif.nn import Adjacency
from infomotif.nn.encoders import encode
from infomotif.nn.network import MotifNetwork
from infomotif.nn.propagation.adjacency import MessageWeights
from infomotif.nn.propagation.blocks import neighbourhood
from infomotif.nn.propagation.relations import Relations
from infomotif.training.inference import infer_in_blocks


def made(directed=True, kinds=("a", "b", "c"), n=40, seed=0, **options):
    rng = np.random.default_rng(seed)
    pairs = np.unique(np.sort(rng.integers(0, n, (4 * n, 2)), axis=1), axis=0)
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    source, target = pairs.T if directed else pairs.T
    turned = rng.random(len(source)) < 0.5
    source, target = np.where(turned, target, source), np.where(turned, source, target)
    types = np.array(kinds)[rng.integers(0, len(kinds), len(source))]
    return Graph.from_edges(source, target, num_nodes=n, directed=directed, edge_types=types.tolist(), **options)


def encoder(relations, in_dim=5, hidden=4, **options):
    torch.manual_seed(0)
    built = RGCN(dropout=0.0, **options).build(in_dim, hidden, relations=relations.num_relations)
    with torch.no_grad():
        for layer in built.convolutions:
            layer.bias.normal_()
    return built.eval()


@pytest.mark.parametrize("bases", [None, 2])
@pytest.mark.parametrize("directed", [True, False])
def test_layers_equal_those_of_pyg(directed, bases):
    graph = made(directed)
    relations = Relations.of(graph)
    ours = encoder(relations, bases=bases)
    adjacency = Adjacency.from_graph(graph, relations=relations)
    x = torch.randn(graph.num_nodes, 5)
    edges, kinds = adjacency.typed_edges
    h = x @ ours.convolutions[0].product.weight
    with torch.no_grad():
        for mine in ours.convolutions:
            layer = RGCNConv(4, 4, relations.num_relations, num_bases=bases)
            layer.weight.copy_(mine.weight[1:])
            if bases:
                layer.comp.copy_(mine.mix)
            layer.root.copy_(mine.weight[0])
            layer.bias.copy_(mine.bias)
            h = F.relu(layer(h, edges, kinds))
        torch.testing.assert_close(ours(x, adjacency), h, rtol=1e-5, atol=1e-5)


def test_directed_edges_send_a_message_each_way():
    graph = Graph.from_edges([0, 1], [1, 0], num_nodes=2, directed=True, edge_types=["likes", "knows"])
    relations = Relations.of(graph)
    assert [name for _, name, _ in relations.triples] == ["knows", "likes", "rev_knows", "rev_likes"]
    edges, kinds = Adjacency.from_graph(graph, relations=relations).typed_edges
    messages = {(*pair, relations.triples[k][1]) for pair, k in zip(edges.t().tolist(), kinds.tolist(), strict=True)}
    messages = {(source, target, name) for source, target, name in messages}
    assert messages == {(0, 1, "likes"), (1, 0, "rev_likes"), (1, 0, "knows"), (0, 1, "rev_knows")}


def test_node_types_make_relations_of_edges_without_types():
    graph = Graph.from_edges([0, 0], [1, 2], num_nodes=3, directed=False, node_types=["movie", "actor", "director"])
    assert Relations.of(graph).triples == (
        ("actor", "to", "movie"),
        ("director", "to", "movie"),
        ("movie", "to", "actor"),
        ("movie", "to", "director"),
    )


def test_a_graph_without_types_has_one_relation_and_two_with_directions():
    plain = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False)
    arrows = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=True)
    assert Relations.of(plain).triples == (("node", "to", "node"),)
    assert [name for _, name, _ in Relations.of(arrows).triples] == ["rev_to", "to"]


def test_signs_are_two_channels():
    """Turning the sign of one edge changes both ends; a GCN on the same edges cannot notice."""
    signs = ["+", "+", "-"]
    graphs = [
        Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False, edge_types=s, edge_type_names=["+", "-"])
        for s in (signs, ["-", "+", "-"])
    ]
    relations = [Relations.of(graph) for graph in graphs]
    assert [name for _, name, _ in relations[0].triples] == ["+", "-"]
    ours, x = encoder(relations[0], layers=1), torch.randn(3, 5)
    one, two = (ours(x, Adjacency.from_graph(g, relations=r)) for g, r in zip(graphs, relations, strict=True))
    changed = (one != two).any(dim=1).tolist()
    assert changed == [True, True, False]


def test_opposite_weights_of_both_signs_make_the_signed_mean():
    graph = Graph.from_edges([0, 0], [1, 2], num_nodes=3, directed=False, edge_types=["+", "-"])
    relations = Relations.of(graph)
    ours = encoder(relations, layers=1, hidden=5, activation="tanh")
    layer = ours.convolutions[0]
    with torch.no_grad():
        layer.product.weight.copy_(torch.eye(5))
        layer.weight[:] = torch.stack([torch.zeros(5, 5), torch.eye(5), -torch.eye(5)])
        layer.bias.zero_()
    x = torch.randn(3, 5)
    out = ours(x, Adjacency.from_graph(graph, relations=relations))
    torch.testing.assert_close(out, torch.tanh(torch.stack([x[1] - x[2], x[0], -x[0]])))


@pytest.mark.parametrize("directed", [True, False])
def test_a_part_of_the_graph_gives_the_rows_of_the_whole(directed):
    graph = made(directed)
    relations = Relations.of(graph)
    ours, x = encoder(relations), torch.randn(graph.num_nodes, 5)
    adjacency = Adjacency.from_graph(graph, relations=relations)
    whole = ours(x, adjacency)
    targets = np.array([3, 17, 8])
    blocks = neighbourhood(adjacency, targets, 2)
    torch.testing.assert_close(ours(x[torch.from_numpy(blocks.nodes)], blocks), whole[targets])
    torch.testing.assert_close(encode(ours, x, adjacency, torch.from_numpy(targets)), whole[targets])


def test_inference_in_blocks_gives_what_the_whole_graph_gives():
    graph = made()
    relations = Relations.of(graph)
    network = MotifNetwork(encoder(relations), None, 4, 2).eval()
    x = torch.randn(graph.num_nodes, 5)
    whole = network.infer(x, Adjacency.from_graph(graph, relations=relations))
    weights = MessageWeights.of(graph, weighted=False, relations=relations)
    parts = infer_in_blocks(
        network, graph, lambda nodes: x[nodes], hops=2, device=torch.device("cpu"), block=7, weights=weights
    )
    torch.testing.assert_close(parts.logits, whole.logits)


def test_weights_of_one_change_nothing():
    graph = made(False)
    relations = Relations.of(graph)
    weighted = Graph.from_edges(
        *graph.edges(), num_nodes=graph.num_nodes, directed=False, weights=np.full(len(graph.edges()[0]), 2.0)
    )
    ours, x = encoder(relations), torch.randn(graph.num_nodes, 5)
    expected = ours(x, Adjacency.from_graph(graph, relations=relations))
    got = ours(x, Adjacency.from_graph(weighted, weighted=True, relations=relations))
    torch.testing.assert_close(got, expected)


def test_a_relation_that_training_did_not_see_is_named():
    seen = Graph.from_edges([0], [1], num_nodes=2, directed=False, edge_types=["cites"])
    other = Graph.from_edges([0], [1], num_nodes=2, directed=False, edge_types=["likes"])
    with pytest.raises(InputError, match="edges 'node likes node' that the training graph did not have"):
        Relations.of(other, Relations.of(seen).triples)


def test_a_graph_without_edges_is_fine():
    graph = Graph.from_edges([], [], num_nodes=3, directed=False, node_types=["a", "a", "b"])
    relations = Relations.of(graph)
    out = encoder(relations)(torch.randn(3, 5), Adjacency.from_graph(graph, relations=relations))
    assert out.shape == (3, 4)
