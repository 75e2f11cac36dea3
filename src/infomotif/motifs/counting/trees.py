"""Proposals for samplers of any pattern: placements of one of its spanning trees, counted for every node."""

from __future__ import annotations

from functools import cache
from itertools import combinations
from typing import NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels import trees as kernels
from infomotif.motifs.kernels.five_nodes import reverse_entries
from infomotif.motifs.pattern import Codes, Motif
from infomotif.typing import Array


class TreePlan(NamedTuple):
    """A spanning tree of a pattern, seen from each orbit.

    Attributes:
        edges: Both directions of each edge of the tree, those behind others first.
        order: The position placed at each step, from the first position of each orbit [orbits, k].
        parent: The earlier step that each step follows [orbits, k].
        edge: The number in ``edges`` of the edge between them [orbits, k].
        required: Code from the node of an earlier step (column) to that of a step (row) [orbits, k, k].
        automorphisms: Permutations of the positions that keep the pattern [.., k].
    """

    edges: tuple[tuple[int, int], ...]
    order: Array
    parent: Array
    edge: Array
    required: Array
    automorphisms: Array


class TreeProposals(NamedTuple):
    """What :func:`infomotif.motifs.kernels.trees.draw_trees` reads.

    Attributes:
        reverse: Entry (x, v) of each entry (v, x) of the rows.
        cumulated: Cumulative messages over the rows, per direction of the tree's edges [.., entries].
        weights: Placements with each node in each orbit, times the size of the orbit [n, orbits].
        plan: The tree.
    """

    reverse: Array
    cumulated: Array
    weights: Array
    plan: TreePlan

    @property
    def offered(self) -> Array:
        """How many instances there were at each node if every placement were one [n]."""
        return np.asarray(self.weights.sum(axis=1) / len(self.plan.automorphisms))


def tree_proposals(view: DyadGraph, motif: Motif) -> TreeProposals:
    """Count the placements of a motif's spanning tree at each node.

    Memory is 16 bytes per edge of the graph and direction of an edge of the tree.
    """
    plan = tree_plan(motif, motif.codes)
    entries, n = len(view.indices), view.num_nodes
    reverse = np.empty(entries, np.int64)
    reverse_entries(view.indptr, view.indices, reverse)
    messages, sums = np.empty((len(plan.edges), entries)), np.empty((len(plan.edges), n))
    for number, (p, c) in enumerate(plan.edges):
        behind = np.array([e for e, (start, end) in enumerate(plan.edges) if start == c and end != p], np.int64)
        rows = (view.indptr, view.indices, view.codes, reverse, motif.codes[p][c], number, behind)
        parallel_ranges(kernels.send_messages, view.indptr, *rows, messages, sums)
    weights = np.empty((n, len(motif.orbits)))
    for o, orbit in enumerate(motif.orbits):
        around = [e for e, (p, _) in enumerate(plan.edges) if p == orbit[0]]
        weights[:, o] = len(orbit) * np.prod(sums[around], axis=0)
    parallel_ranges(kernels.cumulate_rows, view.indptr, view.indptr, messages)
    return TreeProposals(reverse, messages, weights, plan)


@cache
def tree_plan(motif: Motif, codes: Codes) -> TreePlan:
    """Return the plan of a motif's tree; ``codes`` distinguish equal motifs with different member orders.

    Of all spanning trees one with small degrees is taken: long thin trees have fewer placements at hubs.
    """
    k = motif.size
    tree = min(_spanning_trees(codes), key=_branching)
    near = {p: [q for q in range(k) if (p, q) in tree or (q, p) in tree] for p in range(k)}
    edges: list[tuple[int, int]] = []
    while len(edges) < 2 * (k - 1):
        for p in range(k):
            for c in near[p]:
                if (p, c) not in edges and all((c, d) in edges for d in near[c] if d != p):
                    edges.append((p, c))
    orders, parents, numbers = [], [], []
    for orbit in motif.orbits:
        order, parent, number = [orbit[0]], [0], [0]
        for step in range(k):
            for c in near[order[step]]:
                if c not in order:
                    number.append(edges.index((order[step], c)))
                    order.append(c)
                    parent.append(step)
        orders.append(order)
        parents.append(parent)
        numbers.append(number)
    required = [[[codes[order[j]][order[s]] for j in range(k)] for s in range(k)] for order in orders]
    arrays = (np.array(part, np.int64) for part in (orders, parents, numbers, required, motif.automorphisms))
    return TreePlan(tuple(edges), *arrays)


def _spanning_trees(codes: Codes) -> list[tuple[tuple[int, int], ...]]:
    k = len(codes)
    pairs = [(i, j) for i, j in combinations(range(k), 2) if codes[i][j]]
    return [tree for tree in combinations(pairs, k - 1) if _reaches_all(tree, k)]


def _reaches_all(pairs: tuple[tuple[int, int], ...], k: int) -> bool:
    group = list(range(k))
    for i, j in pairs:
        old, new = group[i], group[j]
        group = [new if g == old else g for g in group]
    return len(set(group)) == 1


def _branching(tree: tuple[tuple[int, int], ...]) -> int:
    ends = [p for pair in tree for p in pair]
    return sum(ends.count(p) ** 2 for p in set(ends))
