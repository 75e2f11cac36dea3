"""``preset="auto"``: choosing by validation or folds, rare motifs, custom modules, and the same bits every time."""

from __future__ import annotations

import functools
import json

import numpy as np
import pytest
import torch

from infomotif import Graph, InfoMotif, MotifIndex, load_dataset, make_roles
from infomotif.errors import InputError
from infomotif.search.auto import MIN_INSTANCES, frequent_motifs, make_folds
from infomotif.search.candidates import LEAN, THOROUGH
from infomotif.search.choice import Choice
from infomotif.training import random_split
from infomotif.training.distributed import World
from tests.models import make_model

pytestmark = pytest.mark.slow

QUICK = {"hidden": 8, "epochs": 6, "q": 3, "progress": False}


@functools.cache
def roles() -> Graph:
    return make_roles(num_nodes=150)


def fitted(graph: Graph, train, val=None, **changes) -> InfoMotif:
    return make_model(preset="auto", **{**QUICK, **changes}).fit(graph, train, val)


@functools.cache
def chosen() -> InfoMotif:
    split = random_split(roles().y, 0.4, val=0.3)
    return fitted(roles(), split.train, split.val)


# By validation


def test_the_choice_records_everything_that_was_tried():
    choice = chosen().choice_
    assert chosen().settings_.to_dict() == choice.settings
    assert "on the 45 validation nodes" in choice.reason
    assert choice.name in {tried.name for tried in choice.tried}
    assert {tried.regularized for tried in choice.tried} == {True, False}
    assert all(tried.epochs and tried.accuracy is not None for tried in choice.tried)
    assert choice.base_better == (not choice.settings["regularize"])


def test_the_best_validation_is_chosen():
    choice = chosen().choice_
    last = max(tried.epochs for tried in choice.tried)
    finished = [tried for tried in choice.tried if tried.epochs == last]
    best = max(finished, key=lambda tried: (tried.accuracy, -tried.loss))
    assert choice.name == best.name
    assert best.accuracy == max(record["val_accuracy"] for record in chosen().history_)


def test_training_with_the_chosen_settings_gives_the_same_bits():
    model, split = chosen(), chosen().split_
    again = make_model(motifs=list(model.choice_.motifs), progress=False, **model.choice_.settings)
    np.testing.assert_array_equal(again.fit(roles(), split.train, split.val).embed(), model.embed())
    assert again.choice_ is None


def test_motifs_that_were_named_stay_however_rare():
    graph = load_dataset("karate")
    options = {"preset": "auto", "epochs": 4, "hidden": 8, "q": 2, "progress": False}
    named = make_model(motifs=["M6", "M7"], **options).fit(graph)
    assert len(named.choice_.motifs) == 2
    assert len(make_model(**options).fit(graph).choice_.motifs) == 1


def test_the_same_seed_chooses_the_same():
    split = chosen().split_
    again = fitted(roles(), split.train, split.val)
    without = [[(t.name, t.accuracy, t.loss, t.epochs) for t in m.choice_.tried] for m in (again, chosen())]
    assert without[0] == without[1]
    np.testing.assert_array_equal(again.embed(), chosen().embed())


def test_on_epoch_sees_the_epochs_of_the_chosen_training():
    told = []
    split = chosen().split_
    make_model(preset="auto", **QUICK).fit(roles(), split.train, split.val, on_epoch=told.append)
    assert [record["epoch"] for record in told] == list(range(1, 7))


def test_the_base_is_chosen_where_motifs_cannot_help():
    """Attributes tell the class, and neighbours are random: neighbourhoods say nothing."""
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    x = np.eye(2, dtype=np.float32)[y] + 0.4 * rng.standard_normal((200, 2)).astype(np.float32)
    u, v = rng.integers(0, 200, (2, 400))
    graph = Graph.from_edges(u[u != v], v[u != v], num_nodes=200, directed=False, x=x, y=y, class_names=["a", "b"])
    split = random_split(y, 0.3, val=0.3)
    model = make_model("mlp", preset="auto", **{**QUICK, "epochs": 30, "mi_weight": 1e6, "schedule": "joint"})
    model.fit(graph, split.train, split.val)
    assert model.choice_.base_better
    assert model.choice_.reason.startswith("the base is more accurate on the 60 validation nodes")
    assert model.motif_weights_ is None


def test_parameters_of_the_user_stay():
    split = chosen().split_
    model = fitted(roles(), split.train, split.val, lr=0.02, dropout=0.1, epochs=4)
    assert (model.settings_.training.lr, model.settings_.encoder.dropout, model.settings_.training.epochs) == (
        0.02,
        0.1,
        4,
    )


