"""Devices: those that are not there are named, and each process takes its own."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif import Graph
from infomotif._core.parallel import thread_count
from infomotif.errors import InputError
from infomotif.training.device import SMALL_GRAPH, compute_context, pick_device
from infomotif.training.distributed import World
from tests.models import make_model


def test_a_device_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(InputError, match=r"'cuda:7' is not available: torch finds 2 \(cuda:0 to cuda:1\)"):
        pick_device("cuda:7")
    monkeypatch.setenv("LOCAL_RANK", "1")
    for name in ("auto", "cuda"):
        assert pick_device(name, World(rank=1, size=2)) == torch.device("cuda", 1)
        assert pick_device(name) == torch.device("cuda")
    assert pick_device(torch.device("cuda:1")) == torch.device("cuda", 1)


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["base", "joint"])
def test_a_small_graph_gives_the_same_bits_with_every_number_of_threads(preset):
    # As large as Cora: torch splits its products and sums among threads only when they are large enough.
    rng, n = np.random.default_rng(0), 2485
    source, target = rng.integers(0, n, (2, 5000))
    x, y = rng.random((n, 300)) < 0.05, rng.integers(0, 7, n)
    graph = Graph.from_edges(source, target, num_nodes=n, directed=True, x=x.astype(np.float32), y=y)
    one, two = (make_model(preset=preset, hidden=256, epochs=2, threads=threads).fit(graph) for threads in (1, 2))
    ours, theirs = (model.fitted_.network.state_dict() for model in (one, two))
    assert all(torch.equal(ours[name], theirs[name]) for name in ours)
    np.testing.assert_array_equal(one.predict_proba(), two.predict_proba())


def test_torch_has_all_threads_for_large_graphs_and_one_for_small_ones():
    before = torch.get_num_threads()
    for nodes, threads in ((SMALL_GRAPH - 1, 1), (SMALL_GRAPH, 2)):
        with compute_context(2, nodes, torch.device("cpu")):
            assert (torch.get_num_threads(), thread_count()) == (threads, 2)
    assert torch.get_num_threads() == before
