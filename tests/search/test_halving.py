"""The search: what is tried, how far, and what is chosen, with fake scores instead of trainings."""

from __future__ import annotations

import pytest

from infomotif.search.candidates import BY_FOLDS, CANDIDATES, LEAN, SHARED, THOROUGH, Candidate, Effort
from infomotif.search.choice import reason
from infomotif.search.halving import Score, Search
from infomotif.training.config import Settings
from infomotif.training.loop import TrainingError
from infomotif.training.presets import make_settings


class Bench:
    """Hands out trainings whose scores a function of settings and epochs gives, and counts their epochs."""

    def __init__(self, score):
        self.score = score
        self.epochs: dict[Settings, int] = {}

    def __call__(self, settings: Settings):
        assert settings not in self.epochs, "no settings are trained twice"
        self.epochs[settings] = 0
        bench = self

        class Training:
            def advance(self, until: int) -> Score:
                bench.epochs[settings] = until
                accuracy, loss = bench.score(settings, until)
                return Score(accuracy, loss, until)

        return Training()

    def cost(self, base_cost: float = 1 / 6) -> float:
        weighed = sum(count * (1 if s.regularize else base_cost) for s, count in self.epochs.items())
        return weighed / next(iter(self.epochs)).training.epochs


def flat(settings: Settings, epochs: int) -> tuple[float, float]:
    return 0.5, 1.0


@pytest.mark.parametrize("candidate", [*SHARED, *CANDIDATES], ids=lambda c: c.name)
def test_every_candidate_is_valid_and_says_what_it_is(candidate):
    make_settings(**candidate.settings)
    assert candidate.name
    assert candidate.what


def test_names_and_settings_of_candidates_differ():
    assert (
        len({c.name for c in CANDIDATES}) == len({make_settings(**c.settings) for c in CANDIDATES}) == len(CANDIDATES)
    )


def test_about_a_dozen_are_tried_and_all_of_them():
    bench = Bench(flat)
    found = Search({}, THOROUGH).run(bench)
    assert len(found.tried) == len(bench.epochs) == 1 + len(SHARED) + len(CANDIDATES)
    assert 10 <= len(found.tried) <= 14


@pytest.mark.parametrize(
    ("effort", "most"), [(THOROUGH, 0.48), (LEAN, 0.6), (BY_FOLDS, 0.6)], ids=["thorough", "lean", "folds"]
)
@pytest.mark.parametrize("least", [1 / 6, 0.4, 1])
def test_the_search_costs_at_most_six_trainings(effort, least, most):
    base_cost = min(least, most)
    bench = Bench(flat)
    Search({}, effort).run(bench)
    counted = effort.folds * bench.cost(base_cost)
    assert counted == pytest.approx(effort.cost(base_cost=base_cost))
    assert counted + effort.remaining <= 6


def test_the_base_is_chosen_where_motifs_do_not_help():
    found = Search({}, THOROUGH).run(Bench(lambda s, e: (0.6 if s.regularize else 0.7, 1.0)))
    assert found.best is found.base
    assert not found.best.settings.regularize


def test_the_best_candidate_is_chosen_where_they_do():
    best = CANDIDATES[3]

    def score(settings, epochs):
        wanted = all(settings.to_dict()[key] == value for key, value in best.settings.items())
        return (0.9 if wanted else 0.8) if settings.regularize else 0.7, 1.0

    found = Search({}, THOROUGH).run(Bench(score))
    assert found.best is found.ours
    assert found.ours.name == best.name
    assert found.ours.score.epochs == found.base.score.epochs == 100


def test_the_loss_decides_between_equal_accuracies_and_then_the_base_is_chosen():
    found = Search({}, THOROUGH).run(Bench(lambda s, e: (0.7, 0.4 if s.regularize else 0.5)))
    assert found.best is found.ours
    assert Search({}, THOROUGH).run(Bench(flat)).best.name == "base"


@pytest.mark.parametrize(("nodes", "chosen"), [(25, "base"), (400, "base"), (900, "ours"), (None, "ours")])
def test_infomotif_must_be_ahead_by_a_standard_error(nodes, chosen):
    found = Search({}, THOROUGH, nodes=nodes).run(Bench(lambda s, e: (0.52 if s.regularize else 0.5, 1.0)))
    assert found.best is getattr(found, chosen)
    assert found.margin == pytest.approx(0.0 if nodes is None else 0.5 / nodes**0.5)


@pytest.mark.parametrize("accuracy", [0.0, 1.0])
def test_without_a_standard_error_equal_accuracies_choose_the_base(accuracy):
    found = Search({}, THOROUGH, nodes=100).run(Bench(lambda s, e: (accuracy, 0.4 if s.regularize else 0.5)))
    assert found.best is found.base


