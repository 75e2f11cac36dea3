"""Motif-level space: which nodes are nearest in it (role twins), and which groups they form (roles)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from infomotif.errors import InputError
from infomotif.explain.subject import Subject, check_counts
from infomotif.explain.top_instances import ScoredInstances, score_instances
from infomotif.graph.neighbourhoods import hop_distances
from infomotif.typing import Array

_MAX_ROLES = 8
_SILHOUETTE_SAMPLE = 800
_TYPICAL_NODES = 3


@dataclass(frozen=True)
class Twin:
    """A node with a similar role: its cosine similarity, and how many hops away it is (-1: not connected)."""

    node: int
    similarity: float
    hops: int


def motif_level(subject: Subject, scored: tuple[ScoredInstances, ...] | None = None) -> Array:
    """Return the motif-level representation of each node: the mean of s_vt weighted by alpha_vt, [n, D].

    s_vt is the readout of the node's sampled instances of motif t, and the mean goes over the motifs that the node is
    in. Rows are centred and of length 1, and zero where a node has no instance. For a base GNN, which has no motif
    level, the representations z are taken instead.

    Args:
        subject: The model on its graph.
        scored: The scored instances of all nodes, if there are any already.
    """
    n = subject.graph.num_nodes
    parts = score_instances(subject) if scored is None else scored
    if not parts or subject.alpha is None:
        space, present = np.array(subject.output.z.cpu().numpy(), dtype=np.float64), np.ones(n, dtype=bool)
    else:
        space, weight = np.zeros((n, subject.h.shape[1])), np.zeros(n)
        for t, part in enumerate(parts):
            space[part.owners] += subject.alpha[part.owners, t, None] * part.summaries
            weight[part.owners] += subject.alpha[part.owners, t]
        present = weight > 0
        space[present] /= weight[present, None]
    if present.any():
        space[present] -= space[present].mean(axis=0)
    length = np.linalg.norm(space, axis=1, keepdims=True)
    return np.where(present[:, None], space / np.where(length == 0, 1, length), 0.0)


def role_twins(subject: Subject, space: Array, node: int, *, count: int = 5, beyond: int = 0) -> list[Twin]:
    """Return the nodes nearest to a node in motif-level space, nearest first, of those that are similar at all.

    The space is centred, so any two nodes have a similarity of 0 on average; only larger ones make a twin.

    Args:
        subject: The model on its graph.
        space: What :func:`motif_level` returned.
        node: The node's number.
        count: How many nodes.
        beyond: Only nodes more than this many hops away; the encoder's hops give twins that no message reaches.
    """
    check_counts(count=count)
    if not space[node].any():
        return []
    distance = hop_distances(subject.graph, node)
    allowed = space.any(axis=1) & ((distance > beyond) | (distance < 0))
    allowed[node] = False
    candidates = np.flatnonzero(allowed)
    similarity = space[candidates] @ space[node]
    candidates, similarity = candidates[similarity > 0], similarity[similarity > 0]
    best = np.argsort(-similarity, kind="stable")[:count]
    return [Twin(int(candidates[i]), float(similarity[i]), int(distance[candidates[i]])) for i in best]


def nearest_nodes(space: Array, nodes: Array, count: int) -> Array:
    """Return the :func:`role_twins` of each of ``nodes`` at any distance, [nodes, count]; -1 pads.

    Example:
        >>> space = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
        >>> nearest_nodes(space, np.array([0, 1]), 2).tolist()
        [[2, -1], [2, -1]]
    """
    nearest = np.full((len(nodes), count), -1)
    present = np.asarray(space.any(axis=1))
    wanted = min(count, max(0, int(present.sum()) - 1))
    if not wanted:
        return nearest
    narrow = space.astype(np.float32)
    size = max(1, 20_000_000 // max(1, len(space)))
    for start in range(0, len(nodes), size):
        block = nodes[start : start + size]
        similarity = narrow[block] @ narrow.T
        similarity[:, ~present] = -np.inf
        similarity[np.arange(len(block)), block] = -np.inf
        best = np.argpartition(-similarity, wanted - 1, axis=1)[:, :wanted]
        near = np.take_along_axis(similarity, best, axis=1)
        order = (-near).argsort(axis=1, kind="stable")
        best = np.where(near > 0, best, -1)
        nearest[start : start + size, :wanted] = np.take_along_axis(best, order, axis=1)
    nearest[~present[nodes]] = -1
    return nearest


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
        subject: The model on its graph.
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
    cluster = grouping.predict(points)
    largest_first = np.argsort(-np.bincount(cluster, minlength=chosen), kind="stable")
    member[present] = np.argsort(largest_first)[cluster]
    distance = np.full(subject.graph.num_nodes, np.inf)
    distance[present] = ((points - grouping.cluster_centers_[cluster]) ** 2).sum(axis=1)
    groups = [np.flatnonzero(member == role) for role in range(chosen)]
    return Roles(tuple(_role(subject, nodes, distance) for nodes in groups if len(nodes)), member)


def _best_count(points: Array, seed: int) -> int:
    from sklearn.cluster import KMeans
    from sklearn.metrics import silhouette_score

    sample = points[np.random.default_rng(seed).permutation(len(points))[:_SILHOUETTE_SAMPLE]]
    distinct = len(np.unique(sample.round(6), axis=0))
    best, best_score = 1, -1.0
    for k in range(2, min(_MAX_ROLES, distinct - 1) + 1):
        cluster = KMeans(k, n_init=1, random_state=seed).fit_predict(sample)
        score = float(silhouette_score(sample, cluster))
        if score > best_score:
            best, best_score = k, score
    return best


def _role(subject: Subject, nodes: Array, distance: Array) -> Role:
    shares = np.bincount(subject.predicted[nodes], minlength=subject.probability.shape[1]) / len(nodes)
    alpha = () if subject.alpha is None else tuple(subject.alpha[nodes].mean(axis=0).tolist())
    counts = () if subject.index is None else tuple(subject.index.counts[nodes].mean(axis=0).tolist())
    nearest = nodes[np.argsort(distance[nodes], kind="stable")[:_TYPICAL_NODES]]
    degree = float(subject.graph.degrees[nodes].mean())
    return Role(len(nodes), tuple(nearest.tolist()), alpha, tuple(shares.tolist()), degree, counts)
