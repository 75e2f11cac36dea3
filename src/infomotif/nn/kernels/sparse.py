"""Compiled sparse products, row softmax and neighbourhood maxima."""

from __future__ import annotations

import math

import numpy as np

from infomotif._core.parallel import kernel
from infomotif.typing import Array

ENTRIES = 64
"""Entries of a row that are gathered before their rows are added up."""


@kernel
def add_scaled_rows(count: int, col: Array, val: Array, x: Array, out: Array) -> None:
    """Add ``val[i] x[col[i]]`` of the first ``count`` entries to ``out``, four at a time to spare its traffic."""
    i = 0
    while i + 4 <= count:
        a, b, c, d = val[i], val[i + 1], val[i + 2], val[i + 3]
        x_a, x_b, x_c, x_d = x[col[i]], x[col[i + 1]], x[col[i + 2]], x[col[i + 3]]
        for j in range(len(out)):
            out[j] += a * x_a[j] + b * x_b[j] + c * x_c[j] + d * x_d[j]
        i += 4
    while i < count:
        a, x_a = val[i], x[col[i]]
        for j in range(len(out)):
            out[j] += a * x_a[j]
        i += 1


@kernel
def spmm(lo: int, hi: int, ptr: Array, col: Array, val: Array, x: Array, out: Array) -> None:
    """Write rows of ``out = A x`` for a CSR matrix A; entries of 0, as dropout leaves them, cost nothing."""
    cols, vals = np.empty(ENTRIES, col.dtype), np.empty(ENTRIES, val.dtype)
    for v in range(lo, hi):
        row = out[v]
        for j in range(len(row)):
            row[j] = 0
        count = 0
        for p in range(ptr[v], ptr[v + 1]):
            cols[count], vals[count] = col[p], val[p]
            count += val[p] != 0
            if count == ENTRIES:
                add_scaled_rows(count, cols, vals, x, row)
                count = 0
        add_scaled_rows(count, cols, vals, x, row)


@kernel
def spmm_by_blocks(lo: int, hi: int, ptr: Array, col: Array, val: Array, x: Array, out: Array, size: int) -> None:
    """Write the same as :func:`spmm`, ``size`` rows of ``x`` at a time, which stay in the cache.

    Columns must ascend in each row.
    """
    cols, vals = np.empty(ENTRIES, col.dtype), np.empty(ENTRIES, val.dtype)
    at = ptr[lo:hi].copy()
    for v in range(lo, hi):
        for j in range(out.shape[1]):
            out[v, j] = 0
    for end in range(size, len(x) + size, size):
        for v in range(lo, hi):
            count = 0
            p = at[v - lo]
            while p < ptr[v + 1] and col[p] < end:
                cols[count], vals[count] = col[p], val[p]
                count += val[p] != 0
                p += 1
                if count == ENTRIES:
                    add_scaled_rows(count, cols, vals, x, out[v])
                    count = 0
            add_scaled_rows(count, cols, vals, x, out[v])
            at[v - lo] = p


@kernel
def head_spmm(lo: int, hi: int, ptr: Array, col: Array, entry: Array, val: Array, x: Array, out: Array) -> None:
    """Write rows of ``out[v, h] = sum_p val[entry[p], h] x[col[p], h]``; x and out are [rows, heads, width]."""
    heads, width = x.shape[1], x.shape[2]
    for v in range(lo, hi):
        for h in range(heads):
            for j in range(width):
                out[v, h, j] = 0
        for p in range(ptr[v], ptr[v + 1]):
            u = col[p]
            for h in range(heads):
                w = val[entry[p], h]
                for j in range(width):
                    out[v, h, j] += w * x[u, h, j]


@kernel
def head_sddmm(lo: int, hi: int, ptr: Array, col: Array, a: Array, b: Array, out: Array) -> None:
    """Write ``out[p, h] = a[v, h] . b[col[p], h]`` for the entries p of rows v."""
    heads, width = a.shape[1], a.shape[2]
    for v in range(lo, hi):
        for p in range(ptr[v], ptr[v + 1]):
            u = col[p]
            for h in range(heads):
                total = a[v, h, 0] * b[u, h, 0]
                for j in range(1, width):
                    total += a[v, h, j] * b[u, h, j]
                out[p, h] = total


@kernel
def row_softmax(lo: int, hi: int, ptr: Array, score: Array, out: Array) -> None:
    """Write the softmax over the entries of each row, head by head."""
    for v in range(lo, hi):
        for h in range(score.shape[1]):
            top = -np.inf
            for p in range(ptr[v], ptr[v + 1]):
                top = max(top, score[p, h])
            total = 0.0
            for p in range(ptr[v], ptr[v + 1]):
                out[p, h] = math.exp(score[p, h] - top)
                total += out[p, h]
            for p in range(ptr[v], ptr[v + 1]):
                out[p, h] /= total


@kernel
def row_softmax_backward(lo: int, hi: int, ptr: Array, out: Array, grad: Array, dscore: Array) -> None:
    """Write the gradient of the scores of :func:`row_softmax`."""
    for v in range(lo, hi):
        for h in range(out.shape[1]):
            centre = 0.0
            for p in range(ptr[v], ptr[v + 1]):
                centre += out[p, h] * grad[p, h]
            for p in range(ptr[v], ptr[v + 1]):
                dscore[p, h] = out[p, h] * (grad[p, h] - centre)


@kernel
def neighbour_max(lo: int, hi: int, ptr: Array, col: Array, x: Array, out: Array, arg: Array) -> None:
    """Write the elementwise maximum over neighbours and the neighbour that has it (-1 without neighbours)."""
    width = x.shape[1]
    for v in range(lo, hi):
        for j in range(width):
            out[v, j] = 0
            arg[v, j] = -1
        for p in range(ptr[v], ptr[v + 1]):
            u = col[p]
            for j in range(width):
                if arg[v, j] < 0 or x[u, j] > out[v, j]:
                    out[v, j] = x[u, j]
                    arg[v, j] = u


@kernel
def neighbour_max_backward(lo: int, hi: int, arg: Array, grad: Array, out: Array) -> None:
    """Add gradients of columns ``lo`` to ``hi`` to the neighbours that have the maximum."""
    for v in range(arg.shape[0]):
        for j in range(lo, hi):
            if arg[v, j] >= 0:
                out[arg[v, j], j] += grad[v, j]


@kernel
def add_rows(lo: int, hi: int, rows: Array, x: Array, out: Array) -> None:
    """Add rows of ``x`` to the rows of ``out`` that ``rows`` names, each at most once."""
    for i in range(lo, hi):
        v = rows[i]
        for j in range(x.shape[1]):
            out[v, j] += x[i, j]


@kernel
def transpose_pattern(ptr: Array, col: Array, t_ptr: Array, t_row: Array, t_entry: Array) -> None:
    """Write for each column its rows and entries, in ascending order of rows."""
    for p in range(len(col)):
        t_ptr[col[p] + 1] += 1
    for u in range(len(t_ptr) - 1):
        t_ptr[u + 1] += t_ptr[u]
    fill = t_ptr[:-1].copy()
    for v in range(len(ptr) - 1):
        for p in range(ptr[v], ptr[v + 1]):
            u = col[p]
            t_row[fill[u]] = v
            t_entry[fill[u]] = p
            fill[u] += 1
