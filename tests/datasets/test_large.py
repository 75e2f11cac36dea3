"""Large synthetic graphs: the same files from the same seed, with the structure they are said to have."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from infomotif.datasets import large, write_roles
from infomotif.errors import InputError
from infomotif.io import read_csv
from infomotif.motifs import MotifIndex


def test_a_seed_gives_one_graph_whatever_the_kind(tmp_path: Path) -> None:
    made = [
        read_csv(*write_roles(tmp_path / f"{kind}{seed}", 2000, num_attributes=3, seed=seed, kind=kind), label="role")
        for kind, seed in (("csv", 0), ("parquet", 0), ("csv", 1))
    ]
    assert made[0].fingerprint() == made[1].fingerprint() != made[2].fingerprint()


def test_roles_meet_in_triangles_and_share_attributes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(large, "PIECE", 4096)
    plain, planted = (
        read_csv(*write_roles(tmp_path / str(share), 20_000, num_attributes=8, planted=share), label="role")
        for share in (0.0, 0.6)
    )
    assert MotifIndex(planted, ["M4"]).totals[0] > 2 * MotifIndex(plain, ["M4"]).totals[0]
    assert planted.y is not None
    assert isinstance(planted.x, np.ndarray)
    means = np.stack([planted.x[planted.y == c].mean(axis=0) for c in range(8)])
    assert means.std(axis=0).mean() > 0.15
    assert planted.degrees.max() > 3 * planted.degrees.mean()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"kind": "xml"}, "kind must be one of csv, parquet"),
        ({"num_classes": 1}, "num_classes must be at least 2"),
        ({"num_nodes": 3}, "num_classes must be at least 2, num_nodes twice that"),
        ({"planted": 1.5}, "planted must lie in 0..1"),
        ({"num_edges": 0}, "num_edges positive"),
    ],
)
def test_bad_parameters(changes: dict, message: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=message):
        write_roles(tmp_path / "out", **{"num_edges": 1000, "num_nodes": 100, **changes})
