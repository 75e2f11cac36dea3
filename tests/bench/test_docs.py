"""docs/bench.md is tested by running it: its commands, its snippets, and the package that it shows how to write."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest
from typer.testing import CliRunner

from infomotif.cli.main import app

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "bench.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, flags=re.DOTALL)
# Needs the package that the page shows how to write.
WITH_PACKAGE = "projection.yaml"


def blocks(kind: str) -> list[str]:
    return [block for found, block in BLOCKS if found == kind]


def test_commands_run_in_their_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for block in blocks("bash"):
        words = shlex.split(block)
        assert words[0] == "infomotif"
        if WITH_PACKAGE not in words:
            result = CliRunner().invoke(app, words[1:])
            assert result.exit_code == 0, result.output
    assert (tmp_path / "bench-report" / "table3.html").exists()
    assert (tmp_path / "bench-results" / "table3.runs.xz").exists()
    assert (tmp_path / "bench-lines" / "table3.jsonl").exists()


def test_the_snippets_run(capsys):
    names = {"__name__": "snippet"}
    for code in blocks("python"):
        exec(compile(code, "docs/bench.md", "exec"), names)
    assert "'C'" in capsys.readouterr().out


@pytest.mark.skipif(not all(map(find_spec, ("pip", "setuptools"))), reason="a package is built and installed")
def test_an_installed_package_brings_its_method(tmp_path):
    package, installed = tmp_path / "package", tmp_path / "installed"
    package.mkdir()
    (package / "random_projection.py").write_text(blocks("python")[0], encoding="utf-8")
    (package / "pyproject.toml").write_text(blocks("toml")[0], encoding="utf-8")
    (tmp_path / WITH_PACKAGE).write_text(blocks("yaml")[0], encoding="utf-8")
    options = ["--quiet", "--no-deps", "--no-index", "--no-build-isolation", "--target", str(installed)]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, str(package)], check=True)
    (command,) = (shlex.split(block) for block in blocks("bash") if WITH_PACKAGE in block)
    paths = os.pathsep.join([str(installed), str(ROOT / "src")])
    done = subprocess.run(
        [sys.executable, "-m", *command, "--out", "pages"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": paths},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "Random projection" in done.stdout
    assert "random-projection" in (tmp_path / "bench-results" / "projection.jsonl").read_text(encoding="utf-8")
    assert "infomotif bench projection.yaml" in (tmp_path / "pages" / "projection.md").read_text(encoding="utf-8")
