"""Faithfulness: does a prediction hang on the instances that the explanation names?"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from infomotif.errors import InputError
from infomotif.explain.instances import TopInstance, instance_edges, top_instances
from infomotif.explain.removal import Edge, probability_without
from infomotif.explain.subject import Subject
from infomotif.graph.neighbourhoods import hop_distances
from infomotif.typing import Array

KINDS = ("top instances", "random instances", "random edges")
STEPS = (1, 2, 3, 5, 10)
_ALL = 1 << 30


@dataclass(frozen=True)
class Curve:
    """How predictions change with the number of instances whose edges are cut.

    Attributes:
        kind: What was cut.
        drop: Mean loss of the predicted class's probability at each step.
        half_width: Half of its 95 % interval over the nodes.
        flipped: Share of nodes whose prediction changes at each step.
        edges: Mean number of edges cut at each step.
    """

    kind: str
    drop: tuple[float, ...]
    half_width: tuple[float, ...]
    flipped: tuple[float, ...]
    edges: tuple[float, ...]


@dataclass(frozen=True)
class Faithfulness:
    """One curve a kind of cut, over the same nodes and steps."""

    steps: tuple[int, ...]
    nodes: int
    curves: tuple[Curve, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return asdict(self)


def faithfulness(
    subject: Subject, nodes: ArrayLike, *, steps: Sequence[int] = STEPS, repeats: int = 3, seed: int = 0
) -> Faithfulness:
    """Cut the edges of each node's top instances, of random ones, and as many random edges, and compare.

    An explanation is faithful if cutting what it names changes the prediction more than cutting something else.
    Random instances are drawn among the node's own; random edges among those over which messages reach the node at
    all, as many as the top instances have. So both controls are as near to the node as can be.

    Args:
        subject: What is explained.
        nodes: The nodes to measure on; those without any instance are left out.
        steps: How many instances are cut.
        repeats: How many random draws are averaged.
        seed: Randomness of the draws.

    Raises:
        InputError: If no node has an instance.
    """
    steps = tuple(int(step) for step in steps)
    if not steps or min(steps) < 1:
        raise InputError(f"steps must be positive whole numbers (got {list(steps)})")
    generator = np.random.default_rng(seed)
    drops, flips, sizes = [], [], []
    for node in np.asarray(nodes, dtype=np.int64).tolist():
        ranked = top_instances(subject, node, count=_ALL, seed=seed)
        if not ranked:
            continue
        cuts = _cuts(subject, node, ranked, steps, repeats, generator)
        probability = probability_without(subject, node, [[], *cuts])
        own = int(probability[0].argmax())
        drops.append(_by_kind(probability[0, own] - probability[1:, own], repeats, len(steps)))
        flips.append(_by_kind(probability[1:].argmax(axis=1) != own, repeats, len(steps)))
        sizes.append(_by_kind([len(cut) for cut in cuts], repeats, len(steps)))
    if not drops:
        raise InputError("no node has a motif instance; choose other nodes or other motifs")
    drop, flipped, edges = (np.stack(values) for values in (drops, flips, sizes))
    half = 1.96 * drop.std(axis=0, ddof=1) / np.sqrt(len(drop)) if len(drop) > 1 else np.zeros(drop.shape[1:])
    figures = (drop.mean(axis=0), half, flipped.mean(axis=0), edges.mean(axis=0))
    curves = (Curve(kind, *(tuple(a[k].tolist()) for a in figures)) for k, kind in enumerate(KINDS))
    return Faithfulness(steps, len(drop), tuple(curves))


def _by_kind(values: ArrayLike, repeats: int, steps: int) -> Array:
    """Return the values of one node by kind and step, controls averaged over their repeats, [kinds, steps]."""
    groups = np.asarray(values, dtype=np.float64).reshape(-1, steps)
    ends = (0, 1, 1 + repeats, 1 + 2 * repeats)
    return np.stack([groups[a:b].mean(axis=0) for a, b in itertools.pairwise(ends)])


def _cuts(
    subject: Subject,
    node: int,
    ranked: list[TopInstance],
    steps: tuple[int, ...],
    repeats: int,
    generator: np.random.Generator,
) -> list[list[Edge]]:
    """Return one cut a step: of the top instances, then of each repeat of both controls."""
    top = [_edges(subject, ranked[:step]) for step in steps]
    instances, edges = [], []
    pool = _reaching_edges(subject, node)
    for _ in range(repeats):
        order = generator.permutation(len(ranked))
        instances += [_edges(subject, [ranked[i] for i in order[:step]]) for step in steps]
        shuffled = pool[generator.permutation(len(pool))].tolist()
        edges += [[(u, v) for u, v in shuffled[: len(cut)]] for cut in top]
    return [*top, *instances, *edges]


def _edges(subject: Subject, instances: Sequence[TopInstance]) -> list[Edge]:
    motifs = () if subject.index is None else subject.index.motifs
    return sorted({edge for i in instances for edge in instance_edges(motifs[i.motif], i.members)})


def _reaching_edges(subject: Subject, node: int) -> Array:
    """Return the edges over which messages reach the node, [E, 2]."""
    graph, hops = subject.graph, max(1, subject.hops)
    near = np.flatnonzero(hop_distances(graph, node, hops - 1) >= 0)
    indptr, indices = graph.undirected.indptr, graph.undirected.indices
    source = np.repeat(near, np.diff(indptr)[near])
    target = np.concatenate([indices[indptr[v] : indptr[v + 1]] for v in near.tolist()]) if len(near) else source
    return np.unique(np.sort(np.stack([source, target], axis=1), axis=1), axis=0)
