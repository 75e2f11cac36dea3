"""What all tests of this folder share."""

from __future__ import annotations

import os

import pytest


@pytest.fixture(autouse=True)
def quick_disk(monkeypatch: pytest.MonkeyPatch) -> None:
    """Flush nothing for real: hundreds of copies would wait for the disk, and no power is lost here."""
    monkeypatch.setattr(os, "fsync", lambda descriptor: None)
