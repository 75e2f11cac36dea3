"""docs/bench.md is read by running: its commands and its snippet."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest
from typer.testing import CliRunner

from infomotif.cli.main import app

TEXT = (Path(__file__).parents[2] / "docs" / "bench.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"```(\w+)\n(.*?)```", TEXT, flags=re.DOTALL)


def test_commands_run_in_their_order(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for _, block in (block for block in BLOCKS if block[0] == "bash"):
        words = shlex.split(block)
        assert words[0] == "infomotif"
        result = CliRunner().invoke(app, words[1:])
        assert result.exit_code == 0, result.output
    assert (tmp_path / "bench-results" / "table3.jsonl").exists()
    assert (tmp_path / "results-pages" / "results.html").exists()


@pytest.mark.parametrize("code", [block for kind, block in BLOCKS if kind == "python"])
def test_the_snippet_runs(code, capsys):
    exec(compile(code, "docs/bench.md", "exec"), {"__name__": "snippet"})
    assert "'C'" in capsys.readouterr().out
