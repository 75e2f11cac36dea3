"""Findings about the edges: components, isolated nodes, directions, weights, motifs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from infomotif.doctor.finding import Finding
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.typing import Array

MIN_INSTANCES = 100
"""A motif with fewer instances in the whole graph (or than nodes, in a smaller one) cannot be learned from."""
_MUTUAL = 0.9
_MIN_EDGES = 20
_MAX_EDGES = 20_000_000
ONE_WAY = (
    "every edge runs one way by id, as in a list that names each pair once; if the edges have no direction, as "
    "friendships do, add --undirected"
)


def structure_findings(graph: Graph, index: MotifIndex) -> Iterator[Finding]:
    """Yield findings about the edges."""
    yield from _components(graph)
    if graph.coloured:
        yield _types(graph)
    if graph.directed:
        yield _directions(graph)
    if graph.csr.weights is not None and len(graph.csr.weights):
        yield _weights(graph.csr.weights)
    yield _motifs(index)


def _types(graph: Graph) -> Finding:
    """Return how many nodes and edges each type has."""
    figures: dict[str, Any] = {}
    parts = []
    for what, codes, names in (
        ("node", graph.node_types, graph.node_type_names),
        ("edge", graph.edge_types, graph.edge_type_names),
    ):
        if codes is not None:
            # An undirected edge is stored twice.
            counts = np.bincount(codes, minlength=len(names)) // (2 if what == "edge" and not graph.directed else 1)
            figures[f"{what}_types"] = dict(zip(names, counts.tolist(), strict=True))
            parts.append(
                f"{what} types: " + ", ".join(f"{name} {count:,}" for name, count in figures[f"{what}_types"].items())
            )
    text = "; ".join(parts) + "; the encoder rgcn keeps their messages apart, the motifs typed count them apart"
    return Finding("types", "fine", text, figures)


def _components(graph: Graph) -> Iterator[Finding]:
    n = graph.num_nodes
    csr = graph.undirected
    matrix = sp.csr_array((np.ones(len(csr.indices), dtype=np.int8), csr.indices, csr.indptr), shape=(n, n))
    count, member = connected_components(matrix, directed=False)
    sizes = np.bincount(member)
    isolated = int((graph.degrees == 0).sum())
    figures = {"components": int(count), "largest": int(sizes.max()), "isolated": isolated}
    if count == 1:
        yield Finding("components", "fine", f"all {n:,} nodes are connected", figures)
    else:
        share = 100 * sizes.max() / n
        level = "fine" if share >= 90 else "note"
        yield Finding("components", level, f"{count:,} components; the largest has {share:.1f} % of the nodes", figures)
    if isolated:
        share = 100 * isolated / n
        rest = (
            "and the graph has no attributes, so that nothing but the frequency of classes can predict them"
            if graph.x is None
            else "so that only their attributes can predict their class"
        )
        text = f"{isolated:,} nodes ({share:.1f} %) have no edge, {rest}"
        yield Finding("isolated nodes", "warning" if share > 20 else "note", text, {"isolated": isolated})


def _directions(graph: Graph) -> Finding:
    mutual = 2 * len(graph.csr.indices) - len(graph.undirected.indices)
    share = mutual / max(1, len(graph.csr.indices))
    if share >= _MUTUAL:
        text = f"{100 * share:.0f} % of the edges run both ways; read the graph as undirected"
        return Finding("directions", "note", text, {"reciprocal": share}, ("--undirected",))
    if one_way_by_id(graph):
        return Finding("directions", "warning", ONE_WAY, {"reciprocal": share, "one_way_by_id": True})
    return Finding("directions", "fine", f"{100 * share:.0f} % of the edges run both ways", {"reciprocal": share})


def one_way_by_id(graph: Graph) -> bool:
    """Return whether every edge runs from a smaller to a larger id, or every one from a larger to a smaller.

    Example:
        >>> ends = np.arange(30)
        >>> one_way_by_id(Graph.from_edges(ends, ends + 1, num_nodes=31, directed=True))
        True
    """
    if not graph.directed or not _MIN_EDGES <= graph.num_edges <= _MAX_EDGES:
        return False
    source, target = graph.edges()
    for order in _orders(graph):
        up = order[source] < order[target]
        if up.all() or not up.any():
            return True
    return False


def _orders(graph: Graph) -> Iterator[Array]:
    """Yield the orders of the nodes that a list of edges may follow: of the file, and of the ids."""
    yield np.arange(graph.num_nodes)
    if not graph.numbered:
        names: list[str] = graph.names.tolist()
        try:
            yield np.array([float(name) for name in names])
        except ValueError:
            yield np.unique(graph.names, return_inverse=True)[1]


def _weights(weights: Array) -> Finding:
    low, high = float(weights.min()), float(weights.max())
    figures = {"least": low, "most": high}
    text = f"edge weights range from {low:g} to {high:g}"
    if low < 0:
        return Finding("weights", "note", f"{text}; messages cannot use negative weights, so none are used", figures)
    more = "preset auto tries to weight messages by them, other presets need --set edge_weights=yes"
    return Finding("weights", "fine", f"{text}; {more}", figures)


def _motifs(index: MotifIndex) -> Finding:
    total = {m.name: int(t) for m, t in zip(index.motifs, index.totals, strict=True)}
    covered = {m.name: float(c) for m, c in zip(index.motifs, index.coverage, strict=True)}
    anywhere = float((index.counts > 0).any(axis=1).mean())
    figures = {"instances": total, "coverage": covered, "any": anywhere}
    needed = min(MIN_INSTANCES, index.graph.num_nodes)
    rare = [name for name, count in total.items() if count < needed]
    frequent = [name for name in total if name not in rare]
    listed = ", ".join(f"{name} {total[name]:,}" for name in total)
    text = f"{100 * anywhere:.0f} % of the nodes are in a motif instance ({listed})"
    if not frequent:
        return Finding(
            "motifs", "warning", f"{text}; too few to learn from; the base GNN alone may do as well", figures
        )
    if rare:
        options = tuple(option for name in frequent for option in ("--motifs", name))
        word = "is" if len(rare) == 1 else "are"
        return Finding("motifs", "note", f"{text}; {', '.join(rare)} {word} too rare to learn from", figures, options)
    return Finding("motifs", "fine" if anywhere > 0.5 else "note", text, figures)
