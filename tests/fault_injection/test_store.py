"""Graph stores: after every fault a store is the old one, the new one or, where none was, none; never half of one."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from infomotif.graph import Graph
from infomotif.io import convert_csv, is_store, open_store, save_store
from tests.fault_injection.disk import every_fault

pytestmark = pytest.mark.slow


def made(seed: int) -> Graph:
    rng = np.random.default_rng(seed)
    source, target = rng.integers(0, 12, (2, 40))
    return Graph.from_edges(source, target, num_nodes=12, directed=False, names=[f"n{v}" for v in range(12)])


def saved(folder: Path) -> None:
    save_store(made(2), folder / "store", overwrite=True)


def converted(folder: Path) -> None:
    convert_csv(folder / "edges.csv", None, folder / "store", directed=False, overwrite=True, show=False)


@pytest.mark.parametrize(
    ("write", "present"), [(saved, None), (saved, "new"), (saved, "replaced"), (converted, None), (converted, "new")]
)
def test_the_old_store_or_the_new_one_opens_whatever_happens(tmp_path: Path, write, present: str | None) -> None:
    template = tmp_path / "template"
    template.mkdir()
    (template / "edges.csv").write_text("source,target\nx,y\ny,z\nz,x\n")
    if present is not None:
        save_store(made(0), template / "store")
    if present == "replaced":
        save_store(made(1), template / "store", overwrite=True)
    old = open_store(template / "store").fingerprint() if present else None
    reference = tmp_path / "reference"
    reference.mkdir()
    (reference / "edges.csv").write_text((template / "edges.csv").read_text())
    write(reference)
    new = open_store(reference / "store").fingerprint()

    def check(folder: Path, outcome: str) -> None:
        path = folder / "store"
        if outcome == "done":
            assert open_store(path, verify=True).fingerprint() == new
        elif present or is_store(path):
            assert open_store(path, verify=True).fingerprint() in (old, new)
        write(folder)
        assert open_store(path, verify=True).fingerprint() == new
        # What a kill left behind is gone when the next process has written.
        assert sorted(file.name for file in folder.iterdir()) == ["edges.csv", "store"]
        kept = [file.name for file in path.iterdir() if file.name != ".checked"]
        assert "graph.json" in kept
        folders = [name for name in kept if name.startswith("arrays-")]
        assert (len(folders), len(kept)) == (1, 2) or not folders

    assert every_fault(template, tmp_path, write, check, how=("full", "kill", "power")) > 60