class WideInput(torch.nn.Module):
    """A module that knows how wide its input is."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.linear = torch.nn.Linear(width, 6)

    def forward(self, x, edge_index):
        x = x.to_dense() if x.is_sparse or x.layout == torch.sparse_csr else x
        return self.linear(x).relu()


def test_a_custom_module_keeps_its_inputs():
    split = chosen().split_
    model = make_model(WideInput(roles().num_attributes), preset="auto", **QUICK).fit(roles(), split.train, split.val)
    assert model.settings_.inputs.features == "attributes"
    assert not any("structure" in tried.name for tried in model.choice_.tried)


# Few labels


@pytest.mark.parametrize("val", [None, [30, 31]])
def test_few_validation_nodes_are_replaced_by_folds(val):
    model = fitted(roles(), np.arange(30), val)
    count = 30 if val is None else 32
    assert f"in 3-fold cross-validation of {count} labelled nodes" in model.choice_.reason
    assert model.split_.train.tolist() == list(range(30))
    assert sum(tried.regularized for tried in model.choice_.tried) == 3


def test_labels_too_few_to_choose_by_give_joint_with_a_warning():
    with pytest.warns(UserWarning, match=r"takes 'joint': 8 labelled nodes are too few to choose by"):
        model = fitted(roles(), np.arange(8))
    assert model.choice_.tried == ()
    assert model.choice_.reason.startswith("nothing was tried: 8 labelled nodes")
    assert model.settings_.training.schedule == "joint"


@pytest.mark.parametrize(("train", "twice"), [(7, True), (9, True), (10, False)])
def test_few_labels_are_five_percent_as_classes_round_them(train, twice):
    # 5 % of 150 nodes are 7.5, and each of four classes may round up.
    model = fitted(roles(), np.arange(train), np.arange(30, 75), epochs=2)
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


def test_a_setting_that_only_the_paper_allows_leaves_the_paper(tmp_path):
    split = chosen().split_
    model = fitted(roles(), split.train, split.val, mi_lr=0.01)
    assert [tried.name for tried in model.choice_.tried if tried.regularized] == ["paper"]
    with pytest.warns(UserWarning, match="takes 'paper': 8 labelled nodes are too few to choose by"):
        assert fitted(roles(), np.arange(8), mi_lr=0.01).choice_.name == "paper"


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
    assert (model.choice_.name, model.choice_.base_better) == ("joint", False)
    assert "this graph is trained on samples" in model.choice_.reason


def test_several_processes_cannot_try_candidates():
    from infomotif.search import auto

    split = chosen().split_
    session = auto.Session(roles(), "gcn", MotifIndex(roles()), 0, torch.device("cpu"), World(0, 2))
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
def test_a_graph_without_any_instance_tries_the_base_alone(edges):
    graph = Graph.from_edges(edges, [u + 1 for u in edges], num_nodes=40, directed=False, y=[0, 1] * 20)
    choice = fitted(graph, list(range(10)), list(range(10, 24))).choice_
    assert choice.base_better
    assert "no instance of any of these motifs" in choice.notes[-1]
    assert not any(tried.regularized for tried in choice.tried)


def test_infomotif_that_was_requested_is_tried_without_any_instance():
    graph = Graph.from_edges([], [], num_nodes=40, directed=False, y=[0, 1] * 20)
    choice = fitted(graph, list(range(10)), list(range(10, 24)), regularize=True).choice_
    assert not choice.base_better
    assert not any("left out" in note for note in choice.notes)


def test_a_deep_encoder_is_searched_with_fewer_candidates():
    split = random_split(roles().y, 0.4, val=0.3)
    tried = fitted(roles(), split.train, split.val, encoder="gcnii").choice_.tried
    assert sum(candidate.regularized for candidate in tried) == LEAN.max_candidates < THOROUGH.max_candidates


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


@pytest.mark.parametrize("broken", [None, [], {}, {"name": "x"}, {"tried": [1], "settings": {}}])
def test_a_broken_choice_is_refused(broken):
    with pytest.raises(InputError, match="not a choice of settings"):
        Choice.from_dict(broken)


def test_a_choice_of_unknown_settings_is_refused():
    with pytest.raises(InputError, match="not a choice of settings"):
        Choice.from_dict(chosen().choice_.to_dict() | {"settings": {"lrr": 1}})


def test_patience_still_needs_validation_nodes():
    with pytest.raises(InputError, match="patience needs validation nodes"):
        fitted(roles(), np.arange(30), patience=2)
