"""Findings about the attributes: constant or duplicate ones, empty rows, scales, and ones that reveal the label."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from infomotif.doctor.finding import Finding
from infomotif.graph import Graph
from infomotif.graph.checks import as_float32
from infomotif.io.tables.codes import is_called_code
from infomotif.typing import Array

_LEAK = 0.95
_ABOVE_MAJORITY = 0.2
_BINS = 20
_MAX_SCALE = 100
_MAX_LISTED = 5
_MAX_NUMERIC = 2000
_MIN_IDS = 20


def attribute_findings(graph: Graph, seed: int) -> Iterator[Finding]:
    """Yield findings about the attributes."""
    if graph.x is None:
        return
    x: Any = sp.csc_array(as_float32(graph.x))
    x.eliminate_zeros()
    names = graph.attribute_names
    constant = _constant(x)
    duplicate = _duplicates(x, constant)
    empty = int((np.bincount(x.indices, minlength=graph.num_nodes) == 0).sum())
    figures = {"attributes": len(names), "constant": len(constant), "duplicate": len(duplicate), "empty_rows": empty}
    remarks = []
    if len(constant):
        remarks.append(f"{len(constant):,} are the same for all nodes ({_listed([names[j] for j in constant])})")
    if duplicate:
        pairs = [f"{names[j]} = {names[i]}" for i, j in duplicate]
        remarks.append(f"{len(duplicate):,} repeat another ({_listed(pairs)})")
    if empty:
        remarks.append(f"{empty:,} nodes have only zeros")
    if graph.attribute_types is not None:
        remarks.append(_by_type(graph))
    text = f"{len(names):,} attributes" + (f"; {'; '.join(remarks)}" if remarks else ", none constant, none repeated")
    yield Finding("attributes", "note" if remarks else "fine", text, figures)
    yield from _codes(graph)
    yield from _ids(graph, x)
    yield from _scales(graph)
    yield from _leaks(graph, seed)


def _by_type(graph: Graph) -> str:
    """Return how many attributes each node type has."""
    owners = np.empty(0, np.int64) if graph.attribute_types is None else graph.attribute_types
    counts = [(name, int(((owners == code) | (owners < 0)).sum())) for code, name in enumerate(graph.node_type_names)]
    return "by type: " + ", ".join(f"{name} {count:,}" if count else f"{name} none" for name, count in counts)


def _constant(x: Any) -> Array:
    low, high = x.min(axis=0).toarray().ravel(), x.max(axis=0).toarray().ravel()
    return np.flatnonzero(low == high)


def _duplicates(x: Any, constant: Array) -> list[tuple[int, int]]:
    """Return pairs of equal columns, the first one first."""
    skip, pairs = set(constant.tolist()), []
    seen: dict[tuple[bytes, bytes], int] = {}
    for j in range(x.shape[1]):
        part = slice(x.indptr[j], x.indptr[j + 1])
        key = (x.indices[part].tobytes(), x.data[part].tobytes())
        if j in skip:
            continue
        if key in seen:
            pairs.append((seen[key], j))
        seen.setdefault(key, j)
    return pairs


def _codes(graph: Graph) -> Iterator[Finding]:
    codes = () if graph.schema is None else graph.schema.codes
    if codes:
        hold = "holds" if len(codes) == 1 else "hold"
        text = (
            f"{_listed(list(codes))} {hold} whole numbers that look like codes, so each value is a category; "
            "--numeric COLUMN reads a column as numbers, --categorical COLUMN confirms it"
        )
        yield Finding("codes", "note", text, {"columns": list(codes)})


def _ids(graph: Graph, x: Any) -> Iterator[Finding]:
    """Yield columns of numbers that name nodes or places, and are too many for categories."""
    found, attributes = [], _columns(graph)
    for name in [column.name for column in graph.schema.columns if column.kind == "numeric"] if graph.schema else ():
        values = x[:, attributes[name]].toarray().ravel()
        different = len(np.unique(values))
        consecutive = different == len(values) and values.max() - values.min() == len(values) - 1
        whole = bool((values == np.floor(values)).all()) and different >= _MIN_IDS
        if whole and (is_called_code(name) or consecutive):
            found.append(name)
    if found:
        text = f"{_listed(found)}: looks like numbers of rows or ids, whose size says nothing; leave it out"
        options = tuple(option for name in found for option in ("--ignore", name))
        yield Finding("ids", "warning", text, {"columns": found}, options)


def _scales(graph: Graph) -> Iterator[Finding]:
    if graph.schema is None or sp.issparse(graph.x) or graph.x is None:
        return
    numeric = [c.name for c in graph.schema.columns if c.kind == "numeric"]
    columns = [graph.attribute_names.index(name) for name in numeric if name in graph.attribute_names]
    spread = np.asarray(graph.x)[:, columns].std(axis=0)
    known = spread[spread > 0]
    if len(known) and (known.max() > _MAX_SCALE * known.min() or known.max() > _MAX_SCALE):
        widest = numeric[int(spread.argmax())]
        others = "others by far less" if known.max() > _MAX_SCALE * known.min() else "far more than 0 and 1 do"
        text = f"'{widest}' varies by {spread.max():,.3g}, {others}; bring numeric columns to the same scale first"
        yield Finding("scales", "warning", text, {"largest": float(known.max()), "smallest": float(known.min())})


def _leaks(graph: Graph, seed: int) -> Iterator[Finding]:
    """Yield columns that predict the label on their own, by a rule learned on half of the labelled nodes."""
    if graph.y is None or graph.num_classes < 2 or graph.x is None:
        return
    known = np.flatnonzero(graph.y >= 0)
    if len(known) < 10:
        return
    order = np.random.default_rng(seed).permutation(known)
    learn, judge = order[: len(order) // 2], order[len(order) // 2 :]
    majority = float(np.bincount(graph.y[known]).max() / len(known))
    bar = max(_LEAK, min(1.0, majority + _ABOVE_MAJORITY * (1 - majority)))
    x: Any = sp.csc_array(as_float32(graph.x))
    leaks = []
    for name, attributes in _columns(graph).items():
        values = _values(x, attributes)
        if values is None:
            continue
        accuracy = _rule_accuracy(values, graph.y, graph.num_classes, learn, judge)
        if accuracy >= bar:
            leaks.append((accuracy, name))
    if not leaks:
        yield Finding("leakage", "fine", "no single column reveals the label", {"columns": []})
        return
    leaks.sort(reverse=True)
    listed = _listed([f"'{name}' ({100 * accuracy:.0f} %)" for accuracy, name in leaks])
    text = f"a single column predicts the label: {listed}; is it the label in other words?"
    options = (
        tuple(o for _, name in leaks[:_MAX_LISTED] for o in ("--ignore", name)) if graph.schema is not None else ()
    )
    yield Finding("leakage", "warning", text, {"columns": [name for _, name in leaks]}, options)


def _columns(graph: Graph) -> dict[str, list[int]]:
    """Return the numbers of the attributes that each column of the file became; without files, of each attribute."""
    groups: dict[str, list[int]] = defaultdict(list)
    if graph.schema is None:
        for j, name in enumerate(graph.attribute_names):
            groups[name].append(j)
        return groups
    first = 0
    for column in graph.schema.columns:
        width = len(column.attribute_names)
        groups[column.name] = list(range(first, first + width))
        first += width
    return groups


def _values(x: Any, attributes: list[int]) -> Array | None:
    """Return a whole number per node: the category, or the bin of a number; None for a column without values."""
    if not attributes:
        return None
    if len(attributes) > 1:
        block = x[:, attributes].tocsr()
        filled = np.diff(block.indptr) > 0
        out = np.full(x.shape[0], len(attributes))
        out[filled] = block.indices[block.indptr[:-1][filled]]
        return out
    part = slice(x.indptr[attributes[0]], x.indptr[attributes[0] + 1])
    rows, data = x.indices[part], x.data[part]
    distinct = np.unique(data)
    if len(distinct) <= 1:
        out = np.zeros(x.shape[0], dtype=np.int64)
        out[rows] = 1
        return out
    if x.shape[1] > _MAX_NUMERIC:
        return None
    column = np.zeros(x.shape[0])
    column[rows] = data
    return np.searchsorted(np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1])), column, side="right")


def _rule_accuracy(values: Array, y: Array, classes: int, learn: Array, judge: Array) -> float:
    """Return how often the most common class of each value is right on nodes that the rule was not learned from."""
    width = int(values.max()) + 1
    counts = np.zeros((width, classes))
    np.add.at(counts, (values[learn], y[learn]), 1)
    rule = np.where(counts.sum(axis=1) > 0, counts.argmax(axis=1), counts.sum(axis=0).argmax())
    return float((rule[values[judge]] == y[judge]).mean())


def _listed(items: list[str]) -> str:
    rest = len(items) - _MAX_LISTED
    return ", ".join(items[:_MAX_LISTED]) + (f" and {rest:,} more" if rest > 0 else "")
