"""Saving a model over another one: after every fault the folder holds the old model or the new one."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch

from infomotif import InfoMotif, make_roles
from infomotif.model.saving import read_model, write_model
from tests.fault_injection.disk import HOW, every_fault
from tests.models import make_model

pytestmark = pytest.mark.slow

FILES = ["model.json", "model.safetensors"]


def trained(seed: int) -> InfoMotif:
    return make_model("gcn", hidden=4, epochs=1, random_state=seed, preset="base").fit(make_roles(num_nodes=60))


def same(one, other) -> bool:
    one, other = one.fitted, other.fitted
    mine, theirs = one.network.state_dict(), other.network.state_dict()
    return one.random_state == other.random_state and all(torch.equal(mine[name], theirs[name]) for name in theirs)


@pytest.mark.parametrize("present", [True, False])
def test_the_old_model_or_the_new_one_loads_whatever_happens(tmp_path: Path, present: bool) -> None:
    old, new = (trained(seed).answer_ for seed in (1, 2))
    template = tmp_path / "template"
    template.mkdir()
    if present:
        write_model(template / "model", old)

    def check(folder: Path, outcome: str) -> None:
        path = folder / "model"
        if outcome == "done":
            assert same(read_model(path), new)
        elif present or (path / "model.json").exists():
            found = read_model(path)
            assert same(found, old) or same(found, new)
        # What a kill left behind is gone when the next process has saved.
        write_model(path, new)
        assert same(read_model(path), new)
        assert sorted(file.name for file in path.iterdir()) == FILES
        assert sorted(file.name for file in folder.iterdir()) == ["model"]

    how = HOW if present else ("full", "kill")
    assert every_fault(template, tmp_path, lambda folder: write_model(folder / "model", new), check, how=how) > 40
