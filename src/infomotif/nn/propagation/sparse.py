"""Sparse products with gradients: compiled loops on the CPU, torch's sparse operations elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property, partial
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from infomotif._core.parallel import parallel_calls, parallel_ranges, split_ranges
from infomotif.nn import kernels
from infomotif.typing import Array

COMPILED_DEVICES = ("cpu",)
"""Devices whose products run in compiled loops; on others torch's sparse operations are used."""
BLOCK_ROWS = 512
"""Rows that a transposed product with many entries works on at a time, so that they stay in the cache."""
MIN_BLOCK_ENTRIES = 16
"""With fewer entries per column and block, going through all columns for every block costs more than it saves."""
_CHUNK = 1 << 18


def run(kernel: Callable[..., Any], work: int | Array, *arrays: Any) -> None:
    """Run a compiled loop over ranges of ``work`` on as many threads as torch uses."""
    parallel_ranges(kernel, work, *arrays, threads=torch.get_num_threads())


def run_columns(kernel: Callable[..., Any], width: int, *arrays: Any) -> None:
    """Run a compiled loop over ranges of columns, one per thread."""
    threads = torch.get_num_threads()
    parallel_calls([partial(kernel, a, b, *arrays) for a, b in split_ranges(width, threads)], threads=threads)


def _compiled(x: Tensor) -> bool:
    """Whether compiled loops handle this tensor."""
    return x.device.type in COMPILED_DEVICES


class Pattern:
    """The positions of a sparse matrix's entries: compressed rows, and the transpose when first needed.

    Args:
        indptr: Row pointers, [rows + 1].
        indices: Column of each entry, [entries].
        num_cols: Number of columns.
    """

    def __init__(self, indptr: Array, indices: Array, num_cols: int) -> None:
        # One type of index wherever it can hold them, so that each kernel is compiled once.
        small = max(num_cols, len(indices)) <= np.iinfo(np.int32).max
        self.indptr = np.ascontiguousarray(indptr, dtype=np.int32 if small else None)
        self.indices = np.ascontiguousarray(indices, dtype=np.int32 if small else None)
        self.num_cols = num_cols
        self._tensors: dict[torch.device, tuple[Tensor, Tensor]] = {}

    @property
    def num_rows(self) -> int:
        """Number of rows."""
        return len(self.indptr) - 1

    @cached_property
    def transposed(self) -> tuple[Array, Array, Array]:
        """Column pointers, and by column the row and the position of each entry."""
        t_ptr = np.zeros(self.num_cols + 1, dtype=self.indptr.dtype)
        t_row = np.empty(len(self.indices), dtype=self.indices.dtype)
        t_entry = np.empty(len(self.indices), dtype=self.indptr.dtype)
        kernels.transpose_pattern(self.indptr, self.indices, t_ptr, t_row, t_entry)
        return t_ptr, t_row, t_entry

    def rows_and_columns(self, device: torch.device) -> tuple[Tensor, Tensor]:
        """Return row and column of each entry as index tensors on ``device``."""
        if device not in self._tensors:
            rows = np.repeat(np.arange(self.num_rows), np.diff(self.indptr))
            cols = self.indices.astype(np.int64)
            self._tensors[device] = (torch.from_numpy(rows).to(device), torch.from_numpy(cols).to(device))
        return self._tensors[device]


class SparseMatrix:
    """A constant sparse matrix A; ``A @ dense`` carries gradients for ``dense`` only.

    Args:
        pattern: Where the entries are.
        values: The entries.
        places: Position of each row's first entry in the matrix that the rows were taken from, if they were, [rows].

    Example:
        >>> import scipy.sparse as sp
        >>> matrix = SparseMatrix.from_scipy(sp.eye_array(3, format="csr", dtype="float32"))
        >>> (matrix @ torch.ones(3, 2)).sum().item()
        6.0
    """

    def __init__(self, pattern: Pattern, values: Tensor, places: Array | None = None) -> None:
        self.pattern = pattern
        self.values = values
        self.places = places

    @classmethod
    def from_scipy(cls, matrix: Any) -> SparseMatrix:
        """Make one from a SciPy sparse matrix."""
        csr = sp.csr_array(matrix)
        return cls(Pattern(csr.indptr, csr.indices, csr.shape[1]), torch.from_numpy(np.array(csr.data)))

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.pattern.num_rows, self.pattern.num_cols

    def to(self, device: torch.device | None = None, dtype: torch.dtype | None = None) -> SparseMatrix:
        """Return the matrix with its values on ``device`` in ``dtype``."""
        values = self.values.to(device=device, dtype=dtype)
        return self if values is self.values else SparseMatrix(self.pattern, values, self.places)

    def rows(self, numbers: Array) -> SparseMatrix:
        """Return some rows as a matrix; dropout drops the same of their entries as in the whole.

        Example:
            >>> import scipy.sparse as sp
            >>> matrix = SparseMatrix.from_scipy(sp.csr_array([[1.0, 0.0], [2.0, 3.0]]))
            >>> matrix.rows(np.array([1, 1])).to_dense().tolist()
            [[2.0, 3.0], [2.0, 3.0]]
        """
        starts, lengths = self.pattern.indptr[numbers], np.diff(self.pattern.indptr)[numbers]
        indptr = np.zeros(len(numbers) + 1, dtype=self.pattern.indptr.dtype)
        np.cumsum(lengths, out=indptr[1:])
        entries = np.arange(indptr[-1]) + np.repeat(starts - indptr[:-1], lengths)
        pattern = Pattern(indptr, self.pattern.indices[entries], self.pattern.num_cols)
        return SparseMatrix(pattern, self.values[torch.from_numpy(entries).to(self.values.device)], starts)

    def to_scipy(self) -> sp.csr_array:
        """Return the matrix as a SciPy array; values on the CPU are shared."""
        arrays = (self.values.detach().cpu().numpy(), self.pattern.indices, self.pattern.indptr)
        return sp.csr_array(arrays, shape=self.shape)

    def to_dense(self) -> Tensor:
        """Return the matrix as a dense tensor."""
        dense = torch.zeros(self.shape, dtype=self.values.dtype, device=self.values.device)
        rows, cols = self.pattern.rows_and_columns(self.values.device)
        return dense.index_put((rows, cols), self.values, accumulate=True)

    def __matmul__(self, dense: Tensor) -> Tensor:
        """Multiply with a dense matrix [columns, D]."""
        return _constant_product(dense, self)


