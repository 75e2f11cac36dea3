"""A sha256 over a graph, read in pieces so that memory-mapped arrays stay on disk."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from infomotif.graph.colours import Colours
from infomotif.graph.csr import CSR
from infomotif.typing import Array, Attributes

_PIECE = 1 << 22


def graph_fingerprint(
    directed: bool,
    csr: CSR,
    x: Attributes | None,
    y: Array | None,
    class_names: Sequence[str],
    types: Mapping[str, Colours | None] | None = None,
) -> str:
    """Return the sha256 over structure, attributes, labels and types; dense and sparse attributes give the same.

    Without types it is the fingerprint of graphs from before there were any.

    Example:
        >>> csr = CSR(np.array([0, 1, 1]), np.array([1]))
        >>> graph_fingerprint(True, csr, None, None, ())[:16]
        '164e23f044a77b61'
    """
    digest = hashlib.sha256(f"infomotif-graph-1 directed={directed} n={len(csr.indptr) - 1}".encode())
    _add(digest, "indptr", csr.indptr, "<i8")
    _add(digest, "indices", csr.indices, "<i8")
    if csr.weights is not None:
        _add(digest, "weights", csr.weights, "<f4")
    if x is not None:
        digest.update(f"x {x.shape}".encode())
        if isinstance(x, np.ndarray):
            _add_dense(digest, x)
        else:
            _add_sparse(digest, x.indptr, x.indices, x.data)
    if y is not None:
        _add(digest, "y", y, "<i8")
        _add_names(digest, class_names)
    for key, colours in (types or {}).items():
        if colours is not None:
            _add(digest, key, colours.codes, "<i8")
            _add_names(digest, colours.names)
    return digest.hexdigest()


def _add_names(digest: Any, names: Sequence[str]) -> None:
    for name in names:
        digest.update(f"{len(name)}:{name}".encode("utf-8", "surrogatepass"))


def _add(digest: Any, key: str, values: Array, kind: str) -> None:
    pieces = (values[start : start + _PIECE] for start in range(0, len(values), _PIECE))
    _add_pieces(digest, key, len(values), pieces, kind)


def _add_pieces(digest: Any, key: str, length: int, pieces: Iterable[Array], kind: str) -> None:
    digest.update(f"{key}:{length}:".encode())
    for piece in pieces:
        digest.update(np.ascontiguousarray(piece, dtype=kind).data)


def _add_dense(digest: Any, x: Array) -> None:
    rows = max(1, _PIECE // max(1, x.shape[1]))

    def blocks() -> Iterator[Array]:
        return (x[start : start + rows] for start in range(0, len(x), rows))

    indptr = np.zeros(len(x) + 1, np.int64)
    np.cumsum(np.concatenate([[0], *(np.count_nonzero(block, axis=1) for block in blocks())]), out=indptr)
    _add(digest, "x.indptr", indptr, "<i8")
    _add_pieces(digest, "x.indices", int(indptr[-1]), (np.nonzero(block)[1] for block in blocks()), "<i8")
    _add_pieces(digest, "x.data", int(indptr[-1]), (block[block != 0] for block in blocks()), "<f4")


def _add_sparse(digest: Any, indptr: Array, indices: Array, data: Array) -> None:
    if np.count_nonzero(data) < len(data):
        kept = data != 0
        indptr = np.concatenate([[0], np.cumsum(kept, dtype=np.int64)])[indptr]
        indices, data = indices[kept], data[kept]
    _add(digest, "x.indptr", indptr, "<i8")
    _add(digest, "x.indices", indices, "<i8")
    _add(digest, "x.data", data, "<f4")
