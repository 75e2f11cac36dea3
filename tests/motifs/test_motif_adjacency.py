"""The motif adjacency matrix refuses to fill the memory; its values are checked with the census."""

from __future__ import annotations

import pytest

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex


def test_an_adjacency_that_would_fill_the_memory_is_refused():
    star = Graph.from_edges([0] * 30_000, range(1, 30_001), num_nodes=30_001, directed=False)
    with pytest.raises(InputError, match="adjacency of M6 may have .* entries.*: use closed motifs"):
        MotifIndex(star).adjacency("M6")
    assert MotifIndex(star).adjacency("M7").nnz == 0
