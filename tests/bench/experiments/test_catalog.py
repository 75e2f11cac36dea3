"""The experiments as data: every file validates, and every published cell is there."""

from __future__ import annotations

import pytest

from infomotif.datasets import DATASETS
from infomotif.errors import InputError
from infomotif.training.presets import make_settings
from infomotif_bench import experiment_names, load_experiment
from infomotif_bench.experiments.catalog import parse_experiment
from infomotif_bench.experiments.experiment import Published
from infomotif_bench.experiments.schemes import Scheme
from infomotif_bench.methods import METHODS

PAPER_ROWS = [
    "node2vec", "motif2vec", "struc2vec", "graphwave", "drne", "gcn", "gat", "graphsage", "jknet", "dgi", "demonet",
    "motif-cnn", "mcn", "infomotif-gcn", "infomotif-jknet", "infomotif-gat",
]  # fmt: skip
SLOW = "large: {karate: {splits: 3, tuning: 1"

EXAMPLE = """
kind: table
title: t
paper: p
datasets: [karate]
ratios: [0.2]
splits: 2
groups: [{title: g, rows: [{method: gcn}]}]
"""


def test_all_experiments_of_the_paper_are_there():
    assert experiment_names()[:7] == (
        "table2", "table3", "ablation", "label-sparsity", "attribute-diversity", "sensitivity", "runtime",
    )  # fmt: skip


@pytest.mark.parametrize("name", experiment_names())
def test_file_validates(name):
    experiment = load_experiment(name)
    for row in experiment.rows:
        assert row.method in METHODS
        assert row.title
    for dataset in experiment.datasets:
        assert dataset in DATASETS or dataset.startswith("ba-")
    assert experiment.splits >= 3
    assert set(experiment.tuning.labels) <= {*experiment.labels, Scheme(0.4)}


@pytest.mark.parametrize("name", ["table2", "table3"])
def test_the_sixteen_rows_of_the_paper_come_with_all_cells(name):
    experiment = load_experiment(name)
    published = [row for row in experiment.rows if row.published]
    batches = [row.name for row in published if "batch_size" in row.changes]
    assert [row.name for row in published if row.name not in batches] == PAPER_ROWS
    assert batches == [f"{name}-batches" for base in ("gcn", "jknet", "gat") for name in (base, f"infomotif-{base}")]
    for row in published:
        for dataset in experiment.datasets:
            assert set(row.published[dataset]) == {0.2, 0.4, 0.6}
    extra = {row.name for row in experiment.rows} - set(PAPER_ROWS)
    assert {"mlp", "structural-lr", "infomotif-gcn-joint"} <= extra


@pytest.mark.parametrize(
    ("name", "row", "dataset", "cells"),
    [
        ("table2", "graphwave", "pubmed", ["43.0 ± 2.0", "43.3 ± 1.3", "44.3 ± 1.5"]),
        ("table2", "infomotif-gcn", "cora", ["85.7 ± 0.4", "87.4 ± 0.4", "88.2 ± 0.3"]),
        ("table2", "mcn", "citeseer", ["73.2 ± 0.4", "75.9 ± 0.7", "76.6 ± 0.6"]),
        ("table3", "infomotif-jknet", "brazil", ["62.7 ± 1.8", "67.9 ± 1.5", "80.4 ± 1.9"]),
        ("table3", "demonet", "usa", ["58.6 ± 1.2", "58.8 ± 1.1", "61.3 ± 1.0"]),
        ("ablation", "no-task-weights", "cora", ["84.6 ± 0.4"]),
        ("ablation", "gcn", "pubmed", ["86.1 ± 0.5"]),
    ],
)
def test_published_cells(name, row, dataset, cells):
    assert [str(cell) for cell in load_experiment(name).row(row).published[dataset].values()] == cells


@pytest.mark.parametrize(
    ("name", "count", "means", "spreads"),
    [("table2", 144, 10452.9, 88.2), ("table3", 144, 6854.1, 179.8), ("ablation", 15, 1247.6, 5.9)],
)
def test_published_cells_add_up_to_the_papers(name, count, means, spreads):
    rows = [row for row in load_experiment(name).rows if not row.name.endswith("-batches")]
    cells = [cell for row in rows for columns in row.published.values() for cell in columns.values()]
    assert len(cells) == count
    assert sum(cell.mean for cell in cells) == pytest.approx(means)
    assert sum(cell.spread for cell in cells) == pytest.approx(spreads)


