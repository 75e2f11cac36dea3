"""Devices: those that are not there are named, and each process takes its own."""

from __future__ import annotations

import pytest
import torch

from infomotif.errors import InputError
from infomotif.training.device import pick_device
from infomotif.training.distributed import World


def test_a_device_that_is_not_there_is_named(monkeypatch):
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    with pytest.raises(InputError, match=r"'cuda:7' is not available: torch finds 2 \(cuda:0 to cuda:1\)"):
        pick_device("cuda:7")
    monkeypatch.setenv("LOCAL_RANK", "1")
    for name in ("auto", "cuda"):
        assert pick_device(name, World(rank=1, size=2)) == torch.device("cuda", 1)
        assert pick_device(name) == torch.device("cuda")
    assert pick_device(torch.device("cuda:1")) == torch.device("cuda", 1)
