"""Rooms stay small and import one way; files hold only what they may; the package claims only what CI tests."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections import Counter
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[1]
SOURCES = ROOT / "src"
FILES = sorted(SOURCES.rglob("*.py"))

MAX_ROOT_FILES, MAX_FILES_PER_ROOM = 6, 19


def test_the_root_stays_small():
    assert len(list((SOURCES / "infomotif").glob("*.py"))) <= MAX_ROOT_FILES


def test_no_room_is_crowded():
    rooms = Counter(path.parent for path in FILES)
    assert not {str(room): count for room, count in rooms.items() if count > MAX_FILES_PER_ROOM}


def test_imports_go_one_way():
    # The layers are stated in pyproject.toml.
    check = "from importlinter.cli import lint_imports_command; lint_imports_command()"
    found = subprocess.run([sys.executable, "-c", check], cwd=ROOT, capture_output=True, text=True)
    assert found.returncode == 0, found.stdout


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(SOURCES)))
def test_no_unsafe_loading_and_no_assert_for_input(path: Path):
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        assert not isinstance(node, ast.Assert), f"line {node.lineno}: raise InputError instead of assert"
        if isinstance(node, ast.Import | ast.ImportFrom):
            names = [alias.name for alias in node.names] + [getattr(node, "module", "") or ""]
            assert not {"pickle", "marshal", "shelve"} & {n.split(".")[0] for n in names}
        if isinstance(node, ast.Call):
            assert ast.unparse(node.func) not in ("eval", "exec", "torch.load", "pickle.load", "pickle.loads")
            unpickles = [k for k in node.keywords if k.arg == "allow_pickle" and ast.unparse(k.value) != "False"]
            assert not unpickles, f"line {node.lineno}: arrays are never unpickled"


def test_classifiers_name_the_pythons_and_systems_that_ci_tests():
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    jobs = yaml.safe_load(workflow)["jobs"]
    machines = jobs["tests"]["strategy"]["matrix"]["include"]
    tested = {machine["python"] for machine in machines} | set(re.findall(r'python-version: "([\d.]+)"', workflow))
    systems = {machine["os"].partition("-")[0] for machine in machines}
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    told = [entry.split(" :: ")[1:] for entry in project["classifiers"]]
    assert {entry[-1] for entry in told if entry[0] == "Python" and "." in entry[-1]} == tested
    names = {"ubuntu": "Linux", "windows": "Windows", "macos": "MacOS"}
    claimed = [entry for entry in project["classifiers"] if entry.startswith("Operating System")]
    assert {entry.split(" :: ")[-1] for entry in claimed} == {names[system] for system in systems}
