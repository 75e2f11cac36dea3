"""Which attributes carry a score: gradient times input, on the named attributes of the nodes in question."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from infomotif.explain.features import feature_rows
from infomotif.explain.instances import ScoredInstances, TopInstance, scores
from infomotif.explain.subject import Subject
from infomotif.nn.encoders import encode
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.typing import Array

Objective = Callable[[Tensor], Tensor]

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
        subject: What is explained.
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
        # The first product treats rows apart, so features of other nodes need not become dense.
        projected = encoder.project(subject.x).detach().requires_grad_()
        (gradient,) = torch.autograd.grad(objective(encoder.propagate(projected, subject.adjacency)), projected)
        blocks = [_block(encoder, subject, part, gradient[part]) for part in index.split(_ROWS_AT_ONCE)]
    return sp.csr_array(sp.vstack(blocks, format="csr")) if blocks else sp.csr_array((0, subject.x.shape[1]))


def _block(encoder: Encoder, subject: Subject, rows: Tensor, gradient: Tensor) -> sp.csr_array:
    x = _dense_rows(subject, rows).requires_grad_()
    (d_x,) = torch.autograd.grad(encoder.project(x), x, gradient)
    return sp.csr_array((d_x * x).detach().cpu().numpy())


def _dense_rows(subject: Subject, rows: Tensor) -> Tensor:
    found = feature_rows(subject.x, rows.cpu().numpy())
    return found if isinstance(found, Tensor) else torch.from_numpy(found.toarray()).to(rows.device)


def instance_attributes(
    subject: Subject, scored: tuple[ScoredInstances, ...], instance: TopInstance, count: int = 5
) -> list[Contribution]:
    """Return the attributes that the members of an instance share and that carry its score, strongest first.

    An attribute is shared if at least two members have it; the contribution is summed over the members.
    """
    if not subject.feature_names:
        return []
    head, plan = subject.heads[instance.motif], scored[instance.motif].plan
    found = contributions(subject, lambda h: scores(head, plan, h)[0][instance.row], np.array(instance.members))
    return strongest(subject, found, count, at_least=2)


def prediction_attributes(subject: Subject, node: int, rows: Array, count: int = 10) -> list[Contribution]:
    """Return the attributes of the nodes ``rows`` that carry the logit of the node's predicted class."""
    if not subject.feature_names:
        return []
    predicted = int(subject.predicted[node])
    found = contributions(
        subject, lambda h: subject.head(h, torch.tensor([node], device=h.device)).logits[0, predicted], rows
    )
    return strongest(subject, found, count)


def strongest(subject: Subject, found: sp.csr_array, count: int, at_least: int = 1) -> list[Contribution]:
    """Return the ``count`` attributes with the largest summed contributions, of those that enough rows have."""
    ranked = rank_attributes(found.indices, found.data, count, at_least)
    return [Contribution(subject.feature_names[j], value, nodes) for j, value, nodes in ranked]


def rank_attributes(attributes: Array, values: Array, count: int, at_least: int = 1) -> list[tuple[int, float, int]]:
    """Return the attributes with the largest summed contributions: number, sum, and how many entries they have.

    Args:
        attributes: The attribute's number of each entry; a node has one entry an attribute.
        values: What each entry contributes.
        count: How many attributes.
        at_least: How many entries other than 0 an attribute must have.

    Example:
        >>> rank_attributes(np.array([3, 7, 3, 5]), np.array([1.0, -4.0, 2.0, 0.5]), 2)
        [(7, -4.0, 1), (3, 3.0, 2)]
    """
    used = values != 0
    numbers, place, have = np.unique(attributes[used], return_inverse=True, return_counts=True)
    total = np.bincount(place, weights=values[used], minlength=len(numbers))
    enough = np.flatnonzero(have >= at_least)
    best = enough[np.argsort(-np.abs(total[enough]), kind="stable")[:count]]
    return [(int(numbers[i]), float(total[i]), int(have[i])) for i in best]
