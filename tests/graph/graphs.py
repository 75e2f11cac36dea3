"""A small graph with everything, and what the tests ask of rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from infomotif.graph import Graph
from infomotif.graph.csr import CSR


def small(**changes: Any) -> Graph:
    """Five nodes: 0>1, 1>2, 2>0, 2>3, and a lone 4."""
    fields: dict[str, Any] = {
        "num_nodes": 5,
        "directed": True,
        "x": [[1, 0], [0, 2], [0, 0], [3, 4], [0.5, 0]],
        "y": [0, 1, -1, 0, 1],
        "class_names": ["red", "blue"],
        "names": ["a", "b", "c", "d", "e"],
        "attribute_names": ["height", "width"],
        "name": "small",
        **changes,
    }
    return Graph.from_edges([2, 0, 1, 2], [3, 1, 2, 0], **fields)


def pairs(csr: CSR) -> set[tuple[int, int]]:
    rows = np.repeat(np.arange(len(csr.indptr) - 1), np.diff(csr.indptr))
    return set(zip(rows.tolist(), csr.indices.tolist(), strict=True))
