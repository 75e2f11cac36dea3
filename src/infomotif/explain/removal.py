"""What the network would say of a node if some edges carried no messages."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from infomotif.explain.features import feature_rows
from infomotif.explain.subject import Subject
from infomotif.graph.neighbourhoods import hop_distances
from infomotif.nn.encoders import encode
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.typing import Array

Edge = tuple[int, int]

_ROWS_AT_ONCE = 40_000


@torch.no_grad()
def probability_without(subject: Subject, node: int, cuts: Sequence[Iterable[Edge]]) -> Array:
    """Return the node's class probabilities without the edges of each cut, [cuts, C].

    Messages stop in both directions. Attributes, structural features and motif-level summaries stay as they are, so
    only what the edges carry is measured. All that reaches the node lies within one hop more than the encoder's layers
    (degrees of the outermost nodes count), so only that part is computed, for all cuts together.

    Args:
        subject: What is explained.
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
    place = np.full(n, -1)
    place[keep] = np.arange(len(keep))
    x = feature_rows(subject.x, keep)
    size = max(1, _ROWS_AT_ONCE // max(1, len(keep)))
    h = [_encode(subject, part, x, place, cuts[i : i + size], int(place[node])) for i in range(0, len(cuts), size)]
    with subject.evaluating():
        fixed = subject.output.z[node] - _z(subject, subject.h[[node]])[0]
        logits = subject.network.classifier(_z(subject, torch.cat(h)) + fixed)
    return np.asarray(logits.softmax(dim=1).cpu().numpy())


def _encode(
    subject: Subject, part: sp.csr_array, x: Any, place: Array, cuts: Sequence[Iterable[Edge]], own: int
) -> Tensor:
    """Return h of the node for each cut, from one graph that holds a copy of the part for each."""
    copies = [_cut(part, [(place[u], place[v]) for u, v in cut]) for cut in cuts]
    stacked = sp.csr_array(sp.block_diag(copies, format="csr"))
    device = subject.h.device
    weights = None if subject.adjacency.weights is None else stacked.data
    adjacency = Adjacency(stacked.indptr, stacked.indices, weights=weights).to(device)
    features: Features
    if sp.issparse(x):
        copied: Any = sp.vstack([x] * len(cuts), format="csr")  # type: ignore[call-overload]
        features = SparseMatrix.from_scipy(copied).to(device)
    else:
        features = x.repeat(len(cuts), 1)
    with subject.evaluating():
        h = encode(subject.network.encoder, features, adjacency)
    return h[own + part.shape[0] * torch.arange(len(cuts), device=device)]


def _cut(part: sp.csr_array, edges: list[Edge]) -> sp.csr_array:
    inside = np.array([(u, v) for u, v in edges if u >= 0 and v >= 0], dtype=np.int64).reshape(-1, 2)
    if not len(inside):
        return part
    both = np.concatenate([inside, inside[:, ::-1]])
    size = part.shape[0]
    rows = np.repeat(np.arange(size, dtype=np.int64), np.diff(part.indptr))
    # A weight of 0 is an edge all the same, so that entries are left out and not set to 0.
    keep = ~np.isin(rows * size + part.indices, both[:, 0] * size + both[:, 1])
    return sp.csr_array((part.data[keep], (rows[keep], part.indices[keep])), shape=part.shape)


def _z(subject: Subject, h: Tensor) -> Tensor:
    """Return z from h without the motif-level summaries, which edges of the message passing do not change."""
    regularizer = subject.network.regularizer
    if regularizer is None:
        return h
    z: Tensor = regularizer.attention([head.gate(h) for head in subject.heads])[0]
    return z + h if regularizer.residual else z
