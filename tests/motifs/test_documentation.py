"""The page about motifs runs as written."""

from __future__ import annotations

import doctest
from pathlib import Path


def test_the_page_about_motifs_runs():
    page = Path(__file__).parents[2] / "docs" / "motifs.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0
