"""Motif-CNN: sees what only motifs show."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif.datasets import make_roles
from infomotif.errors import InputError
from infomotif.motifs import MotifIndex
from infomotif.nn import Adjacency
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import get_method
from infomotif_bench.methods.structural_networks.motif_cnn import (
    MotifConvolution,
    motif_matrices,
    position_adjacencies,
)
from tests.bench.methods.made import BIPARTITE, copies, lonely

METHOD = get_method("motif-cnn")


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


def counted_by_position(graph, motif):
    """How many instances v shares with u in each orbit, by going through all instances."""
    index = MotifIndex(graph)
    counted = np.zeros((len(motif.orbits), graph.num_nodes, graph.num_nodes))
    for members in (members for batch in index.iter_instances(motif) for members in batch.tolist()):
        for k, orbit in enumerate(motif.orbits):
            for j in orbit:
                for v in members:
                    counted[k, v, members[j]] += v != members[j]
    return torch.from_numpy(counted).float()


@pytest.mark.parametrize("graph", [bench_graph("karate"), make_roles(num_nodes=60, motif="feed-forward")])
def test_a_layer_with_a_filter_per_position_is_its_formula(graph):
    motifs = [motif for motif, total in zip(MotifIndex(graph).motifs, MotifIndex(graph).totals, strict=True) if total]
    torch.manual_seed(0)
    layer = MotifConvolution(5, 3, motif_matrices(graph, "position"))
    x = torch.randn(graph.num_nodes, 5)
    own, *weights = layer.product.weight.split(3, dim=1)
    parts, weights = [], iter(weights)
    for motif in motifs:
        counted = counted_by_position(graph, motif)
        total = counted.sum(dim=(0, 2))[:, None].clamp(min=1)
        parts.append(sum(by_position / total @ x @ next(weights) for by_position in counted))
    assert next(weights, None) is None
    scores = torch.stack([((x @ own + part) @ layer.attention).squeeze(1) for part in parts], dim=1)
    alpha = torch.where(scores > 0, scores, 0.2 * scores).softmax(dim=1)
    expected = x @ own + sum(alpha[:, t : t + 1] * part for t, part in enumerate(parts)) + layer.bias
    torch.testing.assert_close(layer.spread(layer.project(x), Adjacency.from_graph(graph)), expected)


def test_positions_add_up_to_the_motif_adjacency():
    index = MotifIndex(make_roles(num_nodes=60, motif="feed-forward"))
    for motif in index.motifs:
        assert (sum(position_adjacencies(index, motif)) != index.adjacency(motif)).nnz == 0


def test_motifs_without_instances_are_left_out():
    graph = copies(BIPARTITE, times=2)
    assert len(motif_matrices(graph)) == 1
    assert motif_matrices(lonely(0)) == []


def test_it_refuses_settings_and_filters_that_it_does_not_have():
    with pytest.raises(InputError, match="did you mean 'position'"):
        METHOD.check({"filters": "positions"})
    with pytest.raises(InputError, match="unknown setting of motif-cnn 'temperature'"):
        METHOD.check({"temperature": 2})
