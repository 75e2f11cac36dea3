"""What is published from a store: complete, the same again, and in need of nothing else."""

from __future__ import annotations

import csv
import re

import pytest

from infomotif.errors import InputError
from infomotif_bench import Schedule, Store, load_experiment, write_report
from tests.bench.made import fill
from tests.bench.results.test_measurements import accuracy


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    methods = ["gcn", "infomotif-gcn", "infomotif-gcn-joint", "structural-lr"]
    for _ in range(5):
        # The search goes on from stage to stage.
        fill(folder, Schedule(load_experiment("table3"), splits=2, datasets=["brazil"], methods=methods), accuracy)
    fill(folder, Schedule(load_experiment("runtime"), splits=2), lambda row, d, r, s: 0.1 * (1 + len(row.name)))
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


def test_csv_has_one_row_per_cell(written, store):
    lines = (written[0] / "results/table3.csv").read_text(encoding="utf-8").splitlines()
    rows = list(csv.DictReader(line for line in lines if not line.startswith("#")))
    assert len(rows) == 3 * 31 * 3
    gcn = next(row for row in rows if (row["dataset"], row["method"], row["column"]) == ("brazil", "gcn", "20 %"))
    assert (gcn["mean"], gcn["splits"], gcn["published_mean"]) == ("50.5", "2", "36.5")


def test_an_empty_store_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no run yet"):
        write_report(Store(tmp_path), tmp_path)


def test_rows_far_from_the_published_figure_are_explained(written):
    text = (written[0] / "RESULTS.md").read_text(encoding="utf-8")
    far = text.split("More than 5 points from the published mean", 1)[1].split("\n\n", 2)[1]
    gcn = next(line for line in far.splitlines() if "| GCN |" in line)
    assert "That gains at most 4.5 points" in gcn


def test_rows_that_refuse_a_setting_of_the_plan_are_left_out(tmp_path):
    options = {"methods": ["node2vec"], "datasets": ["brazil"], "splits": 2, "settings": {"q": 0.5}, "tuned": False}
    schedule = Schedule(load_experiment("table3"), **options)
    write_report(fill(tmp_path / "store", schedule, lambda *place: 0.5), tmp_path, like=schedule)
    lines = (tmp_path / "results" / "table3.csv").read_text(encoding="utf-8").splitlines()
    rows = csv.DictReader(line for line in lines if not line.startswith("#"))
    methods = {row["method"] for row in rows}
    # For InfoMotif and its bases q is a number of instances; DGI does not know it.
    assert {"node2vec", "dgi"} <= methods
    assert not {"gcn", "infomotif-gcn"} & methods


def test_runs_that_are_not_shown_are_counted(tmp_path):
    store = fill(
        tmp_path,
        Schedule(load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=2, tuned=False),
        accuracy,
    )
    schedule = Schedule(
        load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=2, settings={"epochs": 5}, tuned=False
    )
    fill(tmp_path, schedule, accuracy)
    text = write_report(Store(store.folder), tmp_path / "out")[0].read_text(encoding="utf-8")
    # The runs with defaults are the first trial of a search that is not complete.
    assert "Of the runs in the store, 12 are not shown: they have other settings" in text
    text = write_report(Store(store.folder), tmp_path / "out", like=schedule)[0].read_text(encoding="utf-8")
    assert "Of the runs in the store, 6 are not shown" in text
    assert f"Written by `infomotif bench table3 --store {tmp_path}`" in text


def test_settings_that_were_fixed_are_told_in_every_text(tmp_path):
    schedule = Schedule(
        load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=2, settings={"epochs": 5}, tuned=False
    )
    store = fill(tmp_path, schedule, accuracy)
    for path in write_report(store, tmp_path / "out", like=schedule)[:4]:
        assert "Fixed for all methods that know it: epochs = 5." in path.read_text(encoding="utf-8"), path
