"""Motif sets that follow from the data: all coloured motifs of three nodes that occur, and those of signed graphs."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs.catalog import get_motif, select_motifs
from infomotif.motifs.colours import kernels
from infomotif.motifs.colours.classes import MAX_TABLE, EdgeClasses, edge_classes
from infomotif.motifs.colours.matching import base_of
from infomotif.motifs.colours.view import ColouredView
from infomotif.motifs.counting.accumulate import accumulate
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.pattern import Codes, Motif, in_reading_order
from infomotif.typing import Array

SIGNED = "signed"
SIGNED_PATTERNS = (
    "a-[+]-b, a-[+]-c", "a-[+]-b, a-[-]-c", "a-[-]-b, a-[-]-c",
    "a-[+]-b, a-[+]-c, b-[+]-c", "a-[+]-b, a-[-]-c, b-[-]-c", "a-[+]-b, a-[+]-c, b-[-]-c", "a-[-]-b, a-[-]-c, b-[-]-c",
)  # fmt: skip
"""The set "signed" of a graph without directions."""
MAX_TYPED = 30
"""How many motifs the set "typed" has, the most frequent ones."""


def motifs_for(
    graph: Graph, motifs: str | Iterable[str | Motif], view: Callable[[], ColouredView] | None = None
) -> tuple[Motif, ...]:
    """Return the motifs that a ``motifs`` argument names for a graph, as :func:`.select_motifs` does.

    Args:
        graph: The graph.
        motifs: As for :class:`.MotifIndex`.
        view: Gives the graph with its types, for callers that need it themselves.

    Example:
        >>> graph = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=True, node_types=["a", "b", "a"])
        >>> [motif.name for motif in motifs_for(graph, ["M4", "typed"])]
        ['M4', 'a:a->b:b, b->c:a']
    """
    return select_motifs(motifs, directed=graph.directed, data_set=partial(motifs_of_data, graph=graph, view=view))


def motifs_of_data(name: str, graph: Graph, view: Callable[[], ColouredView] | None = None) -> tuple[Motif, ...]:
    """Return the motifs of a set that follows from the data, the most frequent first.

    Args:
        name: ``typed``: all motifs of three nodes with all their types that occur, the 30 most frequent. ``signed``:
            wedges and triangles with all their signs: all seven, or of a directed graph those with directions that
            occur.
        graph: The graph.
        view: Gives the graph with its types, for callers that need it themselves.

    Raises:
        InputError: If the graph has no types or signs, too many of them, or no three nodes that are connected.

    Example:
        >>> graph = Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False, edge_types=["+", "-", "-"])
        >>> motifs = motifs_of_data("signed", graph)
        >>> len(motifs), motifs[0].pattern, motifs[0].title
        (7, 'a-[+]-b, a-[-]-c, b-[-]-c', 'balanced triangle')
    """
    if name == SIGNED and not graph.signed:
        raise InputError("the motif set 'signed' needs a signed graph; name the column of the signs (sign=, --sign)")
    if not graph.coloured:
        raise InputError(
            "the motif set 'typed' needs a graph with types; name their columns (node_type=, edge_type=, --node-type, "
            "--edge-type)"
        )
    if name == SIGNED and graph.node_types is not None:
        graph, view = graph.replace(node_types=None), None
    coloured = view() if view is not None else ColouredView(graph, DyadGraph(graph, directed=graph.directed))
    found = occurring(coloured, most=None if name == SIGNED else MAX_TYPED)
    if name == SIGNED and not graph.directed:
        # That a motif never occurs is a finding too.
        found = {_titled(get_motif(pattern), True): 0 for pattern in SIGNED_PATTERNS} | found
    if not found:
        raise InputError(f"no three nodes of {graph.name} are connected, so the set '{name}' is empty")
    ordered = sorted(found.items(), key=lambda pair: (-pair[1], pair[0].pattern))
    chosen = [motif for motif, _ in ordered]
    return tuple(chosen if name == SIGNED else chosen[:MAX_TYPED])


def occurring(view: ColouredView, most: int | None = None) -> dict[Motif, int]:
    """Return all coloured motifs of three nodes that occur, with all their types, and how often.

    Args:
        view: The graph with its types.
        most: Leave out those that are rarer than this many others; None keeps all.

    Raises:
        InputError: If the graph has more kinds of typed edges than tables hold.
    """
    classes = edge_classes(view, range(len(view.graph.node_type_names)), range(len(view.edge_names)))
    if classes.table_size > MAX_TABLE:
        raise InputError(
            f"{view.graph.name} has {classes.width} kinds of typed edges (type, and types of both nodes), too many for "
            "the set 'typed'; name patterns, or group rare types"
        )
    closed = np.zeros(classes.table_size, np.int64)
    forward, rows = view.view.forward, view.view.indptr
    accumulate(kernels.class_triangles, forward.work, closed, forward.indptr, forward.indices, *classes.of_forward)
    pairs = np.zeros(classes.pairs, np.int64)
    accumulate(kernels.class_pairs, rows, pairs, rows, classes.of_entry, classes.row, classes.local)
    three, totals = (
        np.concatenate(parts)
        for parts in zip(_triangles(classes, closed), _wedges(classes, pairs, closed), strict=True)
    )
    if most is not None and len(totals) > most:
        kept = totals >= np.sort(totals)[-most]
        three, totals = three[kept], totals[kept]
    return {_motif(classes, row): total for row, total in zip(three.tolist(), totals.tolist(), strict=True)}


def _triangles(classes: EdgeClasses, totals: Array) -> tuple[Array, Array]:
    """Return the classes of the pairs of closed motifs, equal ones together, and how often each occurs."""
    flipped = classes.flipped
    rows = np.flatnonzero(totals)
    uv, uw, vw = classes.pairs_of(rows)
    vu, wu, wv = flipped[uv], flipped[uw], flipped[vw]
    orders = ((uv, uw, vw), (uw, uv, wv), (vu, vw, uw), (vw, vu, wu), (wu, wv, uv), (wv, wu, vu))
    key = np.min([classes.triangle(*order) for order in orders], axis=0)
    known, place = np.unique(key, return_inverse=True)
    sums = np.zeros(len(known), np.int64)
    np.add.at(sums, place, totals[rows])
    return np.stack(classes.pairs_of(known), axis=1), sums


def _wedges(classes: EdgeClasses, pairs: Array, closed: Array) -> tuple[Array, Array]:
    """Return the same of open motifs, -1 for the ends: pairs of neighbours, minus those that triangles join."""
    flipped = classes.flipped
    rows = np.flatnonzero(closed)
    uv, uw, vw = classes.pairs_of(rows)
    opened = pairs.copy()
    for one, two in ((uv, uw), (flipped[uv], vw), (flipped[uw], flipped[vw])):
        np.subtract.at(opened, classes.row[np.minimum(one, two)] + classes.local[np.maximum(one, two)], closed[rows])
    known = np.flatnonzero(opened)
    uv, uw, _ = classes.pairs_of(known * classes.dyads)
    return np.stack([uv, uw, np.full(len(known), -1)], axis=1), opened[known]


def _motif(classes: EdgeClasses, three: Sequence[int]) -> Motif:
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
