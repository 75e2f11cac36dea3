"""From instances of a pattern without types to those of the same pattern with types."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.motifs.catalog import catalog
from infomotif.motifs.colours.kernels import match_types
from infomotif.motifs.colours.view import ColouredView
from infomotif.motifs.counting.listing import iterate_instances
from infomotif.motifs.pattern import Motif, permuted
from infomotif.typing import Array


@cache
def base_of(motif: Motif) -> Motif:
    """Return the motif without types, with its positions in the order of the catalog if it is there.

    Example:
        >>> from infomotif.motifs.pattern import parse_pattern
        >>> base_of(parse_pattern("a:x->b, b->c, a->c")).name
        'M4'
    """
    return next((known for known in catalog().values() if known == motif.plain), motif.plain)


class TypeFilter:
    """Instances of a coloured motif among those of its base, the same pattern without types.

    A set of nodes is an instance once for each way to put its nodes into the positions so that all types fit; ways that
    differ by a symmetry of the coloured pattern are one. If the pattern names all types, there is at most one way.

    Args:
        view: The graph with its types.
        motif: The coloured motif.
        base: The motif without types, whose instances are filtered.

    Attributes:
        ambiguous: Whether an instance of the base may be one of the motif in several ways.
    """

    def __init__(self, view: ColouredView, motif: Motif, base: Motif) -> None:
        """Find the ways in which members of the base can be those of the motif."""
        self.view, self.motif = view, motif
        self.wanted = view.wanted(motif)
        every = [p for p in permutations(range(motif.size)) if permuted(base.codes, p) == motif.codes]
        one_each = {min(tuple(p[i] for i in a) for a in motif.automorphisms) for p in every}
        self._orders = np.array(sorted(one_each), np.int64)
        self._automorphisms = np.array(motif.automorphisms, np.int64)
        self.ambiguous = len(self._orders) > 1 and not self._complete()

    def _complete(self) -> bool:
        """Return whether the motif names all types that the graph distinguishes."""
        graph, motif = self.view.graph, self.motif
        nodes = len(graph.node_type_names) <= 1 or (bool(motif.node_types) and all(motif.node_types))
        pairs = [(i, j) for i in range(motif.size) for j in range(motif.size) if motif.codes[i][j] & 1]
        edges = len(self.view.edge_names) <= 1 or (
            bool(motif.edge_types) and all(motif.edge_types[i][j] for i, j in pairs)
        )
        return nodes and edges

    def rows(self, members: Array) -> tuple[Array, Array]:
        """Return the instances among rows of the base [I, k]: members in the order of the motif, and their rows."""
        view = self.view
        matches = np.empty((len(members), len(self._orders)), np.bool_)
        arrays = (view.view.indptr, view.view.indices, view.types, view.out, view.back)
        parallel_ranges(match_types, len(members), members, *arrays, self._orders, *self.wanted, matches)
        row, order = np.nonzero(matches)
        found = members[row[:, None], self._orders[order]]
        return self._smallest(found), row

    def _smallest(self, found: Array) -> Array:
        """Return each row in the smallest of its equivalent orders."""
        best = found
        for automorphism in self._automorphisms:
            other = found[:, automorphism]
            differ = other != best
            at = differ.argmax(axis=1)
            rows = np.arange(len(found))
            smaller = differ.any(axis=1) & (other[rows, at] < best[rows, at])
            best = np.where(smaller[:, None], other, best)
        return best

    def iterate(self, batch: int) -> Iterator[Array]:
        """Yield all instances, each once, in batches of at most ``batch`` rows unless there are several ways."""
        base = base_of(self.motif)
        for members in iterate_instances(self.view.view, base, batch):
            rows, _ = self.rows(members)
            if len(rows):
                yield rows