def test_the_ablation_repeats_cells_of_table_two():
    ablation, table = load_experiment("ablation"), load_experiment("table2")
    for row in ("infomotif-gcn", "gcn"):
        for dataset in ablation.datasets:
            assert ablation.row(row).published[dataset][0.4] == table.row(row).published[dataset][0.4]


def test_the_papers_learning_rates_are_searched():
    table = load_experiment("table2")
    assert table.search["lr"] == [0.01, 0.001, 0.0001]
    assert table.space(table.row("graphsage"))["aggregator"] == ("mean", "max")
    assert "dropout" not in table.space(table.row("graphsage"))


@pytest.mark.parametrize("name", [name for name in experiment_names() if name != "runtime"])
def test_rows_that_share_a_search_leave_it_alone(name):
    experiment = load_experiment(name)
    for row in experiment.rows:
        if row.tuned_as is not None:
            searched = experiment.row(row.tuned_as).implementation().search
            assert not searched.keys() & row.changes.keys()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("kind: table", "kind: tabel"), "unknown kind 'tabel'"),
        (("karate", "karat"), "unknown dataset 'karat'"),
        (("method: gcn", "method: gnc"), "unknown method 'gnc'"),
        (("ratios: [0.2]", "ratios: [0.9]"), "ratio must be"),
        (("splits: 2", "splits: 0"), "splits must be from 1 to 1,000"),
        (("splits: 2", "splits: 1001"), r"splits must be from 1 to 1,000 \(got 1001\)"),
        (
            ("splits: 2", "splits: 2\ntuning: {ratios: [0.2], splits: 10000000000}"),
            "tuning: splits must be from 0",
        ),
        (("splits: 2", "splits: 2\nlarge: {karate: {splits: 1001, tuning: 1}}"), "splits must be from 1 to 1,000"),
        (("ratios: [0.2]", "ratios: [0.2]\nlabels: [2 %]"), "give one of them"),
        (("kind: table", "kind: table\nsearch: {lr: [null, 0.1]}"), "must hold values .got null."),
        (("method: gcn", "method: gcn, changes: {lr: 0}"), "lr must be above 0"),
        (("method: gcn", "method: gcn, base: mlp"), "unknown row that gcn refers to 'mlp'"),
        (("method: gcn", "method: gcn, colour: red"), "unknown key in rows.0.: 'colour'"),
        (("title: t\n", ""), "example: lacks 'title'"),
        (("kind: table", "kind: [table"), "not valid YAML"),
        (("kind: table", "kind: table\npublished: true"), None),
        (("{method: gcn}", "{method: gcn, published: {karate: [12]}}"), "must have the form"),
        (("{method: gcn}", "{method: gcn, published: {karate: [12 ± 1, 13 ± 1]}}"), "2 published figures"),
        (("{method: gcn}", "{method: gcn, published: {karat: [12 ± 1]}}"), "unknown dataset with published figures"),
        (("{method: gcn}", "{method: gcn}, {method: gcn}"), "same name"),
        (("kind: table", "kind: quartiles"), "measure must be one of"),
        (("ratios: [0.2]", "labels: [3 klass]"), "experiment example: labels must have the form"),
        (("ratios: [0.2]", "labels: [2 %]\nvalidation: trian"), "validation must be 'train' or a share"),
        (("ratios: [0.2]", "labels: [2 %]\nregion: 0.2"), "needs 'validation: train'"),
        (("ratios: [0.2]\n", ""), "lacks 'labels' .or 'ratios'."),
        (("kind: table", "kind: table\nsearch: {lrr: [1.0]}"), "unknown setting to search 'lrr'"),
        (("kind: table", "kind: table\nsearch: {lr: [1, 2, 3, 4, 5]}"), "more than 5 times"),
        (("kind: table", "kind: table\nsearch: {lr: [0.1, 0.0]}"), "lr must be above 0"),
        (("kind: table", "kind: table\nlarge: {cora: {splits: 3, tuning: 1}}"), "unknown large dataset 'cora'"),
        (("kind: table", "kind: table\nlarge: {karate: {splits: 3}}"), "large.karate: lacks 'tuning'"),
        (("kind: table", "kind: table\nlarge: {karate: 3}"), "large.karate: must hold keys and values"),
        (
            ("kind: table", "kind: table\nlarge: {karate: {splits: 0, tuning: 1}}"),
            "large.karate: splits must be from 1",
        ),
        (("kind: table", "kind: table\nlarge: {karate: {splits: 2.5, tuning: 1}}"), "splits must be a whole number"),
        (("kind: table", "kind: table\nlarge: {karate: {splits: true, tuning: 1}}"), "splits must be a whole number"),
        (("kind: table", "kind: table\nlarge: [karate]"), "large must hold keys and values"),
        (("title: t", "title: 2020-13-45"), "not valid YAML"),
        (("title: t", "title: !!int abc"), "not valid YAML"),
        (("title: t", "title: t\ntitle: u"), "not valid YAML .'title' appears twice"),
        (("title: t", f"title: {'[' * 3000}"), "not valid YAML"),
        (("splits: 2", "splits: ten"), "splits must be a whole number"),
        (("[karate]", "[[karate]]"), r"datasets\[0\] must be text"),
        (("kind: table", "kind: table\nmeasure: x"), "unknown measure 'x'"),
        (("kind: table", "kind: table\ntuning: {ratios: [], splits: 1}"), "tuning needs labels"),
        (("splits: 2", "splits: 2.7"), "splits must be a whole number"),
        (("splits: 2", "splits: true"), "splits must be a whole number"),
        (("[karate]", "karate"), "datasets must be a list"),
        (("[karate]", "[3]"), r"datasets\[0\] must be text"),
        (("[karate]", "[karate, karate]"), "datasets must be different"),
        (("[karate]", "[ba-5-9]"), "each node must join from 1 to 4 of 5 nodes"),
        (("[0.2]", "[0.2, 20 %]"), "labels must be different"),
        (
            ("kind: table", "kind: table\nvalidation: true"),
            "validation must be 'train' or a share",
        ),
        (("kind: table", "kind: table\ntuning: {ratios: [0.2], splits: x}"), "splits must be a whole number"),
        (
            ("kind: table", "kind: table\ntuning: {ratios: [0.2], splits: 1, grid: 'no'}"),
            "grid must be true or false",
        ),
        (("kind: table", "kind: table\ntuning: 3"), "tuning: must hold keys and values"),
        (("kind: table", "kind: table\nsearch: {lr: []}"), "search lr of gcn must not be empty"),
        (("kind: table", "kind: table\nsearch: {lr: 0.1}"), "search.lr must be a list"),
        (("kind: table", "kind: sensitivity"), "vary must name a setting for sensitivity"),
        (("kind: table", "kind: sensitivity\nvary: {lr: [0.1], hidden: [8]}"), "vary must name one setting"),
        (("kind: table", "kind: table\nvary: {lr: [0.1]}"), "vary must name a setting for sensitivity, and only"),
        (("kind: table", "kind: runtime"), "runtime is measured on generated graphs"),
        (("{method: gcn}", "gcn"), "rows.0.: must hold keys and values"),
        (("{method: gcn}", "{method: 3}"), "method must be text"),
        (("{method: gcn}", "{method: gcn, name: a/b}"), "the name of a row must be of letters"),
        (("{method: gcn}", "{method: gcn, name: 'a,b'}"), "the name of a row must be of letters"),
        (("{method: gcn}", "{method: gcn, name: 3}"), "name must be text"),
        (("{method: gcn}", "{method: gcn, base: gcn}"), "gcn is its own base"),
        (("{method: gcn}", "{method: gcn, published: {karate: 5}}"), "published.karate must be a list"),
        (
            ("{method: gcn}", "{method: gcn, published: {karate: [x]}}"),
            "experiment example: gcn on karate: a published",
        ),
        (("kind: table", f"kind: table\n{SLOW}, settings: 3}}}}"), "large.karate: settings must hold keys and values"),
        (("kind: table", f"kind: table\n{SLOW}, settings: {{hiden: 8}}}}}}"), "unknown setting 'hiden'"),
        (("kind: table", f"kind: table\n{SLOW}, settings: {{hidden: 0}}}}}}"), "hidden must be"),
        (("kind: table", f"kind: table\n{SLOW}, seed: 3}}}}"), "unknown key in large.karate: 'seed'"),
        (("kind: table", "kind: table\nsettings: {hiden: 8}"), "unknown setting 'hiden'"),
    ],
)
def test_a_bad_file_is_explained(change, message):
    text = EXAMPLE.replace(*change)
    if message is None:
        assert parse_experiment("example", text).rows[0].published == {}
        return
    with pytest.raises(InputError, match=message):
        parse_experiment("example", text)


