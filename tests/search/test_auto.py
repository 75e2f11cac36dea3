"""``preset="auto"``: choosing by validation or folds, rare motifs, custom modules, and the same bits every time."""

from __future__ import annotations

import functools
import json
from dataclasses import replace

import numpy as np
import pytest
import torch

from infomotif import GCN, Graph, InfoMotif, MotifIndex, load, load_dataset, make_roles
from infomotif._core.checksums import sealed_json
from infomotif.errors import InputError
from infomotif.search.auto import MIN_INSTANCES, frequent_motifs, make_folds
from infomotif.search.choice import Choice
from infomotif.search.ensemble import Selection
from infomotif.search.options import Search
from infomotif.training import random_split
from infomotif.training.distributed import World
from tests.models import make_model

pytestmark = pytest.mark.slow

QUICK = {"epochs": 4, "q": 3}


@functools.cache
def roles() -> Graph:
    return make_roles(num_nodes=150)


def make_auto(search=Search(refit=False), **changes) -> InfoMotif:  # noqa: B008
    return make_model("auto", preset="auto", search=search, progress=False, **{**QUICK, **changes})


def fitted(graph: Graph, train, val=None, **changes) -> InfoMotif:
    return make_auto(**changes).fit(graph, train, val)


@functools.cache
def chosen() -> InfoMotif:
    split = random_split(roles().y, 0.4, val=0.3)
    return fitted(roles(), split.train, split.val)


# By validation


def test_the_choice_records_everything_that_was_tried():
    choice = chosen().choice_
    assert "on the 45 validation nodes" in choice.reason
    assert {member.name for member in choice.members} <= {tried.name for tried in choice.tried}
    assert {tried.motifs for tried in choice.tried} == {True, False}
    assert all(tried.accuracy is not None for tried in choice.tried)
    assert choice.nodes == 45
    low, high = choice.interval
    assert low <= choice.accuracy <= high


def test_weights_of_the_members_add_up_to_one():
    assert sum(member.weight for member in chosen().choice_.members) == pytest.approx(1)
    assert [member.weight for member in chosen().answer_.members] == [m.weight for m in chosen().choice_.members]


def test_the_probability_is_the_mean_of_the_members():
    model = mean_of_two()
    members = model.answer_.voters
    assert len(members) == 2
    parts = [member.probabilities(roles(), 4, lambda fitted: model.index_, torch.device("cpu")) for member in members]
    logs = np.log((parts[0].astype(float) + parts[1]) / 2) / model.answer_.temperature
    expected = np.exp(logs) / np.exp(logs).sum(axis=1, keepdims=True)
    np.testing.assert_allclose(model.predict_proba(), expected, atol=1e-5)
    np.testing.assert_array_equal(model.predict(), model.predict_proba().argmax(axis=1))


@functools.cache
def mean_of_two() -> InfoMotif:
    """A mean of the first two candidates, whatever validation says."""
    split = random_split(roles().y, 0.4, val=0.3)

    def first_two(probabilities, truth, *, ensemble):
        weights = np.zeros(len(probabilities))
        weights[:2] = 0.5
        return Selection(weights, 0, 0)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("infomotif.search.auto.select", first_two)
        return fitted(roles(), split.train, split.val)


def test_a_mean_survives_files(tmp_path):
    model = mean_of_two()
    again = load(model.save(tmp_path / "model"))
    np.testing.assert_array_equal(again.predict_proba(roles()), model.predict_proba(roles()))
    np.testing.assert_allclose(again.predict_proba(roles()), model.predict_proba(), atol=1e-6)
    assert [member.name for member in again.answer_.members] == [member.name for member in model.answer_.members]


@pytest.mark.parametrize(
    "change",
    [
        {"main": 9},
        {"temperature": 0.0},
        {"temperature": -1.0},
        {"members": []},
        {"members": [{"name": "x", "weight": 1.0, "temperature": 1.0}]},
    ],
)
def test_a_broken_mean_is_refused(tmp_path, change):
    folder = mean_of_two().save(tmp_path / "model")
    value = json.loads((folder / "model.json").read_text())
    value["answer"] |= change
    value.pop("checksum")
    (folder / "model.json").write_text(sealed_json(value))
    with pytest.raises(InputError, match="model"):
        load(folder)


