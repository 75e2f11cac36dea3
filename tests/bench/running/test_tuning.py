"""The search: setting by setting, by validation accuracy, repeatable from what is kept."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from infomotif_bench.running.tuning import tune

SPACE = {"lr": (0.01, 0.001, 0.0001), "weight_decay": (0.0, 5e-4), "dropout": (0.5, 0.2)}


def test_the_best_value_of_each_setting_is_kept():
    wanted = {"lr": 0.001, "weight_decay": 0.0, "dropout": 0.2}
    found = tune({}, SPACE, lambda s: sum(s[key] == value for key, value in wanted.items()) / 3)
    assert found.settings == wanted
    assert found.complete
    assert len(found.trials) == 5


def test_of_equals_the_first_is_kept():
    assert tune({}, SPACE, lambda s: 0.5).settings == {"lr": 0.01, "weight_decay": 0.0, "dropout": 0.5}


def test_what_is_fixed_is_not_searched():
    found = tune({"lr": 0.5}, SPACE, lambda s: s["dropout"])
    assert {trial.settings["lr"] for trial in found.trials} == {0.5}
    assert len(found.trials) == 3


def test_missing_runs_stop_the_search_at_their_stage():
    found = tune({}, SPACE, lambda s: None)
    assert not found.complete
    assert len(found.trials) == 3


def test_a_failed_start_gives_way_to_what_works():
    found = tune({}, SPACE, lambda s: -1.0 if s["lr"] == 0.01 else 0.3)
    assert found.settings["lr"] == 0.001


def test_without_a_space_the_start_is_the_answer():
    assert tune({"a": 1}, {}, lambda s: 0.1).settings == {"a": 1}
    assert tune({"a": 1}, {}, lambda s: None).complete
    assert tune({"a": 1}, {"a": (1, 2)}, lambda s: None).trials == ()


def test_a_lead_in_the_last_digit_kept_is_none():
    # 434 + 437 and 435 + 436 right of 497 each, as they are kept.
    accuracies = {0.0: (0.873239 + 0.879276) / 2, 5e-4: (0.875252 + 0.877264) / 2}
    assert accuracies[5e-4] > accuracies[0.0]
    found = tune({}, {"weight_decay": (0.0, 5e-4)}, lambda s: accuracies[s["weight_decay"]])
    assert found.settings == {"weight_decay": 0.0}


def test_a_grid_finds_what_helps_only_together():
    accuracies = {(0.01, 0.0): 0.48, (0.001, 0.0): 0.49, (0.01, 5e-4): 0.52, (0.001, 5e-4): 0.4}

    def accuracy(s):
        return accuracies[s["lr"], s["weight_decay"]]

    space = {"lr": (0.01, 0.001), "weight_decay": (0.0, 5e-4)}
    assert tune({}, space, accuracy).settings == {"lr": 0.001, "weight_decay": 0.0}
    found = tune({}, space, accuracy, grid=True)
    assert found.settings == {"lr": 0.01, "weight_decay": 5e-4}
    assert len(found.trials) == 4
    assert found.complete
    assert not tune({}, space, lambda s: None if s["lr"] == 0.001 else 0.5, grid=True).complete
    assert len(tune({"lr": 0.1}, space, lambda s: 0.5, grid=True).trials) == 2


SCORES = st.integers(0, 1000).map(lambda right: right / 1000)


@given(st.dictionaries(st.tuples(st.integers(0, 2), st.integers(0, 1), st.integers(0, 1)), SCORES))
def test_runs_may_arrive_in_stages(scores):
    """Filling in what is missing, stage by stage, ends where a search with all accuracies at hand ends."""

    def key(s):
        return tuple(values.index(s[name]) for name, values in SPACE.items())

    complete = tune({}, SPACE, lambda s: scores.get(key(s), 0.0))
    known: dict = {}
    for _ in range(5):
        found = tune({}, SPACE, lambda s: known.get(key(s)))
        known.update({key(t.settings): scores.get(key(t.settings), 0.0) for t in found.trials})
    assert found == complete
    best = max(trial.accuracy for trial in complete.trials)
    assert next(t.accuracy for t in complete.trials if t.settings == complete.settings) == best
