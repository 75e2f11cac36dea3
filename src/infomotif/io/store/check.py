"""What is checked of a graph store before anything computes with it: checksums, and that no number leads astray."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from infomotif._core.checksums import check_file
from infomotif._core.parallel import parallel_calls
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.store.description import DESCRIPTION, Description
from infomotif.io.store.kernels import first_falling_pointer, worst_entry
from infomotif.typing import Array

_PIECE = 1 << 22
_MAX_CODE_POINT = 0x10FFFF
_SURROGATES = (0xD800, 0xDFFF)


def check_arrays(graph: Graph, about: Description) -> None:
    """Read every file of a store once, on all threads.

    Row pointers must rise from 0 to the number of entries, entries must be numbers of nodes or columns that ascend in
    each row, labels must be those of classes and names must be text. Where the description has checksums, each file
    must have its own.

    Args:
        graph: The graph as it was mapped.
        about: The description of the store.

    Raises:
        InputError: With the name of the first file that is wrong.
    """
    folder, n = about.folder, graph.num_nodes
    calls: list[Any] = []
    if about.checksums is not None:
        paths = sorted((folder / name for name in about.file_names()), key=lambda path: -path.stat().st_size)
        calls += [partial(check_file, path, about.checksums.get(path.name), DESCRIPTION) for path in paths]
    calls.append(partial(check_rows, graph.csr.indptr, graph.csr.indices, n, folder, ""))
    if graph.directed:
        for prefix, csr in (("reverse-", graph.reverse), ("undirected-", graph.undirected)):
            calls.append(partial(check_rows, csr.indptr, csr.indices, n, folder, prefix))
    x: Any = graph.x
    if x is not None and not isinstance(x, np.ndarray):
        calls.append(partial(check_rows, x.indptr, x.indices, x.shape[1], folder, "x-"))
    if graph.y is not None:
        calls.append(partial(_check_labels, graph.y, graph.num_classes, folder / "y.npy"))
    for types, names, file in (
        (graph.node_types, graph.node_type_names, "node-types.npy"),
        (graph.edge_types, graph.edge_type_names, "edge-types.npy"),
    ):
        if types is not None:
            calls.append(partial(_check_types, types, len(names), folder / file))
    if not graph.numbered:
        calls.append(partial(_check_names, graph.names, folder / "names.npy"))
    parallel_calls(calls)


def check_rows(indptr: Array, indices: Array, most: int, folder: Path, prefix: str) -> None:
    """Check rows of ascending numbers below ``most``; nothing is read outside of the arrays, whatever they hold.

    Raises:
        InputError: With the name of the file that is wrong.
    """
    n = len(indptr) - 1
    if first_falling_pointer(indptr, len(indices)) < n:
        raise InputError(f"{folder / prefix}indptr.npy: row pointers must not fall; convert the graph again")
    worst = worst_entry(0, n, indptr, indices, most)
    if worst == 2:
        raise InputError(f"{folder / prefix}indices.npy: numbers must lie in 0..{most - 1}; convert the graph again")
    if worst == 1:
        raise InputError(f"{folder / prefix}indices.npy: rows must ascend; convert the graph again")


def _check_labels(y: Array, classes: int, path: Path) -> None:
    if len(y) and not -1 <= int(y.min()) <= int(y.max()) < classes:
        raise InputError(f"{path}: labels must lie in -1..{classes - 1}; convert the graph again")


def _check_types(types: Array, count: int, path: Path) -> None:
    if len(types) and int(types.max()) >= count:
        raise InputError(f"{path}: types must lie in 0..{count - 1}; convert the graph again")


def _check_names(names: Array, path: Path) -> None:
    width = max(1, names.dtype.itemsize)
    for start in range(0, len(names), max(1, _PIECE // width)):
        codes = np.ascontiguousarray(names[start : start + max(1, _PIECE // width)]).view(np.uint32)
        low, high = _SURROGATES
        if (codes > _MAX_CODE_POINT).any() or ((codes >= low) & (codes <= high)).any():
            raise InputError(f"{path}: names must be text; convert the graph again")
