"""Uniform samples of instances: from lists where these are short, from the adjacency elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.motifs.counting.attached import AttachedProposals, attached_proposals
from infomotif.motifs.counting.census import Count
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.graphlets import (
    CLIQUE,
    CYCLE,
    DIAMOND,
    PATH,
    PAW,
    STAR,
    cycle_halves,
    further_neighbours,
    order_table,
    shape_of,
)
from infomotif.motifs.counting.matching import list_by_search, plan_for, rows_of
from infomotif.motifs.counting.trees import TreeProposals, tree_proposals
from infomotif.motifs.counting.triads import closed_column, open_codes, open_column, triad_tables
from infomotif.motifs.kernels import draws
from infomotif.motifs.kernels.attached import draw_attached
from infomotif.motifs.kernels.cliques import list_cliques, rank_cliques
from infomotif.motifs.kernels.cycles import draw_cycles, rank_cycles
from infomotif.motifs.kernels.matching import draw_ranked
from infomotif.motifs.kernels.proposals import draw_four
from infomotif.motifs.kernels.trees import draw_trees
from infomotif.motifs.kernels.triangles import list_triangles
from infomotif.motifs.kernels.wedges import list_wedges
from infomotif.motifs.pattern import Motif
from infomotif.typing import Array

LISTED, DRAWN, RANKED, NOTHING = 0, 1, 2, 3
TRIANGLES, WEDGES, LARGER = 0, 1, 2
FEW = 4
MIN_ACCEPTANCE = 1 / 32
MAX_LISTED = 256


Output = tuple[np.uint64, Array, Array]
"""What every drawing kernel gets last: the seed, the row pointers and the members to write."""


class Instances(NamedTuple):
    """Instances per owner: those of owner i are rows ``indptr[i]`` to ``indptr[i + 1]`` of ``members``.

    Attributes:
        indptr: Row pointers [owners + 1], int64.
        members: Nodes of each instance in the order of the motif's pattern [I, k].
    """

    indptr: Array
    members: Array


class Listing(NamedTuple):
    """Instances written out for some nodes: those of node v are ``count`` rows from ``start[v]``."""

    listed: Array
    start: Array
    rows: Array


class Sampler:
    """Draws instances of motifs.

    For each motif a node takes one of three routes, all with the same distribution: a list (LISTED); proposals from the
    adjacency with exact weights, of which the induced ones are kept (DRAWN); or random ranks, looked up by enumerating
    the node's instances (RANKED), if there are few instances or few proposals would be induced.

    Args:
        motifs: The motifs.
        views: The graph as each motif sees it.
        counted: The census of each motif.
        listing_bytes: Memory for lists.
        few: Nodes with at most this many times q instances enumerate them instead of proposing.
        min_acceptance: Share of proposals that must be induced, or a node enumerates its instances.
        max_listed: Nodes in more instances of a motif of four or more nodes than this are not listed, as proposing is
            faster.
    """

    def __init__(
        self,
        motifs: Sequence[Motif],
        views: Sequence[DyadGraph],
        counted: Sequence[Count],
        listing_bytes: int,
        *,
        few: float = FEW,
        min_acceptance: float = MIN_ACCEPTANCE,
        max_listed: int = MAX_LISTED,
    ) -> None:
        """List the instances of the nodes that have few."""
        self.motifs, self.views, self.counted = motifs, views, counted
        self.few, self.min_acceptance = few, min_acceptance
        self.counts = [np.ascontiguousarray(count.orbits.sum(axis=1)) for count in counted]
        self.listings = list_instances(motifs, views, self.counts, listing_bytes, max_listed)
        self._shared = self._shared_triangles()
        self._further: dict[DyadGraph, Array] = {}
        self._trees: dict[int, TreeProposals] = {}
        self._attached: dict[int, AttachedProposals] = {}

    def draw(self, t: int, nodes: Array, q: int, seed: np.uint64) -> Instances:
        """Draw at most ``q`` instances of motif number ``t`` for each node."""
        motif, view, listing = self.motifs[t], self.views[t], self.listings[t]
        counts = self.counts[t][nodes]
        indptr = np.zeros(len(nodes) + 1, np.int64)
        np.cumsum(np.minimum(counts, q), out=indptr[1:])
        members = np.empty((indptr[-1], motif.size), view.indices.dtype)
        route = self.routes(t, nodes, counts, q)
        used = np.bincount(route, minlength=4)
        output = (seed, indptr, members)
        if used[LISTED]:
            lists = (listing.start, listing.rows, self.counts[t])
            parallel_ranges(draws.draw_listed, indptr, nodes, route, LISTED, *lists, *output)
        if used[DRAWN]:
            self._draw_from_adjacency(t, nodes, route, output)
        if used[RANKED]:
            self._draw_ranked(t, nodes, route, output)
        return Instances(indptr, members)

    def routes(self, t: int, nodes: Array, counts: Array, q: int) -> Array:
        """Choose LISTED, DRAWN, RANKED or NOTHING for each node; ``counts`` are its instances of motif ``t``."""
        proposals = self._offered(t)
        ranked = counts <= max(q, self.few * q)
        if proposals is not None:
            # Proposing costs q / acceptance, enumeration at least the number of instances.
            offered = proposals[nodes]
            ranked |= (counts < self.min_acceptance * offered) & (
                10.0 * q * offered > np.square(counts, dtype=np.float64)
            )
        route = np.where(ranked, RANKED, DRAWN)
        route[self.listings[t].listed[nodes]] = LISTED
        route[counts == 0] = NOTHING
        return route.astype(np.uint8)

    def _offered(self, t: int) -> Array | None:
        """Return how many instances proposals would be if all were induced, or None if they all are."""
        if by_tree(self.motifs[t]):
            return self._tree(t).offered
        return self._edge(t).offered if by_edge(self.motifs[t]) else self.counted[t].proposals

    def _tree(self, t: int) -> TreeProposals:
        if t not in self._trees:
            self._trees[t] = tree_proposals(self.views[t], self.motifs[t])
        return self._trees[t]

    def _edge(self, t: int) -> AttachedProposals:
        if t not in self._attached:
            self._attached[t] = attached_proposals(self.views[t], self.motifs[t])
        return self._attached[t]

    def _draw_from_adjacency(self, t: int, nodes: Array, route: Array, output: Output) -> None:
        motif, view = self.motifs[t], self.views[t]
        _, indptr, _ = output
        common = (indptr, nodes, route, DRAWN, view.indptr, view.indices, view.codes)
        if by_tree(motif):
            tree = self._tree(t)
            parallel_ranges(
                draw_trees, *common, tree.reverse, tree.cumulated, tree.weights, *tree.plan[1:], *output, pieces=16
            )
        elif motif.size == 4:
            shape, last = shape_of(motif), (*order_table(motif.codes), *output)
            if by_edge(motif):
                parallel_ranges(draw_attached, *common, *view.groups, *self._edge(t)[:-1], *last, pieces=16)
            elif shape == CYCLE:
                parallel_ranges(draw_cycles, *common, *view.groups, *cycle_halves(motif.codes), *last, pieces=16)
            else:
                if view not in self._further:
                    self._further[view] = further_neighbours(view)
                parallel_ranges(draw_four, *common, shape == STAR, self._further[view], *last, pieces=16)
        elif motif.closed:
            wanted, member_order = closed_column([motif]), triad_tables().closed_order
            parallel_ranges(draws.draw_closed, *common, self._shared[t], wanted, member_order, *output)
        else:
            parallel_ranges(draws.draw_open, *common, *view.groups, open_codes(motif), *output)

    def _draw_ranked(self, t: int, nodes: Array, route: Array, output: Output) -> None:
        motif, view = self.motifs[t], self.views[t]
        if motif.size == 4 and enumerate_by_shape(view, motif, nodes, route, RANKED, self.counts[t], output):
            return
        _, indptr, _ = output
        common = (indptr, nodes, route, RANKED, self.counts[t])
        before = np.zeros(view.num_nodes, np.int64)
        for orbit in range(len(motif.orbits)):
            plan, here = plan_for(motif, orbit), np.ascontiguousarray(self.counted[t].orbits[:, orbit])
            steps = (plan.order, plan.required, plan.smaller, plan.automorphisms)
            parallel_ranges(draw_ranked, *common, before, here, *steps, *rows_of(view), *output)
            before = before + here

    def _shared_triangles(self) -> dict[int, Array]:
        """Count shared triangles per edge, for closed motifs that are not listed at every node."""
        shared: dict[int, Array] = {}
        for view in set(self.views):
            wanted = [
                t
                for t, motif in enumerate(self.motifs)
                if self.views[t] is view
                and motif.size == 3
                and motif.closed
                and np.any(~self.listings[t].listed & (self.counts[t] > 0))
            ]
            if wanted:
                column = closed_column([self.motifs[t] for t in wanted])
                shared.update(zip(wanted, view.shared_triangles(column, len(wanted)), strict=True))
        return shared


def by_tree(motif: Motif) -> bool:
    """Return whether a motif is drawn through a spanning tree rather than by a way of its own."""
    return motif.size > 4 or (motif.size == 4 and motif.directed and shape_of(motif) in (PATH, STAR))


def by_edge(motif: Motif) -> bool:
    """Return whether a motif is drawn as an edge with two attachments."""
    return motif.size == 4 and shape_of(motif) in (PAW, DIAMOND, CLIQUE)


def enumerate_by_shape(
    view: DyadGraph, motif: Motif, nodes: Array, route: Array, way: int, counts: Array, output: Output
) -> bool:
    """Draw ranks of cycles or cliques of four nodes, and enumerate these; return whether the motif is one."""
    shape, forward = shape_of(motif), view.forward
    _, indptr, _ = output
    common = (indptr, nodes, route, way, counts, view.indptr, view.indices, view.codes)
    last = (*order_table(motif.codes), *output)
    if shape == CYCLE:
        parallel_ranges(rank_cycles, *common, *view.groups, *cycle_halves(motif.codes), *last, pieces=16)
    elif shape == CLIQUE:
        ranked = (forward.order, forward.rank, forward.indptr, forward.indices)
        parallel_ranges(rank_cliques, *common, *ranked, motif.directed, *last, pieces=16)
    return shape in (CYCLE, CLIQUE)


def list_instances(
    motifs: Sequence[Motif], views: Sequence[DyadGraph], counts: Sequence[Array], budget: int, max_listed: int
) -> list[Listing]:
    """List the instances of the nodes that have few, within ``budget`` bytes; closed motifs come first."""
    listings: dict[int, Listing] = {}
    groups: dict[tuple[int, int, bool], list[int]] = {}
    for t, motif in enumerate(motifs):
        kind = LARGER if motif.size > 3 else TRIANGLES if motif.closed else WEDGES
        groups.setdefault((kind, t if kind == LARGER else 0, motif.directed), []).append(t)
    for done, ((kind, _, _), group) in enumerate(sorted(groups.items())):
        view = views[group[0]]
        cost = np.sum([counts[t] for t in group], axis=0)
        if kind == WEDGES:
            # Enumerating a node's wedges costs this much, whatever the codes.
            degree = np.diff(view.indptr).astype(np.int64)
            cost = np.maximum(cost, degree * (degree - 1) // 2 + view.sums(degree))
        row = motifs[group[0]].size * view.indices.dtype.itemsize
        share = budget // (len(groups) - done)
        listed = _cheapest(cost, share // row)
        if kind == LARGER:
            listed &= cost <= max_listed
        used = 0
        for t, listing in _write_lists(kind, [motifs[t] for t in group], view, [counts[t] for t in group], listed):
            listings[group[t]] = listing
            used = len(listing.rows) * row
        budget = max(0, budget - used)
    return [listings[t] for t in range(len(motifs))]


def _write_lists(
    kind: int, motifs: list[Motif], view: DyadGraph, counts: list[Array], listed: Array
) -> list[tuple[int, Listing]]:
    sizes = np.where(listed, np.stack(counts), 0)
    ends = np.cumsum(sizes.ravel())
    start: Array = (ends - sizes.ravel()).reshape(sizes.shape)
    rows = np.empty((int(ends[-1]) if len(ends) else 0, motifs[0].size), view.indices.dtype)
    cursor, tables = start.copy(), triad_tables()
    if len(rows) == 0:
        pass
    elif kind == TRIANGLES:
        f = view.forward
        column = closed_column(motifs)
        list_triangles(f.indptr, f.indices, f.codes, f.order, column, tables.closed_order, listed, cursor, rows)
    elif kind == WEDGES:
        column, member_order = open_column(motifs), tables.open_order
        parallel_ranges(
            list_wedges, view.indptr, view.indptr, view.indices, view.codes, column, member_order, listed, cursor, rows
        )
    else:
        _list_larger(view, motifs[0], counts[0], listed, cursor[0], rows)
    return [(i, Listing(listed, start[i], rows)) for i in range(len(motifs))]


def _list_larger(view: DyadGraph, motif: Motif, counts: Array, listed: Array, cursor: Array, rows: Array) -> None:
    shape, f = shape_of(motif) if motif.size == 4 else "", view.forward
    if shape == CLIQUE:
        rows_of_view = (view.indptr, view.indices, view.codes, f.order, f.indptr, f.indices, f.codes)
        list_cliques(*rows_of_view, motif.directed, *order_table(motif.codes), counts, listed, cursor, rows)
    elif shape == CYCLE:
        indptr, nodes = np.append(cursor, len(rows)), np.arange(view.num_nodes)
        route = np.where(listed & (counts > 0), LISTED, NOTHING)
        enumerate_by_shape(view, motif, nodes, route, LISTED, counts, (np.uint64(0), indptr, rows))
    else:
        list_by_search(view, motif, listed, cursor, rows)


def _cheapest(cost: Array, entries: int) -> Array:
    """Choose the nodes of lowest cost whose total cost stays within ``entries``; all or none of equal cost."""
    ordered = np.sort(cost)
    fitting = int(np.searchsorted(np.cumsum(ordered), entries, side="right"))
    return cost < ordered[fitting] if fitting < len(ordered) else np.ones(len(cost), np.bool_)
