"""A GCN on sampled neighbourhoods in one pass is the stack of its layers, in value and gradient."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from infomotif.datasets import make_roles
from infomotif.nn import GCN, NeighbourSampler
from infomotif.nn.encoders import encode as encode_whole
from infomotif.nn.encoders import encode_with_corruption
from infomotif.nn.encoders.encoding import encode_plain
from infomotif.nn.propagation import sampled
from infomotif.nn.propagation.blocks import Buffers

GRAPH = make_roles(num_nodes=150)
X = np.random.default_rng(0).normal(size=(150, 6)).astype(np.float32)


def rows_of(nodes):
    return torch.from_numpy(X[nodes])


def encoder_of(layers, dropout=0.0):
    torch.manual_seed(0)
    encoder = GCN(layers=layers, dropout=dropout).build(X.shape[1], 8)
    for layer in encoder.convolutions:
        torch.nn.init.normal_(layer.bias)
    return encoder


def sample(layers, fanout=3):
    return NeighbourSampler(GRAPH, [fanout] * layers).sample(np.array([70, 3, 9, 44]), seed=2)


def gradients(encoder, h, corrupted):
    weight = torch.from_numpy(np.random.default_rng(1).normal(size=h.shape).astype(np.float32))
    ((h * weight).sum() + 2 * (corrupted * weight).sum()).backward()
    found = [p.grad.clone() for p in encoder.parameters()]
    encoder.zero_grad()
    return found


@pytest.mark.parametrize("layers", [1, 2, 3])
@pytest.mark.parametrize("fanout", [0, 3])
@pytest.mark.parametrize("corrupt", [True, False])
def test_the_fused_pass_is_the_stack_of_layers(layers, fanout, corrupt, monkeypatch):
    monkeypatch.setattr(sampled, "CHUNK", 7)
    encoder, blocks = encoder_of(layers), sample(layers, fanout)
    permutation = torch.randperm(len(blocks.nodes)) if corrupt else None
    found = encode_plain(encoder, rows_of, blocks, permutation)
    x = rows_of(blocks.nodes)
    h = encode_whole(encoder, x, blocks)
    expected = (h, h) if permutation is None else encode_with_corruption(encoder, x, blocks, permutation)
    for a, b in zip(found, expected, strict=True):
        torch.testing.assert_close(a, b, atol=1e-5, rtol=1e-4)
    for a, b in zip(gradients(encoder, *found), gradients(encoder, *expected), strict=True):
        torch.testing.assert_close(a, b, atol=1e-4, rtol=1e-4)


def test_gradients_are_those_of_the_dropped_inputs():
    encoder, blocks = encoder_of(2, dropout=0.5).train(), sample(2)
    permutation = torch.randperm(len(blocks.nodes))

    def loss():
        torch.manual_seed(5)
        h, corrupted = encode_plain(encoder, rows_of, blocks, permutation)
        return h.double().square().sum() + corrupted.double().sum()

    loss().backward()
    for parameter in encoder.parameters():
        direction = torch.randn_like(parameter)
        slope = (parameter.grad * direction).sum().item()
        with torch.no_grad():
            parameter += 1e-3 * direction
            above = loss().item()
            parameter -= 2e-3 * direction
            below = loss().item()
            parameter += 1e-3 * direction
        assert (above - below) / 2e-3 == pytest.approx(slope, rel=0.05, abs=0.05)


def test_dropout_keeps_the_mean_and_its_rate():
    blocks = sample(1)
    weight, bias = torch.nn.Parameter(torch.eye(4)), torch.nn.Parameter(torch.zeros(4))
    ones = lambda nodes: torch.ones(len(nodes), 4)  # noqa: E731
    torch.manual_seed(0)
    kept = sampled.encode_sampled(ones, blocks, [(weight, bias)], 0.0)[0]
    drawn = torch.stack([sampled.encode_sampled(ones, blocks, [(weight, bias)], 0.4)[0] for _ in range(2000)])
    torch.testing.assert_close(drawn.mean(dim=0), kept, atol=0.05, rtol=0.05)


def test_a_result_changed_in_place_has_no_gradient():
    h, _ = encode_plain(encoder_of(2), rows_of, sample(2))
    total = h.square().sum()
    with torch.no_grad():
        h.add_(1)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        total.backward()


def test_buffers_are_used_again_but_never_by_two():
    buffers = Buffers()
    first, second = buffers.take((10, 2)), buffers.take((10, 2))
    assert not np.shares_memory(first, second)
    buffers.give(first)
    third = buffers.take((5, 3))
    assert np.shares_memory(first, third)
    assert not np.shares_memory(second, third)


def test_two_passes_before_their_gradients_do_not_share_memory():
    encoder, blocks = encoder_of(2), sample(2)
    alone = gradients(encoder, *encode_plain(encoder, rows_of, blocks))
    first, other = encode_plain(encoder, rows_of, blocks), encode_plain(encoder, lambda v: -rows_of(v), blocks)
    found = gradients(encoder, *first)
    assert all(torch.equal(a, b) for a, b in zip(alone, found, strict=True))
    del other
