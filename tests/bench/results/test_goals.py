"""Goals: verdicts from made-up runs whose figures are known."""

from __future__ import annotations

from dataclasses import replace

import pytest

from infomotif_bench import Schedule, Store, load_experiment, summarise
from infomotif_bench.results.goals import SPLITS, goals
from infomotif_bench.results.grid import Grid
from infomotif_bench.results.markdown import maintainers_page
from infomotif_bench.results.publish import write_report
from tests.bench.made import fill


def found(folder, name, rows, *, splits=SPLITS, **schedule):
    """Return what rows with these mean accuracies give; splits lie a tenth of a point above and below by turns."""
    schedule = Schedule(load_experiment(name), splits=splits, methods=[*rows], tuned=False, **schedule)
    store = fill(folder, schedule, lambda row, *place: round(rows[row.name] + 0.001 * (-1) ** place[-1], 4))
    # As if settings had been searched for.
    return replace(summarise(schedule, store), tuned=True)


def lines_of(table):
    return [row for row in goals([table]).rows if len(row) > 1]


def test_no_goal_chooses_a_row_by_its_test_accuracy(tmp_path):
    table = found(tmp_path, "table3", {"infomotif-gcn": 0.7, "infomotif-jknet": 0.6}, datasets=["brazil"])
    assert goals([table]).rows == ()


@pytest.mark.parametrize(("gain", "verdict"), [(0.021, "reached"), (0.012, "missed by 0.8"), (-0.01, "missed by 3.0")])
def test_motifs_are_compared_with_random_triples(tmp_path, gain, verdict):
    rows = {"random-degree": 0.6, "motifs-degree": 0.6 + gain}
    schedule = Schedule(load_experiment("controls"), splits=SPLITS, methods=[*rows], datasets=["roles"])
    # Equal gains in all splits would have no interval.
    store = fill(
        tmp_path, schedule, lambda row, *place: rows[row.name] + 1e-5 * place[-1] * (row.name == "motifs-degree")
    )
    assert lines_of(summarise(schedule, store)) == [("roles, 1 %", f"{100 * gain:+.1f} ± 0.0 (10)", "+2.0", verdict)]


@pytest.mark.parametrize(("gain", "verdict"), [(0.01, "reached"), (-0.003, "reached"), (-0.01, "missed by 0.7")])
def test_auto_may_lose_a_little_on_average(tmp_path, gain, verdict):
    table = found(tmp_path, "table3", {"gcn": 0.5, "infomotif-gcn-auto": 0.5 + gain}, datasets=["brazil"])
    points = f"{100 * gain:+.1f}"
    where = f"3 of 3 cells, 10 splits; worst {points}"
    assert lines_of(table) == [(f"{what}, {where}", points, "-0.3", verdict) for what in ("Table III", "both tables")]


def test_auto_on_a_part_of_the_cells_is_so_far(tmp_path):
    rows = {"gcn": 0.5, "infomotif-gcn-auto": 0.52}
    part = found(tmp_path, "table3", rows, datasets=["brazil"])
    whole = Schedule(
        load_experiment("table3"), methods=[*rows], splits=SPLITS, datasets=["europe", "brazil"], tuned=False
    )
    lines = lines_of(replace(summarise(whole, Store(tmp_path)), tuned=True))
    assert lines[0][0].startswith("Table III, 3 of 6 cells, 10 splits")
    assert (lines_of(part)[0][-1], lines[0][-1]) == ("reached", "reached so far")


def test_few_labels_need_a_gain_whose_interval_is_above_zero(tmp_path):
    values = {"gcn": [0.5] * SPLITS, "infomotif-gcn-joint": [0.5] * (SPLITS - 1) + [1.0]}
    schedule = Schedule(
        load_experiment("few-labels"), splits=SPLITS, tuned=False, methods=[*values], datasets=["roles"]
    )
    table = summarise(schedule, fill(tmp_path, schedule, lambda row, *place: values[row.name][place[-1]]))
    assert lines_of(replace(table, tuned=True)) == []
    cells = {("cora", *place[1:]): cell for place, cell in table.cells.items()}
    lines = lines_of(replace(table, panels=("cora",), cells=cells, tuned=True))
    assert [line[0] for line in lines] == ["cora, 1 %, over GCN", "cora, 5 %, over GCN"]
    assert {line[1][:7] for line in lines} == {"+5.0 ± "}
    assert [line[2:] for line in lines] == [("+4.0", "not certain"), ("+1.5", "not certain")]


def test_settings_that_were_fixed_reach_nothing(tmp_path):
    table = found(tmp_path, "table3", {"gcn": 0.5, "infomotif-gcn-auto": 0.7}, datasets=["brazil"])
    assert goals([table]).rows
    assert goals([replace(table, forced={"lr": 0.5})]).rows == goals([replace(table, tuned=False)]).rows == ()


def test_runs_with_other_settings_have_no_page_of_targets(tmp_path):
    found(tmp_path / "store", "table3", {"gcn": 0.5, "infomotif-gcn-auto": 0.7}, datasets=["brazil"])
    like = Schedule(load_experiment("table3"), tuned=False)
    written = write_report(Store(tmp_path / "store"), tmp_path / "out", like=like)
    assert "maintainers.md" not in {path.name for path in written}
    assert "maintainers" not in (tmp_path / "out" / "index.md").read_text(encoding="utf-8")


def test_targets_are_a_table():
    grid = Grid("Goals", ("where", "verdict"), (("A goal",), ("here", "missed by 0.1")))
    assert "| where | verdict |\n|---|---|\n| *A goal* | |\n| here | missed by 0.1 |" in maintainers_page(grid, [])
