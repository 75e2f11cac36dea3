"""Cycles of five nodes at each node equal brute force."""

from __future__ import annotations

from itertools import combinations, permutations

import numpy as np
from hypothesis import given, settings

from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.five_nodes import ranked_graph
from infomotif.motifs.kernels.five_nodes import five_cycle_walks, folded_walks
from tests.motifs import brute_force


@given(brute_force.graphs(directed=False, most=10))
@settings(max_examples=25, deadline=None)
def test_walks_without_the_folded_ones_are_cycles(graph):
    view = DyadGraph(graph, directed=False)
    joined = brute_force.code_matrix(graph, directed=False) > 0
    expected = np.zeros(graph.num_nodes, np.int64)
    for nodes in combinations(range(graph.num_nodes), 5):
        for rest in permutations(nodes[1:]):
            cycle = (nodes[0], *rest)
            if rest[0] < rest[-1] and all(joined[cycle[i - 1], cycle[i]] for i in range(5)):
                expected[list(nodes)] += 1
    ptr, idx, up, *_ = ranked_graph(view, listed=False)
    found = five_cycle_walks(0, graph.num_nodes, ptr, idx, up) - folded_walks(ptr, idx, up)
    np.testing.assert_array_equal(found[view.forward.rank], expected)
