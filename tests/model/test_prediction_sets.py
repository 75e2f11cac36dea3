"""Prediction sets hold the label as often as they promise."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy import stats

from infomotif import InfoMotif, Training, load_dataset, make_roles
from infomotif.errors import InputError
from infomotif.model.prediction_sets import PredictionSets, conformity_scores
from infomotif.model.saving import load
from infomotif.training import random_split


def drawn(count: int, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Return probabilities of an overconfident model, and labels."""
    truth = rng.dirichlet(np.full(5, 0.5), count)
    labels = (truth.cumsum(axis=1) < rng.random((count, 1))).sum(axis=1).clip(max=4)
    sharp = truth**3 + 1e-9
    return sharp / sharp.sum(axis=1, keepdims=True), labels


@pytest.mark.parametrize("coverage", [0.75, 0.8, 0.9, 0.95])
def test_the_coverage_of_new_nodes_is_within_binomial_bounds(coverage: float) -> None:
    rng = np.random.default_rng(3)
    trials, nodes, hits = 3000, 60, 0
    for _ in range(trials):
        probability, labels = drawn(nodes + 1, rng)
        sets = PredictionSets.fit(probability[:-1], labels[:-1], coverage)
        hits += int(sets.members(probability[-1:])[0, labels[-1]])
    # The new node has each of 61 ranks with the same probability.
    low, high = stats.binom.ppf([1e-4, 1 - 1e-4], trials, math.ceil(61 * coverage) / 61)
    assert low <= hits <= high


def test_the_threshold_is_the_score_of_the_rank_among_one_more() -> None:
    scores = np.arange(1, 20) / 100
    assert PredictionSets.from_scores(scores, 0.9).threshold == pytest.approx(0.18)
    assert PredictionSets.from_scores(scores, 0.95).threshold == pytest.approx(0.19)
    assert PredictionSets.from_scores(scores, 0.96).threshold == math.inf


def test_too_few_nodes_give_all_classes() -> None:
    sets = PredictionSets.fit(np.array([[0.9, 0.1]] * 8), np.zeros(8, dtype=int), 0.9)
    assert sets.members(np.array([[1.0, 0.0]])).all()


def test_a_set_is_never_empty_and_holds_the_prediction() -> None:
    sets = PredictionSets(0.5, 0.01, 100)
    assert sets.members(np.array([[0.4, 0.35, 0.25]])).tolist() == [[True, False, False]]


@pytest.mark.parametrize("coverage", [0, 1, -0.5, 90, True, "0.9"])
def test_a_coverage_is_a_share(coverage: object) -> None:
    with pytest.raises(InputError, match="coverage must be above 0 and below 1"):
        PredictionSets.from_scores([0.1], coverage)  # type: ignore[arg-type]


def test_labels_must_be_classes() -> None:
    with pytest.raises(InputError, match="class numbers from 0 to 1"):
        conformity_scores(np.full((2, 2), 0.5), np.array([0, -1]))
    with pytest.raises(InputError, match="and m labels"):
        conformity_scores(np.full((2, 2), 0.5), np.array([0]))


def test_an_estimator_covers_nodes_that_it_never_saw(tmp_path) -> None:
    graph = make_roles(num_nodes=600)
    split = random_split(graph.y, 0.2, val=0.3)
    model = InfoMotif(preset="base", training=Training(epochs=15)).fit(graph, split.train, split.val)
    sets = model.predict_sets(coverage=0.8)
    held = sets[split.test, graph.y[split.test]].mean()
    assert 0.7 < held < 0.95
    assert sets.sum() < sets.size
    loaded = load(model.save(tmp_path / "model"))
    assert (loaded.predict_sets(graph, coverage=0.8, calibration=split.val) == sets).all()
    with pytest.raises(InputError, match="no node to calibrate on"):
        loaded.predict_sets(graph)


def test_without_validation_nodes_there_are_no_sets() -> None:
    model = InfoMotif(preset="base", training=Training(epochs=2)).fit(load_dataset("karate"), train=[0, 33])
    with pytest.raises(InputError, match="no node to calibrate on"):
        model.predict_sets()


def test_sets_of_another_model_than_the_calibrated_one_hold_its_prediction_too() -> None:
    sets = PredictionSets(0.9, 0.7, 20)
    inside = sets.members(np.array([[0.1, 0.9]]), calibrated=np.array([[0.8, 0.2]]))
    assert inside.tolist() == [[True, True]]
