"""Roles: groups of nodes that are alike in motif-level space, with the nodes that represent them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from infomotif.errors import InputError
from infomotif.explain.counts import check_counts
from infomotif.explain.subject import Subject
from infomotif.typing import Array

_MOST_ROLES = 8
_JUDGED = 800
_REPRESENTATIVES = 3


@dataclass(frozen=True)
class Role:
    """A group of nodes.

    Attributes:
        size: Number of nodes.
        representatives: Nodes nearest to the centre.
        motif_weights: Mean alpha, [T].
        classes: Share of each predicted class, [C].
        degree: Mean number of neighbours.
        counts: Mean number of instances of each motif, [T].
    """

    size: int
    representatives: tuple[int, ...]
    motif_weights: tuple[float, ...]
    classes: tuple[float, ...]
    degree: float
    counts: tuple[float, ...]


@dataclass(frozen=True)
class Roles:
    """The roles, largest first, and the role of each node [n], -1 for nodes without any motif instance."""

    roles: tuple[Role, ...]
    member: Array


def find_roles(subject: Subject, space: Array, count: int | None = None, *, seed: int = 0) -> Roles:
    """Group the nodes by k-means in motif-level space.

    Args:
        subject: What is explained.
        space: What :func:`motif_level` returned.
        count: How many roles; None takes the number from 2 to 8 with the best silhouette on a sample.
        seed: Randomness of the grouping.

    Raises:
        InputError: If there are fewer nodes with motif instances than roles.
    """
    from sklearn.cluster import KMeans

    present = np.flatnonzero(space.any(axis=1))
    if count is not None:
        check_counts(count=count)
    if count is not None and not 1 <= count <= len(present):
        raise InputError(
            f"the number of roles must be from 1 to {len(present)}, the nodes with motif instances (got {count})"
        )
    member = np.full(subject.graph.num_nodes, -1)
    if not len(present):
        return Roles((), member)
    points = space[present]
    chosen = count or _best_count(points, seed)
    # k-means on a sample keeps large graphs quick; every node then joins the nearest centre.
    sample = np.random.default_rng(seed).permutation(len(points))[:10_000]
    grouping = KMeans(chosen, n_init=2, random_state=seed).fit(points[sample])
    found = grouping.predict(points)
    distance = ((points - grouping.cluster_centers_[found]) ** 2).sum(axis=1)
    order = np.argsort(-np.bincount(found, minlength=chosen), kind="stable")
    member[present] = np.argsort(order)[found]
    groups = [np.flatnonzero(member == role) for role in range(chosen)]
    nearness = np.full(subject.graph.num_nodes, np.inf)
    nearness[present] = distance
    return Roles(tuple(_role(subject, nodes, nearness) for nodes in groups if len(nodes)), member)


def _best_count(points: Array, seed: int) -> int:
    from sklearn.cluster import KMeans
    from sklearn.metrics import silhouette_score

    sample = points[np.random.default_rng(seed).permutation(len(points))[:_JUDGED]]
    distinct = len(np.unique(sample.round(6), axis=0))
    best, best_score = 1, -1.0
    for k in range(2, min(_MOST_ROLES, distinct - 1) + 1):
        found = KMeans(k, n_init=1, random_state=seed).fit_predict(sample)
        score = float(silhouette_score(sample, found))
        if score > best_score:
            best, best_score = k, score
    return best


def _role(subject: Subject, nodes: Array, nearness: Array) -> Role:
    shares = np.bincount(subject.predicted[nodes], minlength=subject.probability.shape[1]) / len(nodes)
    alpha = () if subject.alpha is None else tuple(subject.alpha[nodes].mean(axis=0).tolist())
    counts = () if subject.index is None else tuple(subject.index.counts[nodes].mean(axis=0).tolist())
    nearest = nodes[np.argsort(nearness[nodes], kind="stable")[:_REPRESENTATIVES]]
    degree = float(subject.graph.degrees[nodes].mean())
    return Role(len(nodes), tuple(nearest.tolist()), alpha, tuple(shares.tolist()), degree, counts)
