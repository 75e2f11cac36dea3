"""Motif-CNN: sees what only motifs show."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif.baselines import get_method
from infomotif.baselines.motif_cnn import MotifConvolution, motif_matrices
from infomotif.bench.graphs import bench_graph, split_of
from infomotif.errors import InputError
from infomotif.motifs import MotifIndex
from infomotif.nn import Adjacency, SparseMatrix
from infomotif.training import random_split
from tests.baselines.made import BIPARTITE, PRISM, copies, logits, lonely

METHOD = get_method("motif-cnn")


def test_it_tells_triangles_in_a_regular_graph_which_gcn_cannot():
    graph = copies(PRISM, BIPARTITE)
    split = random_split(graph.y, 0.4)
    seen = METHOD.run(graph, split, {"epochs": 40, "hidden": 16}, seed=0).test_accuracy
    blind = get_method("gcn").run(graph, split, {"epochs": 40, "hidden": 16}, seed=0).test_accuracy
    assert seen > 0.98
    assert blind < 0.65


def test_a_layer_is_its_formula():
    graph = bench_graph("karate")
    index = MotifIndex(graph)
    torch.manual_seed(0)
    layer = MotifConvolution(5, 3, motif_matrices(graph))
    x = torch.randn(34, 5)
    own, *weights = layer.product.weight.split(3, dim=1)
    parts = []
    for motif, weight in zip(index.motifs, weights, strict=True):
        shared = torch.from_numpy(index.adjacency(motif).toarray()).float()
        parts.append(shared / shared.sum(dim=1, keepdim=True).clamp(min=1) @ x @ weight)
    scores = torch.stack([((x @ own + part) @ layer.attention).squeeze(1) for part in parts], dim=1)
    alpha = torch.where(scores > 0, scores, 0.2 * scores).softmax(dim=1)
    expected = x @ own + sum(alpha[:, t : t + 1] * part for t, part in enumerate(parts)) + layer.bias
    torch.testing.assert_close(layer.spread(layer.project(x), Adjacency.from_graph(graph)), expected)


def test_motifs_without_instances_are_left_out():
    graph = copies(BIPARTITE, times=2)
    assert len(motif_matrices(graph)) == 1
    assert motif_matrices(lonely(0)) == []


def test_sparse_attributes_give_what_dense_ones_give():
    graph = lonely(20)
    encoder = METHOD.module(graph, {**METHOD.defaults(), "hidden": 8}, 0).eval()
    sparse, adjacency = SparseMatrix.from_scipy(np.array(graph.x)), Adjacency.from_graph(graph)
    torch.testing.assert_close(encoder(sparse, adjacency), encoder(torch.tensor(graph.x), adjacency))


def test_the_same_seed_gives_the_same_bits():
    graph = bench_graph("karate")
    assert torch.equal(logits(METHOD, graph, 3), logits(METHOD, graph, 3))
    assert not torch.equal(logits(METHOD, graph, 3), logits(METHOD, graph, 4))


@pytest.mark.parametrize("edges", [0, 12])
def test_nodes_without_edges_are_labelled_too(edges):
    assert torch.isfinite(logits(METHOD, lonely(edges), 0)).all()


def test_another_graph_is_refused():
    encoder = METHOD.module(lonely(20), METHOD.defaults(), 0)
    with pytest.raises(InputError, match="its own 30 nodes"):
        encoder(torch.ones(2, 4), torch.tensor([[0, 1], [1, 0]]))


def test_it_has_no_settings_of_its_own():
    with pytest.raises(InputError, match="unknown setting of motif-cnn 'temperature'"):
        METHOD.check({"temperature": 2})


def test_accuracy_on_brazil():
    outcome = METHOD.run(bench_graph("brazil"), split_of("brazil", 0.6, 0), {}, seed=0)
    assert outcome.test_accuracy == pytest.approx(12 / 26, abs=2.1 / 26)
