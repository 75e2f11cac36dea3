"""The README: short, in the words of the literature, and every block runs."""

from __future__ import annotations

import csv
import doctest
import random
import re
from pathlib import Path

import pytest
import yaml

from infomotif import __version__
from tests.test_docs import blocks, run_bash

ROOT = Path(__file__).parents[1]
README = ROOT / "README.md"
MAX_LINES = 120


def write_team_files(folder: Path) -> None:
    """Write the two files that the README speaks of: people of three teams who work in threes."""
    rng = random.Random(7)
    teams = ["design", "sales", "research"]
    people = [(f"person {i}", teams[i % 3] if i % 4 else "", rng.randint(0, 20)) for i in range(90)]
    with (folder / "nodes.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("id", "team", "years"), *people])
    edges = {(people[i][0], people[i + 3][0]) for i in range(87)} | {
        (people[i][0], people[i + 6][0]) for i in range(84)
    }
    with (folder / "edges.csv").open("w", newline="") as file:
        csv.writer(file).writerows([("source", "target"), *sorted(edges)])


def text() -> str:
    return README.read_text(encoding="utf-8")


def test_it_is_short():
    assert len(text().splitlines()) <= MAX_LINES


@pytest.mark.parametrize("word", ["graphlet", "orbit", "ORCA", "triad census", "network motif", "structural encoding"])
def test_it_has_the_words_that_people_search_for(word: str):
    assert word in text()


def test_examples_print_what_it_shows():
    parser = doctest.DocTestParser()
    example = parser.get_doctest(text(), {}, "README.md", str(README), 0)
    assert doctest.DocTestRunner().run(example).failed == 0


@pytest.mark.slow
def test_every_block_runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    write_team_files(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    exec("import infomotif as im", names)
    for kind, code in blocks(README):
        if kind == "bash":
            run_bash(code, tmp_path)
        else:
            exec(compile(code, str(README), "exec"), names)
    assert (tmp_path / "runs" / "team" / "report.html").exists()


def test_links_to_files_lead_somewhere():
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", text())
    assert [t for t in targets if "://" not in t and not (ROOT / t).exists()] == []


def test_citation_and_changelog_name_the_version():
    assert yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))["version"] == __version__
    assert f"## [{__version__}]" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_pre_commit_has_the_ruff_of_the_constraints():
    hooks = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    pinned = re.search(r"^ruff==(.+)$", (ROOT / "constraints.txt").read_text(encoding="utf-8"), re.M)
    assert pinned is not None
    assert hooks["repos"][0]["rev"] == f"v{pinned[1]}"


@pytest.mark.parametrize("path", sorted((ROOT / ".github").rglob("*.yml")), ids=lambda path: path.name)
def test_files_for_github_are_yaml(path: Path):
    assert isinstance(yaml.safe_load(path.read_text(encoding="utf-8")), dict)
