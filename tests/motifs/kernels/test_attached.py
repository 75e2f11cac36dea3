"""Placements of an edge with two attachments equal those counted over the matrix of codes."""

from __future__ import annotations

from itertools import product

import numpy as np
import pytest

from infomotif.motifs.catalog import get_motif
from infomotif.motifs.counting.attached import attached_plan, attached_proposals
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels import attached
from infomotif.motifs.kernels.attached import END, KIND, LEAF, LEAF_AT_X, LEAF_AT_Y, MORE, TIP, TIPPED
from tests.motifs.brute_force import code_matrix, random_graph

MOTIFS = ("paw", "diamond", "clique4", "D92", "D94", "D4678", "D206", "D2204", "D4574", "D2254", "D2270", "D31710")
N = 16


def dense(directed: bool) -> tuple[DyadGraph, np.ndarray]:
    graph = random_graph(N, 110, directed=True)
    return DyadGraph(graph, directed=directed), code_matrix(graph, directed)


def kept_pairs(codes, p: int, row: np.ndarray) -> list[tuple[int, int]]:
    """The pairs of positions whose codes a placement from position p fixes."""
    joined = [(i, j) for i in range(4) for j in range(i) if codes[i][j]]
    if row[KIND] != END or row[MORE] != TIPPED:
        return joined
    # Of a clique every pair but that of both tips, which attached_plan chooses.
    return joined if len(joined) == 5 else [pair for pair in joined if pair != tip_pair(codes, p, row)]


def tip_pair(codes, p: int, row: np.ndarray) -> tuple[int, int]:
    wanted = tuple(row[1:10].tolist())
    for y in set(range(4)) - {p}:
        low, high = sorted(set(range(4)) - {p, y})
        plan = (codes[p][y], 0, 0, codes[p][low], codes[y][low], TIPPED, codes[p][high], codes[y][high])
        if plan == wanted[:8]:
            return high, low
    raise AssertionError(wanted)


def placements(codes: np.ndarray, pattern, p: int, pairs: list[tuple[int, int]], v: int) -> int:
    """Count the ways to place the other positions; the end of a tail may fall onto another node."""
    degree = [sum(map(bool, row)) for row in pattern]
    count = 0
    for nodes in product(range(N), repeat=3):
        at = [*nodes[:p], v, *nodes[p:]]
        apart = [x for x, joined in zip(at, degree, strict=True) if joined > 1]
        if len(set(apart)) == len(apart):
            count += all(codes[at[i], at[j]] == pattern[i][j] for i, j in pairs)
    return count


@pytest.mark.parametrize("name", MOTIFS)
def test_placements_equal_those_of_the_matrix_of_codes(name):
    motif = get_motif(name)
    view, codes = dense(motif.directed)
    found = attached_proposals(view, motif)
    for v in (0, 7):
        expected = 0
        for orbit, row in zip(motif.orbits, found.plan, strict=True):
            pairs = kept_pairs(motif.codes, orbit[0], row)
            expected += len(orbit) * placements(codes, motif.codes, orbit[0], pairs, v)
        assert round(found.offered[v] * len(motif.automorphisms)) == expected


def test_every_way_to_take_part_is_tried():
    plans = [attached_plan(get_motif(name), get_motif(name).codes)[0] for name in MOTIFS]
    rows = [row for plan in plans for row in plan]
    assert {int(row[KIND]) for row in rows} == {END, LEAF, TIP}
    assert {int(row[MORE]) for row in rows if row[KIND] == END} == {TIPPED, LEAF_AT_X, LEAF_AT_Y}


@pytest.mark.parametrize("directed", [True, False])
def test_tips_are_counted_by_both_codes(directed):
    view, codes = dense(directed)
    column = np.arange(-5, 11).reshape(4, 4)
    column[0] = column[:, 0] = -1
    forward = view.forward
    tips = np.zeros((len(forward.indices), 11), np.int32)
    attached.count_tips(forward.indptr, forward.indices, forward.codes, column, tips)
    for u in range(N):
        for e in range(forward.indptr[u], forward.indptr[u + 1]):
            x, y = forward.order[u], forward.order[forward.indices[e]]
            for first, second in ((1, 1), (1, 3), (2, 1), (3, 3)):
                expected = np.count_nonzero((codes[x] == first) & (codes[y] == second))
                assert tips[e, column[first, second]] == expected


@pytest.mark.parametrize("directed", [True, False])
def test_a_tip_is_any_common_neighbour_with_the_codes(directed):
    view, codes = dense(directed)
    rows = (view.indptr, view.indices, view.codes, *view.groups)
    for x, y, first, second in ((0, 1, 3, 3), (2, 7, 1, 2), (5, 3, 1, 1), (4, 9, 2, 3)):
        both = np.flatnonzero((codes[x] == first) & (codes[y] == second)).tolist()
        drawn = [attached.draw_tip(np.uint64(s), 0, x, y, first, second, *rows)[0] for s in range(200 if both else 0)]
        assert sorted(set(map(int, drawn))) == both
