"""From edge lists to compressed rows."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from infomotif.errors import InputError
from infomotif.typing import Array

_MIN_COMPILED = 100_000
"""With fewer edges, loading the compiled loop takes longer than sorting them."""


class CSR(NamedTuple):
    """Compressed rows: the neighbours of v, ascending, are ``indices[indptr[v]:indptr[v + 1]]``."""

    indptr: Array
    indices: Array
    weights: Array | None = None


def endpoints(source: ArrayLike, target: ArrayLike, n: int) -> tuple[Array, Array]:
    """Return source and target as node numbers of 64 bits.

    Raises:
        InputError: If they are not node numbers in 0..n - 1.
    """
    src, dst = np.asarray(source), np.asarray(target)
    if n < 0:
        raise InputError(f"num_nodes must not be negative (got {n})")
    if src.ndim != 1 or src.shape != dst.shape:
        raise InputError(
            f"source and target must be one-dimensional and of equal length (got {src.shape}, {dst.shape})"
        )
    if src.size == 0:
        return np.empty(0, dtype=np.int64), np.empty(0, dtype=np.int64)
    if src.dtype.kind not in "iu" or dst.dtype.kind not in "iu":
        raise InputError("source and target must be node numbers; readers turn names into numbers")
    low, high = min(int(src.min()), int(dst.min())), max(int(src.max()), int(dst.max()))
    if low < 0 or high >= n:
        allowed = f"lie in 0..{n - 1}" if n else "not occur in a graph without nodes"
        raise InputError(f"edge endpoints must {allowed} (got {low if low < 0 else high})")
    # Unsigned numbers mixed with signed ones would turn into floats.
    return src.astype(np.int64, copy=False), dst.astype(np.int64, copy=False)


def index_type(n: int, m: int) -> type[np.signedinteger[Any]]:
    """Return the smallest index type that counts n nodes and m stored edges."""
    return np.int32 if max(n, m) < 2**31 else np.int64


def compress(src: Array, dst: Array, w: Array | None, n: int, directed: bool) -> tuple[CSR, int, int]:
    """Sort edges into CSR; return it with the number of distinct edges and of distinct ordered pairs."""
    index = index_type(n, 2 * len(src))
    if directed and w is None and len(src) >= _MIN_COMPILED:
        from infomotif.graph.kernels import fill_rows

        indptr, indices = np.zeros(n + 1, dtype=index), np.empty(len(src), dtype=index)
        count = int(fill_rows(src, dst, indptr, indices))
        return CSR(indptr, indices if count == len(src) else indices[:count].copy(), None), count, count
    wide = np.int64(max(n, 1))
    key = src.astype(np.int64) * wide + dst
    if directed:
        key, w = _distinct(key, w)
        listed = distinct = len(key)
    else:
        low, high = np.minimum(src, dst).astype(np.int64), np.maximum(src, dst)
        listed = len(np.unique(key)) if len(key) else 0
        key, w = _distinct(low * wide + high, w)
        distinct = len(key)
        key = np.concatenate([key, (key % wide) * wide + key // wide])
        if w is None:
            key.sort()
        else:
            order = np.argsort(key, kind="stable")
            key, w = key[order], np.concatenate([w, w])[order]
    rows = key // wide
    indptr = np.zeros(n + 1, dtype=index)
    np.cumsum(np.bincount(rows, minlength=n), out=indptr[1:])
    return CSR(indptr, (key - rows * wide).astype(index), w), distinct, listed


def first_conflict(src: Array, dst: Array, types: Array, n: int, directed: bool) -> tuple[int, int] | None:
    """Return the first edge that repeats another with a different type, behind that edge; None if there is none.

    Example:
        >>> first_conflict(np.array([0, 1, 0]), np.array([1, 0, 1]), np.array([3, 4, 3]), 2, False)
        (0, 1)
    """
    low, high = (src, dst) if directed else (np.minimum(src, dst), np.maximum(src, dst))
    key = low.astype(np.int64) * max(n, 1) + high
    order = np.argsort(key, kind="stable")
    key, kinds = key[order], types[order]
    clash = np.flatnonzero((key[1:] == key[:-1]) & (kinds[1:] != kinds[:-1]))
    if not len(clash):
        return None
    at = clash[np.argmin(order[clash + 1])]
    return int(order[at]), int(order[at + 1])


def _distinct(key: Array, w: Array | None) -> tuple[Array, Array | None]:
    if w is None:
        key = np.sort(key)
    else:
        order = np.argsort(key, kind="stable")
        key, w = key[order], w[order]
    first = np.ones(len(key), dtype=np.bool_)
    first[1:] = key[1:] != key[:-1]
    if first.all():
        return key, w
    return key[first], None if w is None else w[first]
