"""Uniform samples of coloured instances, drawn from those of the same pattern without types.

A uniform sample of the base's instances, without the ones of other types, is a uniform sample of the coloured ones.
Where that would leave too few, a node's instances are enumerated.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from infomotif._core.counter_rng import GOLDEN, mixed
from infomotif._core.parallel import parallel_ranges
from infomotif.motifs.colours.matching import TypeFilter, base_of
from infomotif.motifs.colours.view import ColouredView
from infomotif.motifs.counting.census import Count, count_motifs
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.matching import plan_for, rows_of
from infomotif.motifs.kernels import draws
from infomotif.motifs.kernels.matching import STATE_SIZE, fill_matches
from infomotif.motifs.pattern import Motif
from infomotif.motifs.sampling import LISTED, NOTHING, Instances, Listing, Sampler
from infomotif.typing import Array

MIN_SHARE = 1 / 64
"""Share of the base's instances that must have the wanted types, or a node's instances are enumerated."""
_OTHERWISE = 1
_BATCH = 1 << 16


class ColouredSampler:
    """Draws instances of motifs, some of which name types; the same interface as :class:`.Sampler`.

    Args:
        motifs: The motifs.
        views: The graph with its types as each motif sees it.
        counted: The census of each motif.
        listing_bytes: Memory for lists.
        min_share: As :data:`MIN_SHARE`.
    """

    def __init__(
        self,
        motifs: Sequence[Motif],
        views: Sequence[ColouredView],
        counted: Sequence[Count],
        listing_bytes: int,
        *,
        min_share: float = MIN_SHARE,
    ) -> None:
        """Count and list the instances of the motifs without their types."""
        self.motifs, self.views, self.min_share = motifs, views, min_share
        self.counts = [np.ascontiguousarray(count.orbits.sum(axis=1)) for count in counted]
        bases: list[Motif] = []
        base_views: list[DyadGraph] = []
        census: list[Count] = []
        self._base: list[int] = []
        for t, motif in enumerate(motifs):
            base = base_of(motif) if motif.coloured else motif
            if base not in bases:
                bases.append(base)
                base_views.append(views[t].view)
                census.append(counted[t] if not motif.coloured else count_motifs(views[t].view, [base])[0])
            self._base.append(bases.index(base))
        self._sampler = Sampler(bases, base_views, census, listing_bytes)
        self._filters = {
            t: TypeFilter(views[t], motif, bases[self._base[t]]) for t, motif in enumerate(motifs) if motif.coloured
        }
        self._listings: dict[int, Listing] = {}

    def draw(self, t: int, nodes: Array, q: int, seed: np.uint64) -> Instances:
        """Draw at most ``q`` instances of motif number ``t`` for each node."""
        if t not in self._filters:
            return self._sampler.draw(self._base[t], nodes, q, seed)
        counts, listing = self.counts[t][nodes], self._listing(t)
        indptr = np.zeros(len(nodes) + 1, np.int64)
        np.cumsum(np.minimum(counts, q), out=indptr[1:])
        members = np.empty((indptr[-1], self.motifs[t].size), self.views[t].view.indices.dtype)
        route = np.where(listing.listed[nodes], LISTED, _OTHERWISE).astype(np.uint8)
        route[counts == 0] = NOTHING
        lists = (listing.start, listing.rows, self.counts[t])
        parallel_ranges(draws.draw_listed, indptr, nodes, route, LISTED, *lists, seed, indptr, members)
        others = np.flatnonzero(route == _OTHERWISE)
        if len(others):
            drawn = self._draw_otherwise(t, np.unique(nodes[others]), q, seed)
            for i in others.tolist():
                members[indptr[i] : indptr[i + 1]] = drawn[int(nodes[i])]
        return Instances(indptr, members)

    def _listing(self, t: int) -> Listing:
        """Return the instances of the nodes whose base instances are listed."""
        if t not in self._listings:
            base = self._base[t]
            held, counts = self._sampler.listings[base], self._sampler.counts[base]
            listed = np.flatnonzero(held.listed)
            owner = np.repeat(listed, counts[listed])
            before = np.repeat(np.cumsum(counts[listed]) - counts[listed], counts[listed])
            rows, kept = self._filters[t].rows(held.rows[held.start[owner] + np.arange(len(owner)) - before])
            size = np.bincount(owner[kept], minlength=len(counts))
            self._listings[t] = Listing(held.listed, np.cumsum(size) - size, np.ascontiguousarray(rows))
        return self._listings[t]

    def _draw_otherwise(self, t: int, nodes: Array, q: int, seed: np.uint64) -> dict[int, Array]:
        """Return the drawn instances of nodes whose instances are not listed."""
        counts, offered = self.counts[t][nodes], self._sampler.counts[self._base[t]][nodes]
        enumerated = (counts <= q) | (counts < self.min_share * offered)
        if self._filters[t].ambiguous:
            enumerated[:] = True
        drawn = {int(v): self._enumerate(t, int(v), q, seed) for v in nodes[enumerated]}
        rest = nodes[~enumerated]
        return drawn | (self._propose(t, rest, q, seed) if len(rest) else {})

    def _enumerate(self, t: int, v: int, q: int, seed: np.uint64) -> Array:
        """Draw ranks, and keep the instances of a node that have one of them."""
        count = int(self.counts[t][v])
        rng = np.random.Generator(np.random.Philox(key=np.array([seed, v], np.uint64)))
        ranks = np.arange(count) if count <= q else np.sort(rng.choice(count, q, replace=False))
        parts, seen = [], 0
        for rows in node_instances(self._filters[t], self._sampler.motifs[self._base[t]], v):
            here = ranks[(ranks >= seen) & (ranks < seen + len(rows))] - seen
            parts.append(rows[here])
            seen += len(rows)
            if seen > ranks[-1]:
                break
        return np.concatenate(parts)

    def _propose(self, t: int, nodes: Array, q: int, seed: np.uint64) -> dict[int, Array]:
        """Draw instances of the base until enough of them have the wanted types."""
        base = self._base[t]
        offered = self._sampler.counts[base][nodes] / self.counts[t][nodes]
        size = np.exp2(np.ceil(np.log2(1.5 * q * offered + 8))).astype(np.int64)
        drawn: dict[int, Array] = {}
        attempt = 0
        while len(nodes):
            again = np.zeros(len(nodes), np.bool_)
            stream = mixed(np.array([seed], np.uint64) + np.uint64(attempt + 1) * GOLDEN)[0]
            for each in np.unique(size).tolist():
                group = np.flatnonzero(size == each)
                sample = self._sampler.draw(base, nodes[group], each, stream)
                rows, kept = self._filters[t].rows(sample.members)
                owner = np.searchsorted(sample.indptr, kept, side="right") - 1
                # The base may list its draws in any order, so chance chooses among those that fit.
                place_of = (kept - sample.indptr[owner]).astype(np.uint64)
                key = mixed(stream + nodes[group][owner].astype(np.uint64) * GOLDEN + mixed(place_of))
                order = np.lexsort([key, owner])
                ends = np.searchsorted(owner[order], np.arange(len(group) + 1))
                for i, place in enumerate(group.tolist()):
                    chosen = order[ends[i] : ends[i + 1]][:q]
                    again[place] = len(chosen) < q
                    drawn[int(nodes[place])] = rows[chosen]
            # What failed says nothing about which instances fit, so a new sample is as good as a first one.
            nodes, size, attempt = nodes[again], 2 * size[again], attempt + 1
        return drawn


def node_instances(matching: TypeFilter, base: Motif, v: int) -> Iterator[Array]:
    """Yield all instances of a coloured motif that contain a node, in batches."""
    view = matching.view.view
    for orbit in range(len(base.orbits)):
        plan, node = plan_for(base, orbit), v
        state, mark = np.zeros(STATE_SIZE, np.int64), np.zeros(view.num_nodes, np.uint16)
        steps = (plan.order, plan.required, plan.smaller, plan.automorphisms, *rows_of(view))
        while node == v:
            out = np.empty((_BATCH, base.size), view.indices.dtype)
            found, node = fill_matches(state, mark, v, v + 1, *steps, out)
            rows, _ = matching.rows(out[:found])
            if len(rows):
                yield rows
