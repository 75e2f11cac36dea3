"""What the docs tell to type works: every bash and python block is run, in order, in an empty folder."""

from __future__ import annotations

import json
import os
import re
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

from infomotif.datasets import DATASETS, load_dataset
from infomotif.motifs import MotifIndex

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
# These pages have tests of their own, or hold no text of ours.
ELSEWHERE = {"bench.md", "guides/counting.md"}
GENERATED = {"gallery", "reference", "results"}
PAGES = [
    *(
        page
        for page in sorted(DOCS.rglob("*.md"))
        if (name := page.relative_to(DOCS)).as_posix() not in ELSEWHERE and name.parts[0] not in GENERATED
    ),
]
SET_UP = "python3 -m venv"
BLOCK = re.compile(r"^```(bash|python)\n(.*?)^```$", re.S | re.M)


def blocks(page: Path) -> list[tuple[str, str]]:
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [(kind, text) for kind, text in found if SET_UP not in text and not text.lstrip().startswith(">>>")]


def run_bash(text: str, folder: Path) -> None:
    commands = folder / ".bin"
    if not commands.exists():
        commands.mkdir()
        shim = commands / "infomotif"
        shim.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m infomotif "$@"\n')
        shim.chmod(0o755)
    environment = os.environ | {"PATH": f"{commands}:{os.environ['PATH']}", "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", text],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{text}\n{done.stdout}\n{done.stderr}"


def name_of(page: Path) -> str:
    return page.relative_to(ROOT).as_posix()


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=name_of)
def test_every_block_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for kind, text in blocks(page):
        if kind == "bash":
            run_bash(text, tmp_path)
        else:
            exec(compile(text, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=name_of)
def test_links_to_files_lead_somewhere(page: Path):
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    files = [t for t in targets if "://" not in t]
    assert [t for t in files if not (page.parent / t).exists()] == []


def test_the_tutorials_are_among_the_pages():
    assert {"getting-started.md", "own-data.md", "pyg.md"} <= {page.name for page in PAGES if blocks(page)}


@pytest.mark.parametrize("writer", ["settings", "cli", "reference"])
def test_generated_pages_are_what_their_script_writes(writer: str, tmp_path: Path):
    code = f"import json, {writer} as w; print(json.dumps(w.pages()))"
    printed = subprocess.check_output(
        [sys.executable, "-c", code], cwd=DOCS, env=os.environ | {"PYTHONPATH": str(ROOT / "src")}
    )
    stale = [name for name, text in json.loads(printed).items() if (DOCS / name).read_text(encoding="utf-8") != text]
    assert stale == [], f"run python docs/{writer}.py"


@pytest.mark.parametrize("script", ["patterns", "diagrams"])
def test_pictures_are_what_their_script_draws(script: str):
    drawn = runpy.run_path(str(DOCS / "images" / f"{script}.py"))["PICTURES"]
    stale = [name for name, draw in drawn.items() if draw() != (DOCS / "images" / f"{name}.svg").read_text("utf-8")]
    assert stale == [], f"run python docs/images/{script}.py"


def test_drawn_orbits_are_those_of_the_engine():
    orca = runpy.run_path(str(DOCS / "images" / "patterns.py"))["ORCA"]
    index = MotifIndex(load_dataset("karate"), ["undirected", "graphlets4"])
    assert sorted(f"{motif}:{positions}" for motif, positions in orca) == sorted(index.orbit_names)


def rows_of_datasets(section: int) -> list[tuple[str, str]]:
    """Return name and other cells of each dataset in a section of its page."""
    text = (DOCS / "datasets.md").read_text(encoding="utf-8").split("\n## ")[section]
    return re.findall(r"^\| `([\w-]+)` \|(.*)$", text, re.M)


def test_the_comparison_with_the_paper_has_the_counts_of_the_registry():
    shown = {name: [re.sub(r"\D", "", cell) for cell in cells.split("|")[:5]] for name, cells in rows_of_datasets(1)}
    for name, (_, nodes, _, undirected, directed) in shown.items():
        spec = DATASETS[name]
        assert (int(nodes), int(directed or undirected)) == (spec.nodes, spec.edges)
    assert (shown["usa"][0], shown["usa"][2]) == tuple(map(str, DATASETS["usa"].whole))


def test_the_table_of_datasets_has_the_counts_of_the_registry():
    rows = rows_of_datasets(0)
    shown = {name: [re.sub(r"\D", "", cell) for cell in cells.split("|")[:4]] for name, cells in rows}
    specs = DATASETS.values()
    counts = {s.name: [str(c or "") for c in (s.nodes, s.edges, s.attributes, s.classes)] for s in specs}
    assert shown == counts
    assert {name for name, cells in rows if " directed" in cells} == {s.name for s in specs if s.directed}
