"""Worlds: which part of the work each process takes, and how processes agree."""

from __future__ import annotations

import pytest

from infomotif.errors import ElsewhereError, InputError
from infomotif.training.distributed import World, current_world


def test_parts_of_a_world_cover_everything_once():
    for count in (0, 1, 5, 100):
        parts = [World(rank, 3).bounds(count) for rank in range(3)]
        assert [i for a, b in parts for i in range(a, b)] == list(range(count))


def test_without_torchrun_a_process_is_alone(monkeypatch):
    monkeypatch.delenv("TORCHELASTIC_RUN_ID", raising=False)
    assert current_world() == World(0, 1)
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "x")
    monkeypatch.setenv("WORLD_SIZE", "two")
    with pytest.raises(InputError, match="WORLD_SIZE"):
        current_world()


def test_processes_agree_on_one_refusal(monkeypatch):
    said = {0: "", 1: "no such file"}
    monkeypatch.setattr(World, "agree", lambda self, text, rank=0: said[rank])
    monkeypatch.setattr(World, "wait", lambda self: None)
    with pytest.raises(ElsewhereError), World(0, 2).in_unison():
        pass
    with pytest.raises(InputError, match="no such file") as caught, World(1, 2).in_unison():
        raise InputError("no such file")
    assert not isinstance(caught.value, ElsewhereError)
    said[1] = ""
    with World(0, 2).in_unison():
        pass
