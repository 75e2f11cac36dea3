"""Encoding a part of a graph, or leaving smoothing to the classifier: the same numbers as the whole."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from infomotif.nn import Adjacency, MotifNetwork
from infomotif.nn.encoders import encode, encoding
from infomotif.nn.propagation.blocks import neighbourhood
from infomotif.nn.propagation.dropout import dropout
from infomotif.nn.propagation.sparse import SparseMatrix
from tests.nn.made import build

NODES = torch.tensor([7, 3, 119, 3, 50])
LOCAL = [
    ("gcn", {}),
    ("gcn", {"layers": 3, "residual": True, "norm": "layer"}),
    ("gcn", {"activation": "elu"}),
    ("jknet", {}),
    ("sage", {}),
    ("gin", {}),
    ("mlp", {}),
]


def rows_and_gradients(encoder, x, adjacency, nodes):
    encoder.zero_grad()
    torch.manual_seed(2)
    h = encode(encoder, x, adjacency, nodes)
    h.square().sum().backward()
    return h.detach(), [parameter.grad for parameter in encoder.parameters()]


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(("name", "options"), LOCAL, ids=[f"{name}-{len(options)}" for name, options in LOCAL])
def test_a_part_has_the_rows_dropout_and_gradients_of_the_whole(x, adjacency, name, options, sparse, monkeypatch):
    features = SparseMatrix.from_scipy(sp.csr_array(x.numpy())) if sparse else x
    encoder = build(name, x.shape[1], dropout=0.4, **options)
    assert encoder.local
    part = rows_and_gradients(encoder, features, adjacency, NODES)
    monkeypatch.setattr(encoding, "MAX_SHARE", 0.0)
    whole = rows_and_gradients(encoder, features, adjacency, NODES)
    torch.testing.assert_close(part, whole, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize(("name", "options"), [("gat", {}), ("gcn", {"norm": "batch"}), ("appnp", {}), ("gcnii", {})])
def test_encoders_that_need_the_whole_graph_get_it(x, adjacency, name, options):
    encoder = build(name, x.shape[1], **options)
    assert not encoder.local
    torch.manual_seed(2)
    rows = encode(encoder, x, adjacency, NODES)
    torch.manual_seed(2)
    assert torch.equal(rows, encode(encoder, x, adjacency)[NODES])


def test_a_part_follows_its_nodes_and_its_features(x, adjacency):
    encoder = build("gcn", x.shape[1]).eval()
    for features, nodes in ((x, NODES), (x, NODES[:2]), (2 * x, NODES[:2]), (x, NODES)):
        expected = encode(encoder, features, adjacency)[nodes]
        torch.testing.assert_close(encode(encoder, features, adjacency, nodes), expected, rtol=1e-5, atol=1e-6)


def test_a_part_is_weighted_as_the_whole(graph, x):
    both = graph.undirected
    weights = np.random.default_rng(0).random(len(both.indices)).astype(np.float32)
    adjacency = Adjacency(both.indptr, both.indices, weights=weights)
    encoder = build("gcn", x.shape[1]).eval()
    expected = encode(encoder, x, adjacency)[NODES]
    torch.testing.assert_close(encode(encoder, x, adjacency, NODES), expected, rtol=1e-5, atol=1e-6)


def test_a_neighbourhood_has_all_nodes_within_its_hops(graph, adjacency):
    dense = np.eye(graph.num_nodes, dtype=bool)
    source, target = graph.edges()
    dense[source, target] = dense[target, source] = True
    reached = np.zeros(graph.num_nodes, dtype=bool)
    reached[[5, 60]] = True
    blocks = neighbourhood(adjacency, np.array([5, 60]), 2)
    assert blocks.nodes[:2].tolist() == [5, 60]
    for size in blocks.sizes:
        assert set(blocks.nodes[:size].tolist()) == set(np.flatnonzero(reached).tolist())
        reached = dense[reached].any(axis=0)


def test_appnp_smooths_classes_to_the_logits_of_smoothed_representations(x, adjacency):
    network = MotifNetwork(build("appnp", x.shape[1]), None, 8, 3, 0.5)
    output = network.infer(x, adjacency)
    h = encode(network.encoder.eval(), x, adjacency)
    torch.testing.assert_close(output.z, h)
    torch.testing.assert_close(output.logits, network.classifier(h), rtol=1e-5, atol=1e-6)


def test_appnp_classifies_some_nodes_as_all(x, adjacency):
    network = MotifNetwork(build("appnp", x.shape[1]), None, 8, 3, 0.5).eval()
    some, whole = network(x, adjacency, nodes=NODES), network(x, adjacency)
    assert torch.equal(some.logits, whole.logits[NODES])
    assert torch.equal(some.z, whole.z[NODES])


def test_appnp_drops_what_the_mlp_passes_to_the_classifier(x, adjacency):
    network = MotifNetwork(build("appnp", x.shape[1], dropout=0.0), None, 8, 3, 0.5).train()
    torch.manual_seed(4)
    logits = network(x, adjacency).logits
    state = network.encoder.initial(network.encoder.project(x))
    torch.manual_seed(4)
    scores = dropout(state, 0.5, True) @ network.classifier.weight.t()
    torch.testing.assert_close(logits, network.encoder.smooth(scores, adjacency) + network.classifier.bias)


def test_only_nothing_between_lets_classes_be_smoothed(x, adjacency):
    assert MotifNetwork(build("appnp", x.shape[1]), None, 8, 3).smooths_classes
    assert not MotifNetwork(build("gcnii", x.shape[1]), None, 8, 3).smooths_classes
    assert not MotifNetwork(build("gcn", x.shape[1]), None, 8, 3).smooths_classes
