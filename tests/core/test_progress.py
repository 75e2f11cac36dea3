"""Progress is a bar on a terminal, a line now and then elsewhere, and nothing unless somebody wants it."""

from __future__ import annotations

import pytest

from infomotif._core import progress as module
from infomotif._core.progress import progress, progress_text


def test_nothing_is_shown_without_a_terminal(capsys, monkeypatch):
    monkeypatch.setattr(module, "SECONDS_PER_LINE", 0.0)
    with progress("counting", total=3) as advance:
        advance()
    assert capsys.readouterr().err == ""


def test_lines_are_shown_without_a_terminal_if_asked_for(capsys, monkeypatch):
    monkeypatch.setattr(module, "SECONDS_PER_LINE", 0.0)
    with progress("random graphs", total=4, enabled=True) as advance:
        advance(1)
        advance(3, note="nearly")
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("random graphs: 25 %, about ")
    assert second == "random graphs: 100 %, about 0 s left, nearly"


def test_short_work_prints_no_line(capsys):
    with progress("random graphs", total=4, enabled=True) as advance:
        advance(4)
    assert capsys.readouterr().err == ""


@pytest.mark.parametrize(
    ("done", "total", "seconds", "text"),
    [
        (1, 4, 30, "25 %, about 90 s left"),
        (1, 100, 30, "1 %, about 50 min left"),
        (1, 1000, 30, "0 %, about 8.3 h left"),
        (0, 10, 7, "7 s so far"),
        (3, None, 7, "7 s so far"),
    ],
)
def test_time_left_is_that_of_the_rest_at_the_same_speed(done, total, seconds, text):
    assert progress_text(done, total, seconds) == text