def _product(pattern: Pattern, values: Tensor, dense: Tensor) -> Tensor:
    if not _compiled(dense):
        rows, cols = pattern.rows_and_columns(dense.device)
        coo = torch.sparse_coo_tensor(torch.stack([rows, cols]), values, (pattern.num_rows, pattern.num_cols))
        product: Tensor = torch.sparse.mm(coo, dense)
        return product
    dense = dense.contiguous()
    out = torch.empty(pattern.num_rows, dense.shape[1], dtype=dense.dtype)
    arrays = (pattern.indptr, pattern.indices, values.numpy(), dense.numpy(), out.numpy())
    run(kernels.spmm, pattern.indptr, *arrays)
    return out


def _transposed_product(pattern: Pattern, values: Tensor, dense: Tensor) -> Tensor:
    if not _compiled(dense):
        rows, cols = pattern.rows_and_columns(dense.device)
        coo = torch.sparse_coo_tensor(torch.stack([cols, rows]), values, (pattern.num_cols, pattern.num_rows))
        product: Tensor = torch.sparse.mm(coo, dense)
        return product
    dense = dense.contiguous()
    out = torch.empty(pattern.num_cols, dense.shape[1], dtype=dense.dtype)
    t_ptr, t_row, t_entry = pattern.transposed
    arrays = (t_ptr, t_row, values.numpy()[t_entry], dense.numpy(), out.numpy())
    if MIN_BLOCK_ENTRIES * pattern.num_rows * pattern.num_cols < BLOCK_ROWS * len(t_row):
        run(kernels.spmm_by_blocks, t_ptr, *arrays, BLOCK_ROWS)
    else:
        run(kernels.spmm, t_ptr, *arrays)
    return out


class _ConstantProduct(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, dense: Tensor, matrix: SparseMatrix) -> Tensor:
        ctx.matrix = matrix = matrix.to(dtype=dense.dtype)
        return _product(matrix.pattern, matrix.values, dense)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        return _transposed_product(ctx.matrix.pattern, ctx.matrix.values, grads[0]), None


_constant_product: Callable[..., Tensor] = _ConstantProduct.apply


def _gather(pattern: Pattern, values: Tensor, x: Tensor, transpose: bool = False) -> Tensor:
    """Sum rows of ``x`` [., heads, width] with weights by entry [entries, heads], over rows or over columns."""
    size = (pattern.num_cols, pattern.num_rows) if transpose else (pattern.num_rows, pattern.num_cols)
    if not _compiled(x):
        rows, cols = pattern.rows_and_columns(x.device)
        index = torch.stack([cols, rows] if transpose else [rows, cols])
        heads = range(x.shape[1])
        return torch.stack([torch.sparse_coo_tensor(index, values[:, h], size) @ x[:, h] for h in heads], dim=1)
    if transpose:
        ptr, col, entry = pattern.transposed
    else:
        ptr, col, entry = pattern.indptr, pattern.indices, np.arange(len(pattern.indices))
    out = torch.empty(size[0], *x.shape[1:], dtype=x.dtype)
    run(kernels.head_spmm, ptr, ptr, col, entry, values.numpy(), x.contiguous().numpy(), out.numpy())
    return out


def _dots(pattern: Pattern, a: Tensor, b: Tensor) -> Tensor:
    """Return ``a[row] . b[column]`` of each entry, head by head, [entries, heads]."""
    if not _compiled(a):
        rows, cols = pattern.rows_and_columns(a.device)
        pieces = zip(rows.split(_CHUNK), cols.split(_CHUNK), strict=True)
        return torch.cat([(a[r] * b[c]).sum(-1) for r, c in pieces]) if len(rows) else a.new_zeros(0, a.shape[1])
    out = torch.empty(len(pattern.indices), a.shape[1], dtype=a.dtype)
    arrays = (pattern.indptr, pattern.indices, a.contiguous().numpy(), b.contiguous().numpy(), out.numpy())
    run(kernels.head_sddmm, pattern.indptr, *arrays)
    return out


