"""Faithfulness: does a prediction depend on the instances that the explanation names?"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from infomotif.errors import InputError
from infomotif.explain.attributes import feature_rows
from infomotif.explain.subject import Subject
from infomotif.explain.top_instances import TopInstance, instance_edges, top_instances
from infomotif.graph.neighbourhoods import hop_distances
from infomotif.nn.encoders import encode
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.typing import Array

Edge = tuple[int, int]

KINDS = ("top instances", "random instances", "random edges")
STEPS = (1, 2, 3, 5, 10)
_ALL = 1 << 30
_ROWS_AT_ONCE = 40_000


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
    """One curve per kind of cut, over the same nodes and steps."""

    steps: tuple[int, ...]
    nodes: int
    curves: tuple[Curve, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return asdict(self)


def faithfulness(
    subject: Subject, nodes: ArrayLike, *, steps: Sequence[int] = STEPS, repeats: int = 3, seed: int = 0
) -> Faithfulness:
    """Compare cutting the edges of each node's top instances with cutting random instances and random edges.

    An explanation is faithful if cutting what it names changes the prediction more than cutting something else.
    Random instances are drawn from those of the node; random edges from those over which messages reach the node, as
    many as the top instances have. So both controls are as close to the node as possible.

    Args:
        subject: The model on its graph.
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
        predicted = int(probability[0].argmax())
        drops.append(_by_kind(probability[0, predicted] - probability[1:, predicted], repeats, len(steps)))
        flips.append(_by_kind(probability[1:].argmax(axis=1) != predicted, repeats, len(steps)))
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
    """Return one cut per step: of the top instances, then of each repeat of both controls."""
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


@torch.no_grad()
def probability_without(subject: Subject, node: int, cuts: Sequence[Iterable[Edge]]) -> Array:
    """Return the node's class probabilities without the edges of each cut, [cuts, C].

    Messages stop in both directions. Attributes, structural features and motif-level summaries stay as they are, so
    that only the messages are measured. Everything that reaches the node lies within one hop more than the encoder's
    layers (degrees of the outermost nodes count), so only that part is computed, for all cuts together.

    Args:
        subject: The model on its graph.
        node: The node's number.
        cuts: Edges to leave out, each a set of node pairs.
    """
    exact = isinstance(subject.network.encoder, Encoder)
    near = hop_distances(subject.graph, node, subject.hops + 1 if exact else None)
    keep = np.flatnonzero(near >= 0) if exact else np.arange(subject.graph.num_nodes)
    pattern = subject.adjacency.neighbours
    n = subject.graph.num_nodes
    weights = subject.adjacency.weights
    carried = np.ones(len(pattern.indices), dtype=np.float32) if weights is None else weights
    part = sp.csr_array((carried, pattern.indices, pattern.indptr), shape=(n, n))[keep][:, keep]
    row_of = np.full(n, -1)
    row_of[keep] = np.arange(len(keep))
    x = feature_rows(subject.x, keep)
    size = max(1, _ROWS_AT_ONCE // max(1, len(keep)))
    h = [_encode(subject, part, x, row_of, cuts[i : i + size], node) for i in range(0, len(cuts), size)]
    with subject.evaluating():
        fixed = subject.output.z[node] - _z(subject, subject.h[[node]])[0]
        logits = subject.network.classifier(_z(subject, torch.cat(h)) + fixed)
    return np.asarray(logits.softmax(dim=1).cpu().numpy())


def _encode(
    subject: Subject, part: sp.csr_array, x: Any, row_of: Array, cuts: Sequence[Iterable[Edge]], node: int
) -> Tensor:
    """Return h of the node for each cut, from one graph that holds a copy of the part for each."""
    stacked = _stacked(part, [[(row_of[u], row_of[v]) for u, v in cut] for cut in cuts], diagonal=True)
    device = subject.h.device
    weights = None if subject.adjacency.weights is None else stacked.data
    adjacency = Adjacency(stacked.indptr, stacked.indices, weights=weights).to(device)
    features: Features
    if isinstance(x, Tensor):
        features = x.repeat(len(cuts), 1)
    else:
        features = SparseMatrix.from_scipy(_stacked(x, [[] for _ in cuts], diagonal=False)).to(device)
    with subject.evaluating():
        h = encode(subject.network.encoder, features, adjacency)
    return h[int(row_of[node]) + part.shape[0] * torch.arange(len(cuts), device=device)]


def _stacked(part: sp.csr_array, cuts: Sequence[list[Edge]], *, diagonal: bool) -> sp.csr_array:
    """Return copies of a matrix below each other, or along the diagonal, each without the entries of its cut."""
    copies, (rows, cols) = len(cuts), part.shape
    size = max(rows, cols)
    row = np.repeat(np.arange(rows, dtype=np.int64), np.diff(part.indptr))
    inside = [(i, u, v) for i, cut in enumerate(cuts) for u, v in cut if u >= 0 and v >= 0]
    copy, u, v = np.array(inside, dtype=np.int64).reshape(-1, 3).T
    first = size * size * copy
    # An edge may have weight 0, so entries are left out instead of set to 0.
    left_out = np.concatenate([first + u * size + v, first + v * size + u])
    keep = np.ones(copies * part.nnz, dtype=bool)
    if len(left_out):
        entries = (size * size * np.arange(copies)[:, None] + (row * size + part.indices)).ravel()
        keep = ~np.isin(entries, left_out)
    lengths = np.bincount((rows * np.arange(copies)[:, None] + row).ravel()[keep], minlength=copies * rows)
    columns = part.indices if not diagonal else cols * np.arange(copies)[:, None] + part.indices
    columns = np.broadcast_to(columns, (copies, part.nnz)).ravel()[keep]
    data = np.broadcast_to(part.data, (copies, part.nnz)).ravel()[keep]
    shape = (copies * rows, copies * cols if diagonal else cols)
    return sp.csr_array((data, columns, np.concatenate([[0], np.cumsum(lengths)])), shape=shape)


def _z(subject: Subject, h: Tensor) -> Tensor:
    """Return z from h without the motif-level summaries, which edges of the message passing do not change."""
    regularizer = subject.network.regularizer
    if regularizer is None:
        return h
    z: Tensor = regularizer.attention([head.gate(h) for head in subject.heads])[0]
    return z + h if regularizer.residual else z
