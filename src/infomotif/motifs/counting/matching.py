"""Subgraph matching: count, list and iterate the instances of any pattern of 3 or 4 nodes by search."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels import matching as kernels
from infomotif.motifs.pattern import Codes, Motif
from infomotif.typing import Array


class SearchPlan(NamedTuple):
    """Two ways to match a motif from a node in a given orbit: its neighbours first, or away from it first.

    Attributes:
        order: The position matched at each step; each is joined to an earlier one [2, k].
        required: Code from the node of an earlier step (column) to that of a step (row) [2, k, k].
        stabiliser: Permutations of the steps that keep the pattern and the first step [2, .., k].
        automorphisms: Permutations of the positions that keep the pattern [.., k].
        peers: Steps whose positions are in the orbit of the first step [2, k].
    """

    order: Array
    required: Array
    stabiliser: Array
    automorphisms: Array
    peers: Array


@cache
def search_plan(motif: Motif, codes: Codes, orbit: int) -> SearchPlan:
    """Return the plan for nodes in an orbit; ``codes`` distinguish equal motifs with different member orders."""
    k, root = motif.size, motif.orbits[orbit][0]
    fixing = [a for a in motif.automorphisms if a[root] == root and a != tuple(range(k))]
    orders = [_steps(codes, root, near) for near in (True, False)]
    required = [[[codes[order[j]][order[s]] for j in range(k)] for s in range(k)] for order in orders]
    stabiliser = [[[order.index(a[p]) for p in order] for a in fixing] for order in orders]
    peers = [[p in motif.orbits[orbit] and p != root for p in order] for order in orders]
    return SearchPlan(
        np.array(orders, np.int64),
        np.array(required, np.int64),
        np.array(stabiliser, np.int64).reshape(2, -1, k),
        np.array(motif.automorphisms, np.int64),
        np.array(peers, np.bool_),
    )


def _steps(codes: Codes, root: int, near: bool) -> list[int]:
    """Order the positions: many earlier neighbours first, as this checks more; ties by nearness to the root."""
    order = [root]
    while len(order) < len(codes):
        rest = [p for p in range(len(codes)) if p not in order and any(codes[p][o] for o in order)]
        order.append(max(rest, key=lambda p: (sum(bool(codes[p][o]) for o in order), bool(codes[p][root]) == near)))
    return order


def plan_for(motif: Motif, orbit: int) -> SearchPlan:
    """Return the search plan of a motif for nodes in one of its orbits."""
    return search_plan(motif, motif.codes, orbit)


def rows_of(view: DyadGraph) -> tuple[Array, Array, Array, Array, Array]:
    """Return the arrays of a graph that every search reads."""
    offsets, grouped = view.groups
    return view.indptr, view.indices, view.codes, offsets, grouped


def count_by_search(view: DyadGraph, motif: Motif) -> Array:
    """Count the instances of a motif at each node in each orbit [n, orbits] by finding them all."""
    counts = np.zeros((len(motif.orbits), view.num_nodes), np.int64)
    for orbit in range(len(motif.orbits)):
        plan = plan_for(motif, orbit)
        no_peers = np.zeros((2, motif.size), np.bool_)
        parallel_ranges(
            kernels.count_matches,
            view.indptr,
            plan.required,
            plan.stabiliser,
            no_peers,
            *rows_of(view),
            counts[orbit],
            pieces=16,
        )
    return np.ascontiguousarray(counts.T)


def list_by_search(view: DyadGraph, motif: Motif, listed: Array, cursor: Array, members: Array) -> None:
    """Write the instances of each listed node to its rows of ``members``, starting at ``cursor``."""
    no_peers = np.zeros((2, motif.size), np.bool_)
    for orbit in range(len(motif.orbits)):
        plan = plan_for(motif, orbit)
        parallel_ranges(
            kernels.list_matches,
            view.indptr,
            plan.order,
            plan.required,
            plan.stabiliser,
            plan.automorphisms,
            no_peers,
            *rows_of(view),
            listed,
            cursor,
            members,
            pieces=16,
        )


def iterate_by_search(view: DyadGraph, motif: Motif, batch: int) -> Iterator[Array]:
    """Yield the instances of the whole graph, each once, in batches [batch, k]; one batch is in memory."""
    orbit = min(range(len(motif.orbits)), key=lambda o: len(motif.orbits[o]))
    plan = plan_for(motif, orbit)
    state, node = np.zeros(kernels.STATE_SIZE, np.int64), 0
    while node < view.num_nodes:
        out = np.empty((batch, motif.size), view.indices.dtype)
        found, node = kernels.fill_matches(
            state,
            node,
            view.num_nodes,
            plan.order,
            plan.required,
            plan.stabiliser,
            plan.automorphisms,
            plan.peers,
            *rows_of(view),
            out,
        )
        if found:
            yield out[:found]
