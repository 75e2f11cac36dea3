"""Graphlet degree vectors have ORCA's columns, whatever motifs the index has."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex

ORCA = [
    ([(0, 1)], 0), ([(0, 1), (1, 2)], 1), ([(1, 0), (0, 2)], 2), ([(0, 1), (1, 2), (2, 0)], 3),
    ([(0, 1), (1, 2), (2, 3)], 4), ([(1, 0), (0, 2), (2, 3)], 5), ([(0, 1), (1, 2), (1, 3)], 6),
    ([(0, 1), (0, 2), (0, 3)], 7), ([(0, 1), (1, 2), (2, 3), (3, 0)], 8), ([(0, 1), (1, 2), (2, 3), (3, 1)], 9),
    ([(0, 1), (1, 2), (2, 0), (2, 3)], 10), ([(0, 1), (1, 2), (2, 0), (0, 3)], 11),
    ([(0, 1), (0, 2), (1, 2), (1, 3), (2, 3)], 12), ([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3)], 13),
    ([(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)], 14),
]  # fmt: skip
"""A graphlet for each of ORCA's orbits, in which node 0 has that orbit (Przulj, 2007)."""


@pytest.mark.parametrize(("edges", "orbit"), ORCA)
def test_gdv_has_orcas_orbits_in_orcas_order(edges, orbit):
    source, target = np.array(edges).T
    nodes = int(target.max(initial=source.max())) + 1
    vector = MotifIndex(Graph.from_edges(source, target, num_nodes=nodes, directed=False)).gdv()[0]
    size = [2, 3, 3, 3][orbit] if orbit < 4 else 4
    # The graphlet itself is the only one with as many nodes as the graph.
    of_size = {2: [0], 3: [1, 2, 3], 4: range(4, 15)}[size]
    assert {o: int(vector[o]) for o in of_size if vector[o]} == {orbit: 1}


@pytest.mark.parametrize("motifs", ["auto", "graphlets4", ["paw", "M7"], "triads"])
def test_gdv_does_not_depend_on_the_motifs_of_the_index(motifs):
    ends = np.random.default_rng(0).integers(0, 30, (2, 120))
    directed = motifs == "triads"
    graph = Graph.from_edges(ends[0], ends[1], num_nodes=30, directed=directed)
    plain = Graph.from_edges(ends[0], ends[1], num_nodes=30, directed=False)
    whole = MotifIndex(plain, ["undirected", "graphlets4"])
    vector = MotifIndex(graph, motifs).gdv()
    assert vector.shape == (30, 15)
    assert sorted(vector.sum(axis=0)[1:]) == sorted(whole.orbit_counts.sum(axis=0))
    np.testing.assert_array_equal(vector, whole.gdv())
    np.testing.assert_array_equal(vector[:, 0], plain.degrees)
    np.testing.assert_array_equal(vector[:, :4], whole.gdv(3))


def test_graphlets_of_five_nodes_come_after_those_of_four():
    ends = np.random.default_rng(0).integers(0, 30, (2, 120))
    index = MotifIndex(Graph.from_edges(ends[0], ends[1], num_nodes=30, directed=False))
    assert index.gdv(5).shape == (30, 73)
    np.testing.assert_array_equal(index.gdv(5)[:, :15], index.gdv(4))


def test_gdv_has_graphlets_of_three_to_five_nodes():
    with pytest.raises(InputError, match=r"size must be 3, 4 or 5 \(got 6\)"):
        MotifIndex(Graph.from_edges([0], [1], num_nodes=2, directed=False)).gdv(6)
