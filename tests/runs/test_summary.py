"""The summary: accuracies, their paired difference, and what produced them."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from infomotif.runs import BASE, OURS, TrainingOutcome, summarise
from infomotif.search.choice import Choice, ChosenMember
from tests.runs.plans import plan, roles


def outcomes(base: list[float | None], ours: list[float | None]) -> list[TrainingOutcome]:
    values = [(split, kind, test) for kind, tests in ((BASE, base), (OURS, ours)) for split, test in enumerate(tests)]
    return [TrainingOutcome(split, kind, test, 0.5, 3, (48, 24, 48), 1.0, 1.0) for split, kind, test in values]


def test_the_difference_is_paired_by_split():
    base, ours = [0.5, 0.7, 0.6], [0.6, 0.75, 0.75]
    shuffled = outcomes(base, ours)[::-1]
    outcome = summarise(plan(splits=3), roles(), shuffled).outcome
    assert outcome.measure == "test_accuracy"
    assert outcome.base.mean == pytest.approx(np.mean(base))
    assert outcome.infomotif.deviation == pytest.approx(np.std(ours, ddof=1))
    assert outcome.difference.mean == pytest.approx(np.subtract(ours, base).mean())


def test_the_corrected_test_knows_how_many_nodes_train_and_test():
    assert summarise(plan(splits=2), roles(), outcomes([0.5, 0.7], [0.6, 0.9])).outcome.difference.p_value is not None


def test_where_nothing_is_left_to_test_validation_is_compared():
    outcome = summarise(plan(), roles(), outcomes([None], [None])).outcome
    assert (outcome.measure, outcome.base.mean) == ("val_accuracy", 0.5)
    assert outcome.difference.p_value is None


def test_where_nothing_validates_either_nothing_is_compared():
    unknown = [replace(outcome, val_accuracy=None) for outcome in outcomes([None], [None])]
    assert summarise(plan(), roles(), unknown).outcome.to_dict() == {"measure": "val_accuracy"}


def test_trainings_of_the_base_come_first_in_the_order_of_the_splits():
    result = summarise(plan(splits=2), roles(), outcomes([0.5, 0.7], [0.6, 0.9])[::-1])
    assert [(t.model, t.split) for t in result.trainings] == [(BASE, 0), (BASE, 1), (OURS, 0), (OURS, 1)]


def test_the_environment_and_the_graph_are_on_record():
    result = summarise(plan(), roles(), outcomes([0.5], [0.6]))
    assert result.graph.fingerprint == roles().fingerprint()
    assert {"infomotif", "python", "torch", "numpy", "numba"} <= result.environment.keys()
    assert result.settings["hidden"] == 8


def test_choices_of_the_splits_are_counted_in_a_note():
    settings = plan(preset="joint").model(OURS, 0).settings().to_dict()
    members = [ChosenMember("one", 1.0, motifs, "gcn", settings) for motifs in (True, False)]
    choices = [Choice(f"choice {n + 1}", "why", (members[n],), 0, settings, ("a--b--c",)) for n in (0, 1)]
    ours = [outcome for outcome in outcomes([0.5, 0.7], [0.6, 0.9]) if outcome.model == OURS]
    result = summarise(plan(preset="auto", splits=2), roles(), ours, choices)
    assert (result.choice.name, result.motif_splits) == ("choice 1", 1)
    assert (result.outcome.base, result.outcome.difference) == (None, None)
    assert result.choice.notes == (
        "this is the first split's choice; every split chose by its own labels: 'choice 1' in 1, 'choice 2' in 1 of 2",
    )
