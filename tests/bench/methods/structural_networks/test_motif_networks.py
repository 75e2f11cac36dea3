"""Motif-CNN and MCN: networks over the motifs of one graph."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif.errors import InputError
from infomotif.nn import Adjacency, SparseMatrix
from infomotif.training import random_split
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import get_method
from tests.bench.methods.made import BIPARTITE, PRISM, copies, logits, lonely


@pytest.fixture(params=["motif-cnn", "mcn"])
def method(request):
    return get_method(request.param)


def test_it_tells_triangles_in_a_regular_graph_which_gcn_cannot(method):
    graph = copies(PRISM, BIPARTITE)
    split = random_split(graph.y, 0.4)
    seen = method.run(graph, split, {"epochs": 60, "hidden": 16}, seed=0).test_accuracy
    blind = get_method("gcn").run(graph, split, {"epochs": 60, "hidden": 16}, seed=0).test_accuracy
    assert seen > 0.98
    assert blind < 0.65


def test_sparse_attributes_give_what_dense_ones_give(method):
    graph = lonely(20)
    encoder = method.module(graph, {**method.defaults(), "hidden": 8}, 0).eval()
    sparse, adjacency = SparseMatrix.from_scipy(np.array(graph.x)), Adjacency.from_graph(graph)
    torch.testing.assert_close(encoder(sparse, adjacency), encoder(torch.tensor(graph.x), adjacency))


def test_the_same_seed_gives_the_same_bits(method):
    graph = bench_graph("karate")
    assert torch.equal(logits(method, graph, 3), logits(method, graph, 3))
    assert not torch.equal(logits(method, graph, 3), logits(method, graph, 4))


@pytest.mark.parametrize("edges", [0, 12])
def test_nodes_without_edges_are_labelled_too(method, edges):
    assert torch.isfinite(logits(method, lonely(edges), 0)).all()


def test_another_graph_is_refused(method):
    encoder = method.module(lonely(20), method.defaults(), 0)
    with pytest.raises(InputError, match="was built for a graph of"):
        encoder(torch.ones(2, 4), torch.tensor([[0, 1], [1, 0]]))
