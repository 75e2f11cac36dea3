"""A Graph as a table for terminals and for notebooks."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from infomotif._core.display.html import Markup, bar, block, details, heading, muted, table
from infomotif.typing import Array

if TYPE_CHECKING:
    from rich.table import Table

    from infomotif.graph.graph import Graph

_NOTES = {
    "self_loops": "self loops dropped",
    "repeated_edges": "repeated edges dropped",
    "both_directions": "undirected edges listed in both directions, kept once",
    "unsigned_edges": "edges without a sign dropped",
    "repeated_movies": "movies listed more than once, their rows joined",
    "unknown_endpoints": "edges dropped that name a node without a row",
    "filled_values": "missing attribute values filled",
    "unseen_categories": "values of a category that the model was not trained on, all zeros",
    "nodes_outside_component": "nodes outside the largest component left out",
}
_MAX_COUNTED = 100_000_000
_MAX_CLASSES = 12
_MAX_CODES = 8
_MAX_EDGES_LOOKED_AT = 50_000_000
_BINS = 24


def summary_table(graph: Graph) -> Table:
    """Return what a graph holds: sizes, degrees, attributes, classes, notes and fingerprint."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(graph.name), show_header=False, title_justify="left")
    for key, value in _rows(graph):
        table.add_row(key, Text(value))
    return table


def summary_html(graph: Graph) -> str:
    """Return what a graph holds as HTML, with its degrees and its classes drawn.

    Example:
        >>> from infomotif.graph import Graph
        >>> page = summary_html(Graph.from_edges([0], [1], num_nodes=2, directed=True, name="<script>"))
        >>> "<script>" in page, "&lt;script&gt;" in page
        (False, True)
    """
    kind = "directed" if graph.directed else "undirected"
    note = f"{graph.num_nodes:,} nodes, {graph.num_edges:,} {kind} edges"
    parts: list[object] = [heading(graph.name, note)]
    rows: list[tuple[str, object]] = []
    if graph.num_nodes and graph.num_edges <= _MAX_EDGES_LOOKED_AT:
        degrees = graph.degrees
        spread = f"mean {degrees.mean():.1f}, median {np.median(degrees):.0f}, maximum {degrees.max():,}"
        rows.append(("neighbours per node", Markup(f"{_histogram(graph)} {muted(spread)}")))
    rows.append(("attributes", _attributes(graph)))
    rows += _types(graph)
    rows += [("note", note) for note in _notes(graph)]
    parts.append(table(rows))
    if graph.y is not None:
        parts.append(_class_table(graph))
    if graph.num_attributes:
        names = ", ".join(graph.attribute_names[:100]) + (", …" if graph.num_attributes > 100 else "")
        parts.append(details("names of attributes", names))
    return block(*parts)


def _class_table(graph: Graph) -> Markup:
    """Return the classes with their sizes, the first ones in full."""
    if graph.y is None:
        return Markup("")
    sizes = np.bincount(graph.y[graph.y >= 0], minlength=graph.num_classes)
    largest = max(1, int(sizes.max(initial=0)))
    pairs = list(zip(graph.class_names, sizes.tolist(), strict=True))
    rows: list[list[object]] = [[name, size, bar(size / largest)] for name, size in pairs[:_MAX_CLASSES]]
    if len(pairs) > _MAX_CLASSES:
        rest = sum(size for _, size in pairs[_MAX_CLASSES:])
        rows.append([muted(f"{len(pairs) - _MAX_CLASSES} more classes"), rest, ""])
    unknown = int((graph.y < 0).sum())
    if unknown:
        rows.append([muted("no label"), unknown, bar(unknown / max(largest, unknown))])
    return table(rows, (f"{graph.num_classes} classes", "nodes", ""))


