"""Label propagation, and correct and smooth."""

from __future__ import annotations

import dataclasses
import json

import numpy as np
import pytest

from infomotif import Graph, load_dataset
from infomotif.errors import InputError
from infomotif.search.spreading import PRIOR, Spreading


def dense(graph, spreading, classes, predicted=None):
    """Return the same by dense matrices, step by step as the paper has it."""
    n = graph.num_nodes
    a = np.zeros((n, n))
    for v in range(n):
        a[v, graph.undirected.indices[graph.undirected.indptr[v] : graph.undirected.indptr[v + 1]]] = 1
    d = np.maximum(a.sum(axis=1), 1e-12)
    s = a / np.sqrt(np.outer(d, d))

    def spread(start):
        state = start
        for _ in range(spreading.steps):
            state = spreading.share * s @ state + (1 - spreading.share) * start
        return state

    rows, labels = np.array(spreading.nodes, dtype=int), np.array(spreading.labels)
    start = np.zeros((n, classes))
    if predicted is None:
        start[rows, labels] = 1
        mass = spread(start)
    else:
        start[rows] = np.eye(classes)[labels] - predicted[rows]
        error = spread(start)
        usual = np.abs(start[rows]).sum() / len(rows)
        size = np.abs(error).sum(axis=1, keepdims=True)
        scale = np.where(size > 1e-9, np.minimum(usual / np.maximum(size, 1e-9), 1.5), 0)
        corrected = predicted + scale * error
        corrected[rows] = np.eye(classes)[labels]
        mass = spread(corrected)
    mass = np.maximum(mass, 0)
    mass = mass / np.maximum(mass.sum(axis=1, keepdims=True), 1e-12)
    mass = mass + PRIOR * np.bincount(labels, minlength=classes) / len(labels)
    return mass / mass.sum(axis=1, keepdims=True)


def karate(**options):
    graph = load_dataset("karate")
    return graph, Spreading.of(graph, np.array([0, 1, 32, 33]), options)


@pytest.mark.parametrize("smooth", [False, True])
def test_it_is_what_dense_matrices_give(smooth):
    graph, spreading = karate(steps=7)
    predicted = np.random.default_rng(0).dirichlet([1, 1], graph.num_nodes) if smooth else None
    numbered = dataclasses.replace(spreading, nodes=("0", "1", "32", "33"))
    np.testing.assert_allclose(
        spreading.probabilities(graph, 2, predicted), dense(graph, numbered, 2, predicted), atol=1e-12
    )


def test_most_of_the_karate_club_follows_four_labels():
    graph, spreading = karate()
    assert (spreading.probabilities(graph, 2).argmax(axis=1) == graph.y).mean() > 0.9


def test_a_node_that_no_label_reaches_has_the_frequencies_of_the_classes():
    graph = Graph.from_edges([0, 1], [1, 2], num_nodes=5, directed=False)
    probability = Spreading(("0", "1", "2"), (0, 0, 1)).probabilities(graph, 2)
    np.testing.assert_allclose(probability[4], [2 / 3, 1 / 3])


def test_labelled_nodes_that_another_graph_lacks_are_left_out():
    graph, spreading = karate()
    part = graph.subgraph(np.arange(20))
    assert spreading.probabilities(part, 2).shape == (20, 2)


def test_edges_that_close_triangles_carry_more_with_closure():
    # Node 2 closes a triangle with 0 and 1, and hangs on 3 by an edge without one.
    graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=4, directed=False)
    plain, closed = (Spreading(("0", "3"), (0, 1), closure=k).probabilities(graph, 2)[2, 0] for k in (0, 1))
    assert closed > plain


def test_it_survives_json():
    _, spreading = karate(share=0.8)
    assert Spreading.from_dict(json.loads(json.dumps(dataclasses.asdict(spreading))), 2) == spreading


@pytest.mark.parametrize(
    "broken", [{"labels": [5]}, {"labels": []}, {"share": 1.0}, {"steps": 0}, {"closure": 9}, {"nodes": [1]}, {"x": 1}]
)
def test_a_broken_one_is_refused(broken):
    good = {"nodes": ["a"], "labels": [0], "share": 0.5, "steps": 3, "closure": 0}
    with pytest.raises(InputError):
        Spreading.from_dict(good | broken, 2)
