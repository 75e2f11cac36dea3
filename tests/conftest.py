"""Where the tests find the benchmark graphs: INFOMOTIF_DATA, or the folder beside the repository."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2] / "shared" / "data"

if "INFOMOTIF_DATA" not in os.environ and _BESIDE.is_dir():
    os.environ["INFOMOTIF_DATA"] = str(_BESIDE)


@pytest.fixture
def no_data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A machine without any dataset file: both folders are empty."""
    from infomotif.datasets import fetch

    folder = tmp_path / "cache"
    monkeypatch.delenv("INFOMOTIF_DATA", raising=False)
    monkeypatch.setattr(fetch, "cache_folder", lambda: folder)
    return folder


@pytest.fixture
def fresh_consoles() -> Iterator[None]:
    """Consoles that write to the streams of this test, not to those of an earlier one."""
    from infomotif.cli import console

    def forget() -> None:
        for make in (console.out, console.err):
            make.cache_clear()

    forget()
    yield
    forget()
