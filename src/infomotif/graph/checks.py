"""The one validator: every graph passes through these checks on its way in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from infomotif.errors import InputError
from infomotif.typing import Array, Attributes

_WIDEST_NAME = 64
# A part of a graph keeps the numbers of the whole, so that fewer nodes than classes are no mistake.
_MOST_UNNAMED_CLASSES = 10_000


class CSR(NamedTuple):
    """Compressed rows: the neighbours of v, ascending, are ``indices[indptr[v]:indptr[v + 1]]``."""

    indptr: Array
    indices: Array
    weights: Array | None = None


def endpoints(source: ArrayLike, target: ArrayLike, n: int) -> tuple[Array, Array]:
    """Return source and target as node numbers of 64 bits.

    Raises:
        InputError: If they are no node numbers in 0..n - 1.
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


def finite(values: Array, what: str) -> Array:
    """Return the values if all are finite.

    Raises:
        InputError: If one is not; the message says where.
    """
    if not np.isfinite(values).all():
        where = np.argwhere(~np.isfinite(values))[0].tolist()
        raise InputError(f"{what} must be finite numbers (got {values[tuple(where)]} at position {where})")
    return values


def attributes(x: ArrayLike | sp.sparray | sp.spmatrix | None) -> Attributes | None:
    """Return a copy of the attributes as float32, dense or CSR.

    Raises:
        InputError: If they are no matrix of finite numbers.
    """
    if x is None:
        return None
    if sp.issparse(x):
        given: Any = x
        matrix: sp.csr_array = sp.csr_array(given.tocsr(copy=True).astype(np.float32, copy=False))
        matrix.sum_duplicates()
        finite(matrix.data, "attributes")
        return matrix
    dense = np.array(x, dtype=np.float32)
    if dense.ndim != 2:
        raise InputError(f"attributes must be a matrix [nodes, attributes] (got {dense.ndim} dimensions)")
    return finite(dense, "attributes")


def wide(x: Attributes) -> Attributes:
    """Return attributes with 32 bits, as SciPy's matrices need them; a graph store may keep 16.

    Example:
        >>> str(wide(np.ones((2, 2), np.float16)).dtype)
        'float32'
    """
    return x.astype(np.float32) if x.dtype == np.float16 else x


def labels_and_classes(
    y: ArrayLike | None, class_names: Sequence[str] | None, n: int
) -> tuple[Array | None, tuple[str, ...]]:
    """Return class numbers [n] and class names; without labels None and no names.

    Raises:
        InputError: If a number has no name, or names repeat, or without names a number is beyond reason.
    """
    if y is None:
        return None, ()
    labels = np.asarray(y)
    if labels.size == 0:
        labels = labels.astype(np.int64)
    if labels.shape != (n,):
        raise InputError(f"labels must have one entry a node: expected {n}, got shape {labels.shape}")
    if labels.dtype.kind not in "iu":
        raise InputError("labels must be class numbers, -1 where unknown; readers turn names into numbers")
    labels = labels.astype(np.int64)
    most = int(labels.max(initial=-1))
    if class_names is None and most >= max(n, _MOST_UNNAMED_CLASSES):
        raise InputError(
            f"node {int(labels.argmax())} has the class number {most}, more than a graph of {n} nodes can need; "
            "number the classes from 0, or name all of them (class_names)"
        )
    classes = tuple(str(c) for c in (class_names if class_names is not None else range(most + 1)))
    if int(labels.min(initial=0)) < -1 or most >= len(classes):
        raise InputError(f"labels must lie in -1..{len(classes) - 1}, as there are {len(classes)} class names")
    if len(set(classes)) != len(classes):
        raise InputError("class names must differ from each other")
    return labels, classes


def unique_names(names: Sequence[str] | Array | None) -> Array | None:
    """Return the names as an array of text.

    Raises:
        InputError: If a name occurs twice.
    """
    if names is None:
        return None
    listed = [str(name) for name in (names.tolist() if isinstance(names, np.ndarray) else names)]
    if len(set(listed)) != len(listed):
        name, count = Counter(listed).most_common(1)[0]
        raise InputError(f"node names must be unique ('{name}' occurs {count} times)")
    # Fixed-width text would widen every name to the longest, and would lose a final NUL.
    if max(map(len, listed), default=0) > _WIDEST_NAME or any(name.endswith("\0") for name in listed):
        array = np.empty(len(listed), dtype=np.object_)
        array[:] = listed
        return array
    return np.array(listed, dtype=np.str_)
