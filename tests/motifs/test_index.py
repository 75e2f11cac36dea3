"""A motif index takes any kind of graph and stays within its memory."""

from __future__ import annotations

import networkx as nx
import pytest

from infomotif.doctor import examine
from infomotif.errors import InputError
from infomotif.io import from_networkx
from infomotif.motifs import MotifIndex, significance
from infomotif.motifs.index import MIN_LISTING_BYTES
from tests.motifs.brute_force import hub_graph, random_graph


def test_pyg_and_networkx_graphs_are_accepted():
    graph = nx.karate_club_graph()
    made = from_networkx(graph)
    expected = MotifIndex(made).totals.tolist()
    assert MotifIndex(graph).totals.tolist() == expected
    assert MotifIndex(made.to_pyg()).totals.tolist() == expected
    assert significance(graph, samples=2).totals.tolist() == expected
    assert examine(graph).to_dict() == examine(made).to_dict()


def test_other_objects_are_rejected():
    with pytest.raises(InputError, match="graph must be an infomotif.Graph, a PyG Data, a NetworkX or igraph graph"):
        MotifIndex([(0, 1)])


def test_a_small_graph_gets_the_least_memory_for_lists():
    assert MotifIndex(random_graph(20, 60, directed=False)).listing_bytes == MIN_LISTING_BYTES


@pytest.mark.parametrize("motif", ["paw", "nonsense", 7, None])
def test_an_unknown_motif_of_the_index_is_explained(motif):
    index = MotifIndex(hub_graph(directed=False))
    with pytest.raises(InputError, match="unknown motif"):
        index.instances(0, motif)
