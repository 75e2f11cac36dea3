"""The published pages: short, complete, and true of the figures next to them."""

from __future__ import annotations

import csv
import re
from pathlib import Path

import pytest

from infomotif_bench import experiment_names, load_experiment
from infomotif_bench.results.all_cells import all_cells
from infomotif_bench.results.main_table import MAX_ROWS
from infomotif_bench.results.site import fill_in

FOLDER = Path(__file__).parents[3] / "docs" / "results"
NAMES = [name for name in experiment_names() if load_experiment(name).answer]

pytestmark = pytest.mark.skipif(not FOLDER.exists(), reason="the published results are not in the package")


def page(name: str) -> str:
    return (FOLDER / f"{name}.md").read_text(encoding="utf-8")


def cells(name: str) -> list[dict[str, str]]:
    return list(csv.DictReader((FOLDER / f"{name}.csv").read_text(encoding="utf-8").splitlines()))


def sentences(text: str) -> int:
    return len(re.findall(r"[.?](?= [A-Z]|$)", text))


def test_an_experiment_without_an_answer_has_no_page():
    unanswered = set(experiment_names()) - set(NAMES)
    assert not [name for name in unanswered if (FOLDER / f"{name}.md").exists()]


@pytest.mark.parametrize("name", NAMES)
def test_every_experiment_has_a_question_of_one_sentence_and_an_answer_of_two(name):
    experiment = load_experiment(name)
    assert (sentences(experiment.question), experiment.question[-1]) == (1, "?")
    assert sentences(experiment.answer) == 2
    assert re.search(r"\d+ (splits|runs)", experiment.answer)
    assert experiment.differs


@pytest.mark.parametrize("name", NAMES)
def test_figures_of_the_answer_are_measured(name):
    """Every ``x ± y`` is a cell or a difference to the base, whatever its sign in the sentence."""
    digits = 3 if name == "runtime" else 1
    known = set()
    for cell in cells(name):
        for mean, spread in (("mean", "deviation"), ("to_base", "to_base_half_width")):
            if cell[mean] and cell[spread]:
                known.add((f"{abs(float(cell[mean])):.{digits}f}", f"{float(cell[spread]):.{digits}f}"))
    quoted = re.findall(r"(\d+\.\d+) ± (\d+\.\d+)", load_experiment(name).answer)
    assert quoted
    assert set(quoted) <= known


@pytest.mark.parametrize("name", NAMES)
def test_the_main_table_has_at_most_twenty_rows(name):
    lines = [line for line in page(name).split("## All figures")[0].splitlines() if line.startswith("|")]
    assert 3 <= len(lines) <= 2 + MAX_ROWS


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_what_the_experiment_says_now(name):
    experiment, text = load_experiment(name), page(name)
    for said in (experiment.question, experiment.answer, experiment.differs):
        assert said in text.replace("\\", "")
    assert text.count("![") == 1
    assert (FOLDER / f"{name}.svg").exists()
    assert len(text.splitlines()) < 260


def test_the_overview_has_every_experiment_in_two_lines():
    text = page("index")
    for name in NAMES:
        experiment = load_experiment(name)
        entry = next(part for part in text.split("\n\n") if f"({name}.md)" in part)
        assert [line.rstrip("\\") for line in entry.splitlines()][1:] == [experiment.answer]
        assert experiment.question in entry


@pytest.mark.parametrize("name", [*NAMES, "index", "maintainers"])
def test_links_lead_somewhere(name):
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page(name))
    assert targets or name == "maintainers"
    assert [target for target in targets if not (FOLDER / target).exists()] == []


@pytest.mark.parametrize("name", NAMES)
def test_every_cell_is_in_the_table_that_can_be_searched(name):
    grid = all_cells((FOLDER / f"{name}.csv").read_text(encoding="utf-8"))
    assert len(grid.rows) == len(cells(name))
    html = fill_in(page(name), FOLDER)
    assert html.count("<tr>") == 1 + len(grid.rows)
    assert "all-figures" not in html
    assert not re.search(r"https?://", html)


def test_targets_of_ours_are_on_no_page_for_users():
    for name in [*NAMES, "index"]:
        assert "missed by" not in page(name)
    assert "missed by" in page("maintainers")


def test_everything_published_is_small():
    files = [
        path for path in FOLDER.rglob("*") if path.is_file() and path.suffix != ".html" and ".locks" not in path.parts
    ]
    assert {path.suffix for path in files} <= {".md", ".csv", ".tex", ".svg", ".xz"}
    assert sum(path.stat().st_size for path in files) < 2_500_000