def _histogram(graph: Graph) -> Markup:
    """Return how many nodes have how many neighbours as a small drawing; both scales are logarithmic."""
    height, width = 28, 6
    level = np.log1p(graph.degrees)
    counts = np.histogram(level, bins=min(_BINS, max(1, int(graph.degrees.max(initial=0)))))[0]
    tall = np.log1p(counts) / np.log1p(counts.max(initial=1)) * (height - 2)
    bars = "".join(
        f'<rect x="{i * width}" y="{height - h:.1f}" width="{width - 1}" height="{h:.1f}"/>'
        for i, h in enumerate(tall.tolist())
        if h
    )
    size = f'width="{len(counts) * width}" height="{height}"'
    about = "<title>nodes by number of neighbours, both scales logarithmic</title>"
    style = 'style="vertical-align:middle" fill="currentColor" fill-opacity=".5"'
    return Markup(f'<svg xmlns="http://www.w3.org/2000/svg" role="img" {size} {style}>{about}{bars}</svg>')


def _rows(graph: Graph) -> Iterator[tuple[str, str]]:
    yield "nodes", f"{graph.num_nodes:,}"
    yield "edges", f"{graph.num_edges:,} {'directed' if graph.directed else 'undirected'}"
    degrees = graph.degrees
    if len(degrees):
        spread = f"mean {degrees.mean():.1f}, median {np.median(degrees):.0f}, maximum {degrees.max():,}"
        yield "neighbours per node", spread
    if graph.x is not None:
        yield "attributes", _attributes(graph)
    yield from _types(graph)
    if graph.y is not None:
        sizes = np.bincount(graph.y[graph.y >= 0], minlength=graph.num_classes)
        pairs = list(zip(graph.class_names, sizes, strict=True))
        shown = ", ".join(f"{name} {size:,}" for name, size in pairs[:_MAX_CLASSES])
        rest = f" and {len(pairs) - _MAX_CLASSES} more" if len(pairs) > _MAX_CLASSES else ""
        yield f"{graph.num_classes} classes", shown + rest
        yield "without a label", f"{int((graph.y < 0).sum()):,}"
    for note in _notes(graph):
        yield "note", note
    yield "fingerprint", graph.fingerprint()[:16]


def _notes(graph: Graph) -> Iterator[str]:
    yield from (f"{count:,} {_NOTES.get(key, key)}" for key, count in graph.notes.items())
    codes = () if graph.schema is None else graph.schema.codes
    if codes:
        rest = f" and {len(codes) - _MAX_CODES} more" if len(codes) > _MAX_CODES else ""
        yield f"whole numbers taken for codes, so categories: {', '.join(codes[:_MAX_CODES])}{rest}"


def _types(graph: Graph) -> Iterator[tuple[str, str]]:
    """Yield the node types and the edge types, or signs, each with how many there are."""
    if graph.node_types is not None:
        yield "node types", _sizes(graph.node_types, graph.node_type_names)
    if graph.edge_types is not None:
        sizes = _sizes(graph.edge_types, graph.edge_type_names, 1 if graph.directed else 2)
        yield "signs" if graph.signed else "edge types", sizes


def _sizes(codes: Array, names: Sequence[str], divisor: int = 1) -> str:
    sizes = (np.bincount(codes, minlength=len(names)) // divisor).tolist()
    shown = ", ".join(f"{name} {size:,}" for name, size in list(zip(names, sizes, strict=True))[:_MAX_CLASSES])
    return shown + (f" and {len(names) - _MAX_CLASSES} more" if len(names) > _MAX_CLASSES else "")


def _attributes(graph: Graph) -> str:
    x = graph.x
    if x is None:
        return "none"
    size = x.shape[0] * x.shape[1]
    shown = f"{graph.num_attributes:,} {'sparse' if sp.issparse(x) else 'dense'}"
    # Counting reads all values, which showing a large store should not need.
    if isinstance(x, np.ndarray) and size > _MAX_COUNTED:
        return shown
    nonzero = int(np.count_nonzero(x)) if isinstance(x, np.ndarray) else x.nnz
    return f"{shown}, {100 * nonzero / max(1, size):.1f} % not zero"
