"""The two ways to compute the InfoMax loss agree on real graphs, for all motif sets, threads and batches."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif import MotifIndex, load_dataset, make_roles
from infomotif.nn import MotifRegularizer
from infomotif.nn.propagation import sparse
from infomotif.nn.regularizer.fused import Workspace

pytestmark = pytest.mark.slow


def graphs():
    yield "triangles", make_roles(num_nodes=150), "auto"
    yield "directed", make_roles(num_nodes=150, motif="feed-forward"), "directed"
    yield "triads", make_roles(num_nodes=120, motif="feed-forward"), "triads"
    yield "four nodes", load_dataset("karate"), ["a-b, b-c, c-d", "a-b, b-c, c-d, a-d"]


CASES = {name: (graph, motifs) for name, graph, motifs in graphs()}


def value_and_gradients(reg, index, h, corrupted, nodes=None):
    leaves = [h.clone().requires_grad_(), corrupted.clone().requires_grad_()]
    reg.zero_grad()
    value = reg.loss(*leaves, index, nodes, generator=np.random.default_rng(7))
    value.backward()
    wanted = [*leaves, *reg.heads.parameters()]
    return [value.detach(), *(torch.zeros_like(p) if p.grad is None else p.grad.clone() for p in wanted)]


def both_ways(monkeypatch, reg, index, h, corrupted, nodes=None):
    fused = value_and_gradients(reg, index, h, corrupted, nodes)
    with monkeypatch.context() as patch:
        patch.setattr(reg, "fused", False)
        patch.setattr(sparse, "COMPILED_DEVICES", ())
        return fused, value_and_gradients(reg, index, h, corrupted, nodes)


@pytest.mark.parametrize("negatives", ["shuffle", "swap"])
@pytest.mark.parametrize("attention", ["concat", "additive"])
@pytest.mark.parametrize("case", [*CASES])
def test_fused_and_composed_agree(monkeypatch, case, attention, negatives):
    graph, motifs = CASES[case]
    torch.manual_seed(0)
    index = MotifIndex(graph, motifs)
    reg = MotifRegularizer(12, index, q=6, attention=attention, negatives=negatives).double()
    h, corrupted = (torch.randn(graph.num_nodes, 12, dtype=torch.float64) for _ in range(2))
    nodes = np.random.default_rng(0).permutation(graph.num_nodes)[: graph.num_nodes // 2]
    for fused, composed in zip(*both_ways(monkeypatch, reg, index, h, corrupted, nodes), strict=True):
        torch.testing.assert_close(fused, composed, rtol=1e-9, atol=1e-12)


def test_a_width_of_one_is_fine(monkeypatch):
    graph, motifs = CASES["triangles"]
    index = MotifIndex(graph, motifs)
    reg = MotifRegularizer(1, index, attention="additive").double()
    h, corrupted = (torch.randn(graph.num_nodes, 1, dtype=torch.float64) for _ in range(2))
    for fused, composed in zip(*both_ways(monkeypatch, reg, index, h, corrupted), strict=True):
        torch.testing.assert_close(fused, composed, rtol=1e-9, atol=1e-12)


def test_results_do_not_depend_on_what_the_buffers_held():
    graph, motifs = CASES["triangles"]
    index = MotifIndex(graph, motifs)
    reg = MotifRegularizer(8, index)
    h, corrupted = torch.randn(2, graph.num_nodes, 8)
    first = value_and_gradients(reg, index, h, corrupted)
    value_and_gradients(reg, index, 1e6 * corrupted, h, np.arange(20))
    again = value_and_gradients(reg, index, h, corrupted)
    assert all(torch.equal(one, two) for one, two in zip(first, again, strict=True))


def test_the_loss_repeats_to_the_bit_with_one_and_with_two_threads():
    graph = make_roles(num_nodes=1500)
    index = MotifIndex(graph)
    reg = MotifRegularizer(16, index)
    h, corrupted = torch.randn(2, graph.num_nodes, 16)
    before = torch.get_num_threads()
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            first, again = (value_and_gradients(reg, index, h, corrupted) for _ in range(2))
            assert all(torch.equal(one, two) for one, two in zip(first, again, strict=True))
    finally:
        torch.set_num_threads(before)


def test_a_buffer_grows_and_is_used_again():
    workspace = Workspace()
    small = workspace.take("x", 2, 3, torch.float32)
    assert workspace.take("x", 2, 3, torch.float32).data_ptr() == small.data_ptr()
    assert workspace.take("x", 5, 3, torch.float32).shape == (5, 3)
    assert workspace.take("x", 2, 3, torch.float64).dtype == torch.float64
    assert workspace.take("y", 5, 3, torch.float32).data_ptr() != workspace.take("x", 5, 3, torch.float32).data_ptr()


def test_no_array_grows_with_instances_times_members_times_width(monkeypatch):
    """Members are gathered once per row or pair: the widest buffer has at most one row per node and pass."""
    graph = make_roles(num_nodes=150, motifs_per_node=4)
    index = MotifIndex(graph)
    reg = MotifRegularizer(8, index, q=50)
    rows = []
    take = Workspace.take

    def watched(self, name, count, width, dtype):
        rows.append(count)
        return take(self, name, count, width, dtype)

    monkeypatch.setattr(Workspace, "take", watched)
    h, corrupted = torch.randn(2, 150, 8)
    reg.loss(h, corrupted, index)
    assert sum(len(s.members) for s in index.sample(None, 50)) > 10 * 150
    assert max(rows) <= 2 * 150
