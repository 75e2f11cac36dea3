"""Results for other programs: plain rows and LaTeX."""

from __future__ import annotations

import pytest

from infomotif._core.statistics import Difference, spread
from infomotif_bench import Schedule, Store, load_experiment, summarise
from infomotif_bench.results.export import escape, latex_cell, to_latex, to_rows
from infomotif_bench.results.measurements import Measured
from tests.bench.made import fill


def test_rows_for_machines_are_plain(tmp_path):
    schedule = Schedule(load_experiment("runtime"), splits=2)
    store = fill(tmp_path, schedule, lambda row, *place: 0.1 * (1 + len(row.name)))
    rows = to_rows(summarise(schedule, store))
    assert {row["unit"] for row in rows} == {"CPU seconds per epoch"}
    assert all(row["base_ratio"] for row in rows if row["base"])


def test_latex_has_as_many_columns_in_every_row(tmp_path):
    text = to_latex(summarise(Schedule(load_experiment("table3"), splits=2), Store(tmp_path)))
    body = [line for line in text.splitlines() if line.endswith(r"\\") and "multicolumn" not in line]
    assert {line.replace(r"\&", "").count("&") for line in body} == {11}
    assert text.count(r"\begin{tabular}") == text.count(r"\end{tabular}") == 1


@pytest.mark.parametrize(("text", "expected"), [("a & b", r"a \& b"), ("β = 1", r"$\beta$ = 1"), ("plain", "plain")])
def test_latex_text_is_escaped(text, expected):
    assert escape(text) == expected


def test_latex_marks_what_only_the_interval_tells():
    cell = Measured({0: 0.5, 1: 0.6}, spread([0.5, 0.6]), None, to_base=Difference(-0.02, 0.01, 10, 0.2))
    assert latex_cell(cell, True) == r"55.0 $\pm$ 7.1 (2)$^{\triangledown}$"
