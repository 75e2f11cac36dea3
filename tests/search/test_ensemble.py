"""Which candidates make the answer: an equal mean of the best, or the simplest of those that are equally good."""

from __future__ import annotations

import numpy as np

from infomotif.search.ensemble import MAX_MEMBERS, select


def certain(classes, truth, right, confidence=0.8):
    """Return probabilities that are right on some nodes and wrong on the others."""
    guess = np.where(right, truth, (truth + 1) % classes)
    rest = (1 - confidence) / (classes - 1)
    return np.where(np.eye(classes, dtype=bool)[guess], confidence, rest)


TRUTH = np.arange(60) % 3


def voices(selection):
    return (selection.weights > 0).sum()


def test_models_that_err_on_different_nodes_are_averaged_equally():
    truth = np.arange(600) % 3
    parts = [certain(3, truth, np.arange(600) % 4 != k) for k in range(3)]
    assert select(parts, truth).weights.tolist() == [1 / 3] * 3


def test_a_model_that_is_clearly_worse_has_no_weight():
    good = certain(3, TRUTH, np.arange(60) % 5 != 0)
    other = certain(3, TRUTH, np.arange(60) % 5 != 1)
    bad = certain(3, TRUTH, np.arange(60) % 5 == 2)
    assert select([bad, good, other], TRUTH).weights[0] == 0


def test_without_means_the_simplest_of_equally_good_ones_is_taken():
    simple = certain(3, TRUTH, np.arange(60) % 10 != 0)
    better = certain(3, TRUTH, np.arange(60) % 12 != 0)
    assert select([simple, better], TRUTH, ensemble=False).weights.tolist() == [1, 0]


def test_without_means_a_clear_lead_wins_over_simplicity():
    simple = certain(3, TRUTH, np.arange(60) % 2 == 0)
    better = certain(3, TRUTH, np.arange(60) % 12 != 0)
    assert select([simple, better], TRUTH, ensemble=False).weights.tolist() == [0, 1]


def test_a_member_that_gains_nothing_does_not_join():
    one = certain(3, TRUTH, np.arange(60) % 10 != 0)
    assert voices(select([one, one], TRUTH)) == 1


def test_a_member_that_costs_accuracy_does_not_join():
    simple = certain(3, TRUTH, np.arange(60) % 10 != 0, confidence=0.5)
    # Surer, and wrong on one more node, on which it outvotes the other.
    surer = certain(3, TRUTH, (np.arange(60) % 10 != 0) & (np.arange(60) != 5), confidence=0.95)
    assert select([simple, surer], TRUTH).weights.tolist() == [1, 0]


def test_a_mean_has_at_most_so_many_members():
    parts = [certain(3, TRUTH, np.arange(60) % 20 != k) for k in range(2 * MAX_MEMBERS)]
    assert 1 < voices(select(parts, TRUTH)) <= MAX_MEMBERS


def test_few_nodes_cannot_tell_the_simplest_from_a_better_one():
    simple, better = np.arange(60) % 3 != 0, np.arange(60) % 10 != 1
    chosen = [
        select([certain(3, TRUTH[:n], simple[:n]), certain(3, TRUTH[:n], better[:n])], TRUTH[:n], ensemble=False)
        for n in (5, 60)
    ]
    assert [int(selection.weights.argmax()) for selection in chosen] == [0, 1]
