"""The fuzzer itself: it would notice what it looks for."""

import time

import pytest

from infomotif.errors import InputError
from tests.fuzz import cases
from tests.fuzz.edits import KINDS, Edit
from tests.fuzz.targets import Target, nothing


def failing(error):
    def read(folder):
        raise error

    return Target(nothing, read)


@pytest.mark.parametrize(
    ("error", "found"),
    [
        (InputError("one line"), "refused"),
        (KeyError("x"), "KeyError"),
        (MemoryError(), "MemoryError"),
        (RecursionError(), "RecursionError"),
        (SystemExit(3), "SystemExit"),
    ],
)
def test_everything_but_a_refusal_is_a_failure(tmp_path, error, found):
    assert cases.outcome(failing(error), tmp_path, must_notice=False).startswith(found)


def test_a_hang_is_a_failure(tmp_path, monkeypatch):
    monkeypatch.setattr(cases, "SECONDS", 1)
    assert cases.outcome(Target(nothing, lambda folder: time.sleep(30)), tmp_path, must_notice=False).startswith("hang")


def test_a_change_that_must_be_noticed_is_a_failure(tmp_path):
    assert cases.outcome(Target(nothing, nothing), tmp_path, must_notice=True) == "unseen change"
    assert cases.outcome(Target(nothing, nothing), tmp_path, must_notice=False) == "read"


@pytest.mark.parametrize("kind", KINDS)
def test_every_edit_can_be_applied_anywhere(kind):
    for data in (b"", b"a", b"1,2\n3,4\n"):
        for at in (0.0, 0.5, 1.0):
            for size in (0, 1, 100):
                assert isinstance(Edit(kind, at, size, 7).apply(data), bytes)


def test_a_case_is_the_same_every_time():
    assert cases.run_case(5, 2) == cases.run_case(5, 2)
