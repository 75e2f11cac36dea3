"""The motif adjacency matrix of coloured motifs."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from infomotif.motifs.colours.matching import TypeFilter, base_of
from infomotif.motifs.colours.view import ColouredView
from infomotif.motifs.motif_adjacency import shared_by_products, shared_by_rows
from infomotif.motifs.pattern import Motif
from infomotif.typing import Array

_BATCH = 1_000_000


def coloured_adjacency(view: ColouredView, motif: Motif) -> sp.csr_array:
    """Count the instances that every two nodes share: by sparse products for wedges, by listing for the rest."""
    if motif.size == 3 and not motif.closed:
        centre = next(i for i in range(3) if sum(map(bool, motif.codes[i])) == 2)
        first, second = (i for i in range(3) if i != centre)
        ends = (_fitting(view, motif, centre, first), _fitting(view, motif, centre, second))
        matrix = shared_by_products(view.view, motif, *ends, same=len(motif.automorphisms) == 2)
    else:
        matching = TypeFilter(view, motif, base_of(motif))
        matrix = shared_by_rows(matching.iterate(_BATCH), view.view.num_nodes, motif.size)
    matrix.eliminate_zeros()
    matrix.sort_indices()
    return matrix


def _fitting(view: ColouredView, motif: Motif, centre: int, end: int) -> Array:
    """Return which entries of the rows lead from a node that fits the centre to one that fits the end."""
    wanted, rows = view.wanted(motif), view.view
    fits: Array = rows.codes == motif.codes[centre][end]
    source = np.repeat(np.arange(rows.num_nodes), np.diff(rows.indptr))
    for position, nodes in ((centre, source), (end, rows.indices)):
        if wanted.types[position] >= 0:
            fits &= view.types[nodes] == wanted.types[position]
    for types, kind in ((view.out, wanted.edges[centre, end]), (view.back, wanted.edges[end, centre])):
        if kind > 0:
            fits &= types == kind
    return fits
