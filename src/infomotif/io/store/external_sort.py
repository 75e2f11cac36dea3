"""From edges in any order to rows on disk: sorted in ranges of nodes, of which one at a time is in memory."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif._core.parallel import parallel_ranges
from infomotif._core.progress import Advance
from infomotif.graph.csr import CSR, index_type
from infomotif.io.store.arrays import ArrayFile, array_file
from infomotif.io.store.kernels import count_entries, count_union, fill_union
from infomotif.io.tables.edges import Edges
from infomotif.typing import Array

Piece = tuple[Array, Array, Array, Array | None]
"""Row, source, target and weight of edges."""

# What sorting an edge takes: its ends, a key, an order and a copy.
_BYTES_PER_EDGE = 64


@dataclass(frozen=True)
class Limits:
    """How much is in memory at once.

    Attributes:
        edges: Edges that are sorted at once.
        piece: Edges that are moved at once.
        files: Ranges of nodes that are open at the same time, each with its file.
    """

    edges: int
    piece: int = 1 << 22
    files: int = 200

    @classmethod
    def within(cls, memory: int) -> Limits:
        """Return the limits for about so many bytes of memory.

        Example:
            >>> Limits.within(1 << 30).edges
            16777216
        """
        return cls(max(1024, memory // _BYTES_PER_EDGE))


@dataclass
class Written:
    """How many loops and repetitions were left out, counted as ``Graph.from_edges`` counts them."""

    self_loops: int
    repeated_edges: int
    both_directions: int


def write_rows(
    edges: Iterable[Edges], n: int, folder: Path, scratch: Path, *, directed: bool, weighted: bool, limits: Limits,
    advance: Advance,
) -> Written:  # fmt: skip
    """Write the rows of a graph store.

    Args:
        edges: Start, end and weight of edges by node number, in pieces.
        n: Number of nodes.
        folder: Where the arrays go.
        scratch: An empty folder for what is needed meanwhile.
        directed: Whether an edge has a direction.
        weighted: Whether edges have weights; of repeated edges the first counts.
        limits: How much is in memory at once.
        advance: Told about the progress of sorting, 1 in all.
    """
    given, loops, counts = _spill(edges, n, scratch, directed, weighted)
    index = index_type(n, 2 * given)
    limits = replace(limits, edges=max(limits.edges, given // limits.files))
    upper = _Rows(scratch if not directed else folder, "upper-" if not directed else "", n, index, weighted)
    listed = distinct = 0
    with upper.writing() as (indices, weights):
        pieces = _spilled(scratch, weighted, directed, limits.piece)
        for first, last, source, target, w in _buckets(pieces, _bounds(counts, limits.edges), scratch, weighted):
            key, kept, seen = _sorted_edges(source, target, w, first, n, directed)
            listed, distinct = listed + seen, distinct + len(key)
            rows = key // n
            upper.add(first, last, rows)
            indices.append(key - rows * n)
            if weights is not None and kept is not None:
                weights.append(kept)
            advance(0.4 * len(source) / max(1, given))
    for name in ("edges.npy", "weights.npy"):
        (scratch / name).unlink(missing_ok=True)
    csr = upper.load()
    back_folder, prefix, carried = (folder, "undirected-", False) if directed else (scratch, "", weighted)
    back = _transpose(csr, n, index, back_folder, scratch, limits, carried, advance)
    _unite(csr, back, n, index, folder, prefix, limits, carried, advance)
    return Written(loops, given - listed, listed - distinct)


class _Rows:
    """Rows that are being written."""

    def __init__(self, folder: Path, prefix: str, n: int, index: Any, weighted: bool) -> None:
        self.folder, self.prefix, self.index, self.weighted = folder, prefix, index, weighted
        self.indptr = np.zeros(n + 1, np.int64)

    @contextlib.contextmanager
    def writing(self) -> Iterator[tuple[ArrayFile, ArrayFile | None]]:
        with contextlib.ExitStack() as stack:
            indices = stack.enter_context(array_file(self.folder / f"{self.prefix}indices.npy", self.index))
            name = f"{self.prefix}weights.npy"
            weights = stack.enter_context(array_file(self.folder / name, np.float32)) if self.weighted else None
            yield indices, weights
        np.cumsum(self.indptr, out=self.indptr)
        np.save(self.folder / f"{self.prefix}indptr.npy", self.indptr.astype(self.index))

    def add(self, first: int, last: int, rows: Array) -> None:
        self.indptr[first + 1 : last + 1] = np.bincount(rows, minlength=last - first)

    def load(self) -> CSR:
        names = ["indptr", "indices", *(["weights"] if self.weighted else [])]
        return CSR(*(_mapped(self.folder / f"{self.prefix}{name}.npy") for name in names))


def _mapped(path: Path) -> Array:
    values: Array = np.load(path, mmap_mode="r")
    return values.view(np.ndarray)


def _spill(edges: Iterable[Edges], n: int, scratch: Path, directed: bool, weighted: bool) -> tuple[int, int, Array]:
    """Write the edges down without loops; count them by row."""
    given, loops = 0, 0
    counts = np.zeros(n, np.int64)
    with contextlib.ExitStack() as stack:
        pairs = stack.enter_context(array_file(scratch / "edges.npy", np.int32 if n < 2**31 else np.int64, 2))
        weights = stack.enter_context(array_file(scratch / "weights.npy", np.float32)) if weighted else None
        for source, target, w in edges:
            keep = source != target
            loops += len(source) - int(keep.sum())
            source, target = source[keep], target[keep]
            given += len(source)
            count_entries(source if directed else np.minimum(source, target), counts)
            pairs.append(np.stack([source, target], axis=1))
            if weights is not None and w is not None:
                weights.append(w[keep])
    return given, loops, counts


def _spilled(scratch: Path, weighted: bool, directed: bool, piece: int) -> Iterator[Piece]:
    pairs = np.load(scratch / "edges.npy", mmap_mode="r")
    weights = np.load(scratch / "weights.npy", mmap_mode="r") if weighted else None
    for start in range(0, len(pairs), piece):
        part = np.asarray(pairs[start : start + piece])
        row = part[:, 0] if directed else part.min(axis=1)
        yield row, part[:, 0], part[:, 1], None if weights is None else weights[start : start + piece]


def _bounds(counts: Array, limit: int) -> Array:
    """Cut the nodes into ranges of at most ``limit`` edges, where no single node has more."""
    before = np.concatenate([[0], np.cumsum(counts)])
    bounds = [0]
    while bounds[-1] < len(counts):
        stop = int(np.searchsorted(before, before[bounds[-1]] + limit, side="right")) - 1
        bounds.append(min(len(counts), max(stop, bounds[-1] + 1)))
    return np.array(bounds)


def _buckets(
    pieces: Iterable[Piece], bounds: Array, scratch: Path, weighted: bool
) -> Iterator[tuple[int, int, Array, Array, Array | None]]:
    """Yield the edges of each range of rows, in the order in which they came."""
    parts = len(bounds) - 1
    with contextlib.ExitStack() as stack:
        files: dict[tuple[str, int], ArrayFile] = {}
        for row, source, target, w in pieces:
            bucket = (np.searchsorted(bounds, row, side="right") - 1).astype(np.uint16 if parts < 2**16 else np.int64)
            order = np.argsort(bucket, kind="stable")
            cuts = np.searchsorted(bucket[order], np.arange(parts + 1))
            held = {"ends": np.stack([source, target], axis=1)[order]} | ({} if w is None else {"weights": w[order]})
            for b in np.flatnonzero(np.diff(cuts)).tolist():
                for kind, values in held.items():
                    if (kind, b) not in files:
                        path, width = scratch / f"{kind}-{b}.npy", 2 if kind == "ends" else None
                        files[kind, b] = stack.enter_context(array_file(path, values.dtype, width))
                    files[kind, b].append(values[cuts[b] : cuts[b + 1]])
    for b in range(parts):
        first, last = int(bounds[b]), int(bounds[b + 1])
        ends, w = np.empty((0, 2), np.int64), np.empty(0, np.float32) if weighted else None
        if ("ends", b) in files:
            ends = np.load(scratch / f"ends-{b}.npy")
            w = np.load(scratch / f"weights-{b}.npy") if weighted else None
            for kind in ("ends", "weights"):
                (scratch / f"{kind}-{b}.npy").unlink(missing_ok=True)
        yield first, last, ends[:, 0], ends[:, 1], w


def _sorted_edges(
    source: Array, target: Array, w: Array | None, first: int, n: int, directed: bool
) -> tuple[Array, Array | None, int]:
    """Return the distinct edges as row * n + column, rows counted from ``first``, their weights, and ordered pairs."""
    low, high = (source, target) if directed else (np.minimum(source, target), np.maximum(source, target))
    key = (low.astype(np.int64) - first) * n + high
    # Of an undirected edge both orders may be listed, which the lowest bit tells apart.
    ordered = np.sort(key if directed else 2 * key + (source > target))
    distinct = _changes(ordered)
    listed = int(distinct.sum())
    if w is None:
        key = ordered[distinct] if directed else ordered[distinct] >> 1
        return key[_changes(key)], None, listed
    order = np.argsort(key, kind="stable")
    key = key[order]
    keep = _changes(key)
    return key[keep], w[order][keep], listed


def _changes(ordered: Array) -> NDArray[np.bool_]:
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


def _row_pieces(csr: CSR, n: int, piece: int) -> Iterator[Piece]:
    """Yield the entries of rows transposed: their column is the new row."""
    for first, last in _spans(csr.indptr, n, piece):
        start, stop = int(csr.indptr[first]), int(csr.indptr[last])
        rows = np.repeat(np.arange(first, last, dtype=csr.indices.dtype), np.diff(csr.indptr[first : last + 1]))
        columns = np.asarray(csr.indices[start:stop])
        yield columns, columns, rows, None if csr.weights is None else csr.weights[start:stop]


def _spans(indptr: Array, n: int, size: int) -> Iterator[tuple[int, int]]:
    first = 0
    while first < n:
        last = int(np.searchsorted(indptr, int(indptr[first]) + size, side="right")) - 1
        last = min(n, max(last, first + 1))
        yield first, last
        first = last


def _transpose(
    csr: CSR, n: int, index: Any, folder: Path, scratch: Path, limits: Limits, weighted: bool, advance: Advance
) -> CSR:
    counts = np.zeros(n, np.int64)
    for start in range(0, len(csr.indices), limits.piece):
        count_entries(csr.indices[start : start + limits.piece], counts)
    back = _Rows(folder, "reverse-", n, index, weighted)
    total = max(1, len(csr.indices))
    with back.writing() as (indices, weights):
        plain = csr if weighted else csr._replace(weights=None)
        pieces = _row_pieces(plain, n, limits.piece)
        for first, last, source, target, w in _buckets(pieces, _bounds(counts, limits.edges), scratch, weighted):
            key, kept, _ = _sorted_edges(source, target, w, first, n, True)
            rows = key // max(1, n)
            back.add(first, last, rows)
            indices.append(key - rows * n)
            if weights is not None and kept is not None:
                weights.append(kept)
            advance(0.4 * len(source) / total)
    return back.load()


def _unite(
    one: CSR, other: CSR, n: int, index: Any, folder: Path, prefix: str, limits: Limits, weighted: bool,
    advance: Advance,
) -> None:  # fmt: skip
    """Write the union of two sets of rows."""
    both = _Rows(folder, prefix, n, index, weighted)
    rows = (one.indptr, one.indices, other.indptr, other.indices)
    parallel_ranges(count_union, n, *rows, both.indptr[1:])
    indptr = np.concatenate([[0], np.cumsum(both.indptr[1:])])
    with both.writing() as (indices, weights):
        for first, last in _spans(indptr, n, limits.edges):
            start, stop = int(indptr[first]), int(indptr[last])
            out, origin = np.empty(stop - start, index), np.empty(stop - start, np.int64)
            fill_union(first, last, *rows, indptr, start, origin, out)
            indices.append(out)
            if weights is not None and one.weights is not None and other.weights is not None:
                from_one = origin >= 0
                merged = np.empty(len(origin), np.float32)
                merged[from_one] = one.weights[origin[from_one]]
                merged[~from_one] = other.weights[-1 - origin[~from_one]]
                weights.append(merged)
            advance(0.2 * (last - first) / max(1, n))
