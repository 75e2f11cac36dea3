"""Motif-level space, and the nodes that are nearest in it: role twins, near or far."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from infomotif.explain.counts import check_counts
from infomotif.explain.instances import ScoredInstances, score_instances
from infomotif.explain.subject import Subject
from infomotif.graph.neighbourhoods import hop_distances
from infomotif.typing import Array


@dataclass(frozen=True)
class Twin:
    """A node with a similar role: its cosine similarity, and how many hops away it is (-1: not connected)."""

    node: int
    similarity: float
    hops: int


def motif_level(subject: Subject, scored: tuple[ScoredInstances, ...] | None = None) -> Array:
    """Return what the motifs around each node amount to: the mean of s_vt weighted by alpha_vt, [n, D].

    s_vt is the readout of the node's sampled instances of motif t, and the mean goes over the motifs that the node is
    in. Rows are centred and of length 1, and zero where a node has no instance. For a base GNN, which has no motif
    level, the representations z stand in.

    Args:
        subject: What is explained.
        scored: The scored instances of all nodes, if they are at hand.
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

    As the space is centred, a similarity of 0 or below is no more than any two nodes have; there may be no twin.

    Args:
        subject: What is explained.
        space: What :func:`motif_level` returned.
        node: The node's number.
        count: How many nodes.
        beyond: Only nodes more than so many hops away; the encoder's own reach shows who shares the role from afar.
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
    """Return what :func:`role_twins` finds for each of ``nodes``, however far, [nodes, count]; -1 pads.

    Example:
        >>> space = np.array([[1.0, 0.0], [0.0, 1.0], [0.6, 0.8]])
        >>> nearest_nodes(space, np.array([0, 1]), 2).tolist()
        [[2, -1], [2, -1]]
    """
    found = np.full((len(nodes), count), -1)
    present = np.asarray(space.any(axis=1))
    wanted = min(count, max(0, int(present.sum()) - 1))
    if not wanted:
        return found
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
        found[start : start + size, :wanted] = np.take_along_axis(best, order, axis=1)
    found[~present[nodes]] = -1
    return found
