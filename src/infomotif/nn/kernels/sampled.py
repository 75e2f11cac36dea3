"""Compiled loops of a GCN on a sampled neighbourhood, whose weights follow from degrees and are never stored.

A row v of a sample averages as ``left[v] (x[v] + share[v] sum_u x[u])``: ``left`` is 1 / sqrt(degree + 1), ``share``
says how many neighbours each sampled one stands for, and the rows of ``x`` were multiplied by their own ``left``.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif._core.counter_rng import stream_of
from infomotif._core.parallel import kernel
from infomotif.typing import Array

_U32 = np.uint32


@kernel
def random_bits(stream: Any, j: Any) -> Any:
    """Return number ``j`` of a stream, in 32 bits throughout, so that several fit into a register."""
    bits = _U32(stream + _U32(_U32(j) * _U32(0x9E3779B1)))
    bits = _U32(_U32(bits ^ _U32(bits >> _U32(16))) * _U32(0x7FEB352D))
    bits = _U32(_U32(bits ^ _U32(bits >> _U32(15))) * _U32(0x846CA68B))
    return _U32(bits ^ _U32(bits >> _U32(16)))


@kernel
def drop_rows(lo: int, hi: int, seed: Any, threshold: Any, scale: Any, x: Array) -> None:
    """Scale rows of ``x``, entries set to 0 with a chance of ``threshold`` in 2^32."""
    for v in range(lo, hi):
        stream = _U32(stream_of(seed, v) & np.uint64(0xFFFFFFFF))
        for j in range(x.shape[1]):
            x[v, j] = x[v, j] * scale if random_bits(stream, j) >= threshold else x.dtype.type(0)


@kernel
def spread_rows(
    lo: int,
    hi: int,
    ptr: Array,
    col: Array,
    left: Array,
    share: Array,
    bias: Array,
    seed: Any,
    threshold: Any,
    scale: Any,
    x: Array,
    out: Array,
) -> None:
    """Write ReLU of the average plus bias, entries set to 0 with a chance of ``threshold`` in 2^32, others scaled."""
    width = x.shape[1]
    for v in range(lo, hi):
        for j in range(width):
            out[v, j] = 0
        p = ptr[v]
        # Several neighbours at a time, as every addition reads and writes the row.
        while p + 3 < ptr[v + 1]:
            a, b, c, d = col[p], col[p + 1], col[p + 2], col[p + 3]
            for j in range(width):
                out[v, j] += (x[a, j] + x[b, j]) + (x[c, j] + x[d, j])
            p += 4
        while p < ptr[v + 1]:
            a = col[p]
            for j in range(width):
                out[v, j] += x[a, j]
            p += 1
        own = left[v]
        others = own * share[v]
        stream = _U32(stream_of(seed, v) & np.uint64(0xFFFFFFFF))
        for j in range(width):
            value = bias[j] + own * x[v, j] + others * out[v, j]
            kept = value > 0 and random_bits(stream, j) >= threshold
            out[v, j] = value * scale if kept else x.dtype.type(0)


@kernel
def mask_gradient(lo: int, hi: int, result: Array, left: Array, scale: Any, grad: Array, sums: Array) -> None:
    """Turn ``grad`` by the result of :func:`spread_rows` into that before ReLU, times ``left``; add its columns up."""
    width = grad.shape[1]
    for v in range(lo, hi):
        for j in range(width):
            value = grad[v, j] * scale if result[v, j] > 0 else grad.dtype.type(0)
            sums[j] += value
            grad[v, j] = value * left[v]


@kernel
def spread_rows_backward(
    lo: int, hi: int, t_ptr: Array, t_row: Array, left: Array, share: Array, grad: Array, out: Array
) -> None:
    """Write the gradient of the rows of ``x`` before their multiplication by ``left``."""
    width = grad.shape[1]
    rows = grad.shape[0]
    for u in range(lo, hi):
        if u < rows:
            for j in range(width):
                out[u, j] = grad[u, j]
        else:
            for j in range(width):
                out[u, j] = 0
        e = t_ptr[u]
        while e + 1 < t_ptr[u + 1]:
            a, b = t_row[e], t_row[e + 1]
            wa, wb = share[a], share[b]
            for j in range(width):
                out[u, j] += wa * grad[a, j] + wb * grad[b, j]
            e += 2
        if e < t_ptr[u + 1]:
            a = t_row[e]
            wa = share[a]
            for j in range(width):
                out[u, j] += wa * grad[a, j]
        for j in range(width):
            out[u, j] *= left[u]


@kernel
def permute_signal(lo: int, hi: int, permutation: Array, left: Array, x: Array) -> None:
    """Write the second signal of ``x`` [m, 2, D]: the first one of permuted rows, with the ``left`` of their place."""
    for v in range(lo, hi):
        u = permutation[v]
        factor = left[v] / left[u]
        for j in range(x.shape[2]):
            x[v, 1, j] = factor * x[u, 0, j]


@kernel
def fold_signals(lo: int, hi: int, inverse: Array, first: int, x: Array, out: Array) -> None:
    """Write rows from ``first`` on of the sum of both signals of a gradient [m, 2, D], the second one unpermuted."""
    for i in range(lo, hi):
        v = first + i
        u = inverse[v]
        for j in range(x.shape[2]):
            out[i, j] = x[v, 0, j] + x[u, 1, j]


@kernel
def count_columns(lo: int, hi: int, col: Array, t_ptr: Array) -> None:
    """Count the entries of columns ``lo`` to ``hi``, each at the position after its own."""
    for p in range(len(col)):
        u = col[p]
        if lo <= u < hi:
            t_ptr[u + 1] += 1


@kernel
def fill_columns(lo: int, hi: int, ptr: Array, col: Array, fill: Array, t_row: Array) -> None:
    """Write the rows of columns ``lo`` to ``hi`` in ascending order, from where ``fill`` says."""
    for v in range(len(ptr) - 1):
        for p in range(ptr[v], ptr[v + 1]):
            u = col[p]
            if lo <= u < hi:
                t_row[fill[u]] = v
                fill[u] += 1
