"""Motif-CNN: sees what only motifs show."""

from __future__ import annotations

import pytest
import torch

from infomotif.errors import InputError
from infomotif.motifs import MotifIndex
from infomotif.nn import Adjacency
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import get_method
from infomotif_bench.methods.structural_networks.motif_cnn import MotifConvolution, motif_matrices
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


def test_motifs_without_instances_are_left_out():
    graph = copies(BIPARTITE, times=2)
    assert len(motif_matrices(graph)) == 1
    assert motif_matrices(lonely(0)) == []


def test_it_has_no_settings_of_its_own():
    with pytest.raises(InputError, match="unknown setting of motif-cnn 'temperature'"):
        METHOD.check({"temperature": 2})
