"""Which attributes carry a score: gradient times input, on the named attributes of the nodes in question."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from infomotif.explain.subject import Subject
from infomotif.explain.top_instances import ScoredInstances, TopInstance, scores
from infomotif.graph.neighbourhoods import hop_distances
from infomotif.nn.encoders import encode
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.propagation.blocks import neighbourhood
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.typing import Array

Objective = Callable[[Tensor], Tensor]

_FEW_ENTRIES = 200
_ROWS_AT_ONCE = 256


@dataclass(frozen=True)
class Contribution:
    """How much one attribute carries: the sum of gradient times input, and how many of the nodes have it."""

    name: str
    value: float
    nodes: int


def contributions(subject: Subject, objective: Objective, rows: Array) -> sp.csr_array:
    """Return gradient times input of an objective for some nodes' features, [rows, F].

    Args:
        subject: The model on its graph.
        objective: A number from the representations h [n, D] of all nodes.
        rows: The nodes.
    """
    encoder = subject.network.encoder
    index = torch.from_numpy(np.asarray(rows, dtype=np.int64)).to(subject.h.device)
    with torch.enable_grad(), subject.evaluating():
        if not isinstance(encoder, Encoder):
            x = (subject.x.to_dense() if isinstance(subject.x, SparseMatrix) else subject.x).detach().requires_grad_()
            (gradient,) = torch.autograd.grad(objective(encode(encoder, x, subject.adjacency)), x)
            return sp.csr_array((gradient[index] * x[index]).detach().cpu().numpy())
        # The first product treats each row on its own, so features of other nodes need not become dense.
        projected = encoder.project(subject.x).detach().requires_grad_()
        (gradient,) = torch.autograd.grad(objective(encoder.propagate(projected, subject.adjacency)), projected)
        blocks = [_block(encoder, subject, part, gradient[part]) for part in index.split(_ROWS_AT_ONCE)]
    return sp.csr_array(sp.vstack(blocks, format="csr")) if blocks else sp.csr_array((0, subject.x.shape[1]))


def _block(encoder: Encoder, subject: Subject, rows: Tensor, gradient: Tensor) -> sp.csr_array:
    weights = encoder.input_weights
    if weights is not None and isinstance(subject.x, SparseMatrix) and not gradient.is_cuda:
        return _sparse_block(subject.x, rows.numpy(), gradient, weights)
    x = _dense_rows(subject, rows).requires_grad_()
    (d_x,) = torch.autograd.grad(encoder.project(x), x, gradient)
    return sp.csr_array((d_x * x).detach().cpu().numpy())


def _sparse_block(x: SparseMatrix, rows: Array, gradient: Tensor, weights: Tensor) -> sp.csr_array:
    """Return the same where the first product is linear: only entries of x other than 0 are multiplied."""
    pattern = x.pattern
    lengths = pattern.indptr[rows + 1] - pattern.indptr[rows]
    indptr = np.concatenate([[0], np.cumsum(lengths)])
    entry = np.arange(indptr[-1]) + np.repeat(pattern.indptr[rows] - indptr[:-1], lengths)
    columns = pattern.indices[entry]
    slopes = (gradient.detach()[np.repeat(np.arange(len(rows)), lengths)] * weights.detach()[columns]).sum(dim=1)
    values = x.values.detach().numpy()[entry] * slopes.numpy()
    return sp.csr_array((values, columns, indptr), shape=(len(rows), x.shape[1]))


def feature_rows(x: Features, rows: Array) -> sp.csr_array | Tensor:
    """Return the features of some nodes, [rows, F], sparse if all of them are, and without gradient.

    Example:
        >>> x = SparseMatrix.from_scipy(sp.eye_array(3, format="csr", dtype="float32"))
        >>> feature_rows(x, np.array([2])).toarray().tolist()
        [[0.0, 0.0, 1.0]]
    """
    if isinstance(x, SparseMatrix):
        values = x.values.detach().cpu().numpy()
        return sp.csr_array(sp.csr_array((values, x.pattern.indices, x.pattern.indptr), shape=x.shape)[rows])
    return x[torch.from_numpy(rows).to(x.device)].detach()


def _dense_rows(subject: Subject, rows: Tensor) -> Tensor:
    features = feature_rows(subject.x, rows.cpu().numpy())
    return features if isinstance(features, Tensor) else torch.from_numpy(features.toarray()).to(rows.device)


def instance_attributes(
    subject: Subject, scored: tuple[ScoredInstances, ...], instance: TopInstance, count: int = 5
) -> list[Contribution]:
    """Return the attributes that the members of an instance share and that carry its score, strongest first.

    An attribute is shared if at least two members have it; the contribution is summed over the members.
    """
    if not subject.feature_names:
        return []
    head, plan = subject.heads[instance.motif], scored[instance.motif].plan
    carried = contributions(subject, lambda h: scores(head, plan, h)[0][instance.row], np.array(instance.members))
    return strongest(subject, carried, count, at_least=2)


def prediction_attributes(subject: Subject, nodes: Iterable[int], count: int = 8) -> Iterator[list[Contribution]]:
    """Yield for each node the attributes, of all nodes within reach, that carry the logit of its predicted class.

    Commands and the page of a run both take them from here.
    """
    if not subject.feature_names:
        yield from ([] for _ in nodes)
        return
    for node in nodes:
        yield strongest(subject, _logit_contributions(subject, int(node)), count)


def reads_neighbourhoods(subject: Subject) -> bool:
    """Whether a node can be explained from its neighbourhood alone; otherwise each takes a pass over the graph."""
    encoder = subject.network.encoder
    local = isinstance(encoder, Encoder) and encoder.local
    return local and not subject.network.needs_all_rows and not subject.h.is_cuda


def _logit_contributions(subject: Subject, node: int) -> sp.csr_array:
    """Return gradient times input of the logit of a node's predicted class, a row per node within reach."""
    encoder, network, predicted = subject.network.encoder, subject.network, int(subject.predicted[node])
    if not isinstance(encoder, Encoder) or not reads_neighbourhoods(subject):
        reach = np.flatnonzero(hop_distances(subject.graph, node, subject.hops) >= 0)
        return contributions(
            subject, lambda h: subject.head(h, torch.tensor([node], device=h.device)).logits[0, predicted], reach
        )
    # Only what the node depends on is encoded, so that a page can show this of thousands of nodes.
    blocks = neighbourhood(subject.adjacency, np.array([node]), subject.hops)
    rows = torch.from_numpy(blocks.nodes.astype(np.int64))
    with torch.enable_grad(), subject.evaluating():
        projected = subject.projected[rows].requires_grad_()
        logit = network.head(encoder.propagate(projected, blocks)).logits[0, predicted]
        (gradient,) = torch.autograd.grad(logit, projected)
        return _block(encoder, subject, rows, gradient)


