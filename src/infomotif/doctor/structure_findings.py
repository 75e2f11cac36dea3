"""What the edges tell: components, isolated nodes, directions, motifs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import scipy.sparse as sp
from scipy.sparse.csgraph import connected_components

from infomotif.doctor.finding import Finding
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.typing import Array

# Fewer instances than this in the whole graph (or than nodes, in a smaller one) cannot be learned from.
FEWEST_INSTANCES = 100
_MUTUAL = 0.9


def structure_findings(graph: Graph, index: MotifIndex) -> Iterator[Finding]:
    """Yield what the edges tell."""
    yield from _components(graph)
    if graph.directed:
        yield _directions(graph)
    if graph.csr.weights is not None and len(graph.csr.weights):
        yield _weights(graph.csr.weights)
    yield _motifs(index)


def _components(graph: Graph) -> Iterator[Finding]:
    n = graph.num_nodes
    csr = graph.undirected
    matrix = sp.csr_array((np.ones(len(csr.indices), dtype=np.int8), csr.indices, csr.indptr), shape=(n, n))
    count, member = connected_components(matrix, directed=False)
    sizes = np.bincount(member)
    alone = int((graph.degrees == 0).sum())
    figures = {"components": int(count), "largest": int(sizes.max()), "isolated": alone}
    if count == 1:
        yield Finding("components", "fine", f"all {n:,} nodes are connected", figures)
    else:
        share = 100 * sizes.max() / n
        level = "fine" if share >= 90 else "note"
        yield Finding("components", level, f"{count:,} components; the largest has {share:.1f} % of the nodes", figures)
    if alone:
        share = 100 * alone / n
        text = f"{alone:,} nodes ({share:.1f} %) have no edge: their predictions rest on their attributes alone"
        yield Finding("isolated nodes", "warning" if share > 20 else "note", text, {"isolated": alone})


def _directions(graph: Graph) -> Finding:
    mutual = 2 * len(graph.csr.indices) - len(graph.undirected.indices)
    share = mutual / max(1, len(graph.csr.indices))
    if share >= _MUTUAL:
        text = f"{100 * share:.0f} % of the edges run both ways; read them without direction"
        return Finding("directions", "note", text, {"reciprocal": share}, ("--undirected",))
    return Finding("directions", "fine", f"{100 * share:.0f} % of the edges run both ways", {"reciprocal": share})


def _weights(weights: Array) -> Finding:
    least, most = float(weights.min()), float(weights.max())
    figures = {"least": least, "most": most}
    text = f"the weights of the edges go from {least:g} to {most:g}"
    if least < 0:
        return Finding("weights", "note", f"{text}; messages cannot use weights below 0, so none is used", figures)
    more = "preset auto tries messages that count as much, other presets need --set edge_weights=yes"
    return Finding("weights", "fine", f"{text}; {more}", figures)


def _motifs(index: MotifIndex) -> Finding:
    total = {m.name: int(t) for m, t in zip(index.motifs, index.totals, strict=True)}
    covered = {m.name: float(c) for m, c in zip(index.motifs, index.coverage, strict=True)}
    anywhere = float((index.counts > 0).any(axis=1).mean())
    figures = {"instances": total, "coverage": covered, "any": anywhere}
    fewest = min(FEWEST_INSTANCES, index.graph.num_nodes)
    rare = [name for name, count in total.items() if count < fewest]
    often = [name for name in total if name not in rare]
    listed = ", ".join(f"{name} {total[name]:,}" for name in total)
    text = f"{100 * anywhere:.0f} % of the nodes are in a motif instance ({listed})"
    if not often:
        return Finding(
            "motifs", "warning", f"{text}; too few to learn from, the base GNN alone may do as well", figures
        )
    if rare:
        options = tuple(option for name in often for option in ("--motifs", name))
        word = "is" if len(rare) == 1 else "are"
        return Finding("motifs", "note", f"{text}; {', '.join(rare)} {word} too rare to learn from", figures, options)
    return Finding("motifs", "fine" if anywhere > 0.5 else "note", text, figures)
