"""Subgraph matching: count, list and iterate the instances of any pattern by search, and estimate what that costs."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.errors import InputError
from infomotif.motifs.counting.accumulate import accumulate
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels import matching as kernels
from infomotif.motifs.pattern import Codes, Motif
from infomotif.typing import Array

MAX_STEPS = 10e9
"""Candidates that counting a motif by search may examine by default: about ten minutes of one thread."""
PROBES = 20_000


class SearchPlan(NamedTuple):
    """Two ways to match a motif from a node in a given orbit: its neighbours first, or away from it first.

    Attributes:
        order: The position matched at each step; each is joined to an earlier one [2, k].
        required: Code from the node of an earlier step (column) to that of a step (row) [2, k, k].
        smaller: Whether an earlier step (column) must match a smaller node than a step (row), so that every instance of
            the first node is found once [2, k, k].
        smallest: The same, so that every instance is found only at the smallest node of the orbit [2, k, k].
        automorphisms: Permutations of the positions that keep the pattern [.., k].
        orbit_of: The orbit of each step's position [2, k].
    """

    order: Array
    required: Array
    smaller: Array
    smallest: Array
    automorphisms: Array
    orbit_of: Array


@cache
def search_plan(motif: Motif, codes: Codes, orbit: int) -> SearchPlan:
    """Return the plan for nodes in an orbit; ``codes`` distinguish equal motifs with different member orders."""
    k, root = motif.size, motif.orbits[orbit][0]
    orders = [_steps(codes, root, near) for near in (True, False)]
    required = [[[codes[order[j]][order[s]] for j in range(k)] for s in range(k)] for order in orders]
    orbit_at = {p: o for o, members in enumerate(motif.orbits) for p in members}
    return SearchPlan(
        np.array(orders, np.int64),
        np.array(required, np.int64),
        np.array([_smaller(motif, order, fixed=True) for order in orders]),
        np.array([_smaller(motif, order, fixed=False) for order in orders]),
        np.array(motif.automorphisms, np.int64),
        np.array([[orbit_at[p] for p in order] for order in orders], np.int64),
    )


def _steps(codes: Codes, root: int, near: bool) -> list[int]:
    """Order the positions: many earlier neighbours first, as this checks more; ties by nearness to the root."""
    order = [root]
    while len(order) < len(codes):
        rest = [p for p in range(len(codes)) if p not in order and any(codes[p][o] for o in order)]
        order.append(max(rest, key=lambda p: (sum(bool(codes[p][o]) for o in order), bool(codes[p][root]) == near)))
    return order


def _smaller(motif: Motif, order: list[int], *, fixed: bool) -> Array:
    """Return which steps must match smaller nodes than others, so that one of all equivalent matches remains.

    Step by step, the node must be the smallest among the positions that the symmetries left can move it to (Grochow and
    Kellis, 2007): of all equivalent matches the lexicographically smallest. With ``fixed``, the first step stays.
    """
    smaller = np.zeros((motif.size, motif.size), np.bool_)
    group = [a for a in motif.automorphisms if not fixed or a[order[0]] == order[0]]
    for step, position in enumerate(order):
        for other in {a[position] for a in group} - {position}:
            smaller[order.index(other), step] = True
        group = [a for a in group if a[position] == position]
    return smaller


def plan_for(motif: Motif, orbit: int) -> SearchPlan:
    """Return the search plan of a motif for nodes in one of its orbits."""
    return search_plan(motif, motif.codes, orbit)


def rows_of(view: DyadGraph) -> tuple[Array, Array, Array, Array, Array]:
    """Return the arrays of a graph that every search reads."""
    offsets, grouped = view.groups
    return view.indptr, view.indices, view.codes, offsets, grouped


class SearchCost(NamedTuple):
    """The estimated cost of finding all instances of a motif.

    Attributes:
        orbit: The orbit to start from.
        steps: About how many candidates the search examines.
        instances: About how many instances there are.
    """

    orbit: int
    steps: float
    instances: float


def search_cost(view: DyadGraph, motif: Motif) -> SearchCost:
    """Estimate how many steps it takes to find all instances, by random descents, from the best orbit to start from."""
    weights = np.zeros(view.num_nodes + 1, np.int64)
    np.cumsum(np.diff(view.indptr).astype(np.int64) + 1, out=weights[1:])
    costs = []
    for orbit in range(len(motif.orbits) if view.num_nodes else 0):
        plan = plan_for(motif, orbit)
        rows = (plan.required, plan.smallest, *rows_of(view))
        costs.append(SearchCost(orbit, *kernels.count_steps(PROBES, np.uint64(orbit), weights, *rows)))
    return min(costs, key=lambda cost: cost.steps, default=SearchCost(0, 0.0, 0.0))


def count_by_search(view: DyadGraph, motif: Motif, cost: SearchCost, max_steps: float) -> Array:
    """Count the instances of a motif at each node in each orbit [n, orbits] by finding each once.

    Raises:
        InputError: If the search is estimated to take more than ``max_steps`` steps.
    """
    if cost.steps > max_steps:
        raise InputError(
            f"counting motif '{motif.name}' takes about {cost.steps:.1e} steps of search, more than max_steps="
            f"{max_steps:.1e} (roughly {cost.steps * 6e-8 / 60:,.0f} CPU minutes); raise max_steps to count it anyway"
        )
    counts = np.zeros((view.num_nodes, len(motif.orbits)), np.int64)
    plan = plan_for(motif, cost.orbit)
    rows = (plan.orbit_of, plan.required, plan.smallest, *rows_of(view))
    accumulate(kernels.count_matches, view.indptr, counts, *rows, pieces=16)
    return counts


def list_by_search(view: DyadGraph, motif: Motif, listed: Array, cursor: Array, members: Array) -> None:
    """Write the instances of each listed node to its rows of ``members``, starting at ``cursor``."""
    for orbit in range(len(motif.orbits)):
        plan = plan_for(motif, orbit)
        parallel_ranges(
            kernels.list_matches,
            view.indptr,
            plan.order,
            plan.required,
            plan.smaller,
            plan.automorphisms,
            *rows_of(view),
            listed,
            cursor,
            members,
            pieces=16,
        )


def iterate_by_search(view: DyadGraph, motif: Motif, batch: int) -> Iterator[Array]:
    """Yield the instances of the whole graph, each once, in batches [batch, k]; one batch is in memory."""
    orbit = min(range(len(motif.orbits)), key=lambda o: len(motif.orbits[o]))
    if motif.size > 4:
        orbit = search_cost(view, motif).orbit
    plan = plan_for(motif, orbit)
    state, mark, node = np.zeros(kernels.STATE_SIZE, np.int64), np.zeros(view.num_nodes, np.uint16), 0
    while node < view.num_nodes:
        out = np.empty((batch, motif.size), view.indices.dtype)
        found, node = kernels.fill_matches(
            state,
            mark,
            node,
            view.num_nodes,
            plan.order,
            plan.required,
            plan.smallest,
            plan.automorphisms,
            *rows_of(view),
            out,
        )
        if found:
            yield out[:found]
