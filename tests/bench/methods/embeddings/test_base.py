"""Embeddings: learned without labels, once per seed, evaluated by logistic regression."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import StandardScaler

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.training import TrainingError, random_split
from infomotif.training.splits import Split
from infomotif_bench.experiments.graphs import bench_graph
from infomotif_bench.methods import EmbeddingMethod, get_method
from infomotif_bench.methods.embeddings.logistic import STRENGTHS, predict_by_logistic


@dataclass(frozen=True, kw_only=True)
class Counting(EmbeddingMethod):
    calls: list[Any]

    def defaults(self):
        return {"width": 2}

    def embed(self, graph, settings, seed):
        self.calls.append((graph.y, seed))
        return np.random.default_rng(seed).random((graph.num_nodes, settings["width"]))


def test_one_embedding_serves_all_ratios_and_sees_no_label():
    graph = bench_graph("karate")
    method = Counting(name="counting", title="", group="", calls=[])
    for ratio in (0.2, 0.4, 0.6):
        method.run(graph, random_split(graph.y, ratio), {}, seed=5)
    assert method.calls == [(None, 5)]
    method.run(graph, random_split(graph.y, 0.2), {}, seed=6)
    method.run(graph, random_split(graph.y, 0.2), {"width": 3}, seed=5)
    assert len(method.calls) == 3


def test_where_no_seed_matters_one_embedding_serves_all():
    graph = bench_graph("karate")
    method = Counting(name="counting-once", title="", group="", calls=[], random=False)
    for seed in (5, 6):
        method.run(graph, random_split(graph.y, 0.2), {"width": np.int64(3)}, seed=seed)
    assert method.calls == [(None, 5)]
    assert not get_method("graphwave").random


def test_an_embedding_that_is_not_finite_is_a_failed_training():
    @dataclass(frozen=True, kw_only=True)
    class Diverging(Counting):
        def embed(self, graph, settings, seed):
            return np.full((graph.num_nodes, 2), np.nan)

    graph = bench_graph("karate")
    method = Diverging(name="diverging", title="", group="", calls=[])
    with pytest.raises(TrainingError, match="the embedding of diverging is not finite; lower lr"):
        method.run(graph, random_split(graph.y, 0.2), {}, seed=0)


def test_without_validation_nodes_the_strength_is_the_usual_one():
    graph = bench_graph("karate")
    split = random_split(graph.y, 0.4, val=0.0)
    assert predict_by_logistic(np.arange(34.0)[:, None], graph, split).details == {"C": 1.0}


@pytest.mark.filterwarnings("error::sklearn.exceptions.ConvergenceWarning")
def test_slow_convergence_is_no_reason_to_warn(monkeypatch):
    def hasty(C, max_iter):  # noqa: N803
        return LogisticRegression(C=C, max_iter=1)

    monkeypatch.setattr("infomotif_bench.methods.embeddings.logistic.LogisticRegression", hasty)
    graph = bench_graph("karate")
    features = np.random.default_rng(0).normal(size=(34, 5))
    predict_by_logistic(features, graph, random_split(graph.y, 0.4))


def test_strength_is_chosen_by_validation():
    rng = np.random.default_rng(0)
    y = np.tile([0, 1], 60)
    features = np.hstack([y[:, None] + rng.normal(0, 0.8, (120, 1)), rng.normal(size=(120, 20))])
    graph = Graph.from_edges([0], [1], num_nodes=120, directed=False, y=y)
    split = random_split(y, 0.3, val=0.3)
    found = predict_by_logistic(features, graph, split)
    scaled = StandardScaler().fit(features[split.train]).transform(features)
    accuracy = {
        c: LogisticRegression(C=c, max_iter=2000)
        .fit(scaled[split.train], y[split.train])
        .score(scaled[split.val], y[split.val])
        for c in STRENGTHS
    }
    best = max(accuracy.values())
    assert found.details["C"] == min(c for c in STRENGTHS if accuracy[c] == best)
    assert (found.labels[split.val] == y[split.val]).mean() == best


def test_one_class_in_training_is_all_that_is_predicted():
    graph = Graph.from_edges([0], [1], num_nodes=4, directed=False, y=[1, 1, 0, 0])
    split = Split(np.array([0, 1]), np.array([2]), np.array([3]))
    assert predict_by_logistic(np.eye(4), graph, split).labels.tolist() == [1, 1, 1, 1]


def test_logistic_needs_labels():
    graph = Graph.from_edges([0], [1], num_nodes=2, directed=False)
    with pytest.raises(InputError, match="no labels"):
        predict_by_logistic(np.eye(2), graph, Split(np.array([0]), np.array([1]), np.array([])))


def test_dgi_tells_communities_apart_without_labels():
    rng = np.random.default_rng(1)
    y = np.repeat([0, 1], 30)
    dense = rng.random((60, 60)) < np.where(y[:, None] == y, 0.3, 0.01)
    source, target = np.nonzero(np.triu(dense, 1))
    graph = Graph.from_edges(source, target, num_nodes=60, directed=False, y=y)
    outcome = get_method("dgi").run(graph, random_split(y, 0.2), {"hidden": 16, "epochs": 150, "lr": 0.01}, seed=0)
    assert outcome.test_accuracy > 0.9