def strongest(subject: Subject, carried: sp.csr_array, count: int, at_least: int = 1) -> list[Contribution]:
    """Return the ``count`` attributes with the largest summed contributions, of those that enough rows have."""
    ranked = rank_attributes(carried.indices, carried.data, count, at_least)
    return [Contribution(subject.feature_names[j], value, nodes) for j, value, nodes in ranked]


def rank_attributes(attributes: Array, values: Array, count: int, at_least: int = 1) -> list[tuple[int, float, int]]:
    """Return the attributes with the largest summed contributions: number, sum, and how many entries they have.

    Args:
        attributes: Number of the attribute of each entry; a node has one entry per attribute.
        values: Contribution of each entry.
        count: How many attributes.
        at_least: How many entries other than 0 an attribute must have.

    Example:
        >>> rank_attributes(np.array([3, 7, 3, 5]), np.array([1.0, -4.0, 2.0, 0.5]), 2)
        [(7, -4.0, 1), (3, 3.0, 2)]
    """
    if len(attributes) <= _FEW_ENTRIES:
        return _rank_few(attributes.tolist(), values.tolist(), count, at_least)
    used = values != 0
    numbers, group, entries = np.unique(attributes[used], return_inverse=True, return_counts=True)
    total = np.bincount(group, weights=values[used], minlength=len(numbers))
    enough = np.flatnonzero(entries >= at_least)
    best = enough[np.argsort(-np.abs(total[enough]), kind="stable")[:count]]
    return [(int(numbers[i]), float(total[i]), int(entries[i])) for i in best]


def _rank_few(attributes: list[int], values: list[float], count: int, at_least: int) -> list[tuple[int, float, int]]:
    """Return the same as :func:`rank_attributes`, to the bit; with few entries plain Python is faster."""
    totals: dict[int, float] = {}
    entries: dict[int, int] = {}
    for number, value in zip(attributes, values, strict=True):
        if value != 0:
            totals[number] = totals.get(number, 0.0) + value
            entries[number] = entries.get(number, 0) + 1
    enough = [(-abs(total), number) for number, total in totals.items() if entries[number] >= at_least]
    return [(number, totals[number], entries[number]) for _, number in sorted(enough)[:count]]
