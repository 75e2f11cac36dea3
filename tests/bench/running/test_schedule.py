"""Plans: which runs are wanted, and what is refused."""

from __future__ import annotations

import pytest

from infomotif.errors import InputError
from infomotif_bench import Schedule, Store, load_experiment


def test_everything_of_the_experiment_by_default():
    schedule = Schedule(load_experiment("table3"))
    assert schedule.splits_on("usa") == 10
    assert schedule.datasets == ("usa", "europe", "brazil")
    assert len(schedule.rows) == 38


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"splits": 0}, "splits must be from 1 to 1000"),
        ({"methods": ["gnc"]}, "unknown method of table3 'gnc'"),
        ({"datasets": ["cora"]}, "unknown dataset of table3 'cora'"),
        ({"labels": [0.5]}, r"labels of table3 must be one of 20 %, 40 %, 60 % \(got 50 %\)"),
        ({"labels": ["3 a klass"]}, "labels must have the form 0.2, '20 %' or '3 per class'"),
        ({"settings": {"colour": 1}}, "unknown setting of node2vec, .* more 'colour'"),
        ({"settings": {"lr": 1}, "methods": ["structural-lr"]}, "structural-lr has no settings"),
        ({"methods": []}, "methods must name at least one"),
        ({"datasets": []}, "datasets must name at least one"),
        ({"labels": []}, "labels must name at least one"),
        ({"settings": {"epochs": 0}}, "epochs must be from 1 to 10,000,000"),
    ],
)
def test_bad_choices_are_explained(options, message):
    with pytest.raises(InputError, match=message):
        Schedule(load_experiment("table3"), **options)


def test_what_makes_a_row_cannot_be_set_and_its_search_is_checked_too():
    few = load_experiment("few-labels")
    with pytest.raises(InputError, match="row gcn-self is defined by its 'self_training'"):
        Schedule(few, methods=["gcn-self"], settings={"self_training": 0.1})
    with pytest.raises(InputError, match="self_training must be from 0 to 1"):
        Schedule(few, methods=["gcn", "gcn-self"], settings={"self_training": 5.0})


def test_a_large_graph_has_fewer_splits_unless_told_otherwise(tmp_path):
    table, store = load_experiment("table2"), Store(tmp_path)
    schedule = Schedule(table, methods=["gcn"])
    row = schedule.rows[0]
    tuned = {name: len(schedule.cell(row, name, store).missing) for name in ("cora", "pubmed")}
    final = {name: len(schedule.final_runs(row, name, {})) for name in ("cora", "pubmed")}
    assert tuned == {"cora": 6, "pubmed": 3}
    assert final == {"cora": 30, "pubmed": 9}
    assert schedule.expected_runs(row, "pubmed") == 5 + 9 - 1
    assert len(Schedule(table, methods=["gcn"], splits=4).final_runs(row, "pubmed", {})) == 12


def test_a_large_graph_may_have_settings_of_its_own_for_base_and_infomotif_alike(tmp_path):
    schedule = Schedule(load_experiment("table2"), methods=["gcn", "infomotif-gcn", "structural-lr"])
    for row in schedule.rows:
        wanted = {} if row.name == "structural-lr" else {"hidden": 128}
        for name, settings in (("cora", {}), ("pubmed", wanted)):
            run = schedule.cell(row, name, Store(tmp_path)).missing[0]
            assert {key: run.settings[key] for key in run.settings if key == "hidden"} == settings
    forced = Schedule(load_experiment("table2"), methods=["gcn"], settings={"hidden": 32})
    assert forced.cell(forced.rows[0], "pubmed", Store(tmp_path)).missing[0].settings["hidden"] == 32


def test_a_search_begins_with_the_first_settings_values(tmp_path):
    schedule = Schedule(load_experiment("table3"), methods=["gcn"], datasets=["brazil"])
    cell = schedule.cell(schedule.rows[0], "brazil", Store(tmp_path))
    assert cell.settings is None
    assert {run.settings.get("lr", 0.01) for run in cell.missing} == {0.01, 0.001, 0.0001}
    assert len(cell.missing) == 3 * 2 * 3