def test_an_explanation_says_which_member_it_comes_from():
    explanation = mean_of_two().explain(0)
    assert explanation.notes[0] == mean_of_two().answer_.source
    assert "does not count in the prediction" in explanation.notes[0]
    assert explanation.instances
    assert explanation.prediction.label == mean_of_two().classes_[mean_of_two().predict()[0]]


def test_the_main_member_has_motifs_if_any_candidate_has():
    assert chosen().settings_.regularize
    assert chosen().motif_weights_ is not None


def test_a_single_answer_has_one_voter():
    split = chosen().split_
    model = fitted(roles(), split.train, split.val, search=Search(ensemble=False, refit=False))
    assert len(model.answer_.voters) == 1
    assert model.choice_.name == model.answer_.voters[0].name


def test_without_motifs_nothing_that_is_made_of_them_is_tried():
    split = chosen().split_
    model = fitted(roles(), split.train, split.val, search=Search(with_motifs=False, refit=False))
    assert not any(tried.motifs for tried in model.choice_.tried)
    assert not model.choice_.uses_motifs
    assert not model.explain(0).motifs


def test_a_budget_leaves_candidates_out_and_says_so():
    split = chosen().split_
    model = fitted(roles(), split.train, split.val, search=Search(budget="3 trainings", refit=False))
    assert len(model.choice_.tried) == 3
    assert model.choice_.notes[-1].startswith("left out to stay within the budget: ")


def test_a_choice_that_was_made_before_is_only_trained_and_gives_the_same_bits():
    model, split = chosen(), chosen().split_
    again = make_auto().fit(roles(), split.train, split.val, choice=model.choice_)
    np.testing.assert_array_equal(again.predict_proba(), model.predict_proba())
    np.testing.assert_array_equal(again.embed(), model.embed())


def test_the_same_seed_chooses_the_same():
    split = chosen().split_
    again = fitted(roles(), split.train, split.val)
    without = [[(t.name, t.accuracy, t.loss, t.epochs) for t in m.choice_.tried] for m in (again, chosen())]
    assert without[0] == without[1]
    np.testing.assert_array_equal(again.predict_proba(), chosen().predict_proba())


def test_motifs_that_were_named_stay_however_rare():
    graph = load_dataset("karate")
    options = {"preset": "auto", "epochs": 4, "hidden": 8, "q": 2, "progress": False}
    named = make_model(motifs=["M6", "M7"], **options).fit(graph)
    assert len(named.choice_.motifs) == 2
    assert len(make_model(**options).fit(graph).choice_.motifs) == 1


def test_on_epoch_sees_the_epochs_of_the_member_that_counts_most():
    told, split = [], chosen().split_
    model = make_auto().fit(roles(), split.train, split.val, on_epoch=told.append)
    assert [record["epoch"] for record in told] == [record["epoch"] for record in model.history_]


def test_parameters_of_the_user_stay():
    split = chosen().split_
    model = make_model("sage", preset="auto", lr=0.02, dropout=0.1, epochs=4, progress=False)
    model.fit(roles(), split.train, split.val)
    settings = [member.fitted.settings for member in model.answer_.members]
    assert {(s.training.lr, s.encoder.dropout, s.encoder.name) for s in settings} == {(0.02, 0.1, "sage")}


