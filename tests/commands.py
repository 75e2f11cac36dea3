"""A command as the shell runs it, in this process."""

from __future__ import annotations

from pathlib import Path

import pytest

from infomotif.cli.main import run


def command(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    """Run a command; return its exit code, its output and its errors."""
    with pytest.raises(SystemExit) as stop:
        run(list(arguments))
    found = capsys.readouterr()
    return int(stop.value.code or 0), found.out, found.err


def karate_run(folder: Path) -> Path:
    """Train a small run into ``folder`` and return it."""
    with pytest.raises(SystemExit) as stop:
        run(["train", "karate", "--preset", "paper", "--set", "epochs=3", "--out", str(folder)])
    assert not stop.value.code
    return folder
