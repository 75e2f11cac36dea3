"""Every number of a graph store, read once: what opening it in milliseconds cannot check."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from infomotif.errors import InputError
from infomotif.graph import Array, Graph

_PIECE = 1 << 22


def verify_graph(graph: Graph, folder: Path) -> None:
    """Check every number of a stored graph.

    Args:
        graph: The graph as it was opened.
        folder: Its store, for messages.

    Raises:
        InputError: If a number is out of range, rows do not ascend, a value is not finite, or the fingerprint differs.
    """
    rows = {"": graph.csr}
    if graph.directed:
        rows |= {"reverse-": graph.reverse, "undirected-": graph.undirected}
    for prefix, csr in rows.items():
        _check_rows(csr.indptr, csr.indices, graph.num_nodes, folder / f"{prefix}indices.npy")
    x, y = graph.x, graph.y
    if y is not None and len(y) and not -1 <= int(y.min()) <= int(y.max()) < graph.num_classes:
        raise InputError(f"{folder / 'y.npy'}: labels must lie in -1..{graph.num_classes - 1}; convert the graph again")
    if x is not None and not isinstance(x, np.ndarray):
        _check_rows(x.indptr, x.indices, x.shape[1], folder / "x-indices.npy")
        x = x.data
    for values, name in ((x, "x" if isinstance(graph.x, np.ndarray) else "x-data"), (graph.csr.weights, "weights")):
        if values is not None and not all(np.isfinite(values[part]).all() for part in _slices(values)):
            raise InputError(f"{folder / name}.npy: must hold finite numbers; convert the graph again")
    if graph.replace().fingerprint() != graph.fingerprint():
        raise InputError(f"{folder}: the fingerprint is not that of the arrays; convert the graph again")


def _check_rows(indptr: Array, indices: Array, most: int, path: Path) -> None:
    if (np.diff(indptr) < 0).any():
        raise InputError(f"{path}: row pointers must not fall; convert the graph again")
    first = np.zeros(len(indices) + 1, np.bool_)
    first[indptr] = True
    for part in _slices(indices):
        piece = indices[part]
        if int(piece.min()) < 0 or int(piece.max()) >= most:
            raise InputError(f"{path}: numbers must lie in 0..{most - 1}; convert the graph again")
        before = indices[max(0, part.start - 1) : part.stop - 1]
        own = piece if part.start else piece[1:]
        if ((own <= before) & ~first[max(1, part.start) : part.stop]).any():
            raise InputError(f"{path}: rows must ascend; convert the graph again")


def _slices(values: Array) -> Iterator[slice]:
    step = max(1, _PIECE // max(1, values[:1].size))
    return (slice(start, min(len(values), start + step)) for start in range(0, len(values), step))
