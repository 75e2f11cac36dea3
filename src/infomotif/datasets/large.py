"""Large synthetic graphs: a degree-corrected block model with planted attributed roles, written in pieces."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif._core.files import whole_folder
from infomotif._core.progress import progress
from infomotif.errors import InputError
from infomotif.typing import Array

if TYPE_CHECKING:
    import pyarrow as pa

PIECE = 1 << 20
"""How many edges are drawn at once; with the seed it decides the graph."""
_KINDS = ("csv", "parquet")
_TAIL = 0.5
_LEVEL = 10.0


def write_roles(
    folder: str | Path,
    num_edges: int = 1_000_000,
    *,
    num_nodes: int | None = None,
    num_attributes: int = 128,
    num_classes: int = 8,
    planted: float = 0.3,
    mixing: float = 0.4,
    signal: float = 0.3,
    label_fraction: float = 1.0,
    seed: int = 0,
    kind: str = "parquet",
    show: bool | None = None,
) -> tuple[Path, Path]:
    """Write a large directed graph of attributed roles as ``edges`` and ``nodes`` files; memory does not grow with it.

    Expected degrees follow a power law. Some of the edges form feed-forward triples of nodes of one class; of the
    others, some join any two nodes and the rest two nodes of one class. The attributes are normal, each class with its
    own mean, so that they co-vary in the planted triples more than along the other edges.

    Args:
        folder: The folder to make.
        num_edges: Number of edges, up to repetitions by chance.
        num_nodes: Number of nodes; by default a tenth of the edges.
        num_attributes: Number of attributes.
        num_classes: Number of classes.
        planted: Share of edges in planted triples.
        mixing: Share of the other edges that ignore classes.
        signal: How far apart the classes' means are, in standard deviations of an attribute.
        label_fraction: Share of nodes with a label.
        seed: Seed of the random numbers; the same seed gives the same files.
        kind: ``parquet`` or ``csv``.
        show: Whether to show a progress bar; by default on a terminal.

    Returns:
        The file of edges and the file of nodes.

    Raises:
        InputError: If a parameter is out of range, or the folder cannot be written.

    Example:
        >>> import tempfile
        >>> from infomotif.io import read_csv
        >>> edges, nodes = write_roles(tempfile.mkdtemp(), 1000, num_attributes=4, kind="csv")
        >>> read_csv(edges, nodes, label="role")
        Graph('edges', 100 nodes, 752 directed edges, 4 attributes, 8 classes)
    """
    n = max(2 * num_classes, num_edges // 10) if num_nodes is None else num_nodes
    if kind not in _KINDS:
        raise InputError(f"kind must be one of {', '.join(_KINDS)} (got '{kind}')")
    if num_classes < 2 or n < 2 * num_classes or num_edges < 1 or num_attributes < 0:
        raise InputError(
            "num_classes must be at least 2, num_nodes twice that, num_edges positive, num_attributes not negative "
            f"(got {num_classes}, {n}, {num_edges}, {num_attributes})"
        )
    shares = {"planted": planted, "mixing": mixing, "label_fraction": label_fraction}
    for key, share in shares.items():
        if not 0 <= share <= 1:
            raise InputError(f"{key} must lie in 0..1 (got {share})")
    order = np.random.default_rng([seed, 0]).permutation(n).astype(np.int32 if n < 2**31 else np.int64)
    target = Path(folder)
    with whole_folder(target) as aside, progress("generating the graph", num_edges + 10 * n, enabled=show) as advance:
        with _writer(aside / f"edges.{kind}", kind) as write:
            for number, start in enumerate(range(0, num_edges, PIECE)):
                rng = np.random.default_rng([seed, 1, number])
                count = min(PIECE, num_edges - start)
                ends = order[_edges(count, n, num_classes, planted, mixing, rng)]
                write({"source": ends[0], "target": ends[1]})
                advance(count)
        means = np.random.default_rng([seed, 2]).normal(0, signal, (num_classes, num_attributes))
        role = np.empty(n, np.int16)
        role[order] = np.arange(n) % num_classes
        piece = max(1024, PIECE // max(8, num_attributes))
        with _writer(aside / f"nodes.{kind}", kind) as write:
            for number, start in enumerate(range(0, n, piece)):
                rng = np.random.default_rng([seed, 3, number])
                part = role[start : start + piece]
                write(_node_columns(start, part, means, label_fraction, rng))
                advance(10 * len(part))
    return target / f"edges.{kind}", target / f"nodes.{kind}"


def _edges(count: int, n: int, classes: int, planted: float, mixing: float, rng: np.random.Generator) -> Array:
    """Draw edges [2, count] between ranks; rank i has class i % classes, and a degree that falls with i."""
    triples = round(planted * count / 3)
    other = count - 3 * triples
    group = rng.integers(0, classes, triples)
    a, b, c = (_ranks(triples, n, group, classes, rng) for _ in range(3))
    first = rng.integers(0, classes, other)
    second = np.where(rng.random(other) < mixing, rng.integers(0, classes, other), first)
    source, target = _ranks(other, n, first, classes, rng), _ranks(other, n, second, classes, rng)
    return np.stack([np.concatenate([a, a, b, source]), np.concatenate([b, c, c, target])])


def _ranks(count: int, n: int, group: Array, classes: int, rng: np.random.Generator) -> Array:
    # The inverse of the distribution function of (rank + level) ** -tail, so that no table of nodes is needed.
    size = n // classes
    power = 1 - _TAIL
    low, high = _LEVEL**power, (size + _LEVEL) ** power
    within = (low + rng.random(count) * (high - low)) ** (1 / power) - _LEVEL
    return np.asarray(np.minimum(within.astype(np.int64), size - 1) * classes + group)


def _node_columns(
    start: int, role: Array, means: Array, label_fraction: float, rng: np.random.Generator
) -> dict[str, Any]:
    import pyarrow as pa

    # Three decimals are enough, and keep text short.
    x = np.round(means[role] + rng.standard_normal((len(role), means.shape[1])), 3).astype(np.float32)
    known = rng.random(len(role)) < label_fraction
    names = pa.array([f"role {c}" for c in range(len(means))])
    label = names.take(pa.array(role.astype(np.int64), mask=~known))
    columns = {f"x{i}": np.ascontiguousarray(x[:, i]) for i in range(x.shape[1])}
    return {"id": np.arange(start, start + len(role)), "role": label, **columns}


@contextlib.contextmanager
def _writer(path: Path, kind: str) -> Iterator[Any]:
    """Yield a function that adds columns to a file."""
    import pyarrow as pa
    import pyarrow.parquet as pq
    from pyarrow import csv

    with contextlib.ExitStack() as stack:
        writer: Any = None

        def write(columns: dict[str, Any]) -> None:
            nonlocal writer
            table: pa.Table = pa.table(columns)
            if writer is None:
                make = csv.CSVWriter if kind == "csv" else pq.ParquetWriter
                writer = stack.enter_context(make(str(path), table.schema))
            writer.write_table(table)

        yield write
