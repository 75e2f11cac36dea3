"""Label fraction, attribute diversity and distance against their definitions, spelled out."""

from __future__ import annotations

import networkx as nx
import numpy as np
import pytest
from scipy.spatial.distance import cosine

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.neighbourhoods import attribute_diversity, label_fraction, quartiles
from infomotif.training import Split, random_split
from infomotif_bench.experiments.groups import group_names, group_of


def made(directed: bool) -> Graph:
    rng = np.random.default_rng(3)
    return Graph.from_edges(
        rng.integers(0, 40, 70),
        rng.integers(0, 40, 70),
        num_nodes=41,
        directed=directed,
        x=(rng.random((41, 12)) < 0.4).astype(float) + np.eye(41, 12),
        y=rng.integers(0, 3, 41),
    )


def two_hop_neighbours(graph: Graph, node: int) -> set[int]:
    rows, cols = graph.edges()
    plain = nx.Graph(list(zip(rows.tolist(), cols.tolist(), strict=True)))
    plain.add_nodes_from(range(graph.num_nodes))
    return set(nx.single_source_shortest_path_length(plain, node, cutoff=2)) - {node}


@pytest.mark.parametrize("directed", [False, True])
def test_label_fraction_is_the_share_of_training_nodes_within_two_hops(directed):
    graph = made(directed)
    train = random_split(graph.y, 0.3).train
    found = label_fraction(graph, train)
    for node in range(graph.num_nodes):
        near = two_hop_neighbours(graph, node)
        assert found[node] == pytest.approx(len(near & set(train.tolist())) / len(near) if near else 0.0)


@pytest.mark.parametrize("directed", [False, True])
def test_attribute_diversity_is_the_mean_cosine_distance_within_two_hops(directed):
    graph = made(directed)
    found, x = attribute_diversity(graph), np.asarray(graph.x)
    for node in range(graph.num_nodes):
        near = two_hop_neighbours(graph, node)
        if near:
            assert found[node] == pytest.approx(np.mean([cosine(x[node], x[other]) for other in near]), abs=1e-6)


def test_nodes_without_attributes_are_far_from_all():
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=False, x=[[0.0], [1.0]])
    assert attribute_diversity(graph).tolist() == [1.0, 1.0]


def test_diversity_needs_attributes():
    with pytest.raises(InputError, match="no attributes"):
        attribute_diversity(Graph.from_edges([0], [1], num_nodes=2, directed=False))


def test_quartiles_are_quarters_without_ties():
    values = np.random.default_rng(0).random(100)
    assert np.bincount(quartiles(values)).tolist() == [25, 25, 25, 25]
    assert values[quartiles(values) == 0].max() < values[quartiles(values) == 1].min()


def test_equal_values_stay_together():
    quartile = quartiles(np.array([0.0] * 60 + [1.0, 2.0, 3.0] * 10 + [4.0] * 10))
    assert len(set(quartile[:60].tolist())) == 1


@pytest.mark.parametrize("by", ["label_fraction", "attribute_diversity", "distance"])
def test_groups_are_of_the_test_nodes(by):
    graph = made(False)
    split = random_split(graph.y, 0.3)
    found = group_of(by, graph, split)
    assert len(found) == len(split.test)
    assert set(found.tolist()) <= {0, 1, 2, 3}
    with pytest.raises(InputError, match="unknown measure"):
        group_of("degree", graph, split)


@pytest.mark.parametrize("directed", [False, True])
def test_distances_are_to_the_nearest_training_node(directed):
    graph = made(directed)
    split = random_split(graph.y, 0.05)
    rows, cols = graph.edges()
    plain = nx.Graph(list(zip(rows.tolist(), cols.tolist(), strict=True)))
    plain.add_nodes_from(range(graph.num_nodes))
    hops = nx.multi_source_dijkstra_path_length(plain, set(split.train.tolist()))
    names = dict.fromkeys((1, 2), "1-2 hops") | {3: "3 hops", 4: "4 hops"}
    expected = [names.get(hops.get(node), "5+ hops") for node in split.test.tolist()]
    assert [group_names("distance")[group] for group in group_of("distance", graph, split)] == expected


def test_nodes_out_of_reach_are_far():
    graph = Graph.from_edges([0], [1], num_nodes=3, directed=False)
    assert group_of("distance", graph, Split(np.array([0]), np.array([]), np.array([1, 2]))).tolist() == [0, 3]