def test_without_tuning_the_defaults_run_at_once(tmp_path):
    schedule = Schedule(load_experiment("table3"), methods=["gcn"], datasets=["brazil"], tuned=False)
    cell = schedule.cell(schedule.rows[0], "brazil", Store(tmp_path))
    assert len(cell.missing) == 30
    assert {str(dict(run.settings)) for run in cell.missing} == {"{}"}


def test_without_tuning_a_row_stays_what_it_is(tmp_path):
    schedule = Schedule(load_experiment("table3"), methods=["gcn", "gcn-structural"], datasets=["brazil"], tuned=False)
    cells = [schedule.cell(row, "brazil", Store(tmp_path)) for row in schedule.rows]
    found = [{str(dict(run.settings)) for run in cell.missing} for cell in cells]
    assert found == [{"{}"}, {"{'structural_features': 'counts'}"}]
    with pytest.raises(InputError, match="row gcn-structural is defined by its 'structural_features'"):
        Schedule(load_experiment("table3"), methods=["gcn-structural"], settings={"structural_features": "none"})


def test_fixed_settings_reach_the_methods_that_know_them(tmp_path):
    schedule = Schedule(
        load_experiment("table3"), methods=["gcn", "structural-lr"], settings={"epochs": 7}, tuned=False
    )
    store = Store(tmp_path)
    found = {cell.row.name: dict(cell.missing[0].settings) for cell in schedule.cells(store)}
    assert found == {"gcn": {"epochs": 7}, "structural-lr": {}}


def test_labels_are_chosen_by_their_names(tmp_path):
    options = {"methods": ["gcn"], "datasets": ["brazil"], "splits": 2, "tuned": False}
    schedule = Schedule(load_experiment("few-labels-small-validation"), labels=["3 a class", 0.05], **options)
    runs = [run for cell in schedule.cells(Store(tmp_path)) for run in cell.missing]
    assert [run.labels.text for run in runs] == 2 * ["5 %, validation train", "3 a class, validation train"]


def test_settings_are_searched_at_one_number_of_labels_and_kept_for_all(tmp_path):
    schedule = Schedule(load_experiment("few-labels"), methods=["gcn"], datasets=["brazil"])
    cell = schedule.cell(schedule.rows[0], "brazil", Store(tmp_path))
    assert {(run.labels.name, run.split) for run in cell.missing} == {("5 %", 0), ("5 %", 1), ("5 %", 2)}
    assert schedule.expected_runs(schedule.rows[0], "brazil") == 8 * 3 + 20 * 9 - 3


def test_ablated_rows_take_the_settings_of_the_whole(tmp_path):
    schedule = Schedule(load_experiment("ablation"), datasets=["cora"])
    store = Store(tmp_path)
    whole = schedule.cell(schedule.experiment.row("infomotif-gcn"), "cora", store)
    ablated = schedule.cell(schedule.experiment.row("no-novelty"), "cora", store)
    assert {run.key for run in whole.missing} == {run.key for run in ablated.missing}
    untuned = Schedule(load_experiment("ablation"), datasets=["cora"], tuned=False)
    assert untuned.cell(untuned.experiment.row("no-novelty"), "cora", store).settings == {"novelty": False}


@pytest.mark.parametrize(("row", "runs"), [("gcn", 5 * 6 + 30 - 6), ("structural-lr", 30), ("gcn-structural", 54)])
def test_expected_runs(row, runs):
    schedule = Schedule(load_experiment("table3"))
    assert schedule.expected_runs(schedule.experiment.row(row), "usa") == runs


def test_varied_rows_become_one_run_where_they_meet_the_default(tmp_path):
    schedule = Schedule(load_experiment("sensitivity"), datasets=["cora"], tuned=False)
    runs = {run.key for cell in schedule.cells(Store(tmp_path)) for run in cell.missing}
    assert len(runs) == 3 * 6 * schedule.splits_on("cora")
