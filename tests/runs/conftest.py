"""Two finished runs that the tests of this room read and do not change."""

from __future__ import annotations

from pathlib import Path

import pytest

from infomotif.runs import RunResult, train_run
from tests.runs.plans import auto, plan, roles


@pytest.fixture(scope="session")
def run(tmp_path_factory) -> tuple[Path, RunResult]:
    """A run of two splits with preset ``paper``."""
    folder = tmp_path_factory.mktemp("runs") / "paper"
    return folder, train_run(plan(splits=2), roles(), folder)


@pytest.fixture(scope="session")
def auto_run(tmp_path_factory) -> tuple[Path, RunResult]:
    """A run of two splits with preset ``auto``."""
    folder = tmp_path_factory.mktemp("runs") / "auto"
    return folder, train_run(auto(), roles(), folder)
