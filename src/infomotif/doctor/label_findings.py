"""Findings about the labels: how many, how balanced, how near, and whether neighbours share them."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from infomotif.doctor.finding import Finding
from infomotif.graph import Graph
from infomotif.graph.targets import target_nodes, target_types
from infomotif.training.splits import random_split
from infomotif.typing import Array

_FEW_PER_CLASS = 20
_IMBALANCE = 10
_HOPS = 3
_LITTLE = 0.1
_MAX_LISTED = 5


def label_findings(graph: Graph, ratio: float, seed: int) -> Iterator[Finding]:
    """Yield findings about the labels, of which the share ``ratio`` will train."""
    y = graph.y
    if y is None or not (y >= 0).any():
        yield Finding("labels", "warning", "there are no labels; name their column with --label", {})
        return
    labelled = int((y >= 0).sum())
    yield _coverage(graph, labelled)
    yield from _balance(graph, y, ratio)
    train = random_split(y, ratio, val=min(0.2, 1 - ratio), seed=seed).train
    yield _reach(graph, train, ratio)
    yield _homophily(graph, y)


def _coverage(graph: Graph, labelled: int) -> Finding:
    targets = target_nodes(graph)
    n = graph.num_nodes if targets is None else len(targets)
    figures = {"labelled": labelled, "classes": graph.num_classes}
    if graph.num_classes < 2:
        return Finding("labels", "warning", "there is only one class; nothing can be learned", figures)
    what = "nodes" if targets is None else f"nodes of the type {' and '.join(target_types(graph))}"
    text = f"{labelled:,} of {n:,} {what} have a label ({100 * labelled / n:.1f} %), {graph.num_classes} classes"
    return Finding("labels", "fine", text, figures)


def _balance(graph: Graph, y: Array, ratio: float) -> Iterator[Finding]:
    sizes = np.bincount(y[y >= 0], minlength=graph.num_classes)
    names = graph.class_names
    figures = {"sizes": {names[c]: int(k) for c, k in enumerate(sizes)}}
    largest, smallest = int(sizes.argmax()), int(sizes.argmin())
    high, low = int(sizes[largest]), int(sizes[smallest])
    text = f"the largest class is '{names[largest]}' ({high:,}), the smallest '{names[smallest]}' ({low:,})"
    if low == high:
        text = f"every class has {high:,} nodes"
    if low * _IMBALANCE < high:
        text += ": without class weights small classes will be overlooked"
        yield Finding("balance", "warning", text, figures, ("--set", "class_weights=yes"))
    else:
        yield Finding("balance", "fine", text, figures)
    single = single_label_classes(graph)
    if single:
        yield Finding("single labels", "warning", single_label_text(single), {"classes": single})
    few = float(ratio * (y >= 0).sum() / max(1, graph.num_classes))
    if few < _FEW_PER_CLASS:
        text = (
            f"about {few:.0f} training labels per class: the InfoMax loss helps most where labels are few, and the "
            "default preset tries it; with so few labels results vary a lot, so train several splits to see the spread"
        )
        options = ("--splits", "5")
        yield Finding("few labels", "note", text, {"training_labels_a_class": few}, options)


def single_label_classes(graph: Graph) -> list[str]:
    """Return the classes that have one label only."""
    if graph.y is None:
        return []
    sizes = np.bincount(graph.y[graph.y >= 0], minlength=graph.num_classes)
    return [graph.class_names[c] for c in np.flatnonzero(sizes == 1)]


def single_label_text(names: list[str]) -> str:
    """Return what to do about classes that have one label only."""
    rest = len(names) - _MAX_LISTED
    listed = ", ".join(f"'{name}'" for name in names[:_MAX_LISTED]) + (f" and {rest:,} more" if rest > 0 else "")
    has = "class has" if len(names) == 1 else "classes have"
    return (
        f"{len(names):,} {has} one label only ({listed}), which can train or test, not both: label more nodes, merge "
        "classes, or empty these labels"
    )


def _reach(graph: Graph, train: Array, ratio: float) -> Finding:
    """Return how many nodes have a training label within 1, 2 and 3 hops."""
    n, csr = graph.num_nodes, graph.undirected
    rows = np.repeat(np.arange(n), np.diff(csr.indptr))
    near = np.zeros(n, dtype=bool)
    near[train] = True
    shares = []
    for _ in range(_HOPS):
        grown = near.copy()
        np.logical_or.at(grown, rows, near[csr.indices])
        near = grown
        shares.append(float(near.mean()))
    listed = ", ".join(f"{100 * share:.0f} % within {hops}" for hops, share in enumerate(shares, start=1))
    text = f"if {100 * ratio:g} % of the labels train, this many nodes have a training label nearby: {listed} hops"
    figures = {f"within_{hops}": share for hops, share in enumerate(shares, start=1)}
    if shares[1] < 0.8:
        text += "; a 2-layer GNN learns nothing from the attributes of the others, InfoMotif does"
    return Finding("label reach", "fine" if shares[1] >= 0.8 else "note", text, figures)


def _homophily(graph: Graph, y: Array) -> Finding:
    rows, cols = graph.edges()
    known = (y[rows] >= 0) & (y[cols] >= 0)
    if not known.any():
        if graph.node_types is None:
            return Finding("homophily", "note", "no edge joins two labelled nodes, so homophily is unknown", {})
        return _shared_neighbours(graph, y)
    same = float((y[rows[known]] == y[cols[known]]).mean())
    ends = np.bincount(np.concatenate([y[rows[known]], y[cols[known]]]), minlength=graph.num_classes)
    chance = float(((ends / ends.sum()) ** 2).sum())
    figures = {"same_class": same, "by_chance": chance}
    text = f"{100 * same:.0f} % of the edges join nodes of the same class; by chance it would be {100 * chance:.0f} %"
    if same - chance < _LITTLE:
        return Finding("homophily", "note", f"{text}: neighbours say little about the class", figures)
    return Finding("homophily", "fine", text, figures)


def _shared_neighbours(graph: Graph, y: Array) -> Finding:
    """Return how often two labelled nodes with a common neighbour share their class, on a typed graph."""
    rows, cols = np.repeat(np.arange(graph.num_nodes), np.diff(graph.undirected.indptr)), graph.undirected.indices
    known = y[cols] >= 0
    table = np.zeros((graph.num_nodes, graph.num_classes))
    np.add.at(table, (rows[known], y[cols[known]]), 1)
    around = table.sum(axis=1)
    pairs = float((around * (around - 1)).sum())
    if not pairs:
        return Finding(
            "homophily", "note", "no two labelled nodes have a common neighbour, so homophily is unknown", {}
        )
    same = float((table * (table - 1)).sum()) / pairs
    ends = (table * (around - 1).clip(min=0)[:, None]).sum(axis=0)
    chance = float(((ends / ends.sum()) ** 2).sum())
    text = (
        f"{100 * same:.0f} % of the pairs of labelled nodes with a common neighbour have the same class; by chance it "
        f"would be {100 * chance:.0f} %"
    )
    figures = {"same_class_of_two_hops": same, "by_chance_of_two_hops": chance}
    level = "note" if same - chance < _LITTLE else "fine"
    return Finding("homophily", level, text, figures)
