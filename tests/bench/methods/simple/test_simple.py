"""Regressions, trees and label spreading against closed forms and scikit-learn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression

from infomotif import Graph, load_dataset, make_roles
from infomotif.motifs import motif_encodings
from infomotif.training import random_split
from infomotif.training.splits import Split
from infomotif_bench.methods import get_method
from infomotif_bench.methods.simple.regressions import class_probabilities, standard_encodings
from infomotif_bench.methods.simple.spreading import normalised, one_hot, spread_rows


def two_cliques() -> tuple[Graph, Split]:
    """Two cliques joined by one edge, one labelled node in each."""
    edges = [(u + s, v + s) for s in (0, 5) for u in range(5) for v in range(u)] + [(4, 5)]
    y = np.repeat([0, 1], 5)
    graph = Graph.from_edges(*np.array(edges).T, num_nodes=10, directed=False, y=y)
    return graph, Split(np.array([0, 9]), np.array([1, 8]), np.array([2, 3, 4, 5, 6, 7]))


@pytest.mark.parametrize("name", ["label-spreading", "correct-and-smooth"])
def test_labels_spread_within_cliques(name):
    graph, split = two_cliques()
    assert get_method(name).run(graph, split, {}, seed=0).test_accuracy == 1


def test_spreading_comes_to_its_closed_form():
    graph, split = two_cliques()
    adjacency, start = normalised(graph), one_hot(graph, split.train)
    expected = np.linalg.solve(np.eye(10) - 0.8 * adjacency.toarray(), 0.2 * start)
    np.testing.assert_allclose(spread_rows(adjacency, start, 0.8, 200), expected, atol=1e-8)


def test_nodes_out_of_reach_get_the_most_frequent_class():
    graph = Graph.from_edges([0, 1], [1, 2], num_nodes=6, directed=False, y=[0, 0, 0, 1, 0, 1])
    split = Split(np.array([0, 1, 3]), np.array([2]), np.array([4, 5]))
    assert get_method("label-spreading").predict(graph, split, {"steps": 10}, 0).labels.tolist() == [0, 0, 0, 1, 0, 0]


def test_probabilities_are_those_of_scikit_learn():
    graph = make_roles(num_nodes=120)
    split, features = random_split(graph.y, 0.3), standard_encodings(graph, "degree")
    model = LogisticRegression(C=10.0, max_iter=500).fit(features[split.train], graph.y[split.train])
    found = class_probabilities(features, graph, split)[10.0]
    np.testing.assert_allclose(found[:, model.classes_], model.predict_proba(features))


def test_one_known_class_is_predicted_everywhere():
    graph = load_dataset("karate")
    split = Split(np.array([0]), np.array([33]), np.arange(1, 33))
    outcome = get_method("degree-lr").run(graph, split, {}, seed=0)
    assert outcome.test_accuracy == pytest.approx((graph.y[1:33] == graph.y[0]).mean())


def test_columns_that_never_vary_are_zero():
    ring = Graph.from_edges(np.arange(9), (np.arange(9) + 1) % 9, num_nodes=9, directed=False)
    assert not standard_encodings(ring, "degree").any()


@pytest.mark.parametrize("name", ["attributes-lr", "orbits-lr", "orbits-trees", "grand"])
def test_the_same_seed_gives_the_same_labels(name):
    graph = make_roles(num_nodes=120)
    split, settings = random_split(graph.y, 0.3), {"epochs": 3} if name == "grand" else {}
    one, two = (get_method(name).run(graph, split, settings, seed=1).correct for _ in range(2))
    np.testing.assert_array_equal(one, two)


def test_degrees_tell_hubs_from_leaves():
    star = Graph.from_edges([0] * 8 + [9] * 8, [*range(1, 9), *range(10, 18)], num_nodes=18, directed=False,
                            y=[1] + [0] * 8 + [1] + [0] * 8)  # fmt: skip
    split = Split(np.array([0, 1, 2]), np.array([3, 9]), np.array([10, 11]))
    assert motif_encodings(star, "degree").values[0, 0] > 2
    outcome = get_method("degree-lr").run(star, split, {}, seed=0)
    assert outcome.val_accuracy == outcome.test_accuracy == 1
