"""Hop distances against NetworkX."""

import networkx as nx

from infomotif import make_roles
from infomotif.graph.neighbourhoods import hop_distances


def test_hop_distances_agree_with_networkx():
    graph = make_roles(num_nodes=120, seed=1)
    expected = nx.single_source_shortest_path_length(graph.to_networkx(), graph.names[4])
    distances = hop_distances(graph, 4)
    assert {str(graph.names[v]): int(d) for v, d in enumerate(distances) if d >= 0} == expected
