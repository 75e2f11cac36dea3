"""Dropout: the rate, independence, the seed, gradients."""

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from scipy import stats

from infomotif.nn.propagation.dropout import drop_inputs, dropout, rectified_dropout
from infomotif.nn.propagation.sparse import SparseMatrix


def test_inputs_are_dropped_at_the_rate_and_by_the_seed():
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


def test_rows_and_columns_are_dropped_independently():
    """Chi-square of the numbers kept by row and by column, over seeds."""
    by_row, by_column = [], []
    for seed in range(30):
        torch.manual_seed(seed)
        kept = (dropout(torch.ones(1000, 200), 0.5, True) > 0).numpy()
        by_row.append(stats.chi2.sf((((kept.sum(1) - 100) / np.sqrt(50)) ** 2).sum(), 1000))
        by_column.append(stats.chi2.sf((((kept.sum(0) - 500) / np.sqrt(250)) ** 2).sum(), 200))
    assert stats.kstest(by_row, "uniform").pvalue > 1e-3
    assert stats.kstest(by_column, "uniform").pvalue > 1e-3


def test_neighbouring_entries_are_not_correlated():
    torch.manual_seed(0)
    kept = (dropout(torch.ones(2000, 256), 0.5, True) > 0).double() - 0.5
    for step in (1, 2, 3, 16, 255):
        product = (kept[:, step:] * kept[:, :-step]).mean() * 4
        assert abs(float(product)) < 5 / np.sqrt(kept[:, step:].numel())
    assert abs(float((kept[1:] * kept[:-1]).mean() * 4)) < 5 / np.sqrt(kept.numel())


def test_the_result_does_not_depend_on_threads():
    dropped = []
    before = torch.get_num_threads()
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            torch.manual_seed(3)
            dropped.append(dropout(torch.ones(900, 301), 0.3, True))
    finally:
        torch.set_num_threads(before)
    assert torch.equal(*dropped)


def test_stored_entries_of_sparse_inputs_are_dropped():
    matrix = SparseMatrix.from_scipy(sp.random_array((50, 40), density=0.2, random_state=0, dtype=np.float32))
    torch.manual_seed(0)
    dropped = drop_inputs(matrix, 0.5, True)
    assert dropped.pattern is matrix.pattern
    assert set((dropped.values / matrix.values).unique().tolist()) == {0.0, 2.0}
    assert drop_inputs(matrix, 0.5, False) is matrix


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


@pytest.mark.parametrize(
    ("dtype", "rate"), [(torch.bfloat16, 0.5), (torch.float16, 0.5), (torch.float32, 1.0), (torch.float32, 1 - 1e-12)]
)
def test_what_torch_takes_is_left_to_it(dtype, rate):
    assert dropout(torch.ones(4, 3, dtype=dtype), rate, training=True).dtype == dtype


def test_a_transposed_view_is_taken():
    x = torch.rand(5, 8).t()
    out = dropout(x, 0.25, training=True)
    kept = out != 0
    torch.testing.assert_close(out[kept], x[kept] / 0.75)


def seeded(function, *arguments):
    torch.manual_seed(5)
    return function(*arguments)


@pytest.mark.parametrize("function", [dropout, rectified_dropout])
@pytest.mark.parametrize("shape", [(60, 256), (60, 37), (60, 3, 300)])
def test_some_rows_are_dropped_as_in_the_whole(function, shape):
    x, rows = torch.randn(shape), np.array([3, 59, 0, 17])
    whole = seeded(function, x, 0.4, True)
    assert torch.equal(seeded(function, x[rows], 0.4, True, rows), whole[rows])


def test_some_rows_of_sparse_inputs_are_dropped_as_in_the_whole():
    matrix = SparseMatrix.from_scipy(sp.random_array((50, 40), density=0.4, random_state=0, format="csr"))
    rows = np.array([3, 49, 0, 17])
    whole = seeded(drop_inputs, matrix, 0.5, True).to_dense()
    assert torch.equal(seeded(drop_inputs, matrix.rows(rows), 0.5, True, rows).to_dense(), whole[rows])


def test_rectified_dropout_is_dropout_after_a_relu_with_its_gradient():
    x = torch.randn(40, 33, requires_grad=True)
    fused, plain = seeded(rectified_dropout, x, 0.3, True), seeded(dropout, x.relu(), 0.3, True)
    assert torch.equal(fused, plain)
    weights = torch.randn(40, 33)
    assert torch.equal(*(torch.autograd.grad(out, x, weights)[0] for out in (fused, plain)))


def test_gradients_of_gradients_of_rectified_dropout_are_right():
    x = torch.rand(4, 3, dtype=torch.float64).add(0.5).requires_grad_()
    assert torch.autograd.gradgradcheck(lambda x: seeded(rectified_dropout, x * x, 0.5, True) ** 2, x)


def test_without_training_a_rectified_dropout_is_a_relu():
    assert rectified_dropout(torch.tensor([-1.0, 2.0]), 0.5, training=False).tolist() == [0, 2]
