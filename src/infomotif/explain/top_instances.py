"""The motif instances of a node that count most, by the discriminator's score and the motif's weight."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import ArrayLike
from torch import Tensor

from infomotif.explain.subject import Subject, check_counts
from infomotif.motifs import Motif
from infomotif.motifs.pattern import IN, OUT
from infomotif.nn.regularizer import MotifHead
from infomotif.nn.regularizer.pairs import PairPlan
from infomotif.typing import Array

NEGLIGIBLE = 0.01
"""Motifs of a smaller weight count last."""
CANDIDATES = 500
"""How many instances per motif are scored to find the top ones."""
_NODES_AT_ONCE = 256


@dataclass(frozen=True)
class ScoredInstances:
    """The sampled instances of one motif, scored against their owners' summaries.

    Attributes:
        motif: The motif.
        owners: Nodes that have instances, [B].
        indptr: Instances of each owner, [B + 1].
        members: Members in the order of the pattern, [I, k].
        score: The discriminator's logit e . W_d s_v of each instance, [I].
        weights: The instance encoder's weight of each member, [I, k].
        summaries: The readout s_v of each owner, [B, D].
        plan: The same instances in the form that the network takes.
    """

    motif: Motif
    owners: Array
    indptr: Array
    members: Array
    score: Array
    weights: Array
    summaries: Array
    plan: PairPlan


@dataclass(frozen=True)
class TopInstance:
    """One instance of a node.

    Attributes:
        motif: Number of the motif.
        score: The discriminator's logit.
        members: Members in the order of the pattern.
        weights: The instance encoder's weight of each member; for ``max`` the share of units where it is the largest.
        row: Row among the scored instances of the motif.
    """

    motif: int
    score: float
    members: tuple[int, ...]
    weights: tuple[float, ...]
    row: int


def scores(head: MotifHead, plan: PairPlan, h: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return score [I], member weights [I, k] and summaries [B, D] of the instances of a plan, with gradients."""
    g = head.gate(h[plan.index("rows", h.device)])
    encoded = head.encoder.encode(plan, g)
    weights = encoded.weights if encoded.plan is plan else head.encoder(plan, g)
    summaries = head.readout(*encoded)
    return head.discriminator(*encoded, summaries), weights, summaries


@torch.no_grad()
def score_instances(
    subject: Subject, nodes: ArrayLike | None = None, *, q: int = 20, seed: int = 0
) -> tuple[ScoredInstances, ...]:
    """Draw at most ``q`` instances of every motif for every node and score each of them.

    Args:
        subject: The model on its graph.
        nodes: Ascending node numbers, all by default.
        q: How many instances per node and motif; a node with fewer has all of them scored.
        seed: Which sample.

    Returns:
        One :class:`ScoredInstances` per motif; none for a base GNN.
    """
    if subject.index is None or not subject.heads:
        return ()
    n = subject.graph.num_nodes
    chosen = np.arange(n) if nodes is None else np.asarray(nodes, dtype=np.int64)
    drawn = subject.index.sample(chosen, q, np.random.default_rng(seed))
    scored = []
    for motif, head, instances in zip(subject.index.motifs, subject.heads, drawn, strict=True):
        plan = PairPlan.build(chosen, instances, n)
        score, weights, summaries = np.empty(0), np.empty((0, motif.size)), np.empty((0, subject.h.shape[1]))
        if plan.num_instances:
            score, weights, summaries = (values.cpu().numpy() for values in scores(head, plan, subject.h))
        members = np.asarray(instances.members)
        scored.append(ScoredInstances(motif, plan.owners, plan.inst_ptr, members, score, weights, summaries, plan))
    return tuple(scored)


def top_of_nodes(
    subject: Subject, nodes: Iterable[int], count: int, *, seed: int = 0
) -> Iterator[tuple[tuple[ScoredInstances, ...], list[TopInstance]]]:
    """Yield for each node its scored instances and those that count most.

    Nodes are taken some at a time, and each gets the same instances as alone. Commands and the page of a run both take
    them from here.

    Args:
        subject: The model on its graph.
        nodes: Ascending node numbers.
        count: How many instances of each node.
        seed: Which sample, where a node has more than :data:`CANDIDATES` instances of a motif.
    """
    numbers = np.asarray(list(nodes), dtype=np.int64)
    for start in range(0, len(numbers), _NODES_AT_ONCE):
        part = numbers[start : start + _NODES_AT_ONCE]
        scored = score_instances(subject, part, q=CANDIDATES, seed=seed)
        for node in part.tolist():
            yield scored, rank_instances(subject, node, scored, count)


