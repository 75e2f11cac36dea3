"""The motif adjacency matrix: how many instances every two nodes share."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np
import scipy.sparse as sp

from infomotif.errors import InputError
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.edge_orbits import edge_cliques
from infomotif.motifs.counting.listing import iterate_instances
from infomotif.motifs.counting.triads import closed_column, open_codes
from infomotif.motifs.pattern import Motif
from infomotif.typing import Array

MAX_PAIRS = 400_000_000
_BATCH = 1_000_000


def motif_adjacency(view: DyadGraph, motif: Motif) -> sp.csr_array:
    """Count shared instances: per edge for cliques, by sparse products for wedges, by search for the rest."""
    if motif.size == 4 and motif.closed and not motif.directed:
        rows, cols, cliques = edge_cliques(view)
        shape = (view.num_nodes, view.num_nodes)
        once = sp.csr_array(sp.coo_array((cliques, (rows, cols)), shape=shape))
        matrix = sp.csr_array(once + once.T)
    elif motif.size > 3:
        matrix = shared_by_rows(iterate_instances(view, motif, _BATCH), view.num_nodes, motif.size)
    elif motif.closed:
        (shared,) = view.shared_triangles(closed_column([motif]), 1)
        matrix = _with_rows(view, shared)
    else:
        a, b, *_ = open_codes(motif)
        matrix = shared_by_products(view, motif, view.codes == a, view.codes == b, same=a == b)
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix


def shared_by_products(view: DyadGraph, motif: Motif, first: Array, second: Array, *, same: bool) -> sp.csr_array:
    """Count the wedges that every two nodes share, by sparse products.

    Args:
        view: The graph.
        motif: The wedge, for messages.
        first: Which entries of the rows lead from a centre to its first end.
        second: The same for the second end.
        same: Whether both ends are equivalent.

    Raises:
        InputError: If the matrix would not fit into memory.
    """
    degree = np.diff(view.indptr).astype(np.int64)
    pairs = int((degree * degree).sum())
    if pairs > MAX_PAIRS:
        raise InputError(
            f"the adjacency of {motif.name} may have {pairs:,} entries, more than {MAX_PAIRS:,}: "
            "use closed motifs, or a graph without its largest hubs"
        )
    joined = _pattern(view, view.codes > 0)
    to_a, to_b = _pattern(view, first), _pattern(view, second)
    ends = _not_joined(to_a.T @ to_b, joined)
    # Centre and end share one instance per other end that is not joined to this one.
    spokes = _spokes(to_a, to_b, joined)
    if not same:
        ends = ends + ends.T
        spokes = spokes + _spokes(to_b, to_a, joined)
    return sp.csr_array(ends + spokes + spokes.T)


def _spokes(to_end: sp.csr_array, to_other: sp.csr_array, joined: sp.csr_array) -> sp.csr_array:
    # A node that fits both ends is not its own other end.
    all_others = sp.diags_array(to_other.sum(axis=1), dtype=np.int64) @ to_end - to_end.multiply(to_other)
    return sp.csr_array(all_others - (to_other @ joined).multiply(to_end))


def _not_joined(pairs: sp.csr_array, joined: sp.csr_array) -> sp.csr_array:
    apart = sp.csr_array(pairs - pairs.multiply(joined))
    apart.setdiag(0)
    return apart


def _pattern(view: DyadGraph, keep: Array) -> sp.csr_array:
    matrix = _with_rows(view, keep)
    matrix.eliminate_zeros()
    return matrix


def _with_rows(view: DyadGraph, values: Array) -> sp.csr_array:
    shape = (view.num_nodes, view.num_nodes)
    return sp.csr_array((values.astype(np.int64), view.indices, view.indptr), shape=shape, copy=True)


def shared_by_rows(batches: Iterator[Array], n: int, size: int) -> sp.csr_array:
    """Count the rows of instances that every two nodes share."""
    total = sp.csr_array((n, n), dtype=np.int64)
    for rows in batches:
        for i, j in combinations(range(size), 2):
            ones = np.ones(len(rows), np.int64)
            total = total + sp.csr_array(sp.coo_array((ones, (rows[:, i], rows[:, j])), shape=(n, n)))
    return sp.csr_array(total + total.T)
