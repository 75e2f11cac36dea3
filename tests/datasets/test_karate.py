"""The karate club is embedded, and is the one that NetworkX has."""

from __future__ import annotations

import networkx as nx
import numpy as np

from infomotif.datasets import load_karate


def test_the_edges_and_factions_are_those_of_networkx() -> None:
    graph, club = load_karate(), nx.karate_club_graph()
    source, target = graph.edges()
    assert set(zip(source.tolist(), target.tolist(), strict=True)) == {
        pair for u, v in club.edges() for pair in ((u, v), (v, u))
    }
    assert graph.y is not None
    assert [graph.class_names[c] for c in graph.y] == [club.nodes[v]["club"] for v in club]


def test_the_fingerprint_does_not_change() -> None:
    assert load_karate().fingerprint().startswith("73ce951e41100e1c")


def test_the_factions_are_equally_large() -> None:
    assert np.bincount(np.asarray(load_karate().y)).tolist() == [17, 17]
