"""Fixtures that several rooms share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest


@pytest.fixture
def no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Empty both folders that datasets are looked for in; return the one that downloads go to."""
    from infomotif.datasets import fetch

    folder = tmp_path / "cache"
    monkeypatch.delenv("INFOMOTIF_DATA", raising=False)
    monkeypatch.setattr(fetch, "cache_folder", lambda: folder)
    return folder


@pytest.fixture
def fresh_consoles() -> Iterator[None]:
    """Let consoles write to the streams of this test, not to those of an earlier one."""
    from infomotif.cli import console

    def forget() -> None:
        for make in (console.out, console.err):
            make.cache_clear()

    forget()
    yield
    forget()
