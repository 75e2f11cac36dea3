"""What is published from a store: complete, the same again, and in need of nothing else."""

from __future__ import annotations

import csv
import re

import pytest

from infomotif.errors import InputError
from infomotif_bench import Schedule, Store, load_experiment, write_report
from infomotif_bench.results.main_table import MAX_ROWS
from tests.bench.made import fill
from tests.bench.results.test_measurements import accuracy


@pytest.fixture(scope="module")
def store(tmp_path_factory):
    folder = tmp_path_factory.mktemp("store")
    methods = ["gcn", "infomotif-gcn", "infomotif-gcn-joint", "infomotif-gcn-auto", "structural-lr"]
    for _ in range(5):
        # The search goes on from stage to stage.
        fill(folder, Schedule(load_experiment("table3"), splits=4, datasets=["brazil"], methods=methods), accuracy)
    fill(folder, Schedule(load_experiment("runtime"), splits=2), lambda row, d, r, s: 0.1 * (1 + len(row.name)))
    return Store(folder)


@pytest.fixture(scope="module")
def written(store, tmp_path_factory):
    out = tmp_path_factory.mktemp("out")
    return out, write_report(store, out)


def test_every_file_is_there(written):
    out, paths = written
    assert {str(path.relative_to(out)) for path in paths} == {
        "index.md", "maintainers.md", "gains.svg",
        *(f"{name}.{kind}" for name in ("table3", "runtime") for kind in ("md", "html", "csv", "tex", "svg")),
    }  # fmt: skip
    assert all(path.stat().st_size > 100 for path in paths)


def test_the_same_store_gives_the_same_bytes(written, store, tmp_path):
    out, paths = written
    for path, again in zip(paths, write_report(store, tmp_path), strict=True):
        assert path.read_bytes() == again.read_bytes(), path.name


@pytest.mark.parametrize("name", ["table3.md", "table3.html", "table3.tex", "table3.svg"])
def test_pages_table_and_figure_name_versions_machine_duration_and_commit(written, name):
    text = (written[0] / name).read_text(encoding="utf-8")
    for word in ("torch 2", "a processor", "CPU hours", "abc123"):
        assert word in text


def test_a_page_says_how_to_make_it_again(written):
    assert "infomotif bench table3 --store" in (written[0] / "table3.md").read_text(encoding="utf-8")


def test_losses_are_listed_for_maintainers(written):
    text = (written[0] / "maintainers.md").read_text(encoding="utf-8")
    assert "## Where InfoMotif is worse than its base: in " in text
    assert re.search(r"- table3, brazil, InfoMotif-GCN \(joint\): 20 % [▼▽] -4.7", text)


def test_targets_of_ours_are_on_no_page_for_users(written):
    for path in written[1]:
        if path.name != "maintainers.md":
            assert "missed by" not in path.read_text(encoding="utf-8"), path.name


def test_the_main_table_is_short_and_whole(written):
    table = main_rows((written[0] / "table3.md").read_text(encoding="utf-8"))
    assert 2 < len(table) <= 2 + MAX_ROWS
    assert len({line.count("|") for line in table}) == 1
    assert "paper 36.5" in table[2].replace("\N{NO-BREAK SPACE}", " ")


def main_rows(text: str) -> list[str]:
    """Return the lines of the first table of a page."""
    before = text.split("## All figures")[0]
    return [line for line in before.splitlines() if line.startswith("|")]


def test_the_page_needs_nothing_else(written):
    text = (written[0] / "table3.html").read_text(encoding="utf-8")
    assert not re.search(r'(src|href)="(?!#)', text)
    assert not re.search(r"https?://(?!www.w3.org)", text)
    assert (text.count("<svg"), text.count("<script")) == (1, 1)


def test_csv_has_one_row_per_cell_with_a_figure(written, store):
    rows = list(csv.DictReader((written[0] / "table3.csv").read_text(encoding="utf-8").splitlines()))
    published = [row for row in load_experiment("table3").rows if row.published]
    # Three of the five rows that were measured, on brazil only, are not published.
    assert len(rows) == 3 * 3 * len(published) + 3 * 3
    gcn = next(row for row in rows if (row["dataset"], row["method"], row["column"]) == ("brazil", "gcn", "20 %"))
    assert (gcn["mean"], gcn["splits"], gcn["published_mean"]) == ("51.5", "4", "36.5")


def test_an_empty_store_is_refused(tmp_path):
    with pytest.raises(InputError, match="holds no run yet"):
        write_report(Store(tmp_path), tmp_path)


def test_rows_far_from_the_published_figure_are_explained(written):
    text = (written[0] / "table3.md").read_text(encoding="utf-8")
    far = text.split("More than 5 points from the published mean", 1)[1].split("\n\n", 2)[1]
    gcn = next(line for line in far.splitlines() if "| GCN |" in line)
    assert "That gains at most 4.5 points" in gcn


def test_rows_that_refuse_a_setting_of_the_plan_are_left_out(tmp_path):
    options = {"methods": ["node2vec"], "datasets": ["brazil"], "splits": 2, "settings": {"q": 0.5}, "tuned": False}
    schedule = Schedule(load_experiment("table3"), **options)
    write_report(fill(tmp_path / "store", schedule, lambda *place: 0.5), tmp_path, like=schedule)
    lines = (tmp_path / "table3.csv").read_text(encoding="utf-8").splitlines()
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
    out = tmp_path / "out"
    write_report(Store(store.folder), out)
    text = (out / "table3.md").read_text(encoding="utf-8")
    # The runs with defaults are the first trial of a search that is not complete.
    assert "Of the runs in the store, 12 are not shown: they have other settings" in text
    write_report(Store(store.folder), out, like=schedule)
    assert "Of the runs in the store, 6 are not shown" in (out / "table3.md").read_text(encoding="utf-8")
    text = (out / "index.md").read_text(encoding="utf-8")
    assert f"Written by `infomotif bench table3 --store {tmp_path}`" in text


def test_settings_that_were_fixed_are_told_in_every_text(tmp_path):
    schedule = Schedule(
        load_experiment("table3"), datasets=["brazil"], methods=["gcn"], splits=2, settings={"epochs": 5}, tuned=False
    )
    store = fill(tmp_path, schedule, accuracy)
    write_report(store, tmp_path / "out", like=schedule)
    for path in [tmp_path / "out" / f"table3.{kind}" for kind in ("md", "html", "csv", "tex")]:
        assert "Fixed for all methods that know it: epochs = 5." in path.read_text(encoding="utf-8"), path
