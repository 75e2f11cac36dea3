"""A Graph as a table for terminals."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

if TYPE_CHECKING:
    from rich.table import Table

    from infomotif.graph.graph import Graph

_NOTES = {
    "self_loops": "self loops dropped",
    "repeated_edges": "repeated edges dropped",
    "both_directions": "undirected edges listed in both directions, kept once",
    "unknown_endpoints": "edges dropped that name a node without a row",
    "filled_values": "missing attribute values filled",
    "unseen_categories": "values of a category that the model was not trained on, all zeros",
    "nodes_outside_component": "nodes outside the largest component left out",
}
_MAX_COUNTED = 100_000_000
_MAX_CLASSES = 12


def summary_table(graph: Graph) -> Table:
    """Return what a graph holds: sizes, degrees, attributes, classes, notes and fingerprint."""
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(graph.name), show_header=False, title_justify="left")
    for key, value in _rows(graph):
        table.add_row(key, Text(value))
    return table


def _rows(graph: Graph) -> Iterator[tuple[str, str]]:
    yield "nodes", f"{graph.num_nodes:,}"
    yield "edges", f"{graph.num_edges:,} {'directed' if graph.directed else 'undirected'}"
    degrees = graph.degrees
    if len(degrees):
        spread = f"mean {degrees.mean():.1f}, median {np.median(degrees):.0f}, maximum {degrees.max():,}"
        yield "neighbours per node", spread
    if graph.x is not None:
        yield "attributes", _attributes(graph)
    if graph.y is not None:
        sizes = np.bincount(graph.y[graph.y >= 0], minlength=graph.num_classes)
        pairs = list(zip(graph.class_names, sizes, strict=True))
        shown = ", ".join(f"{name} {size:,}" for name, size in pairs[:_MAX_CLASSES])
        rest = f" and {len(pairs) - _MAX_CLASSES} more" if len(pairs) > _MAX_CLASSES else ""
        yield f"{graph.num_classes} classes", shown + rest
        yield "without a label", f"{int((graph.y < 0).sum()):,}"
    for key, count in graph.notes.items():
        yield "note", f"{count:,} {_NOTES.get(key, key)}"
    yield "fingerprint", graph.fingerprint()[:16]


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
