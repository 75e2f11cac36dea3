"""Units that are 0 for every node are left out of the loss without a change of value or gradients."""

from __future__ import annotations

import functools

import numpy as np
import pytest
import torch

from infomotif import Graph, MotifIndex, make_roles
from infomotif.nn import MotifRegularizer
from infomotif.nn.regularizer.units import LANES, Units, is_rectified
from tests.nn import literal

WIDTH = 40
NODES = 10


@functools.cache
def index() -> MotifIndex:
    source = [0, 0, 1, 1, 2, 3, 4, 5, 5, 6, 7, 3, 0]
    target = [1, 2, 2, 3, 3, 4, 5, 6, 7, 7, 8, 5, 5]
    return MotifIndex(Graph.from_edges(source, target, num_nodes=NODES, directed=True))


def make(**options):
    torch.manual_seed(0)
    reg = MotifRegularizer(WIDTH, index(), q=3, **options).double()
    with torch.no_grad():
        for parameter in reg.parameters():
            parameter.copy_(0.3 * torch.randn_like(parameter))
    return reg


def inputs(idle: int = 27):
    """What goes into a ReLU: ``idle`` units, spread over all, are negative everywhere."""
    torch.manual_seed(1)
    order = torch.randperm(WIDTH)
    made = []
    for _ in range(2):
        x = torch.randn(NODES, WIDTH, dtype=torch.float64)
        x[:, order[:idle]] = -x[:, order[:idle]].abs()
        made.append(x.requires_grad_())
    return made


def gradients(value, reg, *leaves):
    wanted = [*leaves, *reg.heads.parameters()]
    found = torch.autograd.grad(value, wanted, allow_unused=True, retain_graph=True)
    return [torch.zeros_like(w) if g is None else g for w, g in zip(wanted, found, strict=True)]


@pytest.mark.parametrize("idle", [0, 27, WIDTH])
@pytest.mark.parametrize(
    "options",
    [{}, {"gate": "diagonal"}, {"attention": "additive"}, {"negatives": "swap"}],
    ids=lambda options: " ".join(options) or "paper",
)
def test_without_idle_units_value_and_gradients_are_those_of_the_printed_formulas(options, idle):
    reg, leaves = make(**options), inputs(idle)
    nodes = np.array([7, 0, 3, 9, 5, 1])
    alpha = torch.rand(NODES, reg.num_motifs, dtype=torch.float64)
    rectified = [torch.relu(x) for x in leaves]
    ours = reg.loss(*rectified, index(), nodes, alpha=alpha, generator=np.random.default_rng(4))
    observed, negatives = reg.draw(index(), nodes, np.random.default_rng(4))
    expected = literal.loss(
        *rectified, nodes.tolist(), observed, [other.instances for other in negatives],
        [head.loss_parameters() for head in reg.heads], alpha,
        from_corrupted=reg.negatives.corrupted, additive=reg.heads[0].encoder.additive,
    )  # fmt: skip
    torch.testing.assert_close(ours, expected, rtol=1e-12, atol=1e-13)
    for found, wanted in zip(gradients(ours, reg, *leaves), gradients(expected, reg, *leaves), strict=True):
        torch.testing.assert_close(found, wanted, rtol=1e-9, atol=1e-12)


def test_float32_is_as_near_to_float64_as_rounding_allows():
    graph = make_roles(num_nodes=120)
    motifs = MotifIndex(graph)
    torch.manual_seed(0)
    reg = MotifRegularizer(64, motifs, q=5)
    x = torch.randn(2, 120, 64) - 2.5
    results = []
    for dtype in (torch.float32, torch.float64):
        reg = reg.to(dtype)
        leaves = x.to(dtype).requires_grad_()
        rectified = [torch.relu(part) for part in leaves.unbind()]
        value = reg.loss(*rectified, motifs, generator=np.random.default_rng(0))
        results.append([value.detach(), *gradients(value, reg, leaves)])
    for single, double in zip(*results, strict=True):
        scale = double.abs().max().item()
        torch.testing.assert_close(single.double(), double, rtol=0, atol=2e-6 * scale)


def test_the_columns_are_those_with_a_positive_number_and_fill_registers():
    x = torch.zeros(3, 64)
    x[0, 5], x[2, 50] = 1.0, 2.0
    columns = Units.used(x, torch.zeros(3, 64)).columns
    assert len(columns) == LANES
    assert {5, 50} <= set(columns.tolist())
    assert columns.tolist() == sorted(columns.tolist())


def test_a_column_with_nan_is_used():
    x = torch.zeros(3, 64)
    x[1, 60] = float("nan")
    assert 60 in Units.used(x).columns.tolist()


@pytest.mark.parametrize("x", [torch.ones(3, 64), torch.zeros(3, LANES), torch.zeros(0, 64)])
def test_where_nothing_is_saved_all_columns_are_used(x):
    assert Units.used(x).columns is None


def test_only_a_relu_rectifies():
    x = torch.randn(2, 3, requires_grad=True)

    class Own(torch.autograd.Function):
        @staticmethod
        def forward(ctx, x):
            ctx.rectifies = True
            return x.clamp(min=0)

        @staticmethod
        def backward(ctx, grad):
            return grad

    assert is_rectified(torch.relu(x))
    assert is_rectified(Own.apply(x))
    assert not is_rectified(torch.relu(x) * 2)
    assert all(is_rectified(rows) for rows in (torch.relu(x)[:1], torch.relu(x)[torch.tensor([1, 1])]))
    assert not is_rectified(x[:1])


def test_a_maximum_of_relus_is_rectified():
    x = torch.randn(2, 3, requires_grad=True)
    assert is_rectified(torch.stack([torch.relu(x), torch.relu(-x)], dim=1).amax(dim=1))
    assert not is_rectified(torch.stack([torch.relu(x), x], dim=1).amax(dim=1))
    assert not is_rectified(torch.relu(x).detach())