class _WeightedSum(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, values: Tensor, x: Tensor, pattern: Pattern) -> Tensor:
        values = values.contiguous()
        ctx.save_for_backward(values, x)
        ctx.pattern = pattern
        return _gather(pattern, values, x)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, None]:
        values, x = ctx.saved_tensors
        return _dots(ctx.pattern, grads[0], x), _gather(ctx.pattern, values, grads[0], transpose=True), None


class _PairDots(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, a: Tensor, b: Tensor, pattern: Pattern) -> Tensor:
        ctx.save_for_backward(a, b)
        ctx.pattern = pattern
        return _dots(pattern, a, b)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, Tensor, None]:
        a, b = ctx.saved_tensors
        grad = grads[0].contiguous()
        return _gather(ctx.pattern, grad, b), _gather(ctx.pattern, grad, a, transpose=True), None


_weighted_sum: Callable[..., Tensor] = _WeightedSum.apply
_pair_dots: Callable[..., Tensor] = _PairDots.apply


def weighted_sum(pattern: Pattern, values: Tensor, x: Tensor) -> Tensor:
    """Sum the rows of ``x`` at each row's entries with learned weights, head by head.

    ``out[v, h] = sum_p values[p, h] x[col[p], h]`` with gradients for both.

    Args:
        pattern: The entries, [rows, n].
        values: Weight of each entry and head, [entries, heads].
        x: What is summed, [n, heads, width].

    Returns:
        The sums, [rows, heads, width].
    """
    return _weighted_sum(values, x, pattern)


def pair_dots(pattern: Pattern, a: Tensor, b: Tensor) -> Tensor:
    """Return ``a[row] . b[column]`` for each entry of the pattern, [entries, heads], with gradients for both.

    Args:
        pattern: The entries, [rows, n].
        a: One side, [rows, heads, width].
        b: The other side, [n, heads, width].
    """
    return _pair_dots(a, b, pattern)


class _RowSoftmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, scores: Tensor, pattern: Pattern) -> Tensor:
        out = torch.empty_like(scores, memory_format=torch.contiguous_format)
        run(kernels.row_softmax, pattern.indptr, pattern.indptr, scores.detach().contiguous().numpy(), out.numpy())
        ctx.pattern = pattern
        ctx.save_for_backward(out)
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        (out,) = ctx.saved_tensors
        d_scores = torch.empty_like(out)
        arrays = (ctx.pattern.indptr, out.numpy(), grads[0].contiguous().numpy(), d_scores.numpy())
        run(kernels.row_softmax_backward, ctx.pattern.indptr, *arrays)
        return d_scores, None


_row_softmax: Callable[..., Tensor] = _RowSoftmax.apply


def row_softmax(pattern: Pattern, scores: Tensor) -> Tensor:
    """Softmax over the entries of each row, [entries, heads]."""
    if _compiled(scores):
        return _row_softmax(scores, pattern)
    rows, _ = pattern.rows_and_columns(scores.device)
    index = rows.unsqueeze(-1).expand_as(scores)
    top = scores.new_full((pattern.num_rows, scores.shape[1]), float("-inf"))
    top = top.scatter_reduce(0, index, scores.detach(), "amax")
    weights = (scores - top[rows]).exp()
    return weights / weights.new_zeros(top.shape).index_add(0, rows, weights)[rows]


class _NeighbourMax(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Tensor, pattern: Pattern) -> Tensor:
        x = x.contiguous()
        out = torch.empty(pattern.num_rows, x.shape[1], dtype=x.dtype)
        arg = np.empty(out.shape, dtype=np.int32)
        arrays = (pattern.indptr, pattern.indices, x.detach().numpy(), out.numpy(), arg)
        run(kernels.neighbour_max, pattern.indptr, *arrays)
        ctx.arg, ctx.shape = arg, x.shape
        return out

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor, None]:
        d_x = torch.zeros(ctx.shape, dtype=grads[0].dtype)
        arrays = (ctx.arg, grads[0].contiguous().numpy(), d_x.numpy())
        run_columns(kernels.neighbour_max_backward, ctx.shape[1], *arrays)
        return d_x, None


_neighbour_max: Callable[..., Tensor] = _NeighbourMax.apply


def neighbour_max(pattern: Pattern, x: Tensor) -> Tensor:
    """Elementwise maximum of ``x`` [n, D] over each row's entries; 0 for a row without entries."""
    if _compiled(x):
        return _neighbour_max(x, pattern)
    rows, cols = pattern.rows_and_columns(x.device)
    zeros = x.new_zeros(pattern.num_rows, x.shape[1])
    return zeros.scatter_reduce(0, rows.unsqueeze(-1).expand(-1, x.shape[1]), x[cols], "amax", include_self=False)
