"""Small graphs that show what a method can see, and a model's numbers to the bit."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch

from infomotif.graph import Graph
from infomotif.training import random_split
from infomotif_bench.methods import TrainedNetwork
from tests.models import make_model

PRISM = ((0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3), (0, 3), (1, 4), (2, 5))
BIPARTITE = tuple((a, b) for a in (0, 1, 2) for b in (3, 4, 5))
CYCLE = tuple((a, (a + 1) % 6) for a in range(6))


def copies(*shapes: tuple[tuple[int, int], ...], times: int = 15) -> Graph:
    """Put copies of each shape of six nodes side by side; the label says which shape, attributes say nothing."""
    edges = [shape for shape in shapes for _ in range(times)]
    ends = np.concatenate([6 * number + np.array(shape) for number, shape in enumerate(edges)])
    n = 6 * len(edges)
    labels = np.repeat(np.arange(len(shapes)), 6 * times)
    return Graph.from_edges(*ends.T, num_nodes=n, directed=False, x=np.ones((n, 1), dtype=np.float32), y=labels)


def lonely(edges: int) -> Graph:
    """Return 30 nodes with attributes, of which most have no edge."""
    rng = np.random.default_rng(0)
    source, target = rng.integers(0, 8, (2, edges))
    y = np.tile([0, 1], 15)
    return Graph.from_edges(source, target, num_nodes=30, directed=True, x=rng.random((30, 4)), y=y)


def logits(method: TrainedNetwork, graph: Graph, seed: int, **changes: Any) -> torch.Tensor:
    """Train a few epochs and return all that the network says, [n, C]."""
    settings = {**method.defaults(), "epochs": 4, "hidden": 8, **changes}
    split = random_split(graph.y, 0.5)
    options = {**method.trainer_settings(settings), "random_state": seed, "threads": 1, "progress": False}
    model = make_model(method.module(graph, settings, seed), preset=method.preset, device="cpu", **options)
    return model.fit(graph, split.train, split.val).output_.logits