class WideInput(torch.nn.Module):
    """A module that knows how wide its input is."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(width, 6)

    def forward(self, x, edge_index):
        x = x.to_dense() if x.is_sparse or x.layout == torch.sparse_csr else x
        return self.linear(x).relu()


def test_a_custom_module_keeps_its_inputs(tmp_path):
    split, width = chosen().split_, roles().num_attributes
    model = make_model(WideInput(width), preset="auto", epochs=4, q=3, progress=False)
    model.fit(roles(), split.train, split.val)
    assert {tried.name for tried in model.choice_.tried} == {"module:WideInput", "InfoMotif, joint", "InfoMotif, paper"}
    again = load(model.save(tmp_path / "model"), encoder=WideInput(width))
    np.testing.assert_array_equal(again.predict_proba(roles()), model.predict_proba(roles()))


# Refit


def test_the_last_training_uses_validation_labels_and_the_measured_one_does_not():
    split = chosen().split_
    again = make_auto(search=Search(refit=True)).fit(roles(), split.train, split.val)
    assert again.choice_ == replace(chosen().choice_, tried=again.choice_.tried)
    np.testing.assert_array_equal(again.measured_, chosen().predict_proba())
    assert not np.array_equal(again.predict_proba(), again.measured_)


def test_without_validation_nodes_there_is_nothing_to_refit():
    model = make_auto(search=Search(refit=True)).fit(roles(), np.arange(30))
    np.testing.assert_array_equal(model.measured_, model.predict_proba())


# Few labels


@pytest.mark.parametrize("val", [None, [30, 31]])
def test_few_validation_nodes_are_replaced_by_folds(val):
    model = fitted(roles(), np.arange(30), val)
    count = 30 if val is None else 32
    assert f"in 3-fold cross-validation of {count} labelled nodes" in model.choice_.reason
    assert model.split_.train.tolist() == list(range(30))


def test_labels_too_few_to_choose_by_give_joint_with_a_warning():
    with pytest.warns(UserWarning, match=r"takes 'joint': 8 labelled nodes are too few to choose by"):
        model = fitted(roles(), np.arange(8))
    assert model.choice_.tried == ()
    assert model.choice_.reason.startswith("nothing was tried: 8 labelled nodes")
    assert model.settings_.training.schedule == "joint"


@pytest.mark.parametrize(("train", "twice"), [(7, True), (9, True), (10, False)])
def test_few_labels_are_five_percent_as_classes_round_them(train, twice):
    # 5 % of 150 nodes are 7.5, and each of four classes may round up.
    model = fitted(roles(), np.arange(train), np.arange(30, 75))
    assert bool(model.settings_.training.self_training) == twice


def test_with_the_schedule_of_the_paper_the_fallback_is_the_paper():
    with pytest.warns(UserWarning, match="takes 'paper'"):
        model = fitted(roles(), np.arange(8), schedule="alternate")
    assert not model.settings_.regularizer.residual


def test_labels_of_one_class_cannot_compare_candidates():
    of_one_class = np.flatnonzero(roles().y == 0)[:15]
    with pytest.warns(UserWarning, match="takes 'joint': only one class has 3 labelled nodes"):
        model = fitted(roles(), of_one_class)
    assert model.choice_.tried == ()


def test_folds_let_every_node_validate_once_and_deal_out_classes_evenly():
    y = np.repeat([0, 1], [12, 6])
    folds = make_folds(y, np.arange(18), 3)
    assert sorted(np.concatenate([fold.val for fold in folds]).tolist()) == list(range(18))
    for fold in folds:
        assert np.bincount(y[fold.val]).tolist() == [4, 2]
        assert not set(fold.train) & set(fold.val)
        assert len(fold.train) == 12


# Samples of the graph, rare motifs


def test_sampled_training_takes_joint_with_a_warning():
    split = chosen().split_
    with pytest.warns(UserWarning, match="preset auto takes 'joint': .* samples"):
        model = fitted(roles(), split.train, split.val, sampling="neighbours", epochs=1)
    assert (model.choice_.name, model.choice_.uses_motifs) == ("joint", True)
    assert "this graph is trained on samples" in model.choice_.reason


def test_several_processes_cannot_try_candidates():
    from infomotif.search import auto

    split = chosen().split_
    session = auto.Session(roles(), GCN(), MotifIndex(roles()), 0, torch.device("cpu"), World(0, 2))
    assert "in one process" in auto.obstacle(session, InfoMotif(preset="auto").settings(), split)


def test_rare_motifs_are_dropped_with_a_note():
    graph = load_dataset("karate")
    model = fitted(graph, np.arange(0, 34, 2))
    assert model.choice_.notes[0] == "M7 was dropped: 45 instances are too few to learn from (fewer than 100)"
    assert model.choice_.motifs == (MotifIndex(graph, "M6").motifs[0].pattern,)


def test_the_most_frequent_motif_stays_if_all_are_rare():
    graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=4, directed=False)
    index, notes = frequent_motifs(MotifIndex(graph))
    assert [motif.name for motif in index.motifs] == ["M6"]
    assert len(notes) == 1


@pytest.mark.parametrize("edges", [[], range(0, 40, 2)])
def test_a_graph_without_any_instance_does_not_try_infomotif(edges):
    graph = Graph.from_edges(edges, [u + 1 for u in edges], num_nodes=40, directed=False, y=[0, 1] * 20, x=np.eye(40))
    choice = fitted(graph, list(range(10)), list(range(10, 24))).choice_
    assert any("no instance of any of these motifs" in note for note in choice.notes)
    assert not any("InfoMotif" in tried.name for tried in choice.tried)


def test_infomotif_that_was_requested_is_tried_without_any_instance():
    graph = Graph.from_edges([], [], num_nodes=40, directed=False, y=[0, 1] * 20)
    choice = fitted(graph, list(range(10)), list(range(10, 24)), regularize=True).choice_
    assert [tried.name for tried in choice.tried] == ["InfoMotif, joint", "InfoMotif, paper"]


def test_other_motifs_as_negatives_need_another_motif():
    graph, message = load_dataset("karate"), "need another motif with as many nodes as"
    with pytest.raises(InputError, match=f"{message} M7"):
        make_model(motifs="M7", negatives="shuffle+other-motif").fit(graph, [0, 33])
    # M7 is rare there, but stays as the negatives of M6.
    chosen = fitted(graph, [0, 33, 1, 32], list(range(4, 30)), negatives="other-motif")
    assert len(chosen.choice_.motifs) == 2


def test_frequent_motifs_keep_their_counts():
    whole = MotifIndex(load_dataset("karate"), ["M6", "M7"])
    index, _ = frequent_motifs(whole)
    np.testing.assert_array_equal(index.counts[:, 0], whole.counts[:, 0])
    assert whole.totals.min() < MIN_INSTANCES
    again, notes = frequent_motifs(index)
    assert again is index
    assert notes == ()


# The record


def test_a_choice_survives_json():
    choice = chosen().choice_
    assert Choice.from_dict(json.loads(json.dumps(choice.to_dict()))) == choice


@pytest.mark.parametrize("broken", [None, [], {}, {"name": "x"}, {"tried": [1], "settings": {}}, {"members": []}])
def test_a_broken_choice_is_refused(broken):
    with pytest.raises(InputError, match="not a choice of settings"):
        Choice.from_dict(broken)


def test_a_choice_of_unknown_settings_is_refused():
    with pytest.raises(InputError, match="not a choice of settings"):
        Choice.from_dict(chosen().choice_.to_dict() | {"settings": {"lrr": 1}})


def test_patience_still_needs_validation_nodes():
    with pytest.raises(InputError, match="patience needs validation nodes"):
        fitted(roles(), np.arange(30), patience=2)


# Epochs


def test_few_validation_nodes_do_not_choose_an_epoch():
    model = chosen()
    assert model.choice_.fixed_epochs
    assert len(model.history_) == QUICK["epochs"]
    assert not any("val_accuracy" in record for record in model.history_)


def test_many_validation_nodes_do():
    graph = make_roles(num_nodes=400)
    split = random_split(graph.y, 0.3, val=0.4)
    model = fitted(graph, split.train, split.val, search=Search(budget="2 trainings", refit=False))
    assert not model.choice_.fixed_epochs
    assert all("val_accuracy" in record for record in model.history_)
