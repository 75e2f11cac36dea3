"""Summaries of known runs: means, differences, verdicts."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from infomotif._core.statistics import Difference, corrected_resampled_test
from infomotif_bench import Schedule, load_experiment, summarise
from infomotif_bench.experiments.catalog import parse_experiment
from infomotif_bench.experiments.graphs import split_of
from infomotif_bench.results.cells import base_statements, shown, shown_difference
from infomotif_bench.results.measurements import TrialSpread, verdict
from infomotif_bench.results.sections import section, standings
from infomotif_bench.running.run import BenchRun
from tests.bench.made import fill

ONCE = {"datasets": ["brazil"], "tuned": False}
BRAZIL = {**ONCE, "splits": 4}


def accuracy(row, dataset, ratio, split):
    """InfoMotif-GCN is five points above GCN, the joint one below; the others all get one half."""
    gain = {"infomotif-gcn": 0.05, "infomotif-gcn-joint": -0.05}.get(row.name, 0.0)
    return round(0.5 + gain + 0.01 * split + (0.001 * split**2 if gain else 0), 4)


@pytest.fixture(scope="module")
def summary(tmp_path_factory):
    methods = ["gcn", "infomotif-gcn", "infomotif-gcn-joint", "structural-lr"]
    schedule = Schedule(load_experiment("table3"), methods=methods, **BRAZIL)
    return summarise(schedule, fill(tmp_path_factory.mktemp("store"), schedule, accuracy))


def test_cells_are_means_over_splits(summary):
    cell = summary.cell("brazil", summary.rows[0], "20 %")
    assert cell.values == {0: 0.5, 1: 0.51, 2: 0.52, 3: 0.53}
    assert shown(cell) == "51.5 ± 1.3 (4)"
    assert str(cell.published) == "36.5 ± 1.5"


def test_differences_are_paired_and_tested(summary):
    row = summary.experiment.row("infomotif-gcn")
    found = summary.cell("brazil", row, "60 %").to_base
    expected = np.array([0.05, 0.051, 0.054, 0.059])
    assert found.mean == pytest.approx(expected.mean())
    assert found.p_value == pytest.approx(corrected_resampled_test(expected, 79, 26))
    assert verdict(found) == "win"


def test_the_published_mean_is_tested_too(summary):
    found = summary.cell("brazil", summary.rows[0], "20 %").to_published
    assert found.mean == pytest.approx(0.515 - 0.365)
    assert found.p_value == pytest.approx(corrected_resampled_test([0.135, 0.145, 0.155, 0.165], 26, 79))


def test_wins_and_losses_are_both_told(summary):
    lines = base_statements(summary)
    assert lines[0].startswith("InfoMotif-GCN compared with GCN: better in 3 of 3 cells, worse in 0")
    assert lines[1].startswith("InfoMotif-GCN (joint) compared with GCN: better in 0 of 3 cells, worse in 3")
    for standing, word, method in zip(standings([summary]), ("better", "worse"), ("GCN", "GCN (joint)"), strict=True):
        begin = f"Where InfoMotif is {word} than its base: in 3 of 6 cells by the corrected test, in 3 by the interval"
        assert standing.title == begin
        assert len(standing.lines) == 1
        place, _, cells = standing.lines[0].partition(": ")
        assert place == f"table3, brazil, InfoMotif-{method}"
        assert [cell[:6] for cell in cells.split("; ")] == [f"{r} % {'▲▼'[word == 'worse']}" for r in (20, 40, 60)]


def test_a_direction_without_a_cell_says_so(summary):
    only = replace(summary, rows=(summary.rows[0], next(row for row in summary.rows if row.name == "infomotif-gcn")))
    better, worse = standings([only])
    assert len(better.lines) == 1
    assert worse.lines == ("In none of the 3 cells that have both, by either measure.",)
    screened = replace(only, experiment=replace(only.experiment, screen=True))
    assert standings([screened])[0].title.endswith("in 0 of 0 cells by the corrected test, in 0 by the interval")


def test_a_method_that_may_choose_its_base_claims_nothing_and_tells_its_choices(tmp_path):
    schedule = Schedule(load_experiment("table3"), methods=["gcn", "infomotif-gcn-auto"], **BRAZIL)
    store = fill(
        tmp_path,
        schedule,
        lambda row, dataset, labels, split: 0.5 + 0.1 * (row.name != "gcn") + 0.001 * split**2,
        lambda run: {"choice": "base, structure" if run.split else "joint"} if run.method != "gcn" else {},
    )
    found = summarise(schedule, store)
    assert standings([found])[0].lines == ("In none of the 0 cells that have both, by either measure.",)
    chosen = next(grid for grid in section(found).details if grid.caption.startswith("Settings"))
    assert chosen.rows[-1][2] == "in 12 splits and numbers of labels: base, structure (9 times); joint (3 times)"


def test_what_the_command_line_fixed_is_told_as_that(tmp_path):
    schedule = Schedule(load_experiment("table3"), methods=["gcn"], settings={"lr": 0.5}, **BRAZIL)
    found = section(summarise(schedule, fill(tmp_path, schedule, accuracy)))
    assert not any(grid.caption.startswith("Settings") for grid in found.details)
    assert "Fixed for all methods that know it: lr = 0.5." in found.statements
    assert (
        "Settings were not searched for: those that neither a row nor --set fixes have their defaults."
        in found.statements
    )
    assert found.command == "infomotif bench table3 --store fresh --set lr=0.5 --no-tune"


def test_settings_that_a_row_was_given_are_not_told_as_chosen(tmp_path):
    schedule = Schedule(load_experiment("ablation"), datasets=["pubmed"], splits=2)
    found = summarise(schedule, fill(tmp_path, schedule, accuracy))
    chosen = next(grid for grid in section(found).details if grid.caption.startswith("Settings"))
    assert {row[2] for row in chosen.rows} == {"defaults"}


def test_provenance_is_told(summary):
    told = " ".join(section(summary).provenance)
    for word in ("infomotif 0.1.0", "abc123", "torch 2", "a processor", "2 cores", "48 runs, 0.48 CPU hours"):
        assert word in told


@pytest.mark.parametrize(
    ("difference", "expected"),
    [
        (None, ""),
        (Difference(0.1, None, 1), ""),
        (Difference(0.01, 0.02, 5, 0.3), "even"),
        (Difference(0.03, 0.02, 5, 0.01), "win"),
        (Difference(0.03, 0.02, 5, 0.3), "win?"),
        (Difference(-0.03, 0.02, 5, 0.01), "loss"),
        (Difference(-0.03, 0.02, 5, 0.3), "loss?"),
        (Difference(0.03, 0.02, 5, 0.01, steady=False), "unsteady"),
    ],
)
def test_verdicts(difference, expected):
    assert verdict(difference) == expected


def test_differences_read_in_points():
    assert shown_difference(Difference(0.013, 0.009, 10, 0.0004)) == "▲ +1.3 ± 0.9, p < 0.001"
    assert shown_difference(Difference(-0.013, 0.009, 10, 0.21)) == "▽ -1.3 ± 0.9, p 0.21"


def test_quartiles_are_of_the_tested_nodes(tmp_path):
    experiment = parse_experiment(
        "small",
        "{kind: quartiles, title: t, paper: p, datasets: [karate], ratios: [0.2], splits: 2, measure: label_fraction, "
        "groups: [{title: g, rows: [{method: gcn}, {method: infomotif-gcn}]}]}",
    )
    schedule = Schedule(experiment)
    found = summarise(schedule, fill(tmp_path, schedule, accuracy))
    assert found.columns == ("Q1", "Q2", "Q3", "Q4")
    means = [found.cell("karate", found.rows[0], column).spread.mean for column in found.columns]
    assert all(0 <= mean <= 1 for mean in means)
    difference = found.cell("karate", found.rows[1], "Q1").to_base
    assert difference.count == 2
    # The correction goes by the nodes of a split, not by those of a quartile.
    split = split_of("karate", schedule.labels[0], 0)
    base, ours = (found.cell("karate", row, "Q1").values for row in found.rows)
    apart = [ours[s] - base[s] for s in (0, 1)]
    assert difference.p_value == pytest.approx(corrected_resampled_test(apart, len(split.train), len(split.test)))
    assert found.cell("karate", found.rows[1], "Q1").nodes[1] < len(split.test)


def test_distances_are_of_the_tested_nodes(tmp_path):
    experiment = parse_experiment(
        "small",
        "{kind: distance, title: t, paper: p, datasets: [roles], labels: [1 %], validation: train, region: 0.1, "
        "splits: 2, groups: [{title: g, rows: [{method: gcn}, {method: infomotif-gcn}]}]}",
    )
    schedule = Schedule(experiment)
    store = fill(tmp_path, schedule, accuracy)
    found = summarise(schedule, store)
    assert found.columns == ("1-2 hops", "3 hops", "4 hops", "5+ hops")
    cells = [found.cell("roles", found.rows[1], column) for column in found.columns]
    assert cells[0].to_base.count == 2
    # Hardly a node of this graph is five hops from the nearest label; the table is complete all the same.
    assert cells[3].spread is None
    assert not any(line.startswith("Not complete") for line in section(found).statements)
    tested = sum(cell.nodes[1] for cell in cells if cell.nodes is not None)
    assert tested == pytest.approx(0.9 * 2400, abs=10)
    nodes = next(grid for grid in section(found).details if grid.caption.startswith("Training and test nodes"))
    assert nodes.rows[0][:2] == ("roles", f"24 / {cells[0].nodes[1]}")


def test_numbers_of_labels_become_columns(tmp_path):
    options = {"methods": ["gcn", "infomotif-gcn"], "datasets": ["brazil"], "splits": 3, "tuned": False}
    schedule = Schedule(load_experiment("few-labels"), labels=["10 %", "3 per class"], **options)
    found = summarise(schedule, fill(tmp_path, schedule, accuracy))
    assert found.columns == ("10 %", "3 per class")
    assert verdict(found.cell("brazil", found.rows[1], "3 per class").to_base) != ""
    assert [found.cell("brazil", found.rows[0], column).nodes for column in found.columns] == [(13, 92), (12, 93)]


def test_varied_settings_become_columns(tmp_path):
    schedule = Schedule(load_experiment("sensitivity"), datasets=["cora"], splits=2, tuned=False, methods=None)
    store = fill(tmp_path, schedule, lambda row, dataset, ratio, split: 0.8)
    found = summarise(schedule, store)
    assert found.columns == tuple(f"q = {q}" for q in (5, 10, 15, 20, 25, 30))
    assert [row.name for row in found.rows] == ["infomotif-gcn", "infomotif-jknet", "infomotif-gat"]


def test_runtime_is_seconds_and_multiples_of_the_base(tmp_path):
    experiment = parse_experiment(
        "small",
        "{kind: runtime, title: t, paper: p, datasets: [ba-60-2, ba-60-4], ratios: [0.2], splits: 2, "
        "groups: [{title: g, rows: [{method: gcn}, {method: infomotif-gcn}]}]}",
    )
    schedule = Schedule(experiment)
    store = fill(tmp_path, schedule, lambda row, dataset, ratio, split: 0.1 if row.name == "gcn" else 0.4)
    found = summarise(schedule, store)
    assert found.columns == ("mean degree 4", "mean degree 7")
    assert found.cell("Barabasi-Albert", found.rows[1], "mean degree 4").ratio == pytest.approx(4)
    assert section(found).statements[-1] == "An epoch of InfoMotif-GCN takes 4.0 to 4.0 times that of GCN."


def test_what_is_not_measured_is_named_and_left_out(tmp_path):
    experiment = load_experiment("few-labels")
    part = Schedule(experiment, methods=["gcn"], datasets=["brazil"], labels=["5 %"], splits=2, tuned=False)
    found = section(summarise(Schedule(experiment, splits=2, tuned=False), fill(tmp_path, part, accuracy)))
    assert found.main.headings == ("method", "brazil")
    assert [row[0] for row in found.main.rows] == ["GCN"]
    told = next(line for line in found.statements if line.startswith("Not measured yet"))
    assert "datasets cora, citeseer" in told
    assert "columns 1 %, 2 %, 10 %" in told


def test_a_row_alone_is_compared_with_the_base_in_the_store(tmp_path):
    both = Schedule(load_experiment("table3"), methods=["gcn", "infomotif-gcn"], **BRAZIL)
    store = fill(tmp_path, both, accuracy)
    alone = summarise(Schedule(load_experiment("table3"), methods=["infomotif-gcn"], **BRAZIL), store)
    assert [row.name for row in alone.rows] == ["infomotif-gcn"]
    assert alone.cell("brazil", alone.rows[0], "20 %").to_base is not None


def test_a_split_with_several_trials_counts_once_by_their_mean(tmp_path):
    rows = {"gcn": 0.5, "infomotif-gcn": 0.6}
    schedule = Schedule(
        load_experiment("table3"), methods=[*rows], splits=3, trials=2, datasets=["brazil"], tuned=False
    )
    made = iter(range(1000))
    # The two trials of a split, one after the other for each number of labels, lie two points apart.
    store = fill(tmp_path, schedule, lambda row, *place: rows[row.name] + 0.02 * (next(made) // 3 % 2))
    cell = summarise(schedule, store).cell("brazil", load_experiment("table3").row("infomotif-gcn"), "20 %")
    assert cell.splits == len(cell.values) == 3
    assert cell.values == pytest.approx({0: 0.61, 1: 0.61, 2: 0.61})
    assert cell.trials == TrialSpread(2, pytest.approx(0.014142), 0)


def test_trials_of_a_split_have_seeds_of_their_own_and_the_first_keeps_its_key():
    schedule = Schedule(
        load_experiment("table3"), methods=["gcn"], splits=2, trials=3, datasets=["brazil"], tuned=False
    )
    runs = schedule.final_runs(schedule.rows[0], "brazil", {})
    assert len({(run.seed, run.labels.key) for run in runs}) == len({run.key for run in runs}) == 2 * 3 * 3
    first = [run for run in runs if not run.trial]
    assert [run.seed for run in first] == [run.split for run in first]
    alone = Schedule(load_experiment("table3"), methods=["gcn"], splits=2, **ONCE)
    assert [run.to_json() for run in first] == [run.to_json() for run in alone.final_runs(alone.rows[0], "brazil", {})]


def test_a_run_of_a_later_trial_is_read_back():
    schedule = Schedule(
        load_experiment("table3"), methods=["gcn"], splits=1, trials=2, datasets=["brazil"], tuned=False
    )
    run = schedule.final_runs(schedule.rows[0], "brazil", {})[-1]
    assert run.trial == 1
    assert BenchRun.from_json(run.to_json()) == run


def test_the_spread_over_trials_is_said(tmp_path):
    schedule = Schedule(
        load_experiment("table3"), methods=["gcn"], splits=2, trials=2, datasets=["brazil"], tuned=False
    )
    made = iter(range(1000))
    store = fill(tmp_path, schedule, lambda *place: 0.5 + 0.02 * (next(made) // 3 % 2))
    said = section(summarise(schedule, store)).statements
    assert "GCN on brazil at 20 %: standard deviation 1.4 points over the 2 trials of a split, 0.0 over splits." in said
