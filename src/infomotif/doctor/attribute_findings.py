"""What the attributes tell: constant or duplicate ones, empty rows, scales, and ones that give the label away."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp

from infomotif.doctor.finding import Finding
from infomotif.graph import Graph
from infomotif.graph.checks import as_float32
from infomotif.typing import Array

_LEAK = 0.95
_ABOVE_MAJORITY = 0.2
_BINS = 20
_SCALES = 100
_SHOWN = 5
_MOST_NUMERIC = 2000


def attribute_findings(graph: Graph, seed: int) -> Iterator[Finding]:
    """Yield what the attributes tell."""
    if graph.x is None:
        text = "there are no attributes; degrees, motif counts and centralities can stand in for them"
        yield Finding("attributes", "warning", text, {}, ("--set", "structural_features=quantiles"))
        return
    x: Any = sp.csc_array(as_float32(graph.x))
    x.eliminate_zeros()
    names = graph.attribute_names
    constant = _constant(x)
    duplicate = _duplicates(x, constant)
    empty = int((np.bincount(x.indices, minlength=graph.num_nodes) == 0).sum())
    figures = {"attributes": len(names), "constant": len(constant), "duplicate": len(duplicate), "empty_rows": empty}
    said = []
    if len(constant):
        said.append(f"{len(constant):,} are the same for all nodes ({_listed([names[j] for j in constant])})")
    if duplicate:
        pairs = [f"{names[j]} = {names[i]}" for i, j in duplicate]
        said.append(f"{len(duplicate):,} repeat another ({_listed(pairs)})")
    if empty:
        said.append(f"{empty:,} nodes have none that is not zero")
    text = f"{len(names):,} attributes" + (f"; {'; '.join(said)}" if said else ", none constant, none repeated")
    yield Finding("attributes", "note" if said else "fine", text, figures)
    yield from _scales(graph)
    yield from _leaks(graph, seed)


def _constant(x: Any) -> Array:
    low, high = x.min(axis=0).toarray().ravel(), x.max(axis=0).toarray().ravel()
    return np.flatnonzero(low == high)


def _duplicates(x: Any, constant: Array) -> list[tuple[int, int]]:
    """Return pairs of equal columns, the first one first."""
    skip, found = set(constant.tolist()), []
    seen: dict[tuple[bytes, bytes], int] = {}
    for j in range(x.shape[1]):
        part = slice(x.indptr[j], x.indptr[j + 1])
        key = (x.indices[part].tobytes(), x.data[part].tobytes())
        if j in skip:
            continue
        if key in seen:
            found.append((seen[key], j))
        seen.setdefault(key, j)
    return found


def _scales(graph: Graph) -> Iterator[Finding]:
    if graph.schema is None or sp.issparse(graph.x) or graph.x is None:
        return
    numeric = [c.name for c in graph.schema.columns if c.kind == "numeric"]
    places = [graph.attribute_names.index(name) for name in numeric if name in graph.attribute_names]
    spread = np.asarray(graph.x)[:, places].std(axis=0)
    known = spread[spread > 0]
    if len(known) and (known.max() > _SCALES * known.min() or known.max() > _SCALES):
        wide = numeric[int(spread.argmax())]
        others = "others by far less" if known.max() > _SCALES * known.min() else "far more than 0 and 1 do"
        text = f"'{wide}' varies by {spread.max():,.3g}, {others}; bring numeric columns to one scale first"
        yield Finding("scales", "warning", text, {"largest": float(known.max()), "smallest": float(known.min())})


def _leaks(graph: Graph, seed: int) -> Iterator[Finding]:
    """Yield columns from which alone the label can be told, by a rule learned on half of the labelled nodes."""
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
    found = []
    for name, places in _columns(graph).items():
        values = _values(x, places)
        if values is None:
            continue
        accuracy = _rule_accuracy(values, graph.y, graph.num_classes, learn, judge)
        if accuracy >= bar:
            found.append((accuracy, name))
    if not found:
        yield Finding("leakage", "fine", "no single column gives the label away", {"columns": []})
        return
    found.sort(reverse=True)
    told = [f"'{name}' ({100 * accuracy:.0f} %)" for accuracy, name in found]
    text = f"the label can be told from one column alone: {_listed(told)}; is it the label in other words?"
    options = tuple(o for _, name in found[:_SHOWN] for o in ("--ignore", name)) if graph.schema is not None else ()
    yield Finding("leakage", "warning", text, {"columns": [name for _, name in found]}, options)


def _columns(graph: Graph) -> dict[str, list[int]]:
    """Return the attributes of each column of the file, or each attribute on its own."""
    groups: dict[str, list[int]] = defaultdict(list)
    if graph.schema is None:
        for j, name in enumerate(graph.attribute_names):
            groups[name].append(j)
        return groups
    place = 0
    for column in graph.schema.columns:
        width = len(column.attribute_names)
        groups[column.name] = list(range(place, place + width))
        place += width
    return groups


def _values(x: Any, places: list[int]) -> Array | None:
    """Return a whole number a node: the category, or the bin of a number; None of a column that tells nothing."""
    if not places:
        return None
    if len(places) > 1:
        block = x[:, places].tocsr()
        filled = np.diff(block.indptr) > 0
        out = np.full(x.shape[0], len(places))
        out[filled] = block.indices[block.indptr[:-1][filled]]
        return out
    part = slice(x.indptr[places[0]], x.indptr[places[0] + 1])
    rows, data = x.indices[part], x.data[part]
    distinct = np.unique(data)
    if len(distinct) <= 1:
        out = np.zeros(x.shape[0], dtype=np.int64)
        out[rows] = 1
        return out
    if x.shape[1] > _MOST_NUMERIC:
        return None
    column = np.zeros(x.shape[0])
    column[rows] = data
    return np.searchsorted(np.unique(np.quantile(column, np.linspace(0, 1, _BINS + 1)[1:-1])), column, side="right")


def _rule_accuracy(values: Array, y: Array, classes: int, learn: Array, judge: Array) -> float:
    """Return how often the most common class of each value is right on nodes that it was not learned from."""
    width = int(values.max()) + 1
    counts = np.zeros((width, classes))
    np.add.at(counts, (values[learn], y[learn]), 1)
    rule = np.where(counts.sum(axis=1) > 0, counts.argmax(axis=1), counts.sum(axis=0).argmax())
    return float((rule[values[judge]] == y[judge]).mean())


def _listed(items: list[str]) -> str:
    rest = len(items) - _SHOWN
    return ", ".join(items[:_SHOWN]) + (f" and {rest:,} more" if rest > 0 else "")