def test_a_file_is_an_experiment_of_its_name(tmp_path):
    path = tmp_path / "mine.yaml"
    path.write_text(EXAMPLE)
    experiment = load_experiment(str(path))
    assert (experiment.name, experiment.file) == ("mine", str(path))
    path.write_text(EXAMPLE.replace("title: t", "title: changed"))
    assert load_experiment(str(path)).title == "changed"


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("missing.yaml", None, "missing.yaml: no such file; 'infomotif bench' lists the experiments"),
        ("table3.yaml", EXAMPLE, "table3.yaml: 'table3' is taken in every store; rename the file"),
        ("report.yml", EXAMPLE, "report.yml: 'report' is taken"),
        ("a b.yaml", EXAMPLE, "a b.yaml: its name must be of letters, digits"),
        ("bad.yaml", "kind: [", "experiment bad.*: not valid YAML"),
        ("binary.yaml", b"\xff", "binary.yaml: cannot be read"),
    ],
)
def test_a_file_that_cannot_be_an_experiment_is_refused(tmp_path, name, content, message):
    if content is not None:
        (tmp_path / name).write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(InputError, match=message):
        load_experiment(str(tmp_path / name))


def test_groups_of_test_nodes_are_of_one_number_of_labels():
    text = EXAMPLE.replace("kind: table", "kind: distance").replace("[0.2]", "[0.2, 0.4]")
    with pytest.raises(InputError, match="distance needs exactly one number of labels"):
        parse_experiment("example", text)


