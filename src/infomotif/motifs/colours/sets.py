"""Motif sets that follow from the data: all coloured motifs of three nodes that occur, and those of signed graphs."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs.colours.classes import MAX_CLASSES, EdgeClasses
from infomotif.motifs.colours.matching import base_of
from infomotif.motifs.colours.view import ColouredView
from infomotif.motifs.counting.accumulate import accumulate
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels import colours as kernels
from infomotif.motifs.pattern import Codes, Motif, in_reading_order
from infomotif.typing import Array

SIGNED = "signed"
MAX_TYPED = 30
"""How many motifs the set "typed" has, the most frequent ones."""


def motifs_of_data(name: str, graph: Graph) -> tuple[Motif, ...]:
    """Return the motifs of a set that follows from the data, the most frequent first.

    Args:
        name: ``typed``: all motifs of three nodes with all their types that occur, the 30 most frequent. ``signed``:
            wedges and triangles with all their signs; of a directed graph those with directions.
        graph: The graph.

    Raises:
        InputError: If the graph has no types or signs, too many of them, or no three nodes that are connected.

    Example:
        >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False, edge_types=["+", "-", "-"])
        >>> [(motif.pattern, motif.title) for motif in motifs_of_data("signed", graph)]
        [('a-[+]-b, a-[-]-c, b-[-]-c', 'balanced triangle')]
    """
    if name == SIGNED and not graph.signed:
        raise InputError("the motif set 'signed' needs a signed graph; name the column of the signs (sign=, --sign)")
    if not graph.coloured:
        raise InputError(
            "the motif set 'typed' needs a graph with types; name their columns (node_type=, edge_type=, --node-type, "
            "--edge-type)"
        )
    if name == SIGNED:
        graph = graph.replace(node_types=None)
    found = occurring(ColouredView(graph, DyadGraph(graph, directed=graph.directed)))
    if not found:
        raise InputError(f"no three nodes of {graph.name} are connected, so the set '{name}' is empty")
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0].pattern))
    chosen = [motif for motif, _ in ordered]
    return tuple(chosen if name == SIGNED else chosen[:MAX_TYPED])


def occurring(view: ColouredView) -> dict[Motif, int]:
    """Return all coloured motifs of three nodes that occur, with all their types, and how often.

    Raises:
        InputError: If the graph has more kinds of typed edges than tables hold.
    """
    classes = EdgeClasses(view, range(len(view.graph.node_type_names)), range(len(view.edge_names)))
    width = classes.width
    if width > MAX_CLASSES:
        raise InputError(
            f"{view.graph.name} has {width} kinds of typed edges (type, and types of both nodes), more than the "
            f"{MAX_CLASSES} of the set 'typed'; name patterns, or group rare types"
        )
    closed = np.zeros(width**3, np.int64)
    forward, rows = view.view.forward, view.view.indptr
    arrays = (forward.indptr, forward.indices, classes.of_forward, width)
    accumulate(kernels.class_triangles, forward.work, closed, *arrays)
    pairs = np.zeros(width**2, np.int64)
    accumulate(kernels.class_pairs, rows, pairs, rows, classes.of_entry, width)
    return dict(_triangles(classes, closed)) | dict(_wedges(classes, pairs, closed))


def _triangles(classes: EdgeClasses, totals: Array) -> Iterator[tuple[Motif, int]]:
    """Yield the closed motifs, equal ones together, and how often each occurs."""
    width, flipped = classes.width, classes.flipped.astype(np.int64)
    rows = np.flatnonzero(totals)
    uv, uw, vw = rows // width**2, rows // width % width, rows % width
    vu, wu, wv = flipped[uv], flipped[uw], flipped[vw]
    orders = ((uv, uw, vw), (uw, uv, wv), (vu, vw, uw), (vw, vu, wu), (wu, wv, uv), (wv, wu, vu))
    key = np.min([(one * width + two) * width + three for one, two, three in orders], axis=0)
    for each, total in _summed(key, totals[rows]):
        yield _motif(classes, (each // width**2, each // width % width, each % width)), total


def _wedges(classes: EdgeClasses, pairs: Array, closed: Array) -> Iterator[tuple[Motif, int]]:
    """Yield the open motifs and how often each occurs: pairs of neighbours, minus those that triangles join."""
    width, flipped = classes.width, classes.flipped.astype(np.int64)
    rows = np.flatnonzero(closed)
    uv, uw, vw = rows // width**2, rows // width % width, rows % width
    opened = pairs.copy()
    for one, two in ((uv, uw), (flipped[uv], vw), (flipped[uw], flipped[vw])):
        np.subtract.at(opened, np.minimum(one, two) * width + np.maximum(one, two), closed[rows])
    for each in np.flatnonzero(opened).tolist():
        yield _motif(classes, (each // width, each % width, -1)), int(opened[each])


def _summed(key: Array, totals: Array) -> Iterator[tuple[int, int]]:
    known, place = np.unique(key, return_inverse=True)
    sums = np.zeros(len(known), np.int64)
    np.add.at(sums, place, totals)
    return zip(known.tolist(), sums.tolist(), strict=True)


def _motif(classes: EdgeClasses, three: tuple[int, int, int]) -> Motif:
    """Return the motif whose pairs 01, 02 and 12 have these classes; -1 is a pair that is not joined."""
    graph, names = classes.view.graph, classes.view.edge_names
    codes = [[0] * 3 for _ in range(3)]
    edges = [[""] * 3 for _ in range(3)]
    nodes = [""] * 3
    for (i, j), number in zip(((0, 1), (0, 2), (1, 2)), three, strict=True):
        if number < 0:
            continue
        back = int(classes.flipped[number])
        for a, b, c in ((i, j, number), (j, i, back)):
            codes[a][b] = int(classes.codes[c])
            if names and classes.out[c] > 0:
                edges[a][b] = names[int(classes.out[c]) - 1]
            if graph.node_type_names:
                nodes[a] = graph.node_type_names[int(classes.first_type[c])]
    directed = classes.view.view.directed
    shape: Codes = tuple(map(tuple, codes))
    motif = Motif(
        "", shape, directed, "", tuple(nodes) if any(nodes) else (), tuple(map(tuple, edges)) if names else ()
    )
    named = in_reading_order(motif)
    return _titled(named, graph.signed)


def _titled(motif: Motif, signed: bool) -> Motif:
    base = base_of(motif)
    shape = base.title or base.pattern
    if not signed:
        return replace(motif, title=f"typed {shape}")
    if not motif.closed:
        return replace(motif, title=f"signed {shape}")
    pairs = {(i, j): {motif.edge_types[i][j], motif.edge_types[j][i]} - {""} for i in range(3) for j in range(i)}
    if any(kinds != {"+"} and kinds != {"-"} for kinds in pairs.values()):
        return replace(motif, title=f"mixed {shape}")
    odd = sum(kinds == {"-"} for kinds in pairs.values()) % 2
    return replace(motif, title=f"{'unbalanced' if odd else 'balanced'} {shape}")
