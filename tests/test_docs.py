"""What README and docs tell to type works: every bash and python block is run, in order, in an empty folder."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[1]
# These pages have tests of their own.
ELSEWHERE = {"bench.md", "motifs.md"}
PAGES = [ROOT / "README.md", *sorted(p for p in (ROOT / "docs").glob("*.md") if p.name not in ELSEWHERE)]
SET_UP = "python3 -m venv"
# Written by the bench from its store.
WRITTEN_LATER = "RESULTS.md"
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


@pytest.mark.parametrize("page", [p for p in PAGES if blocks(p)], ids=lambda p: p.name)
def test_every_block_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {"__name__": "page"}
    for kind, text in blocks(page):
        if kind == "bash":
            run_bash(text, tmp_path)
        else:
            exec(compile(text, str(page), "exec"), names)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_links_to_files_lead_somewhere(page: Path):
    targets = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    files = [t for t in targets if "://" not in t and not t.endswith(WRITTEN_LATER)]
    assert [t for t in files if not (page.parent / t).exists()] == []


def test_the_tutorials_are_among_the_pages():
    assert {"README.md", "tour.md", "own-data.md"} <= {page.name for page in PAGES if blocks(page)}


def test_the_tables_of_the_readme_are_those_of_the_results():
    done = subprocess.run(
        [sys.executable, str(ROOT / "benchmarks" / "readme.py"), "--check"],
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr


def test_the_page_of_settings_is_the_one_that_the_configuration_objects_make():
    made = subprocess.check_output(
        [sys.executable, "-c", "import settings; print(settings.page(), end='')"],
        cwd=ROOT / "docs",
        env=os.environ | {"PYTHONPATH": str(ROOT / "src"), "PYTHONIOENCODING": "utf-8"},
    )
    assert made.decode() == (ROOT / "docs" / "settings.md").read_text(encoding="utf-8"), "run python docs/settings.py"