def test_validation_and_region_hold_for_all_labels_and_the_search():
    far = load_experiment("far-labels")
    assert {scheme.text for scheme in (*far.labels, *far.tuning.labels)} == {"2 %, validation train, region 0.2"}
    small = load_experiment("few-labels-small-validation")
    assert {scheme.validation for scheme in (*small.labels, *small.tuning.labels)} == {"train"}
    assert [scheme.name for scheme in small.labels] == [scheme.name for scheme in load_experiment("few-labels").labels]


def test_a_published_row_must_be_complete():
    text = EXAMPLE.replace("kind: table", "kind: table\npublished: true").replace("[0.2]", "[0.2, 0.4]")
    text = text.replace("{method: gcn}", "{method: gcn, published: {karate: [12 ± 1]}}")
    with pytest.raises(InputError, match=r"gcn lacks the published figure of karate at 0.4"):
        parse_experiment("example", text)


@pytest.mark.parametrize("text", ["85.7", "a ± b", "185 ± 1", "85.7 +- 1"])
def test_published_figures_have_one_form(text):
    with pytest.raises(InputError, match="published figure"):
        Published.parse(text)


def test_an_unknown_experiment_names_the_nearest():
    with pytest.raises(InputError, match="did you mean 'ablation'"):
        load_experiment("ablations")


def test_a_row_may_search_settings_of_its_own():
    row = "{method: gcn, search: {structural_features: [counts, quantiles], lr: [0.01]}}"
    experiment = parse_experiment("t", EXAMPLE.replace("{method: gcn}", row))
    space = experiment.space(experiment.rows[0])
    assert list(space)[0] == "structural_features"
    assert (space["structural_features"], space["lr"]) == (("counts", "quantiles"), (0.01,))
    assert space.keys() > {"dropout", "weight_decay"}
    for wrong in ("{leer: [1]}", "{lr: [0]}", "{structural_features: [yes]}"):
        with pytest.raises(InputError):
            parse_experiment("t", EXAMPLE.replace("{method: gcn}", f"{{method: gcn, search: {wrong}}}"))


@pytest.mark.parametrize("name", ["table2", "table3", "ablation"])
def test_rows_in_batches_are_trained_as_the_presets_train_and_compared_with_a_base_in_batches(name):
    experiment = load_experiment(name)
    for row in (row for row in experiment.rows if row.name.endswith("-batches")):
        preset = make_settings(row.implementation().preset)
        expected = preset if preset.regularize else make_settings("paper")
        assert row.changes["batch_size"] == expected.training.batch_size
        if preset.regularize:
            assert row.changes["negatives"] == expected.regularizer.negatives
            assert experiment.row(row.base).changes == {"batch_size": 256}
        full = experiment.row(row.name.removesuffix("-batches"))
        assert row.published == full.published
        assert experiment.space(row) == experiment.space(full)
