"""What a motif index is made of."""

import networkx as nx
import pytest

from infomotif.doctor import examine
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io import from_networkx
from infomotif.motifs import MotifIndex, significance


def test_any_kind_of_graph_will_do():
    graph = nx.karate_club_graph()
    made = from_networkx(graph)
    expected = MotifIndex(made).totals.tolist()
    assert MotifIndex(graph).totals.tolist() == expected
    assert MotifIndex(made.to_pyg()).totals.tolist() == expected
    assert significance(graph, samples=2).totals.tolist() == expected
    assert examine(graph).to_dict() == examine(made).to_dict()


def test_anything_else_is_refused():
    with pytest.raises(InputError, match="graph must be an infomotif.Graph, a PyG Data or a NetworkX graph"):
        MotifIndex([(0, 1)])


def test_an_adjacency_that_would_fill_the_memory_is_refused():
    star = Graph.from_edges([0] * 30_000, range(1, 30_001), num_nodes=30_001, directed=False)
    with pytest.raises(InputError, match="adjacency of M6 may have .* entries.*: use closed motifs"):
        MotifIndex(star).adjacency("M6")
    assert MotifIndex(star).adjacency("M7").nnz == 0
