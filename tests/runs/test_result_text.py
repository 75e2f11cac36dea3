"""Results of runs as text, as tables for notebooks and as frames."""

from __future__ import annotations

from dataclasses import replace

from infomotif.runs import open_run
from infomotif.runs.result import Comparison
from tests.runs.plans import roles


def test_a_result_prints_as_four_lines(run):
    _, result = run
    lines = repr(result).splitlines()
    assert lines[0] == "RunResult('roles': preset 'paper', 2 splits, test accuracy)"
    assert [line.split()[0] for line in lines[1:]] == ["InfoMotif", "base", "difference"]
    assert "(2 splits)" in lines[1]


def test_a_frame_has_a_row_per_training(run):
    _, result = run
    frame = result.to_frame(kind="arrow").to_pydict()
    assert list(zip(frame["split"], frame["model"], strict=True)) == [(t.split, t.model) for t in result.trainings]
    assert frame["test_accuracy"] == [t.test_accuracy for t in result.trainings]
    assert frame["test"] == [t.nodes[2] for t in result.trainings]


def test_a_notebook_shows_both_accuracies_and_every_training(run):
    _, result = run
    page = result._repr_html_()
    assert page.count("InfoMotif") == 3
    assert page.count("base GNN") == 3
    assert "4 trainings" in page


def test_names_in_a_notebook_are_text(run):
    _, result = run
    page = replace(result, graph=replace(result.graph, name="<script>"))._repr_html_()
    assert "<script>" not in page
    assert "&lt;script&gt;" in page


def test_a_result_without_a_measure_says_so(run):
    _, result = run
    empty = replace(
        result,
        outcome=Comparison("val_accuracy"),
        trainings=tuple(replace(t, test_accuracy=None) for t in result.trainings),
    )
    assert "No node was left to measure on" in empty._repr_html_()
    assert repr(empty).count("\n") == 0
    assert empty.to_frame(kind="arrow").num_rows == 4


def test_an_opened_run_prints_as_one_line_and_shows_its_result(run):
    folder, result = run
    opened = open_run(folder, roles())
    assert "\n" not in repr(opened)
    assert "'roles'" in repr(opened)
    assert opened._repr_html_() == result._repr_html_()
