"""Placements of a spanning tree are counted exactly, per node and orbit."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.motifs import get_motif
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.trees import tree_plan, tree_proposals
from tests.motifs import brute_force


def placements(codes: np.ndarray, tree: list[tuple[int, int, int]], v: int) -> int:
    """Count the placements of a tree, given as (position, parent, code from the parent), whose root is at v."""
    found = [{0: v}]
    for position, parent, code in tree:
        grand = {p: q for p, q, _ in tree}.get(parent)
        found = [
            {**placed, position: y}
            for placed in found
            for y in np.flatnonzero(codes[placed[parent]] == code).tolist()
            if grand is None or y != placed[grand]
        ]
    return len(found)


@pytest.mark.parametrize(
    "pattern", ["a-b, b-c, c-d, d-e", "a-b, a-c, a-d, d-e", "a->b, b->c, c->d, d->e", "a->b, a->c, b<->d, d->a, d->e"]
)
def test_placements_equal_brute_force(pattern):
    motif = get_motif(pattern)
    graph = brute_force.random_graph(12, 50, directed=motif.directed, seed=1)
    codes = brute_force.code_matrix(graph, motif.directed)
    weights = tree_proposals(DyadGraph(graph, directed=motif.directed), motif).weights
    plan = tree_plan(motif, motif.codes)
    for o, orbit in enumerate(motif.orbits):
        order, parent = plan.order[o].tolist(), plan.parent[o].tolist()
        tree = [(s, parent[s], motif.codes[order[parent[s]]][order[s]]) for s in range(1, motif.size)]
        expected = [len(orbit) * placements(codes, tree, v) for v in range(graph.num_nodes)]
        np.testing.assert_array_equal(weights[:, o], expected)


def test_a_tree_with_few_branches_is_taken():
    clique = get_motif("a-b, a-c, a-d, a-e, b-c, b-d, b-e, c-d, c-e, d-e")
    plan = tree_plan(clique, clique.codes)
    degrees = np.bincount([p for p, _ in plan.edges])
    assert sorted(degrees.tolist()) == [1, 1, 2, 2, 2]
