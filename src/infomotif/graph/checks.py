"""The one validator: every graph passes through these checks on its way in."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from infomotif.errors import InputError
from infomotif.typing import Array, Attributes

_MAX_FIXED_WIDTH = 64
# A part of a graph keeps the class numbers of the whole, so fewer nodes than classes are not a mistake.
_MAX_UNNAMED_CLASSES = 10_000


def check_lengths(
    n: int,
    m: int,
    *,
    x: Attributes | None,
    y: Array | None = None,
    names: Array | None = None,
    weights: Array | None = None,
    attribute_names: Sequence[str] | None = None,
    node_types: Array | None = None,
    edge_types: Array | None = None,
    attribute_types: Array | None = None,
) -> None:
    """Check that arrays belong to a graph of n nodes and m stored edges.

    Raises:
        InputError: If one is shorter or longer.
    """
    if x is not None and x.shape[0] != n:
        raise InputError(f"attributes must have one row per node: expected {n} rows, got {x.shape[0]}")
    for values, what in ((y, "labels"), (names, "names"), (node_types, "node_types")):
        if values is not None and len(values) != n:
            raise InputError(f"{what} must have one entry per node: expected {n}, got {len(values)}")
    for values, what in ((weights, "weights"), (edge_types, "edge_types")):
        if values is not None and len(values) != m:
            raise InputError(f"{what} must have one entry per edge: expected {m}, got {len(values)}")
    if x is not None and attribute_names is not None and len(attribute_names) != x.shape[1]:
        raise InputError(f"attribute_names must name all {x.shape[1]} attributes (got {len(attribute_names)})")
    if attribute_types is not None and (x is None or node_types is None or len(attribute_types) != x.shape[1]):
        raise InputError("attribute_types needs node types, and must have one entry per attribute")


def check_finite(values: Array, what: str) -> Array:
    """Return the values if all are finite.

    Raises:
        InputError: If one is not; the message says where.
    """
    if not np.isfinite(values).all():
        where = np.argwhere(~np.isfinite(values))[0].tolist()
        raise InputError(f"{what} must be finite numbers (got {values[tuple(where)]} at position {where})")
    return values


def check_attributes(x: ArrayLike | sp.sparray | sp.spmatrix | None) -> Attributes | None:
    """Return a copy of the attributes as float32, dense or CSR.

    Raises:
        InputError: If they are not a matrix of finite numbers.
    """
    if x is None:
        return None
    if sp.issparse(x):
        given: Any = x
        matrix: sp.csr_array = sp.csr_array(given.tocsr(copy=True).astype(np.float32, copy=False))
        matrix.sum_duplicates()
        check_finite(matrix.data, "attributes")
        return matrix
    dense = np.array(x, dtype=np.float32)
    if dense.ndim != 2:
        raise InputError(f"attributes must be a matrix [nodes, attributes] (got {dense.ndim} dimensions)")
    return check_finite(dense, "attributes")


def as_float32(x: Attributes) -> Attributes:
    """Return attributes with 32 bits, as SciPy's matrices need them; a graph store may keep 16.

    Example:
        >>> str(as_float32(np.ones((2, 2), np.float16)).dtype)
        'float32'
    """
    return x.astype(np.float32) if x.dtype == np.float16 else x


def check_labels(
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
        raise InputError(f"labels must have one entry per node: expected {n}, got shape {labels.shape}")
    if labels.dtype.kind not in "iu":
        raise InputError("labels must be class numbers, -1 where unknown; readers turn names into numbers")
    labels = labels.astype(np.int64)
    most = int(labels.max(initial=-1))
    if class_names is None and most >= max(n, _MAX_UNNAMED_CLASSES):
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


def check_names(names: Sequence[str] | Array | None) -> Array | None:
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
    nul = "\0" in "".join(listed) and any(name.endswith("\0") for name in listed)
    if nul or max(map(len, listed), default=0) > _MAX_FIXED_WIDTH:
        array = np.empty(len(listed), dtype=np.object_)
        array[:] = listed
        return array
    return np.array(listed, dtype=np.str_)
