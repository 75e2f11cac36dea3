"""All instances of a motif, one after the other: triangles and 4-cliques in a forward order, the rest by search."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.graphlets import order_table
from infomotif.motifs.counting.matching import iterate_by_search
from infomotif.motifs.counting.triads import closed_column, triad_tables
from infomotif.motifs.kernels.cliques import fill_cliques, fill_triangles
from infomotif.motifs.pattern import Motif
from infomotif.typing import Array


def iterate_instances(view: DyadGraph, motif: Motif, batch: int) -> Iterator[Array]:
    """Yield the instances of the whole graph, each once, in batches [at most batch, k]; one batch is in memory."""
    if not motif.closed or motif.size > 4:
        return iterate_by_search(view, motif, batch)
    return _iterate_cliques(view, motif, batch)


def _iterate_cliques(view: DyadGraph, motif: Motif, batch: int) -> Iterator[Array]:
    f, n = view.forward, view.num_nodes
    state, mark = np.array([0, -1, -1, 0, 0], np.int64), np.zeros(n, np.uint8)
    common, third = np.full(n, -1, np.int64), np.empty(n, view.indices.dtype)
    while state[0] < n:
        out = np.empty((batch, motif.size), view.indices.dtype)
        if motif.size == 3:
            tables = (closed_column([motif]), triad_tables().closed_order)
            found = fill_triangles(state, mark, f.indptr, f.indices, f.codes, f.order, *tables, out)
        else:
            rows = (view.indptr, view.indices, view.codes, f.order, f.indptr, f.indices)
            orders = order_table(motif.codes)
            found = fill_cliques(state, mark, common, third, *rows, motif.directed, *orders, out)
        if found:
            yield out[:found]
