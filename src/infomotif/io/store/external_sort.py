"""From edges in any order to rows on disk: sorted in ranges of nodes, of which one at a time is in memory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif._core.parallel import parallel_ranges
from infomotif._core.progress import Advance
from infomotif.errors import InputError
from infomotif.graph.csr import CSR, index_type
from infomotif.io.store.arrays import ArrayFile, array_file
from infomotif.io.store.kernels import count_entries, count_union, fill_union
from infomotif.io.tables.edges import Edges
from infomotif.typing import Array

Piece = tuple[Array, Array, Array, Array | None]
"""Row, source, target and payload of edges."""

Payload = dict[str, Array]
"""Weights and types of edges, as far as there are any."""

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


Conflict = Callable[[int, int, int, int], InputError]
"""Makes the error for two edges of different types between the same nodes: the nodes, and the types."""


def payload_type(*, weighted: bool, typed: bool) -> np.dtype[Any] | None:
    """Return the type of what sorting carries along with each edge, its weight and its type; None for neither."""
    fields: list[tuple[str, str]] = [("weights", "<f4")] * weighted + [("edge-types", "u1")] * typed
    return np.dtype(fields) if fields else None


def write_rows(
    edges: Iterable[Edges], n: int, folder: Path, scratch: Path, *, directed: bool, payload: np.dtype[Any] | None,
    limits: Limits, advance: Advance, conflict: Conflict,
) -> Written:  # fmt: skip
    """Write the rows of a graph store.

    Args:
        edges: Start, end, weight and type of edges by node number, in pieces.
        n: Number of nodes.
        folder: Where the arrays go.
        scratch: An empty folder for what is needed meanwhile.
        directed: Whether an edge has a direction.
        payload: The type of weights and types of edges (:func:`payload_type`); of repeated edges the first weight
            counts.
        limits: How much is in memory at once.
        advance: Told about the progress of sorting, 1 in all.
        conflict: Makes the error for edges that repeat others with a different type.

    Raises:
        InputError: If two edges of different types join the same pair.
    """
    given, loops, counts = _spill(edges, n, scratch, directed, payload)
    index = index_type(n, 2 * given)
    limits = replace(limits, edges=max(limits.edges, given // limits.files))
    upper = _Rows(scratch if not directed else folder, "upper-" if not directed else "", n, index, payload)
    listed = distinct = 0
    with upper.writing() as (indices, values):
        pieces = _spilled(scratch, payload, directed, limits.piece)
        for first, last, source, target, held in _buckets(pieces, _bounds(counts, limits.edges), scratch, payload):
            key, kept, seen, clash = _sorted_edges(source, target, held, first, n, directed)
            if clash is not None:
                raise conflict(*clash)
            listed, distinct = listed + seen, distinct + len(key)
            rows = key // n
            upper.add(first, last, rows)
            indices.append(key - rows * n)
            append_payload(values, kept)
            advance(0.4 * len(source) / max(1, given))
    for name in ("edges.npy", "payload.npy"):
        (scratch / name).unlink(missing_ok=True)
    csr, kept_payload = upper.load()
    back_folder, prefix, carried = (folder, "undirected-", None) if directed else (scratch, "", payload)
    back, back_held = _transpose(csr, kept_payload, n, index, back_folder, scratch, limits, carried, advance)
    _unite(csr, kept_payload, back, back_held, n, index, folder, prefix, limits, carried, advance)
    return Written(loops, given - listed, listed - distinct)


def append_payload(files: dict[str, ArrayFile], payload: Array | None) -> None:
    """Add weights and types of edges to their files."""
    for name, file in files.items():
        if payload is not None:
            file.append(payload[name])


class _Rows:
    """Rows that are being written."""

    def __init__(self, folder: Path, prefix: str, n: int, index: Any, payload: np.dtype[Any] | None) -> None:
        self.folder, self.prefix, self.index = folder, prefix, index
        self.fields = {} if payload is None else {name: payload[name] for name in payload.names or ()}
        self.indptr = np.zeros(n + 1, np.int64)

    @contextlib.contextmanager
    def writing(self) -> Iterator[tuple[ArrayFile, dict[str, ArrayFile]]]:
        with contextlib.ExitStack() as stack:
            indices = stack.enter_context(array_file(self.folder / f"{self.prefix}indices.npy", self.index))
            paths = {name: self.folder / f"{self.prefix}{name}.npy" for name in self.fields}
            yield (
                indices,
                {name: stack.enter_context(array_file(paths[name], kind)) for name, kind in self.fields.items()},
            )
        np.cumsum(self.indptr, out=self.indptr)
        np.save(self.folder / f"{self.prefix}indptr.npy", self.indptr.astype(self.index))

    def add(self, first: int, last: int, rows: Array) -> None:
        self.indptr[first + 1 : last + 1] = np.bincount(rows, minlength=last - first)

    def load(self) -> tuple[CSR, Payload]:
        """Return the rows, and their weights and types."""
        names = ("indptr", "indices", *self.fields)
        indptr, indices, *held = (_mapped(self.folder / f"{self.prefix}{name}.npy") for name in names)
        return CSR(indptr, indices), dict(zip(self.fields, held, strict=True))


def _mapped(path: Path) -> Array:
    values: Array = np.load(path, mmap_mode="r")
    return values.view(np.ndarray)


def _spill(
    edges: Iterable[Edges], n: int, scratch: Path, directed: bool, payload: np.dtype[Any] | None
) -> tuple[int, int, Array]:
    """Write the edges down without loops; count them by row."""
    given, loops = 0, 0
    counts = np.zeros(n, np.int64)
    with contextlib.ExitStack() as stack:
        pairs = stack.enter_context(array_file(scratch / "edges.npy", np.int32 if n < 2**31 else np.int64, 2))
        file = None if payload is None else stack.enter_context(array_file(scratch / "payload.npy", payload))
        for source, target, weights, types in edges:
            keep = source != target
            loops += len(source) - int(keep.sum())
            source, target = source[keep], target[keep]
            given += len(source)
            count_entries(source if directed else np.minimum(source, target), counts)
            pairs.append(np.stack([source, target], axis=1))
            if file is not None:
                held = np.empty(len(source), file.dtype)
                for name, values in (("weights", weights), ("edge-types", types)):
                    if values is not None:
                        held[name] = values[keep]
                file.append(held)
    return given, loops, counts


def _spilled(scratch: Path, payload: np.dtype[Any] | None, directed: bool, piece: int) -> Iterator[Piece]:
    pairs = np.load(scratch / "edges.npy", mmap_mode="r")
    held = None if payload is None else np.load(scratch / "payload.npy", mmap_mode="r")
    for start in range(0, len(pairs), piece):
        part = np.asarray(pairs[start : start + piece])
        row = part[:, 0] if directed else part.min(axis=1)
        yield row, part[:, 0], part[:, 1], None if held is None else held[start : start + piece]


def _bounds(counts: Array, limit: int) -> Array:
    """Cut the nodes into ranges of at most ``limit`` edges, where no single node has more."""
    before = np.concatenate([[0], np.cumsum(counts)])
    bounds = [0]
    while bounds[-1] < len(counts):
        stop = int(np.searchsorted(before, before[bounds[-1]] + limit, side="right")) - 1
        bounds.append(min(len(counts), max(stop, bounds[-1] + 1)))
    return np.array(bounds)


def _buckets(
    pieces: Iterable[Piece], bounds: Array, scratch: Path, payload: np.dtype[Any] | None
) -> Iterator[tuple[int, int, Array, Array, Array | None]]:
    """Yield the edges of each range of rows, in the order in which they came."""
    parts = len(bounds) - 1
    with contextlib.ExitStack() as stack:
        files: dict[tuple[str, int], ArrayFile] = {}
        for row, source, target, values in pieces:
            bucket = (np.searchsorted(bounds, row, side="right") - 1).astype(np.uint16 if parts < 2**16 else np.int64)
            order = np.argsort(bucket, kind="stable")
            cuts = np.searchsorted(bucket[order], np.arange(parts + 1))
            held = {"ends": np.stack([source, target], axis=1)[order]}
            held |= {} if values is None else {"payload": values[order]}
            for b in np.flatnonzero(np.diff(cuts)).tolist():
                for kind, part in held.items():
                    if (kind, b) not in files:
                        path, width = scratch / f"{kind}-{b}.npy", 2 if kind == "ends" else None
                        files[kind, b] = stack.enter_context(array_file(path, part.dtype, width))
                    files[kind, b].append(part[cuts[b] : cuts[b + 1]])
    for b in range(parts):
        first, last = int(bounds[b]), int(bounds[b + 1])
        ends, values = np.empty((0, 2), np.int64), None if payload is None else np.empty(0, payload)
        if ("ends", b) in files:
            ends = np.load(scratch / f"ends-{b}.npy")
            values = None if payload is None else np.load(scratch / f"payload-{b}.npy")
            for kind in ("ends", "payload"):
                (scratch / f"{kind}-{b}.npy").unlink(missing_ok=True)
        yield first, last, ends[:, 0], ends[:, 1], values


def _sorted_edges(
    source: Array, target: Array, held: Array | None, first: int, n: int, directed: bool
) -> tuple[Array, Array | None, int, tuple[int, int, int, int] | None]:
    """Return the distinct edges as row * n + column, rows counted from ``first``, their payload, and ordered pairs.

    Last come two nodes and the types of two edges that join them and differ in type, or None.
    """
    low, high = (source, target) if directed else (np.minimum(source, target), np.maximum(source, target))
    key = (low.astype(np.int64) - first) * n + high
    # Of an undirected edge both orders may be listed, which the lowest bit tells apart.
    ordered = np.sort(key if directed else 2 * key + (source > target))
    distinct = _changes(ordered)
    listed = int(distinct.sum())
    if held is None:
        key = ordered[distinct] if directed else ordered[distinct] >> 1
        return key[_changes(key)], None, listed, None
    order = np.argsort(key, kind="stable")
    key, held = key[order], held[order]
    keep = _changes(key)
    return key[keep], held[keep], listed, _clash(key, keep, held, first, n)


def _clash(key: Array, keep: Array, held: Array, first: int, n: int) -> tuple[int, int, int, int] | None:
    if "edge-types" not in (held.dtype.names or ()):
        return None
    types = held["edge-types"]
    clash = np.flatnonzero(~keep[1:] & (types[1:] != types[:-1]))
    if not len(clash):
        return None
    at = int(clash[0])
    return int(key[at] // n) + first, int(key[at] % n), int(types[at]), int(types[at + 1])


def _changes(ordered: Array) -> NDArray[np.bool_]:
    first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=first[1:])
    return first


def _row_pieces(csr: CSR, held: Payload, payload: np.dtype[Any] | None, n: int, piece: int) -> Iterator[Piece]:
    """Yield the entries of rows transposed: their column is the new row."""
    for first, last in _spans(csr.indptr, n, piece):
        start, stop = int(csr.indptr[first]), int(csr.indptr[last])
        rows = np.repeat(np.arange(first, last, dtype=csr.indices.dtype), np.diff(csr.indptr[first : last + 1]))
        columns = np.asarray(csr.indices[start:stop])
        values = None if payload is None else np.empty(stop - start, payload)
        if values is not None:
            for name, part in held.items():
                values[name] = part[start:stop]
        yield columns, columns, rows, values


def _spans(indptr: Array, n: int, size: int) -> Iterator[tuple[int, int]]:
    first = 0
    while first < n:
        last = int(np.searchsorted(indptr, int(indptr[first]) + size, side="right")) - 1
        last = min(n, max(last, first + 1))
        yield first, last
        first = last


def _transpose(
    csr: CSR, held: Payload, n: int, index: Any, folder: Path, scratch: Path, limits: Limits,
    payload: np.dtype[Any] | None, advance: Advance,
) -> tuple[CSR, Payload]:  # fmt: skip
    counts = np.zeros(n, np.int64)
    for start in range(0, len(csr.indices), limits.piece):
        count_entries(csr.indices[start : start + limits.piece], counts)
    back = _Rows(folder, "reverse-", n, index, payload)
    total = max(1, len(csr.indices))
    with back.writing() as (indices, values):
        pieces = _row_pieces(csr, held, payload, n, limits.piece)
        for first, last, source, target, part in _buckets(pieces, _bounds(counts, limits.edges), scratch, payload):
            key, kept, _, _ = _sorted_edges(source, target, part, first, n, True)
            rows = key // max(1, n)
            back.add(first, last, rows)
            indices.append(key - rows * n)
            append_payload(values, kept)
            advance(0.4 * len(source) / total)
    return back.load()


def _unite(
    one: CSR, one_held: Payload, other: CSR, other_held: Payload, n: int, index: Any, folder: Path, prefix: str,
    limits: Limits, payload: np.dtype[Any] | None, advance: Advance,
) -> None:  # fmt: skip
    """Write the union of two sets of rows."""
    both = _Rows(folder, prefix, n, index, payload)
    rows = (one.indptr, one.indices, other.indptr, other.indices)
    parallel_ranges(count_union, n, *rows, both.indptr[1:])
    indptr = np.concatenate([[0], np.cumsum(both.indptr[1:])])
    with both.writing() as (indices, files):
        for first, last in _spans(indptr, n, limits.edges):
            start, stop = int(indptr[first]), int(indptr[last])
            out, origin = np.empty(stop - start, index), np.empty(stop - start, np.int64)
            fill_union(first, last, *rows, indptr, start, origin, out)
            indices.append(out)
            from_one = origin >= 0
            for name, file in files.items():
                merged = np.empty(len(origin), file.dtype)
                merged[from_one] = one_held[name][origin[from_one]]
                merged[~from_one] = other_held[name][-1 - origin[~from_one]]
                file.append(merged)
            advance(0.2 * (last - first) / max(1, n))
