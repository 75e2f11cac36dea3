"""Random graphs of graphs with types: every node keeps its degrees of each colour, and edges do move."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import random_graph, significance
from tests.motifs.colours import oracle


def degrees(graph: Graph) -> Counter:
    """Count, for each node, its neighbours by their type and by the types of the edges there and back."""
    held = oracle.edge_names(graph)
    pairs = {(u, v) for u, v in held} | {(v, u) for u, v in held}
    kinds = np.zeros(graph.num_nodes, int) if graph.node_types is None else graph.node_types
    return Counter((u, int(kinds[v]), held.get((u, v)), held.get((v, u))) for u, v in pairs)


@pytest.mark.parametrize("null", ["reciprocal-degrees", "joint-degrees"])
@pytest.mark.parametrize("directed", [False, True])
@pytest.mark.parametrize(("node_types", "edge_types"), [(3, 0), (0, 3), (2, 2)])
def test_coloured_degrees_are_kept(directed: bool, node_types: int, edge_types: int, null: str) -> None:
    graph = oracle.random_graph(40, 260, directed=directed, node_types=node_types, edge_types=edge_types, seed=1)
    other = random_graph(graph, 3, null=null)
    assert degrees(other) == degrees(graph)
    assert other.node_type_names == graph.node_type_names
    assert other.edge_type_names == graph.edge_type_names
    if null == "reciprocal-degrees":
        moved = oracle.edge_names(other).keys() - oracle.edge_names(graph).keys()
        assert len(moved) > len(oracle.edge_names(graph)) // 4


def test_joint_degrees_of_each_class_are_kept() -> None:
    graph = oracle.random_graph(40, 200, directed=False, node_types=2, edge_types=2, seed=2)

    def joint(made: Graph) -> Counter:
        d, t = made.degrees, made.node_types
        assert t is not None
        return Counter(
            (kind, *sorted([(d[u], t[u]), (d[v], t[v])])) for (u, v), kind in oracle.edge_names(made).items()
        )

    assert joint(random_graph(graph, 1, null="joint-degrees")) == joint(graph)


def test_the_seed_decides_and_not_the_order_of_nodes() -> None:
    graph = oracle.random_graph(30, 120, directed=True, node_types=2, edge_types=2, seed=3)
    assert random_graph(graph, 5).fingerprint() == random_graph(graph, 5).fingerprint()
    assert random_graph(graph, 5).fingerprint() != random_graph(graph, 6).fingerprint()


def test_all_signed_graphs_with_the_same_degrees_are_equally_likely() -> None:
    # Four nodes in a cycle of two friendships and two enmities: each sign is a perfect matching, three of which exist.
    graph = Graph.from_edges([0, 2, 1, 3], [1, 3, 2, 0], num_nodes=4, directed=False, edge_types=["+", "+", "-", "-"])
    seen = Counter(random_graph(graph, seed).fingerprint() for seed in range(1200))
    assert len(seen) == 6
    expected = 1200 / 6
    assert sum((count - expected) ** 2 / expected for count in seen.values()) < 20.5


@pytest.mark.parametrize("null", ["degrees", "erdos-renyi"])
def test_null_models_that_do_not_keep_types_say_so(null: str) -> None:
    graph = oracle.random_graph(10, 20, directed=True, node_types=2, edge_types=0, seed=4)
    with pytest.raises(InputError, match="does not keep the types .* use null='reciprocal-degrees' or 'joint-degrees'"):
        random_graph(graph, 0, null=null)
    with pytest.raises(InputError, match="drop the types with graph.replace"):
        significance(graph, "typed", null=null)


def test_significance_of_typed_motifs_does_not_depend_on_threads() -> None:
    graph = oracle.random_graph(40, 200, directed=False, node_types=2, edge_types=2, seed=5)
    one = significance(graph, "typed", samples=6, threads=1)
    many = significance(graph, "typed", samples=6, threads=3)
    assert np.array_equal(one.samples, many.samples)
    assert one.motifs == many.motifs
