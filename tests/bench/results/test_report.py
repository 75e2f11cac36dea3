"""What is written from a store: complete, the same again, and in need of nothing else."""

from __future__ import annotations

import csv
import re

import pytest

from infomotif._core.statistics import Difference, spread
from infomotif.errors import InputError
from infomotif_bench import Plan, Store, load_experiment, summarise, write_report
from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.results import export
from infomotif_bench.results.export import escape, to_latex, to_rows
from infomotif_bench.results.figures import draw
from infomotif_bench.results.summary import Measured
from infomotif_bench.running import executors
from infomotif_bench.running.run import Job
from tests.bench.made import fill
from tests.bench.results.test_summary import accuracy


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    methods = ["gcn", "infomotif-gcn", "infomotif-gcn-joint", "structural-lr"]
    for _ in range(5):
        # The search goes on from stage to stage.
        fill(folder, Plan(load_experiment("table3"), splits=2, datasets=["brazil"], methods=methods), accuracy)
    fill(folder, Plan(load_experiment("runtime"), splits=2), lambda row, d, r, s: 0.1 * (1 + len(row.name)))
    return Store(folder)


@pytest.fixture(scope="module")
def written(store, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    return out, write_report(store, out)


def test_every_file_is_there(written):
    out, paths = written
    assert {str(path.relative_to(out)) for path in paths} == {
        "RESULTS.md", "results.html", "results/gains.svg", "results/gains.png",
        *(f"results/{name}.{kind}" for name in ("table3", "runtime") for kind in ("csv", "tex", "svg", "png")),
    }  # fmt: skip
    assert all(path.stat().st_size > 100 for path in paths)


def test_the_same_store_gives_the_same_bytes(written, store, tmp_path):
    out, paths = written
    for path, again in zip(paths, write_report(store, tmp_path), strict=True):
        assert path.read_bytes() == again.read_bytes(), path.name


@pytest.mark.parametrize("name", ["RESULTS.md", "results.html", "results/table3.csv", "results/table3.tex"])
def test_every_text_names_versions_machine_duration_and_commit(written, name):
    text = (written[0] / name).read_text(encoding="utf-8")
    for word in ("torch 2", "a processor", "CPU hours", "abc123"):
        assert word in text


def test_figures_name_them_too(written):
    svg = (written[0] / "results/table3.svg").read_text(encoding="utf-8")
    assert "abc123" in svg
    assert b"abc123" in (written[0] / "results/table3.png").read_bytes()


def test_markdown_says_how_to_make_it_again_and_where_infomotif_loses(written):
    text = (written[0] / "RESULTS.md").read_text(encoding="utf-8")
    assert "infomotif bench table3 --store" in text
    assert "## Where InfoMotif is worse than its base: in " in text
    assert re.search(r"- table3, brazil, InfoMotif-GCN \(joint\): 20 % [▼▽] -5.0", text)
    table = text.split("**brazil, test accuracy in %**\n\n")[1].split("\n\n")[0]
    assert {line.count("|") for line in table.splitlines()} == {10}


def test_the_page_needs_nothing_else(written):
    text = (written[0] / "results.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="(?!#)', text.replace("xlink:href", "href").replace('href="#', ""))
    assert "<script" not in text
    assert text.count("<svg") == 3


def test_csv_has_a_row_a_cell(written, store):
    lines = (written[0] / "results/table3.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert len(rows) == 3 * 31 * 3
    gcn = next(row for row in rows if (row["dataset"], row["method"], row["column"]) == ("brazil", "gcn", "20 %"))
    assert (gcn["mean"], gcn["splits"], gcn["published_mean"]) == ("50.5", "2", "36.5")


def test_rows_for_machines_are_plain(store):
    rows = to_rows(summarise(Plan(load_experiment("runtime"), splits=2), store))
    assert {row["unit"] for row in rows} == {"CPU seconds an epoch"}
    assert all(row["base_ratio"] for row in rows if row["base"])


def test_latex_has_as_many_columns_in_every_row(store):
    text = to_latex(summarise(Plan(load_experiment("table3"), splits=2), store))
    body = [line for line in text.splitlines() if line.endswith(r"\\") and "multicolumn" not in line]
    assert {line.replace(r"\&", "").count("&") for line in body} == {11}
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1


@pytest.mark.parametrize(("text", "expected"), [("a & b", r"a \& b"), ("β = 1", r"$\beta$ = 1"), ("plain", "plain")])
def test_latex_text_is_escaped(text, expected):
    assert escape(text) == expected


def test_an_empty_store_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no run yet"):
        write_report(Store(tmp_path), tmp_path)


def test_nothing_is_drawn_without_runs(tmp_path):
    assert draw(summarise(Plan(load_experiment("table3")), Store(tmp_path))) is None


@pytest.mark.parametrize("name", ["sensitivity", "ablation"])
def test_figures_of_other_kinds_are_drawn(tmp_path, name):
    plan = Plan(load_experiment(name), datasets=["cora"], splits=2, tuned=False)
    figure = draw(summarise(plan, fill(tmp_path, plan, accuracy)))
    assert figure is not None
    assert len(figure.axes) == 1


def test_a_dataset_without_runs_has_no_panel(tmp_path):
    part = Plan(load_experiment("label-sparsity"), datasets=["citeseer"], methods=["gcn"], splits=2, tuned=False)
    whole = Plan(load_experiment("label-sparsity"), splits=2, tuned=False)
    figure = draw(summarise(whole, fill(tmp_path, part, accuracy)))
    assert [axis.get_title() for axis in figure.axes] == ["citeseer"]


def test_curves_stand_by_dataset_and_base(tmp_path):
    options = {"methods": ["gcn", "infomotif-gcn", "gat"], "datasets": ["europe", "brazil"], "tuned": False}
    plan = Plan(load_experiment("few-labels"), labels=["1 %", "5 %", "3 a class"], splits=2, **options)
    figure = draw(summarise(plan, fill(tmp_path, plan, accuracy)))
    assert [axis.get_ylabel() for axis in figure.axes] == [
        "europe\ntest accuracy, %",
        "",
        "brazil\ntest accuracy, %",
        "",
    ]
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["GCN", "InfoMotif-GCN"]
    # Shares and numbers a class are two curves of each row.
    assert [len(line.get_xdata()) for line in figure.axes[0].lines] == [2, 1, 2, 1]
    assert [tick.get_text() for tick in figure.axes[-1].get_xticklabels()] == ["1", "5", "3"]


def test_curves_over_one_base_stand_beside_each_other(tmp_path):
    options = {"methods": ["gcn", "infomotif-gcn"], "datasets": ["europe", "brazil", "usa", "roles"], "tuned": False}
    plan = Plan(load_experiment("few-labels"), labels=["1 %", "3 a class"], splits=2, **options)
    figure = draw(summarise(plan, fill(tmp_path, plan, accuracy)))
    assert [axis.get_title() for axis in figure.axes if axis.get_visible()] == ["usa", "europe", "brazil", "roles"]
    assert [axis.get_ylabel() for axis in figure.axes[:4]] == ["test accuracy, %", "", "", "test accuracy, %"]
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["GCN", "InfoMotif-GCN"]


def test_differences_name_every_column_that_is_drawn(tmp_path):
    part = Plan(load_experiment("table3"), methods=["gcn", "infomotif-gcn"], datasets=["brazil"], splits=2, tuned=False)
    store = fill(tmp_path, part, accuracy)
    wider = Plan(
        load_experiment("table3"), methods=["gcn", "infomotif-gcn", "gat", "infomotif-gat"], splits=2, tuned=False
    )
    figure = draw(summarise(wider, store))
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["20 %", "40 %", "60 %"]


def test_far_labels_are_a_curve_over_hops(tmp_path):
    plan = Plan(load_experiment("far-labels"), methods=["gcn"], datasets=["roles"], splits=2, tuned=False)
    figure = draw(summarise(plan, fill(tmp_path, plan, accuracy)))
    assert [tick.get_text() for tick in figure.axes[0].get_xticklabels()] == ["1-2", "3", "4", "5+"]


def test_rows_far_from_the_published_figure_are_explained(written):
    text = (written[0] / "RESULTS.md").read_text(encoding="utf-8")
    far = text.split("More than 5 points from the published mean", 1)[1].split("\n\n", 2)[1]
    gcn = next(line for line in far.splitlines() if "| GCN |" in line)
    assert "all of it gains at most 4.5 points" in gcn


def test_rows_that_refuse_a_setting_of_the_plan_are_left_out(tmp_path):
    options = {"methods": ["node2vec"], "datasets": ["brazil"], "splits": 2, "settings": {"q": 0.5}, "tuned": False}
    plan = Plan(load_experiment("table3"), **options)
    write_report(fill(tmp_path / "store", plan, lambda *place: 0.5), tmp_path, like=plan)
    lines = (tmp_path / "results" / "table3.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    methods = {row["method"] for row in rows}
    # For InfoMotif and its bases q is a number of instances; DGI does not know it.
    assert {"node2vec", "dgi"} <= methods
    assert not {"gcn", "infomotif-gcn"} & methods


def test_runs_that_are_not_shown_are_counted(tmp_path):
    store = fill(
        tmp_path, Plan(load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=2, tuned=False), accuracy
    )
    plan = Plan(
        load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=2, settings={"epochs": 5}, tuned=False
    )
    fill(tmp_path, plan, accuracy)
    text = write_report(Store(store.folder), tmp_path / "out")[0].read_text(encoding="utf-8")
    # The runs with defaults are the first trial of a search that is not complete.
    assert "Of the runs in the store, 12 are not shown: made with other settings" in text
    text = write_report(Store(store.folder), tmp_path / "out", like=plan)[0].read_text(encoding="utf-8")
    assert "Of the runs in the store, 6 are not shown" in text
    assert f"Written by `infomotif bench table3 --store {tmp_path}`" in text


def test_settings_that_were_fixed_are_told_in_every_text(tmp_path):
    plan = Plan(
        load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=2, settings={"epochs": 5}, tuned=False
    )
    store = fill(tmp_path, plan, accuracy)
    for path in write_report(store, tmp_path / "out", like=plan)[:4]:
        assert "Fixed for all methods that know it: epochs = 5." in path.read_text(encoding="utf-8"), path


def test_a_row_alone_is_compared_with_the_base_in_the_store(store):
    alone = summarise(Plan(load_experiment("table3"), splits=2, datasets=["brazil"], methods=["infomotif-gcn"]), store)
    assert [row.name for row in alone.rows] == ["infomotif-gcn"]
    assert alone.cell("brazil", alone.rows[0], "20 %").to_base is not None


def test_latex_marks_what_only_the_interval_tells():
    cell = Measured({0: 0.5, 1: 0.6}, spread([0.5, 0.6]), None, to_base=Difference(-0.02, 0.01, 10, 0.2))
    assert export._latex_cell(cell, True) == r"55.0 $\pm$ 7.1 (2)$^{\triangledown}$"


def test_a_worker_says_in_which_environment_it_ran(monkeypatch):
    monkeypatch.setattr(executors, "environment", lambda: {"commit": "of the worker"})
    job = Job("demo", "karate", "structural-lr", 1, Scheme(0.4), 0, {}, "0000")
    assert [record[executors.MADE_WITH] for record in executors._in_worker((job,))] == [{"commit": "of the worker"}]
