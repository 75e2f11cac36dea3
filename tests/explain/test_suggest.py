"""Suggestions are new, spread out, and where the model is unsure."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.errors import InputError
from infomotif.explain import suggest, suggest_nodes
from infomotif.graph import Graph


def cliques(count: int, size: int) -> Graph:
    """Return separate cliques."""
    pairs = np.array([(a, b) for a in range(size) for b in range(a)])
    ends = np.concatenate([pairs + size * c for c in range(count)])
    classes = ("a", "b")
    y = np.full(count * size, -1)
    return Graph.from_edges(*ends.T, num_nodes=count * size, directed=False, y=y, class_names=classes)


def groups(graph: Graph, size: int) -> np.ndarray:
    """Return representations that are alike within a clique."""
    rng = np.random.default_rng(0)
    group = np.arange(graph.num_nodes) // size
    return np.eye(group.max() + 1)[group] + 0.01 * rng.normal(size=(graph.num_nodes, group.max() + 1))


def test_suggestions_spread_over_groups_and_leave_out_the_labelled_one() -> None:
    graph = cliques(5, 8)
    even = np.full((40, 2), 0.5)
    chosen = suggest_nodes(graph, even, 4, labelled=[0], embedding=groups(graph, 8))
    assert sorted(s.node // 8 for s in chosen) == [1, 2, 3, 4]
    gains = [s.gain for s in chosen]
    assert gains == sorted(gains, reverse=True)


def test_uncertain_groups_come_first() -> None:
    graph = cliques(4, 8)
    probability = np.tile([0.99, 0.01], (32, 1))
    probability[16:24] = 0.5
    chosen = suggest_nodes(graph, probability, 1, labelled=[0], embedding=groups(graph, 8))
    assert chosen[0].node // 8 == 2
    assert chosen[0].uncertainty == pytest.approx(1)
    assert chosen[0].novelty > 0.9


def test_without_representations_edges_tell_what_is_alike() -> None:
    graph = cliques(2, 8)
    probability = np.tile([0.9, 0.1], (16, 1))
    probability[8:] = [0.2, 0.8]
    chosen = suggest_nodes(graph, probability, 1, labelled=list(range(3)))
    assert chosen[0].node >= 8
    assert chosen[0].predicted == "b"


def test_each_step_is_the_best_by_brute_force() -> None:
    rng = np.random.default_rng(3)
    graph = cliques(3, 6)
    probability = rng.dirichlet([1, 1], 18)
    embedding = rng.normal(size=(18, 4))
    chosen = suggest_nodes(graph, probability, 3, labelled=[1, 7], embedding=embedding)
    unit = embedding - embedding.mean(axis=0)
    unit /= np.linalg.norm(unit, axis=1, keepdims=True)
    weights = -(probability * np.log(probability)).sum(axis=1)
    inside = [1, 7]
    for suggestion in chosen:
        worth = {
            v: sum(w * max(0, *(unit[u] @ unit[k] for k in [*inside, v])) for u, w in enumerate(weights))
            for v in range(18)
            if v not in inside
        }
        assert suggestion.node == max(worth, key=lambda v: worth[v])
        inside.append(suggestion.node)


def test_large_graphs_are_sampled_the_same_way_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggest, "MAX_NODES", 10)
    graph = cliques(5, 8)
    rng = np.random.default_rng(0)
    arguments = (graph, rng.dirichlet([1, 1], 40), 8)
    first, second = (suggest_nodes(*arguments, labelled=[0], seed=4) for _ in range(2))
    assert first == second
    assert len({s.node for s in first}) == 8


def test_only_candidates_are_suggested() -> None:
    graph = cliques(2, 4)
    chosen = suggest_nodes(graph, np.full((8, 2), 0.5), 20, labelled=[0], candidates=[0, 3, 5])
    assert {s.node for s in chosen} == {3, 5}


def test_bad_input_is_one_line() -> None:
    graph = cliques(2, 4)
    even = np.full((8, 2), 0.5)
    with pytest.raises(InputError, match="every node has a label already"):
        suggest_nodes(graph, even, labelled=np.ones(8, dtype=bool))
    with pytest.raises(InputError, match="count must be a whole number of at least 1"):
        suggest_nodes(graph, even, 0, labelled=[0])
    with pytest.raises(InputError, match="one row per node"):
        suggest_nodes(graph, even[:3], labelled=[0])
