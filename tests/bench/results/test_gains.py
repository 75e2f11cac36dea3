"""The figure of all gains: which cells it shows, and where."""

from __future__ import annotations

from dataclasses import replace

from infomotif_bench import Schedule, load_experiment, summarise
from infomotif_bench.results.gains import ABOUT, TITLE, draw_gains
from infomotif_bench.results.markdown import index_page
from tests.bench.made import fill

ROWS = {"gcn": 0.5, "infomotif-gcn": 0.9, "infomotif-gcn-joint": 0.53, "infomotif-gcn-auto": 0.8}


def found(folder, name, *, splits=4, datasets=("brazil",)):
    known = {row.name for row in load_experiment(name).rows}
    rows = [row for row in ROWS if row in known]
    schedule = Schedule(load_experiment(name), splits=splits, methods=rows, datasets=[*datasets], tuned=False)
    # A gain that is the same in all splits would have no interval.
    store = fill(
        folder / name, schedule, lambda row, *place: ROWS[row.name] + 0.01 * (place[-1] % 2) * ("-" in row.name)
    )
    return replace(summarise(schedule, store), tuned=True)


def drawn(figure):
    """Return by title of a plot and label: labels in percent and points."""
    points = {}
    for axis in figure.axes:
        ticks = [float(text.get_text()) for text in axis.get_xticklabels()]
        for container in axis.containers:
            x, y = container.lines[0].get_data()
            points[axis.get_title(), container.get_label()] = {
                ticks[round(float(a))]: round(float(b), 1) for a, b in zip(x, y, strict=True)
            }
    return points


def test_preset_joint_is_drawn_over_shares_of_labels_of_tables_and_few_labels(tmp_path):
    table, few = found(tmp_path, "table3"), found(tmp_path, "few-labels", splits=5, datasets=["brazil", "roles"])
    points = drawn(draw_gains([table, few]))
    assert points == {("brazil (4 to 5 splits)", "over GCN"): dict.fromkeys([20, 40, 60], 3.5) | few_points(few)}


def few_points(few):
    gains = {column: few.cell("brazil", few.experiment.row("infomotif-gcn-joint"), column) for column in few.columns}
    shares = {float(column.split()[0]): cell for column, cell in gains.items() if column.endswith(" %")}
    assert sorted(shares) == [1, 2, 5, 10]
    return {share: round(100 * cell.to_base.mean, 1) for share, cell in shares.items()}


def test_nothing_is_drawn_without_a_table_or_with_settings_that_were_fixed(tmp_path):
    table = found(tmp_path, "table3")
    assert draw_gains([found(tmp_path, "few-labels")]) is None
    assert draw_gains([replace(table, forced={"lr": 0.5})]) is draw_gains([replace(table, tuned=False)]) is None


def test_the_overview_shows_it():
    shown = index_page([], "Made by hand.", gains=True, maintained=False)
    assert f"## {TITLE}\n\n{ABOUT}\n\n![{TITLE}](gains.svg)" in shown
    assert TITLE not in index_page([], "Made by hand.", gains=False, maintained=False)
