"""Figures: one plot per dataset or base, and only where something was measured."""

from __future__ import annotations

import pytest

from infomotif_bench import Schedule, Store, load_experiment, summarise
from infomotif_bench.results.figures import draw
from tests.bench.made import fill
from tests.bench.results.test_measurements import accuracy


def test_nothing_is_drawn_without_runs(tmp_path):
    assert draw(summarise(Schedule(load_experiment("table3")), Store(tmp_path))) is None


@pytest.mark.parametrize("name", ["sensitivity", "ablation"])
def test_figures_of_other_kinds_are_drawn(tmp_path, name):
    schedule = Schedule(load_experiment(name), datasets=["cora"], splits=2, tuned=False)
    figure = draw(summarise(schedule, fill(tmp_path, schedule, accuracy)))
    assert figure is not None
    assert len(figure.axes) == 1


def test_a_dataset_without_runs_has_no_panel(tmp_path):
    part = Schedule(load_experiment("label-sparsity"), datasets=["citeseer"], methods=["gcn"], splits=2, tuned=False)
    whole = Schedule(load_experiment("label-sparsity"), splits=2, tuned=False)
    figure = draw(summarise(whole, fill(tmp_path, part, accuracy)))
    assert [axis.get_title() for axis in figure.axes] == ["citeseer"]


def test_curves_stand_by_dataset_and_base(tmp_path):
    options = {"methods": ["gcn", "infomotif-gcn", "gat"], "datasets": ["europe", "brazil"], "tuned": False}
    schedule = Schedule(load_experiment("few-labels"), labels=["1 %", "5 %", "3 per class"], splits=2, **options)
    figure = draw(summarise(schedule, fill(tmp_path, schedule, accuracy)))
    assert [axis.get_ylabel() for axis in figure.axes] == [
        "europe\ntest accuracy, %",
        "",
        "brazil\ntest accuracy, %",
        "",
    ]
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["GCN", "InfoMotif-GCN"]
    # Shares and numbers per class are two curves of each row.
    assert [len(line.get_xdata()) for line in figure.axes[0].lines] == [2, 1, 2, 1]
    assert [tick.get_text() for tick in figure.axes[-1].get_xticklabels()] == ["1", "5", "3"]


def test_curves_over_one_base_are_side_by_side(tmp_path):
    options = {"methods": ["gcn", "infomotif-gcn"], "datasets": ["europe", "brazil", "usa", "roles"], "tuned": False}
    schedule = Schedule(load_experiment("few-labels"), labels=["1 %", "3 per class"], splits=2, **options)
    figure = draw(summarise(schedule, fill(tmp_path, schedule, accuracy)))
    assert [axis.get_title() for axis in figure.axes if axis.get_visible()] == ["usa", "europe", "brazil", "roles"]
    assert [axis.get_ylabel() for axis in figure.axes[:4]] == ["test accuracy, %", "", "", "test accuracy, %"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["GCN", "InfoMotif-GCN"]


def test_differences_name_every_column_that_is_drawn(tmp_path):
    part = Schedule(
        load_experiment("table3"), methods=["gcn", "infomotif-gcn"], datasets=["brazil"], splits=2, tuned=False
    )
    store = fill(tmp_path, part, accuracy)
    wider = Schedule(
        load_experiment("table3"), methods=["gcn", "infomotif-gcn", "gat", "infomotif-gat"], splits=2, tuned=False
    )
    figure = draw(summarise(wider, store))
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["20 %", "40 %", "60 %"]


def test_far_labels_are_a_curve_over_hops(tmp_path):
    schedule = Schedule(load_experiment("far-labels"), methods=["gcn"], datasets=["roles"], splits=2, tuned=False)
    figure = draw(summarise(schedule, fill(tmp_path, schedule, accuracy)))
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["1-2", "3", "4", "5+"]
