"""Compressed rows by the compiled loop are those that sorting gives."""

from __future__ import annotations

import numpy as np
import pytest

from infomotif.graph import csr


@pytest.mark.parametrize(("nodes", "edges"), [(1, 0), (5, 3), (40, 2000), (1000, 300)])
def test_the_compiled_loop_gives_the_rows_of_the_sort(nodes, edges, monkeypatch):
    rng = np.random.default_rng(edges)
    source, target = rng.integers(0, nodes, (2, edges))
    expected = csr.compress(source, target, None, nodes, True)
    monkeypatch.setattr(csr, "_MIN_COMPILED", 0)
    found = csr.compress(source, target, None, nodes, True)
    assert found[1:] == expected[1:]
    for a, b in zip(found[0][:2], expected[0][:2], strict=True):
        assert a.dtype == b.dtype
        assert a.tolist() == b.tolist()
