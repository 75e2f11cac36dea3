"""A check of what the arrays of a graph store say together, once each of them was checked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from infomotif._core.counter_rng import GOLDEN, mixed
from infomotif._core.parallel import parallel_ranges
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.csr import CSR
from infomotif.graph.kernels import spread_types
from infomotif.io.store.kernels import is_union
from infomotif.typing import Array

_PIECE = 1 << 22


def verify_graph(graph: Graph, folder: Path) -> None:
    """Check that the arrays of a stored graph agree.

    Args:
        graph: The graph, whose arrays were checked one by one.
        folder: The folder of its arrays, for messages.

    Raises:
        InputError: If the rows of the two directions do not match, a value is not finite, two nodes have one name, or
            the fingerprint differs.
    """
    _check_directions(graph, folder)
    x = graph.x
    if x is not None and not isinstance(x, np.ndarray):
        x = x.data
    for values, name in ((x, "x" if isinstance(graph.x, np.ndarray) else "x-data"), (graph.csr.weights, "weights")):
        if values is not None and not all(np.isfinite(values[part]).all() for part in _slices(values)):
            raise InputError(f"{folder / name}.npy: must hold finite numbers; convert the graph again")
    if not graph.numbered and len(np.unique(graph.names)) < graph.num_nodes:
        raise InputError(f"{folder / 'names.npy'}: two nodes have one name; convert the graph again")
    if not graph.directed and graph.edge_types is not None and not _same_both_ways(graph):
        raise InputError(f"{folder / 'edge-types.npy'}: an edge has two types; convert the graph again")
    if graph.replace().fingerprint() != graph.fingerprint():
        raise InputError(f"{folder}: the fingerprint is not that of the arrays; convert the graph again")


def _same_both_ways(graph: Graph) -> bool:
    """Return whether both entries of each undirected edge have the same type."""
    types = np.zeros(0, np.uint8) if graph.edge_types is None else graph.edge_types
    out, back = (np.zeros(len(types), np.uint16) for _ in range(2))
    rows = (graph.csr.indptr, graph.csr.indices)
    spread_types(*rows, *rows, types, out, back)
    return bool(np.array_equal(out, back))


def _check_directions(graph: Graph, folder: Path) -> None:
    """Check that the reverse rows hold the same edges, and the undirected ones those of both."""
    back = graph.reverse if graph.directed else graph.csr
    if _sum_of_pairs(graph.csr, swapped=False) != _sum_of_pairs(back, swapped=True):
        file = "reverse-indices.npy" if graph.directed else "indices.npy"
        raise InputError(f"{folder / file}: holds other edges in the other direction; convert the graph again")
    if not graph.directed:
        return
    rows = [values for csr in (graph.csr, graph.reverse, graph.undirected) for values in (csr.indptr, csr.indices)]
    if not all(parallel_ranges(is_union, graph.undirected.indptr, *rows)):
        raise InputError(f"{folder / 'undirected-indices.npy'}: lacks edges, or has others; convert the graph again")


def _sum_of_pairs(csr: CSR, *, swapped: bool) -> int:
    """Return a sum over all edges that does not depend on their order, so that two lists can be compared in pieces."""
    total = 0
    for rows in _row_ranges(csr.indptr):
        source, target = _pairs(csr, rows)
        first, second = (target, source) if swapped else (source, target)
        keys = first.astype(np.uint64) * GOLDEN + second.astype(np.uint64)
        total += int(mixed(keys).sum(dtype=np.uint64))
    return total % 2**64


def _pairs(csr: CSR, rows: slice) -> tuple[Array, Array]:
    pointers = np.asarray(csr.indptr[rows.start : rows.stop + 1]).astype(np.int64)
    source = np.repeat(np.arange(rows.start, rows.stop, dtype=np.int64), np.diff(pointers))
    return source, np.asarray(csr.indices[pointers[0] : pointers[-1]]).astype(np.int64)


def _row_ranges(indptr: Array) -> Iterator[slice]:
    """Yield ranges of rows with about as many entries as a piece has."""
    start, last = 0, len(indptr) - 1
    while start < last:
        stop = int(np.searchsorted(indptr, int(indptr[start]) + _PIECE, side="right")) - 1
        stop = min(max(stop, start + 1), last)
        yield slice(start, stop)
        start = stop


def _slices(values: Array) -> Iterator[slice]:
    step = max(1, _PIECE // max(1, values[:1].size))
    return (slice(start, min(len(values), start + step)) for start in range(0, len(values), step))
