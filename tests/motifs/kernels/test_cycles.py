"""Opposite nodes, common neighbours and numbers of proposed cycles equal those of the matrix of codes."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

from infomotif.motifs.catalog import get_motif
from infomotif.motifs.counting.digraphs import digraph_orbits
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.graphlets import cycle_halves
from infomotif.motifs.kernels import cycles
from tests.motifs.brute_force import closed_hub_graph, code_matrix

CYCLES = ("D204", "D456", "D460", "D904", "D908", "D972", "D4548", "D4556", "D4740", "D4748", "D5068", "D13260")


def proposed(codes: np.ndarray, v: int, name: str) -> dict[int, int]:
    """Count the pairs of common neighbours of v and each node not joined to it that have the codes of a cycle."""
    halves, pairs = cycle_halves(get_motif(name).codes)
    wanted = {tuple(sorted(tuple(halves[k].tolist()) for k in pair)) for pair in pairs}
    found = {}
    for w in np.flatnonzero(codes[v] == 0).tolist():
        common = np.flatnonzero((codes[v] > 0) & (codes[w] > 0)).tolist() if w != v else []
        half = {x: (int(codes[v, x]), int(codes[x, w])) for x in common}
        ways = sum(tuple(sorted((half[a], half[b]))) in wanted for a, b in combinations(common, 2))
        if ways:
            found[w] = ways
    return found


@pytest.mark.parametrize("name", CYCLES)
def test_opposite_nodes_are_those_with_cycles_of_the_right_codes(view, codes, name):
    halves, pairs = cycle_halves(get_motif(name).codes)
    mark, paths = np.zeros(60, np.uint8), np.zeros((len(halves), 60), np.int64)
    seen, opposite, cumulated = np.zeros(60, np.int64), np.empty(60, np.int64), np.empty(60, np.int64)
    base, offered = 1, digraph_orbits(view, [get_motif(name)])[get_motif(name)][1]
    for v in range(60):
        cycles.mark_row(v, view.indptr, view.indices, view.codes, mark)
        found = cycles.opposite_nodes(v, base, *view.groups, halves, pairs, mark, paths, seen, opposite, cumulated)
        cycles.clear_row(v, view.indptr, view.indices, mark)
        base += int((codes[v] > 0).sum()) + 1
        ways = np.diff(cumulated[:found], prepend=0).tolist()
        expected = proposed(codes, v, name)
        assert dict(zip(opposite[:found].tolist(), ways, strict=True)) == expected
        assert offered[v] == sum(expected.values())


@pytest.mark.parametrize("directed", [True, False])
@pytest.mark.parametrize("most", [1, 2, 1000])
def test_common_neighbours_are_found_from_either_row(directed, most):
    graph = closed_hub_graph(directed)
    view, n = DyadGraph(graph, directed=directed), graph.num_nodes
    codes = code_matrix(graph, directed)
    mark, common = np.zeros(n, np.uint8), np.empty(n, np.int64)
    for v in range(n):
        cycles.mark_row(v, view.indptr, view.indices, view.codes, mark)
        for w in set(range(n)) - {v}:
            for half in ((1, 1), (1, 2), (3, 3)):
                found = cycles.shared_neighbours(v, w, np.array(half), most, *view.groups, mark, common)
                both = np.flatnonzero((codes[v] == half[0]) & (codes[:, w] == half[1]))
                assert common[:found].tolist() == both[:most].tolist()
        cycles.clear_row(v, view.indptr, view.indices, mark)
