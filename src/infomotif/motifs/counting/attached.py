"""Proposals for samplers of paws, diamonds and 4-cliques: an edge with two attachments, counted for every node."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels import attached as kernels
from infomotif.motifs.kernels.attached import (
    ACROSS,
    ALONG,
    COLUMNS,
    END,
    FAR,
    FIRST,
    KIND,
    LEAF,
    MORE,
    NEAR,
    SECOND,
    SIZE,
    TIP,
)
from infomotif.motifs.kernels.triangles import spread_edge_counts
from infomotif.motifs.pattern import BOTH, Codes, Motif
from infomotif.typing import Array


class AttachedProposals(NamedTuple):
    """What :func:`infomotif.motifs.kernels.attached.draw_attached` reads.

    Attributes:
        plan: How a node takes part, per orbit.
        degrees: Number of neighbours of each code [n, 3].
        edge: Forward edge of each entry of the rows.
        order: Node of each rank.
        rank: Rank of each node.
        indptr: Forward rows.
        indices: Ranks of the neighbours of higher rank.
        codes: Code of each of these edges.
        column: Column of ``tips`` of two codes [4, 4].
        tips: Common neighbours of each forward edge by both codes [m, C].
        along: Cumulative tips over the rows, for a node that is a leaf.
        offered: How many instances there were at each node if every placement were one [n].
    """

    plan: Array
    degrees: Array
    edge: Array
    order: Array
    rank: Array
    indptr: Array
    indices: Array
    codes: Array
    column: Array
    tips: Array
    along: Array
    offered: Array


def attached_proposals(view: DyadGraph, motif: Motif) -> AttachedProposals:
    """Count the placements of a paw, a diamond or a 4-clique at each node.

    Memory is 4 bytes per edge and pair of codes, and 16 to 24 bytes per edge.
    """
    plan, column = attached_plan(motif, motif.codes)
    forward, entries, n = view.forward, len(view.indices), view.num_nodes
    tips = np.zeros((len(forward.indices), int(column.max()) + 1), np.int32)
    kernels.count_tips(forward.indptr, forward.indices, forward.codes, column, tips)
    edge = np.empty(entries, view.indptr.dtype)
    numbers = np.arange(len(forward.indices), dtype=edge.dtype)
    spread_edge_counts(view.indptr, view.indices, forward.rank, forward.indptr, numbers, edge)
    rows = (view.indptr, view.indices, view.codes)
    leaves = np.flatnonzero(plan[:, KIND] == LEAF)
    along = np.zeros(entries if len(leaves) else 0, np.int64)
    if len(leaves):
        leaf = plan[leaves[0]]
        parallel_ranges(kernels.sum_along, view.indptr, *rows, edge, forward.rank, column, tips, leaf, along)
    ahead = (forward.rank, forward.indptr, forward.indices, forward.codes, column, tips, along)
    counts = np.empty(n, np.int64)
    parallel_ranges(kernels.count_attached, view.indptr, plan, *rows, view.degrees, edge, *ahead, counts)
    offered = counts / len(motif.automorphisms)
    return AttachedProposals(plan, view.degrees, edge, forward.order, *ahead, offered)


@cache
def attached_plan(motif: Motif, codes: Codes) -> tuple[Array, Array]:
    """Return how a node of each orbit takes part [orbits, COLUMNS], and the columns of pairs of codes [4, 4].

    ``codes`` distinguish equal motifs with different member orders.
    """
    plan = np.zeros((len(motif.orbits), COLUMNS), np.int64)
    for o, orbit in enumerate(motif.orbits):
        plan[o] = _row(codes, orbit[0])
        plan[o, SIZE] = len(orbit)
    classes = {tuple(row[FIRST : FIRST + 2].tolist()) for row in plan}
    ends = [row for row in plan if row[KIND] == END and row[MORE] == kernels.TIPPED]
    classes |= {tuple(row[SECOND : SECOND + 2].tolist()) for row in ends}
    # Edges are counted from their end of lower rank, so both orders of the codes are needed.
    classes |= {(second, first) for first, second in classes}
    column = np.full((4, 4), -1, np.int64)
    for number, (first, second) in enumerate(sorted(classes)):
        column[first, second] = number
    return plan, column


def _row(codes: Codes, p: int) -> list[int]:
    """Return the plan of a node at position p."""
    row = [0] * COLUMNS
    near = [q for q in range(4) if codes[p][q]]
    if len(near) == 1:
        # The end of a tail.
        (x,) = near
        y, z = (q for q in range(4) if q not in (p, x))
        row[KIND], row[NEAR], row[ALONG] = LEAF, codes[p][x], codes[x][y]
        row[FIRST : FIRST + 2] = codes[x][z], codes[y][z]
        return row
    degree = [sum(map(bool, codes[q])) for q in range(4)]
    if len(near) == 2 and degree.count(3) == 2:
        # A tip of a diamond.
        x, y = near
        (z,) = set(range(4)) - {p, x, y}
        row[KIND], row[NEAR], row[FAR], row[ALONG] = TIP, codes[p][x], codes[p][y], codes[x][y]
        row[FIRST : FIRST + 2] = codes[x][z], codes[y][z]
        return row
    y = max(near, key=lambda q: _fixed(codes, p, q))
    tips = [q for q in range(4) if codes[p][q] and codes[y][q]]
    row[KIND], row[NEAR] = END, codes[p][y]
    row[FIRST : FIRST + 2] = codes[p][tips[0]], codes[y][tips[0]]
    if len(tips) == 2:
        row[MORE] = kernels.TIPPED
        row[SECOND : SECOND + 2] = codes[p][tips[1]], codes[y][tips[1]]
        row[ACROSS] = codes[tips[0]][tips[1]]
        return row
    (leaf,) = set(range(4)) - {p, y, tips[0]}
    row[MORE] = kernels.LEAF_AT_X if codes[p][leaf] else kernels.LEAF_AT_Y
    row[SECOND] = codes[p][leaf] or codes[y][leaf]
    return row


def _fixed(codes: Codes, p: int, q: int) -> tuple[int, int]:
    """Return how many pairs an edge with two attachments fixes, and how many of them are mutual, which is rarest."""
    rest = [r for r in range(4) if r not in (p, q)]
    pairs = [codes[p][q], *(codes[end][r] for end in (p, q) for r in rest)]
    # A pair of attachments must each touch an end of the edge.
    attached = all(codes[p][r] or codes[q][r] for r in rest)
    return attached * sum(map(bool, pairs)), pairs.count(BOTH)
