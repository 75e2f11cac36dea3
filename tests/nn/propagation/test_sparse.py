"""Sparse products against dense ones: values and gradients, with and without the compiled loops, on any threads."""

from __future__ import annotations

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from infomotif.nn.propagation import sparse
from infomotif.nn.propagation.sparse import Pattern, SparseMatrix, neighbour_max, pair_dots, row_softmax, weighted_sum


@pytest.fixture(params=["compiled", "torch"])
def path(request, monkeypatch):
    """Compiled loops, or torch's own operations as on other devices."""
    if request.param == "torch":
        monkeypatch.setattr(sparse, "COMPILED_DEVICES", ())
    return request.param


def random_matrix(rows: int, cols: int, seed: int = 0) -> sp.csr_array:
    """With an empty first row and an empty first column."""
    matrix = sp.random_array((rows, cols), density=0.4, rng=np.random.default_rng(seed), format="lil")
    matrix[0, :] = 0
    matrix[:, 0] = 0
    return sp.csr_array(matrix)


def pattern_of(matrix: sp.csr_array) -> Pattern:
    return Pattern(matrix.indptr, matrix.indices, matrix.shape[1])


def random(*shape: int) -> torch.Tensor:
    return torch.randn(*shape, dtype=torch.float64, generator=torch.Generator().manual_seed(1), requires_grad=True)


# Many entries take another loop for the transposed product, some rows at a time.
@pytest.mark.parametrize("near", [0, 2, 5, 256])
@pytest.mark.parametrize("shape", [(6, 5), (5, 9), (12, 4), (4, 0)])
def test_product_is_the_dense_product_with_its_gradient(path, shape, near, monkeypatch):
    monkeypatch.setattr(sparse, "BLOCK_ROWS", near)
    matrix = random_matrix(*shape) if shape[1] else sp.csr_array(shape)
    ours, x = SparseMatrix.from_scipy(matrix.astype(np.float64)), random(shape[1], 3)
    torch.testing.assert_close(ours @ x, torch.from_numpy(matrix.toarray()) @ x)
    if shape[1]:
        assert torch.autograd.gradcheck(lambda x: ours @ x, (x,))


def test_product_takes_the_precision_of_the_dense_side(path):
    matrix = SparseMatrix.from_scipy(random_matrix(6, 5).astype(np.float32))
    assert (matrix @ random(5, 2)).dtype == torch.float64
    assert (matrix @ random(5, 2).float()).dtype == torch.float32


def test_product_with_columns_that_are_not_contiguous(path):
    matrix = SparseMatrix.from_scipy(random_matrix(6, 5))
    x = random(3, 5)
    torch.testing.assert_close(matrix @ x.t(), matrix.to_dense() @ x.t())


def test_repeated_entries_add_up():
    matrix = SparseMatrix(Pattern(np.array([0, 2]), np.array([1, 1]), 2), torch.tensor([2.0, 3.0]))
    assert matrix.to_dense().tolist() == [[0, 5]]
    assert (matrix @ torch.tensor([[1.0], [10.0]])).tolist() == [[50]]


def test_weighted_sum_is_a_product_per_head_with_its_gradients(path):
    matrix = random_matrix(6, 5)
    pattern, values, x = pattern_of(matrix), random(matrix.nnz, 2), random(5, 2, 3)
    out = weighted_sum(pattern, values, x)
    rows, cols = (torch.from_numpy(part.astype(np.int64)) for part in matrix.nonzero())
    for h in range(2):
        dense = torch.zeros(6, 5, dtype=torch.float64).index_put((rows, cols), values[:, h])
        torch.testing.assert_close(out[:, h], dense @ x[:, h])
    assert torch.autograd.gradcheck(lambda values, x: weighted_sum(pattern, values, x), (values, x))


def test_pair_dots_are_dot_products_with_their_gradients(path):
    matrix = random_matrix(6, 5)
    pattern, a, b = pattern_of(matrix), random(6, 2, 3), random(5, 2, 3)
    rows, cols = (torch.from_numpy(part.astype(np.int64)) for part in matrix.nonzero())
    torch.testing.assert_close(pair_dots(pattern, a, b), (a[rows] * b[cols]).sum(-1))
    assert torch.autograd.gradcheck(lambda a, b: pair_dots(pattern, a, b), (a, b))


def test_pair_dots_of_no_pairs_are_none(path):
    pattern = Pattern(np.zeros(4, dtype=np.int32), np.empty(0, dtype=np.int32), 5)
    assert pair_dots(pattern, random(3, 2, 4), random(5, 2, 4)).shape == (0, 2)


def test_row_softmax_is_a_softmax_per_row_with_its_gradient(path):
    matrix = random_matrix(6, 5)
    pattern, scores = pattern_of(matrix), random(matrix.nnz, 2)
    out = row_softmax(pattern, scores)
    for v in range(6):
        own = slice(matrix.indptr[v], matrix.indptr[v + 1])
        torch.testing.assert_close(out[own], scores[own].softmax(dim=0))
    assert torch.autograd.gradcheck(lambda scores: row_softmax(pattern, scores), (scores,))


def test_row_softmax_of_huge_scores_is_finite(path):
    pattern = Pattern(np.array([0, 2]), np.array([0, 1]), 2)
    scores = torch.tensor([[1e30], [-1e30]])
    assert row_softmax(pattern, scores).tolist() == [[1.0], [0.0]]


def test_neighbour_max_is_a_maximum_with_its_gradient(path):
    matrix = random_matrix(6, 5)
    pattern, x = pattern_of(matrix), random(5, 3)
    out = neighbour_max(pattern, x)
    for v in range(6):
        cols = matrix.indices[matrix.indptr[v] : matrix.indptr[v + 1]]
        torch.testing.assert_close(out[v], x[cols].amax(dim=0) if len(cols) else torch.zeros(3, dtype=torch.float64))
    assert torch.autograd.gradcheck(lambda x: neighbour_max(pattern, x), (x,))


def test_results_do_not_depend_on_the_number_of_threads():
    rng = np.random.default_rng(0)
    matrix = sp.random_array((3000, 900), density=0.02, rng=rng, format="csr", dtype=np.float32)
    ours, pattern = SparseMatrix.from_scipy(matrix), pattern_of(matrix)
    x, values = torch.randn(900, 2, 4), torch.randn(matrix.nnz, 2)
    results, before = [], torch.get_num_threads()
    try:
        for threads in (1, 2):
            torch.set_num_threads(threads)
            leaves = [t.clone().requires_grad_() for t in (x, values)]
            out = [
                ours @ leaves[0].flatten(1),
                weighted_sum(pattern, row_softmax(pattern, leaves[1]), leaves[0]),
                neighbour_max(pattern, leaves[0].flatten(1)),
            ]
            torch.cat([part.flatten() for part in out]).square().sum().backward()
            results.append([*out, *(leaf.grad for leaf in leaves)])
    finally:
        torch.set_num_threads(before)
    assert all(torch.equal(one, two) for one, two in zip(*results, strict=True))
