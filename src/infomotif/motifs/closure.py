"""Closure: which share of the triples of nodes around an edge are triangles."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp

from infomotif.io.adapt import as_structure
from infomotif.motifs.counting.dyads import DyadGraph


def closure_weights(graph: Any) -> sp.csr_array:
    """Return the closure of each edge: its triangles, divided by all connected triples of nodes that contain it.

    With the motif adjacency matrices A of triangles (M7) and wedges (M6), this is A_M7 / (A_M6 + A_M7) on the edges. It
    equals the Jaccard coefficient of the neighbours of the two nodes, without these nodes themselves. An edge that is
    in no triple has 0. Directions are ignored.

    Args:
        graph: A :class:`Graph`, or anything else that :class:`.MotifIndex` takes.

    Returns:
        A symmetric matrix [n, n] with an entry for each edge, also where it is 0.

    Example:
        >>> from infomotif import Graph
        >>> paw = Graph.from_edges([0, 0, 0, 1], [1, 2, 3, 2], num_nodes=4, directed=False)
        >>> closure_weights(paw).toarray().tolist()
        [[0.0, 0.5, 0.5, 0.0], [0.5, 0.0, 1.0, 0.0], [0.5, 1.0, 0.0, 0.0], [0.0, 0.0, 0.0, 0.0]]
    """
    view = DyadGraph(as_structure(graph), directed=False)
    (triangles,) = view.shared_triangles(np.zeros(27, np.int64), 1)
    degree = np.diff(view.indptr).astype(np.int64)
    triples = np.repeat(degree, degree) + degree[view.indices] - 2 - triangles
    values = triangles / np.maximum(triples, 1)
    return sp.csr_array((values, view.indices, view.indptr), shape=(view.num_nodes, view.num_nodes), copy=True)