def top_instances(
    subject: Subject, node: int, *, count: int = 5, candidates: int = CANDIDATES, seed: int = 0
) -> list[TopInstance]:
    """Return the instances of a node that count most, best first: motif weight alpha_vt times score.

    The discriminator's score tells how typical an instance is of the node's neighbourhood; alpha tells how much the
    motif contributes to the node's representation. Their product gave the most faithful order (:func:`faithfulness`).

    Args:
        subject: The model on its graph.
        node: The node's number.
        count: How many instances.
        candidates: How many instances per motif are scored; if there are more, a uniform sample of them.
        seed: Which sample.
    """
    check_counts(count=count, candidates=candidates)
    return rank_instances(subject, node, score_instances(subject, [node], q=candidates, seed=seed), count)


def rank_instances(
    subject: Subject, node: int, scored: tuple[ScoredInstances, ...], count: int | None = None
) -> list[TopInstance]:
    """Return a node's scored instances over all motifs, by motif weight times score, best first.

    Instances of motifs with hardly any weight come last.
    """
    spans = [_span(part, node) for part in scored]
    alpha = np.ones(len(scored)) if subject.alpha is None else subject.alpha[node].astype(np.float64)
    motif = np.repeat(np.arange(len(scored)), [stop - start for start, stop in spans])
    rows = np.concatenate([np.empty(0, dtype=np.int64), *(np.arange(*span) for span in spans)])
    score = np.concatenate([np.empty(0), *(part.score[a:b] for part, (a, b) in zip(scored, spans, strict=True))])
    weight = alpha[motif]
    # A product close to 0 exceeds every negative one, but a motif without weight decided nothing.
    order = np.lexsort((-(weight * score), weight < NEGLIGIBLE))[:count]
    return [_instance(scored[t], t, row) for t, row in zip(motif[order].tolist(), rows[order].tolist(), strict=True)]


def _instance(part: ScoredInstances, motif: int, row: int) -> TopInstance:
    members, weights = part.members[row].tolist(), part.weights[row].tolist()
    return TopInstance(motif, float(part.score[row]), tuple(members), tuple(weights), row)


def _span(part: ScoredInstances, node: int) -> tuple[int, int]:
    """Return the rows of a node's instances, first and one past the last."""
    row = int(np.searchsorted(part.owners, node))
    if row == len(part.owners) or part.owners[row] != node:
        return 0, 0
    return int(part.indptr[row]), int(part.indptr[row + 1])


def position_name(motif: Motif, position: int) -> str:
    """Return a word for a position of a motif.

    Example:
        >>> from infomotif.motifs import get_motif
        >>> [position_name(get_motif("M1"), i) for i in range(3)]
        ['source', 'between', 'target']
        >>> [position_name(get_motif("M6"), i) for i in range(3)]
        ['centre', 'end', 'end']
    """
    if len(motif.orbits) == 1:
        return "corner"
    codes = motif.codes[position]
    if motif.directed:
        leaves, enters = any(code & OUT for code in codes), any(code & IN for code in codes)
        return "between" if leaves and enters else "source" if leaves else "target"
    degrees = [sum(code > 0 for code in row) for row in motif.codes]
    if degrees[position] == max(degrees):
        return "centre"
    return "end" if degrees[position] == min(degrees) else "between"


def instance_edges(motif: Motif, members: tuple[int, ...] | Array) -> list[tuple[int, int]]:
    """Return the pairs of members that are joined in the motif, smaller number first.

    Example:
        >>> from infomotif.motifs import get_motif
        >>> instance_edges(get_motif("M6"), (4, 9, 2))
        [(4, 9), (2, 4)]
    """
    pairs = ((i, j) for i in range(motif.size) for j in range(i + 1, motif.size) if motif.codes[i][j])
    return [(min(members[i], members[j]), max(members[i], members[j])) for i, j in pairs]
