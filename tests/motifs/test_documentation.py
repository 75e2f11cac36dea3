"""The page about motifs runs as written and names every motif set."""

from __future__ import annotations

import doctest
from pathlib import Path

from infomotif.motifs import SETS

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "counting.md"


def test_the_page_about_motifs_runs():
    result = doctest.testfile(str(PAGE), module_relative=False)
    assert result.attempted > 10
    assert result.failed == 0


def test_the_page_about_motifs_names_every_set():
    text = PAGE.read_text(encoding="utf-8")
    assert [name for name in SETS if f'| `"{name}"` |' not in text] == []
