"""The portfolio: which candidates make sense, and which fit into a budget."""

from __future__ import annotations

import functools

import numpy as np
import pytest

from infomotif import GCN, Graph, load_dataset, make_roles
from infomotif.errors import InputError
from infomotif.nn.encoders import as_encoder
from infomotif.search.candidates import CANDIDATES, CHEAP, MOTIF, NETWORK
from infomotif.search.options import Budget, Search
from infomotif.search.portfolio import Portfolio
from infomotif.search.work import epoch_seconds, usual_seconds


@functools.cache
def roles() -> Graph:
    return make_roles(num_nodes=150)


def portfolio(graph=None, encoder="gcn", *, fixed=False, few=False, with_motifs=True, **given) -> Portfolio:
    return Portfolio(roles() if graph is None else graph, as_encoder(encoder), fixed, given, few, with_motifs)


def names(made: Portfolio, *stages: str) -> list[str]:
    return [entry.candidate.name for stage in stages or (CHEAP, NETWORK, MOTIF) for entry in made.entries(stage)]


def test_names_are_unique_and_say_what_they_are():
    assert len({candidate.name for candidate in CANDIDATES}) == len(CANDIDATES)
    assert all(candidate.what for candidate in CANDIDATES)


def test_a_graph_with_attributes_has_every_candidate_that_needs_no_few_labels():
    wanted = [c.name for c in CANDIDATES if not {"few labels", "weights"} & set(c.needs)]
    assert sorted(names(portfolio())) == sorted(wanted)


def test_without_attributes_nothing_looks_at_attributes():
    made = portfolio(load_dataset("karate"))
    assert not {"regression", "correct and smooth", "GraphSAGE", "MLP"} & set(names(made))
    assert {e.settings.inputs.features for e in made.entries(NETWORK) if "orbits" in e.candidate.name} == {
        "orbits",
        "orbits+neighbours",
    }


def test_without_edges_only_attributes_are_left():
    graph = Graph.from_edges([], [], num_nodes=6, directed=False, x=np.eye(6), y=[0, 1] * 3)
    assert names(portfolio(graph), CHEAP) == ["regression"]
    assert names(portfolio(graph), NETWORK) == ["GraphSAGE", "MLP"]


def test_few_labels_train_twice_and_reach_farther():
    entries = portfolio(few=True).entries(NETWORK)
    assert "APPNP, far" in [entry.candidate.name for entry in entries]
    once = [entry.candidate.name for entry in entries if not entry.settings.training.self_training]
    assert once == ["APPNP, prediction MI"]


def test_without_motifs_nothing_is_made_of_motifs():
    made = portfolio(with_motifs=False)
    assert not any(entry.candidate.motifs for stage in (CHEAP, NETWORK, MOTIF) for entry in made.entries(stage))


def test_a_named_encoder_is_the_only_one():
    made = portfolio(encoder="gat", fixed=True)
    assert names(made) == ["gat", "gat, orbits", "InfoMotif, joint", "InfoMotif, paper"]
    assert {e.encoder.name for stage in (NETWORK, MOTIF) for e in made.entries(stage)} == {"gat"}


def test_infomotif_takes_encoder_and_inputs_of_the_best_network():
    made = portfolio()
    best = next(e for e in made.entries(NETWORK) if e.candidate.name == "GraphSAGE, orbits")
    entry = made.entries(MOTIF, best)[0]
    assert entry.encoder.name == "sage"
    assert entry.settings.inputs.features == "attributes+orbits"


def test_fixed_settings_hold_for_all():
    made = portfolio(lr=0.3, epochs=7)
    entries = [e for stage in (CHEAP, NETWORK, MOTIF) for e in made.entries(stage) if e.settings is not None]
    assert {(e.settings.training.lr, e.settings.training.epochs) for e in entries} == {(0.3, 7)}


def test_fixed_inputs_leave_no_candidate_with_others():
    made = portfolio(inputs="degree")
    entries = [e for stage in (CHEAP, NETWORK, MOTIF) for e in made.entries(stage) if e.settings is not None]
    assert {e.settings.inputs.features for e in entries} == {"degree"}
    assert not any("orbits" in name for name in names(made))


def test_infomotif_that_was_requested_is_tried_alone():
    assert names(portfolio(regularize=True)) == ["InfoMotif, joint", "InfoMotif, paper"]
    assert names(portfolio(regularize=False), MOTIF) == []


def test_weights_of_edges_are_tried_where_there_are_some():
    weighted = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False, weights=[1.0, 2.0], y=[0, 1, 0])
    assert "gcn, weights" in names(portfolio(weighted, fixed=True), NETWORK)
    assert "gcn, weights" not in names(portfolio(fixed=True), NETWORK)


# Budgets


def test_a_small_budget_leaves_out_the_least_promising_first():
    made = portfolio()
    whole, none = made.within(Budget(1e9, None), 1)
    assert none == ()
    half = made.seconds(whole, 1) / 2
    kept, left_out = made.within(Budget(half, None), 1)
    assert made.seconds(kept, 1) <= half
    order = {candidate.name: candidate.priority for candidate in CANDIDATES}
    remaining = [entry.candidate.name for entries in kept.values() for entry in entries]
    assert min(order[name] for name in left_out) >= max(order[name] for name in remaining)


def test_a_number_of_trainings_is_a_number_of_candidates():
    kept, _ = portfolio().within(Budget(None, 4), 1)
    assert sum(map(len, kept.values())) == 4


def test_folds_cost_as_often():
    made = portfolio()
    kept, _ = made.within(Budget(1e9, None), 1)
    assert made.seconds(kept, 3) == pytest.approx(3 * made.seconds(kept, 1))


def test_larger_graphs_and_infomotif_cost_more():
    small, large = roles(), make_roles(num_nodes=900)
    ours = portfolio().entries(MOTIF)[0]
    base = portfolio().entries(NETWORK)[-1]
    assert epoch_seconds(base.settings, large) > epoch_seconds(base.settings, small)
    assert epoch_seconds(ours.settings, small) > epoch_seconds(base.settings, small)
    assert usual_seconds(large) > usual_seconds(small)


@pytest.mark.parametrize("text", ["", "-3", "0", "many", "2.5 trainings", "3 days"])
def test_a_budget_that_means_nothing_is_refused(text):
    with pytest.raises(InputError, match="budget must be"):
        Search(budget=text)


def test_a_budget_may_be_seconds_trainings_or_left_to_the_graph():
    assert Budget.parse("12.5 s") == Budget(12.5, None)
    assert Budget.parse("3 trainings") == Budget(None, 3)
    assert Budget.parse("auto") == Budget(None, None)


def test_an_encoder_of_ones_own_keeps_its_inputs():
    import torch

    class Mine(torch.nn.Module):
        def forward(self, x, edge_index):
            return x.to_dense()

    made = Portfolio(roles(), as_encoder(Mine()), True, {}, False)
    assert not any("orbits" in name for name in names(made))
    assert GCN().label == "gcn"
