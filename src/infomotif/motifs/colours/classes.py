"""Classes of typed edges: a number per entry of the rows for the types of both nodes and of the edges between them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.motifs.colours import kernels
from infomotif.motifs.colours.view import ColouredView, Wanted
from infomotif.motifs.kernels.dyads import fill_forward
from infomotif.motifs.pattern import IN, OUT, Motif
from infomotif.typing import Array

MAX_TABLE = 1 << 22
"""How many kinds of triangles, by the classes of their edges, a table may have."""
_MAX_KEYS = 1 << 22


class EdgeClasses:
    """The classes of entries that occur in a graph.

    Types that no motif names are one type, so that there are few classes.

    Args:
        view: The graph with its types.
        node_types: Numbers of the node types to distinguish.
        edge_types: Numbers of the edge types to distinguish.

    Attributes:
        of_entry: The class of each entry of the rows.
        first_type: Type of the row's node for each class, -1 for one that is not distinguished.
        second_type: Type of the neighbour for each class.
        out: 1 + the type of the edge to the neighbour, 0 without one, -1 for one that is not distinguished.
        back: The same for the edge from the neighbour.
        flipped: The class of the same pair as seen from the neighbour.
        local: The number of each class among those of the same first type.
        row: Where the pairs of each class with others of the same first type begin: row[uv] + local[uw] numbers a pair.
        dyad: The number of each class among those with the same types of edges there and back.
    """

    def __init__(self, view: ColouredView, node_types: Sequence[int], edge_types: Sequence[int]) -> None:
        """Number the classes that occur."""
        self.view = view
        nodes, edges = sorted(set(node_types)), sorted(set(edge_types))
        number = np.zeros(256, np.uint8)
        number[nodes] = np.arange(1, 1 + len(nodes))
        types = number[view.types] if nodes else np.zeros(len(view.types), np.uint8)
        # Edges of other types are 1, so that they differ from no edge.
        edge_number = np.ones(2 + max([*edges, int(view.out.max(initial=0)), int(view.back.max(initial=0))]), np.int64)
        edge_number[0] = 0
        edge_number[[1 + edge for edge in edges]] = np.arange(2, 2 + len(edges))
        kinds, relations = 1 + len(nodes), 2 + len(edges)
        rows, space = (view.view.indptr, view.view.indices), (kinds * relations) ** 2
        keys = np.empty(len(view.view.indices), np.int64)
        arrays = (types, view.out, view.back, edge_number, kinds, relations, keys)
        parallel_ranges(kernels.entry_keys, view.view.indptr, *rows, *arrays)
        if space <= _MAX_KEYS:
            present = np.zeros(space, np.uint8)
            kernels.mark_present(keys, present)
            known = np.flatnonzero(present)
            place = np.zeros(space, np.int32)
            place[known] = np.arange(len(known))
            self.of_entry: Array = np.empty(len(keys), np.int32)
            parallel_ranges(kernels.number_entries, view.view.indptr, view.view.indptr, keys, place, self.of_entry)
        else:
            known, self.of_entry = np.unique(keys, return_inverse=True)
            self.of_entry = self.of_entry.astype(np.int32)
        there, back = known // relations % relations, known % relations
        first, second = known // relations**2 // kinds, known // relations**2 % kinds
        turned = ((second * kinds + first) * relations + back) * relations + there
        self.flipped: Array = np.searchsorted(known, turned).astype(np.int32)
        node_names, edge_names = np.array([-1, *nodes]), np.array([0, -1, *(1 + edge for edge in edges)])
        self.first_type, self.second_type = node_names[first], node_names[second]
        self.out, self.back = edge_names[there], edge_names[back]
        self.codes: Array = np.where(there > 0, OUT, 0) + np.where(back > 0, IN, 0)
        # Classes ascend by their first type.
        size = np.bincount(first, minlength=kinds)
        self.local: Array = np.arange(len(known)) - (np.cumsum(size) - size)[first]
        self.row: Array = (np.cumsum(size**2) - size**2)[first] + self.local * size[first]
        self.pairs = int((size**2).sum())
        dyads, self.dyad = np.unique(there * relations + back, return_inverse=True)
        self.dyads = len(dyads)
        self._first, self._second, self._kinds = first, second, kinds

    @property
    def width(self) -> int:
        """Number of classes."""
        return len(self.codes)

    @property
    def table_size(self) -> int:
        """How many kinds of triangles the classes can make."""
        return self.pairs * self.dyads

    def triangle(self, uv: Array, uw: Array, vw: Array) -> Array:
        """Return the number of the kind of triangles whose pairs have these classes."""
        return np.asarray((self.row[uv] + self.local[uw]) * self.dyads + self.dyad[vw])

    def consistent(self, uv: Array, uw: Array, vw: Array) -> tuple[Array, Array, Array]:
        """Return all triples of some classes in which each of the three nodes has one type."""
        # Pairs at u first, so that few triples are looked at.
        one, two = np.nonzero(self._first[uv][:, None] == self._first[uw][None, :])
        uv, uw = uv[one], uw[two]
        which, third = np.nonzero(
            (self._second[uv][:, None] == self._first[vw][None, :])
            & (self._second[uw][:, None] == self._second[vw][None, :])
        )
        return uv[which], uw[which], vw[third]

    def pairs_of(self, kinds: Array) -> tuple[Array, Array, Array]:
        """Return the classes of the three pairs of triangles of these kinds."""
        number, dyad = kinds // self.dyads, kinds % self.dyads
        uv = np.searchsorted(self.row, number, side="right") - 1
        uw = uv - self.local[uv] + number - self.row[uv]
        class_of = np.zeros(self._kinds * self.dyads * self._kinds, np.int64)
        class_of[(self._first * self.dyads + self.dyad) * self._kinds + self._second] = np.arange(self.width)
        return uv, uw, class_of[(self._second[uv] * self.dyads + dyad) * self._kinds + self._second[uw]]

    @cached_property
    def of_forward(self) -> tuple[Array, Array, Array, int]:
        """The row, local number + 1 and dyad of each edge of the forward orientation, and the number of dyads."""
        view, forward = self.view.view, self.view.view.forward
        classes, scratch = np.empty(len(forward.indices), np.int32), np.empty_like(forward.indices)
        rows = (view.indptr, view.indices, self.of_entry, forward.rank, forward.indptr, scratch, classes)
        parallel_ranges(fill_forward, view.indptr, *rows)
        small = np.uint8 if int(self.local.max(initial=0)) < 255 else np.uint16
        dyad = self.dyad.astype(np.uint8 if self.dyads <= 256 else np.uint16)
        return self.row[classes], (self.local + 1).astype(small)[classes], dyad[classes], self.dyads

    def fitting(self, motif: Motif, wanted: Wanted, i: int, j: int) -> Array:
        """Return which classes a pair in positions i and j of a motif may have; all if they are not joined."""
        fits = np.ones(self.width, np.bool_)
        if wanted.types[i] >= 0:
            fits &= self.first_type == wanted.types[i]
        if wanted.types[j] >= 0:
            fits &= self.second_type == wanted.types[j]
        if motif.codes[i][j]:
            fits &= self.codes == motif.codes[i][j]
            for kinds, kind in ((self.out, wanted.edges[i, j]), (self.back, wanted.edges[j, i])):
                if kind > 0:
                    fits &= kinds == kind
        return fits


def edge_classes(view: ColouredView, node_types: Iterable[int], edge_types: Iterable[int]) -> EdgeClasses:
    """Return classes that distinguish some types, those of the view if they do and are few."""
    nodes, edges = frozenset(node_types), frozenset(edge_types)
    known: dict[Any, EdgeClasses] = view.classes
    for (known_nodes, known_edges), classes in known.items():
        if nodes <= known_nodes and edges <= known_edges and classes.table_size <= MAX_TABLE:
            return classes
    known[nodes, edges] = EdgeClasses(view, sorted(nodes), sorted(edges))
    return known[nodes, edges]


def classes_naming(view: ColouredView, wanted: Sequence[Wanted]) -> EdgeClasses:
    """Return classes that distinguish all types that motifs name."""
    nodes = {int(t) for each in wanted for t in each.types if t >= 0}
    edges = {int(t) - 1 for each in wanted for t in each.edges.ravel() if t > 0}
    return edge_classes(view, nodes, edges)


class Additions(NamedTuple):
    """What a triangle adds, by the classes of its three pairs.

    Attributes:
        first: Where the additions of each row of classes begin.
        member: To which of the three nodes.
        column: To which column.
        weight: How much.
    """

    first: Array
    member: Array
    column: Array
    weight: Array