def test_the_reason_names_both_and_the_standard_error():
    def said(ours, base):
        return reason(
            Search({}, THOROUGH, nodes=100).run(Bench(lambda s, e: (ours if s.regularize else base, 1.0))), "here"
        )

    assert said(0.52, 0.5).startswith(
        "'joint, weight 0.2' is not ahead of the base by more than one standard error, 5.0"
    )
    assert said(0.6, 0.5).endswith("60.0 % against 50.0 % of 'base', more than one standard error, 5.0 points")
    assert said(0.4, 0.5).startswith("the base is more accurate here: 50.0 % against 40.0 %")
    assert "the simpler one is taken" in said(0.5, 0.5)


def test_what_helps_the_base_is_shared_with_infomotif():
    found = Search({}, THOROUGH).run(
        Bench(lambda s, e: (0.5 + s.training.weight_decay + (s.encoder.dropout < 0.5) * 0.1, 1.0))
    )
    assert found.changes == {"dropout": 0.2, "weight_decay": 5e-4}
    for contender in found.tried:
        if contender.settings.regularize:
            assert (
                contender.settings.encoder.dropout,
                contender.settings.training.weight_decay,
                contender.settings.training.lr,
            ) == (0.2, 5e-4, 0.01)
    assert found.base.settings.training.weight_decay == 5e-4


def test_each_rung_lets_only_the_best_go_on():
    bench = Bench(lambda s, e: (0.5 + 0.01 * s.regularizer.mi_weight, 1.0))
    effort = Effort(base=0.5, rungs=((0.1, 4), (0.5, 2), (1.0, 1)))
    ours = [Candidate(f"weight {w}", {"schedule": "joint", "mi_weight": w}, "w") for w in (1.0, 4.0, 2.0, 3.0, 9.0)]
    found = Search({}, effort, shared=[], ours=ours).run(bench)
    trained = {contender.name: contender.score.epochs for contender in found.tried}
    assert trained == {"base": 100, "weight 1.0": 10, "weight 4.0": 100, "weight 2.0": 10, "weight 3.0": 50}
    assert [contender.name for contender in found.tried if contender.training is not None] == ["base", "weight 4.0"]


def test_what_the_user_fixed_stays_and_equal_candidates_count_once():
    given = {"lr": 0.3, "mi_weight": 2.0, "epochs": 10}
    bench = Bench(flat)
    found = Search(given, THOROUGH).run(bench)
    assert {(s.training.lr, s.regularizer.mi_weight) for s in bench.epochs} == {(0.3, 2.0)}
    names = [contender.name for contender in found.tried]
    assert "base, lr 0.001" not in names
    assert [name for name in names if name in ("joint", "joint, weight 0.2", "joint, weight 5")] == ["joint"]


def test_a_user_who_wants_no_motifs_gets_the_base_tuned():
    found = Search({"regularize": False}, THOROUGH).run(Bench(lambda s, e: (0.5 + (s.training.lr < 0.01), 1.0)))
    assert found.ours is None
    assert found.best.name == "base, lr 0.001"


def test_a_user_who_wants_motifs_gets_them_even_where_the_base_is_better():
    found = Search({"regularize": True}, THOROUGH).run(Bench(lambda s, e: (0.6 if s.regularize else 0.7, 1.0)))
    assert found.best is found.ours
    assert not found.base.settings.regularize
    assert reason(found, "on validation nodes").startswith("InfoMotif was requested, so the base cannot be chosen")


def test_candidates_that_contradict_fixed_settings_are_not_tried():
    found = Search({"instances": "graph"}, THOROUGH).run(Bench(flat))
    assert found.ours is not None
    tried = [contender.settings.regularizer for contender in found.tried]
    assert not any(regularizer.consistency or regularizer.readout_in_z for regularizer in tried)


@pytest.mark.parametrize(("schedule", "paper"), [("alternate", True), ("joint", False)])
def test_candidates_of_another_schedule_than_the_fixed_one_are_not_tried(schedule, paper):
    found = Search({"schedule": schedule}, THOROUGH).run(Bench(flat))
    names = [contender.name for contender in found.tried if contender.settings.regularize]
    assert ("paper" in names) == paper
    assert any("joint" in name for name in names) != paper


def test_a_training_that_fails_does_not_end_the_search():
    def score(settings, epochs):
        if settings.training.schedule == "joint" or settings.inputs.features != "attributes":
            raise TrainingError("diverged")
        return 0.5 + 0.1 * settings.regularize, 1.0

    found = Search({}, THOROUGH).run(Bench(score))
    assert found.best.name == "paper"
    assert {contender.name for contender in found.tried if contender.score is None} >= {"base, structure", "joint"}


def test_the_base_does_not_replace_a_requested_infomotif_that_fails():
    def score(settings, epochs):
        if settings.regularize:
            raise TrainingError("motifs diverged")
        return 0.5, 1.0

    with pytest.raises(TrainingError, match="motifs diverged"):
        _ = Search({"regularize": True}, THOROUGH).run(Bench(score)).best
    assert not Search({}, THOROUGH).run(Bench(score)).best.settings.regularize


def test_if_all_fail_the_first_failure_is_raised():
    def score(settings, epochs):
        raise TrainingError(f"diverged with lr {settings.training.lr}")

    with pytest.raises(TrainingError, match=r"diverged with lr 0\.01"):
        Search({}, THOROUGH).run(Bench(score))
