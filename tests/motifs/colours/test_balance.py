"""Balance of signed graphs, by the product of the signs of each triangle."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest

import infomotif as im
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex, balance
from tests.motifs.colours.oracle import edge_names, random_graph


@pytest.mark.parametrize("directed", [False, True])
def test_balance_of_each_node_is_that_of_its_triangles(directed: bool) -> None:
    graph = random_graph(14, 90 if directed else 50, directed=directed, node_types=0, edge_types=0, seed=1, signed=True)
    held = edge_names(graph)
    expected = np.zeros((14, 3), np.int64)
    for three in combinations(range(14), 3):
        signs = [{held[p] for p in ((u, v), (v, u)) if p in held} for u, v in combinations(three, 2)]
        if all(signs):
            kind = 2 if any(len(each) == 2 for each in signs) else sum(each == {"-"} for each in signs) % 2
            expected[list(three), kind] += 1
    found = balance(graph)
    assert np.array_equal(np.stack([found.balanced, found.unbalanced, found.mixed], axis=1), expected)
    assert found.totals == dict(
        zip(("balanced", "unbalanced", "mixed"), (expected.sum(axis=0) // 3).tolist(), strict=True)
    )
    assert (found.mixed.sum() > 0) == directed


def test_the_signed_set_has_all_seven_motifs_without_directions() -> None:
    graph = Graph.from_edges([0, 1, 2], [1, 2, 0], num_nodes=3, directed=False, edge_types=["+", "+", "+"])
    index = MotifIndex(graph, "signed")
    assert index.totals.tolist() == [1, 0, 0, 0, 0, 0, 0]
    assert sorted(motif.title for motif in index.motifs) == (
        ["balanced triangle"] * 2 + ["signed wedge"] * 3 + ["unbalanced triangle"] * 2
    )


def test_the_signed_set_of_a_directed_graph_has_directions_and_ignores_node_types() -> None:
    graph = random_graph(12, 60, directed=True, node_types=2, edge_types=0, seed=2, signed=True)
    index = MotifIndex(graph, "signed")
    assert all(motif.directed and not motif.node_types for motif in index.motifs)
    assert index.totals.sum() == MotifIndex(graph, "triads").totals.sum()
    assert {motif.title.split()[0] for motif in index.motifs} == {"signed", "balanced", "unbalanced", "mixed"}


def test_balance_against_chance_is_that_of_random_graphs() -> None:
    # Two groups of friends who are enemies of each other are balanced, whatever chance gives.
    group = np.arange(16) % 2
    source, target = np.triu_indices(16, 1)
    signs = np.where(group[source] == group[target], "+", "-").tolist()
    keep = np.random.default_rng(0).permutation(len(source))[:60]
    graph = Graph.from_edges(
        source[keep], target[keep], num_nodes=16, directed=False, edge_types=[signs[i] for i in keep]
    )
    found = im.balance(graph, random_graphs=30)
    assert found.share == 1.0
    assert len(found.by_chance) == 30
    assert found.z > 2
    assert "by chance" in repr(found)
    assert found.to_frame(kind="arrow").column_names == ["node", "balanced", "unbalanced", "mixed", "share"]


def test_balance_needs_signs() -> None:
    with pytest.raises(InputError, match="balance needs a signed graph"):
        balance(Graph.from_edges([0], [1], num_nodes=2, directed=False))


def test_a_graph_without_triangles_has_no_balance() -> None:
    found = balance(Graph.from_edges([0], [1], num_nodes=2, directed=False, edge_types=["+"]))
    assert np.isnan(found.share)
    assert "no triangles" in repr(found)
