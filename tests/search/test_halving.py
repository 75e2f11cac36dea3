"""Successive halving: who goes on and who is let go, with fake trials instead of trainings."""

from __future__ import annotations

import math

from infomotif.search.halving import FINISHERS, RUNGS, race


class FakeTrial:
    """Scores by a function of the share of its schedule that it trained."""

    def __init__(self, name, score, fails=False):
        self.name, self.score, self.fails = name, score, fails
        self.share, self.finished, self.released = 0.0, False, False

    @property
    def done(self):
        return self.finished and not self.fails

    @property
    def rank(self):
        if self.fails and self.share:
            return math.inf, math.inf
        return (math.inf, 0.0) if not self.share else (-self.score(self.share), 0.0)

    def advance(self, share):
        self.share = share

    def release(self):
        self.released = True


def finish(trial):
    trial.share, trial.finished = 1.0, True


def field(count):
    return [FakeTrial(str(number), lambda share, number=number: number / 100) for number in range(count)]


def test_the_best_train_to_the_end_and_the_others_are_let_go():
    trials = field(8)
    assert [trial.name for trial in race(trials, finish)] == ["7", "6", "5"][:FINISHERS]
    assert [trial.finished for trial in trials] == [False] * (8 - FINISHERS) + [True] * FINISHERS
    assert all(trial.released for trial in trials[: 8 - FINISHERS])


def test_all_train_to_the_first_rung_and_half_to_the_second():
    trials = field(8)
    race(trials, finish)
    assert [trial.share for trial in trials[:4]] == [RUNGS[0][0]] * 4
    assert trials[4].share == RUNGS[1][0]


def test_a_field_no_larger_than_the_finishers_is_not_raced():
    trials = field(2)
    race(trials, finish)
    assert all(trial.finished for trial in trials)


def test_of_equal_trials_the_first_goes_on():
    trials = [FakeTrial(str(number), lambda share: 0.5) for number in range(5)]
    assert [trial.name for trial in race(trials, finish, finishers=1)] == ["0"]


def test_a_trial_that_fails_is_not_among_the_finished():
    trials = [FakeTrial("good", lambda share: 0.1), FakeTrial("bad", lambda share: 0.9, fails=True)]
    assert [trial.name for trial in race(trials, finish, finishers=2)] == ["good"]


def test_a_late_starter_is_compared_at_a_share_of_its_own_schedule():
    early = FakeTrial("early", lambda share: 0.6)
    late = FakeTrial("late", lambda share: 0.9 if share >= RUNGS[0][0] else 0.0)
    assert [trial.name for trial in race([early, late], finish, finishers=1)] == ["late"]
