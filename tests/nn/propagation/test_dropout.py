"""Dropout of large tensors."""

from functools import partial

import pytest
import torch

from infomotif.nn.propagation.dropout import MIN_SIZE
from infomotif.nn.propagation.dropout import dropout as any_dropout

dropout = partial(any_dropout, min_size=1)


def test_large_inputs_are_dropped_at_the_rate_and_by_the_seed():
    x = torch.ones(400, 130)
    dropped = []
    for seed in (0, 0, 1):
        torch.manual_seed(seed)
        dropped.append(dropout(x, 0.2, True))
    assert torch.equal(dropped[0], dropped[1])
    assert not torch.equal(dropped[0], dropped[2])
    assert torch.equal(x, torch.ones(400, 130))
    assert set(dropped[0].unique().tolist()) == {0.0, 1.25}
    assert float((dropped[0] == 0).double().mean()) == pytest.approx(0.2, abs=0.01)
    by_column = (dropped[0] == 0).double().mean(dim=0)
    assert float(by_column.std()) == pytest.approx((0.16 / 400) ** 0.5, rel=0.3)
    assert dropout(x, 0.2, False) is x


def test_small_tensors_are_left_to_torch():
    x = torch.ones(100, 30)
    torch.manual_seed(0)
    found = any_dropout(x, 0.5, True)
    torch.manual_seed(0)
    assert x.numel() < MIN_SIZE
    assert torch.equal(found, torch.dropout(x, 0.5, True))


@pytest.mark.parametrize("shape", [(7,), (6, 5), (5, 3, 4)])
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
def test_the_gradient_is_dropped_where_the_value_was(shape, dtype):
    x = torch.rand(shape, dtype=dtype).add(1).requires_grad_()
    out = dropout(x, 0.5, training=True)
    out.sum().backward()
    assert out.dtype == dtype
    torch.testing.assert_close(out.detach(), x.grad * x.detach())
    assert set(x.grad.unique().tolist()) <= {0.0, 2.0}


def test_gradients_of_gradients_are_right():
    def seeded(x):
        torch.manual_seed(0)
        return dropout(x * x, 0.5, training=True) ** 2

    x = torch.rand(4, 3, dtype=torch.float64).add(0.5).requires_grad_()
    assert torch.autograd.gradgradcheck(seeded, x)


@pytest.mark.parametrize(("dtype", "rate"), [(torch.bfloat16, 0.5), (torch.float16, 0.5), (torch.float32, 1.0)])
def test_what_torch_takes_is_left_to_it(dtype, rate):
    assert dropout(torch.ones(4, 3, dtype=dtype), rate, training=True).dtype == dtype


def test_a_transposed_view_is_taken():
    x = torch.rand(5, 8).t()
    out = dropout(x, 0.25, training=True)
    kept = out != 0
    torch.testing.assert_close(out[kept], x[kept] / 0.75)
