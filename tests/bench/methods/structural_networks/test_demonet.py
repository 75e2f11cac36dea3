"""DEMO-Net: weights by degree."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif.errors import InputError
from infomotif.nn import Adjacency, SparseMatrix
from infomotif.training import random_split
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import get_method
from infomotif_bench.methods.structural_networks import demonet
from infomotif_bench.methods.structural_networks.demonet import HashConvolution, WeightConvolution
from tests.bench.methods.made import BIPARTITE, CYCLE, copies, logits, lonely

METHOD = get_method("demonet")
VARIANTS = ["weight", "hash"]


def layers(graph, in_dim=5, out_dim=6):
    torch.manual_seed(0)
    degrees = np.unique(graph.degrees)
    weight = WeightConvolution(in_dim, out_dim, degrees)
    torch.nn.init.normal_(weight.special)
    return {"weight": weight, "hash": HashConvolution(in_dim, out_dim, degrees, 4, 0)}


def encoder(graph, **changes):
    return METHOD.module(graph, {**METHOD.defaults(), "hidden": 8, **changes}, 0).eval()


@pytest.mark.parametrize("variant", VARIANTS)
def test_it_tells_degrees_that_the_mean_of_neighbours_hides(variant):
    graph = copies(CYCLE, BIPARTITE)
    split = random_split(graph.y, 0.4)
    options = {"epochs": 40, "hidden": 16}
    seen = METHOD.run(graph, split, {**options, "variant": variant}, seed=0).test_accuracy
    blind = get_method("graphsage").run(graph, split, options, seed=0).test_accuracy
    assert seen > 0.98
    assert blind < 0.65


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_layer_is_its_formula(variant):
    graph = bench_graph("karate")
    layer = layers(graph)[variant]
    x = torch.randn(34, 5)
    rows = []
    for v in range(34):
        around = graph.undirected.indices[graph.undirected.indptr[v] : graph.undirected.indptr[v + 1]].tolist()
        number = int(np.flatnonzero(layer.degrees == len(around))[0])
        weights = layer.shared_weights() + layer.special_weights([number])[0]
        rows.append(torch.cat([x[v] @ layer.product.weight, x[around].mean(dim=0) @ weights]))
    expected = torch.stack(rows) + layer.bias
    torch.testing.assert_close(layer.spread(layer.project(x), Adjacency.from_graph(graph)), expected)


def test_hashed_weights_are_signed_rows_of_the_table():
    layer = layers(bench_graph("karate"))["hash"]
    table = layer.table.detach()
    for row in layer.special_weights([2])[0].detach():
        assert any(torch.equal(row, sign * other) for other in table for sign in (1, -1))


def test_the_hash_table_does_not_grow_with_the_number_of_degrees():
    sizes = {}
    for variant in VARIANTS:
        for name in ("ba-40-2", "ba-400-2"):
            graph = bench_graph(name).replace(x=np.ones((int(name.split("-")[1]), 3), dtype=np.float32))
            sizes[variant, name] = sum(p.numel() for p in encoder(graph, variant=variant, hash_rows=7).parameters())
    assert sizes["hash", "ba-40-2"] == sizes["hash", "ba-400-2"]
    assert sizes["weight", "ba-40-2"] < sizes["weight", "ba-400-2"]


def test_an_unknown_degree_takes_the_weights_of_the_next_lower():
    layer = layers(copies(CYCLE, BIPARTITE, times=1))["weight"]
    star = Adjacency.from_edge_index(torch.tensor([[1, 2, 3, 4, 0, 0, 0, 0], [0, 0, 0, 0, 1, 2, 3, 4]]), 5)
    x = torch.randn(5, 5)
    out = layer.spread(x, star)[:, 3:]
    torch.testing.assert_close(out[0], x[1:].mean(dim=0) @ (layer.shared + layer.special[1]))
    torch.testing.assert_close(out[1], x[0] @ (layer.shared + layer.special[0]))


def test_a_sampled_neighbourhood_goes_by_the_true_degree():
    layer = layers(copies(CYCLE, BIPARTITE, times=1))["weight"]
    # One listening node, number 1 of three, has two neighbours in the sample and three in the graph.
    sample = Adjacency(np.array([0, 2]), np.array([0, 2]), columns=3, start=1, degrees=np.array([2, 3, 2]))
    x = torch.randn(3, 5)
    around = (x[0] + x[2]) / 2 @ (layer.shared + layer.special[1])
    torch.testing.assert_close(layer.spread(x, sample)[0], torch.cat([x[1] @ layer.product.weight, around]))


@pytest.mark.parametrize("variant", VARIANTS)
def test_sparse_attributes_give_what_dense_ones_give(variant):
    graph = lonely(20)
    model, adjacency = encoder(graph, variant=variant), Adjacency.from_graph(graph)
    sparse = SparseMatrix.from_scipy(np.array(graph.x))
    torch.testing.assert_close(model(sparse, adjacency), model(torch.tensor(graph.x), adjacency))


@pytest.mark.parametrize("variant", VARIANTS)
def test_sparse_products_give_the_rows_and_gradients_of_dense_ones(variant):
    graph = bench_graph("karate")
    layer, adjacency = layers(graph)[variant], Adjacency.from_graph(graph)
    x = torch.randn(34, 5) * (torch.rand(34, 5) < 0.3)
    weight = torch.randn(34, 6)
    found = []
    for rows in (
        layer.spread(layer.project(x), adjacency),
        layer.spread_sparse(SparseMatrix.from_scipy(x.numpy()), adjacency),
    ):
        parameters = list(layer.parameters())
        found.append([rows, *torch.autograd.grad((rows * weight).sum(), parameters)])
    for dense, sparse in zip(*found, strict=True):
        torch.testing.assert_close(sparse, dense)


def test_attributes_are_made_dense_only_where_means_over_neighbours_would_be(monkeypatch):
    graph = bench_graph("karate")
    model, adjacency = encoder(graph), Adjacency.from_graph(graph)
    made = []
    monkeypatch.setattr(SparseMatrix, "to_dense", lambda self: made.append(self) or torch.zeros(self.shape))
    model(SparseMatrix.from_scipy(np.eye(34, dtype=np.float32)), adjacency)
    assert not made
    model(SparseMatrix.from_scipy(np.ones((34, 34), dtype=np.float32)), adjacency)
    assert made


@pytest.mark.parametrize("variant", VARIANTS)
def test_the_same_seed_gives_the_same_bits(variant):
    graph = bench_graph("karate")
    first, second, other = (logits(METHOD, graph, seed, variant=variant) for seed in (3, 3, 4))
    assert torch.equal(first, second)
    assert not torch.equal(first, other)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("edges", [0, 12])
def test_nodes_without_edges_are_labelled_too(edges, variant):
    assert torch.isfinite(logits(METHOD, lonely(edges), 0, variant=variant)).all()


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"variant": "hsh"}, "unknown variant 'hsh': did you mean 'hash'"),
        ({"variant": None}, "variant must be one of weight, hash"),
        ({"hash_rows": 0}, "hash_rows must be from 1"),
        ({"hash_rows": "many"}, "hash_rows must be a whole number"),
        ({"hidden": 1}, "hidden must be at least 2"),
        ({"hashrows": 3}, "did you mean 'hash_rows'"),
        ({"dropout": 1.0}, "dropout must be"),
    ],
)
def test_hostile_settings_are_refused(settings, message):
    with pytest.raises(InputError, match=message):
        METHOD.check(settings)


def test_too_many_weights_are_refused_before_they_are_made(monkeypatch):
    monkeypatch.setattr(demonet, "MAX_WEIGHTS", 100)
    with pytest.raises(InputError, match="use variant='hash'"):
        encoder(bench_graph("karate"))
