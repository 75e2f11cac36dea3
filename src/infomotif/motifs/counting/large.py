"""Exact orbit counts of motifs of five and six nodes: by equations where they are cheaper, by search elsewhere."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations

import numpy as np

from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.counting.five_nodes import GRAPHLETS, five_node_orbits
from infomotif.motifs.counting.matching import count_by_search, search_cost
from infomotif.motifs.pattern import BOTH, Codes, Motif, permuted
from infomotif.typing import Array

# Steps of search that take about as long as the equations do for a path of two edges.
_STEPS_PER_PATH = 2


def count_large(view: DyadGraph, motifs: Sequence[Motif], max_steps: float) -> dict[Motif, Array]:
    """Count the instances of motifs of five or six nodes at each node in each orbit.

    Equations count all graphlets of five nodes at once, so they are taken for undirected motifs of five nodes if a
    search of all of them would take longer.

    Args:
        view: The graph as the motifs see it, with or without directions.
        motifs: The motifs.
        max_steps: How many candidates the search of a motif may examine, by an estimate.

    Returns:
        For each motif, counts [n, orbits].

    Raises:
        InputError: If the search of a motif would take more steps, or a count of five nodes does not fit into 64 bits.
    """
    costs = {motif: search_cost(view, motif) for motif in motifs}
    degree = np.diff(view.indptr).astype(np.float64)
    equations = [] if view.directed else [motif for motif in motifs if motif.size == 5]
    if sum(costs[motif].steps for motif in equations) <= _STEPS_PER_PATH * float(degree @ degree):
        equations = []
    counted: dict[Motif, Array] = {}
    if equations:
        orbits = five_node_orbits(view)
        counted = {motif: orbits[:, list(orca_orbits(motif, motif.codes))] for motif in equations}
    for motif in motifs:
        if motif not in counted:
            counted[motif] = count_by_search(view, motif, costs[motif], max_steps)
    return counted


@cache
def orca_orbits(motif: Motif, codes: Codes) -> tuple[int, ...]:
    """Return ORCA's number of each orbit of an undirected motif of up to five nodes.

    Example:
        >>> from infomotif.motifs.pattern import parse_pattern
        >>> path = parse_pattern("a-b, b-c, c-d, d-e")
        >>> path.pattern, orca_orbits(path, path.codes)
        ('a-b, a-c, b-d, c-e', (17, 16, 15))
    """
    k = len(codes)
    for edges, numbers in GRAPHLETS:
        if len(numbers) == k and 2 * len(edges.split()) == sum(map(bool, sum(codes, ()))):
            pairs = {frozenset("abcde".index(letter) for letter in edge) for edge in edges.split()}
            graphlet = tuple(tuple(BOTH if {i, j} in pairs and i != j else 0 for j in range(k)) for i in range(k))
            order = next((p for p in permutations(range(k)) if permuted(graphlet, p) == codes), None)
            if order is not None:
                return tuple(numbers[order[orbit[0]]] for orbit in motif.orbits)
    raise ValueError(f"{motif.pattern} is not a graphlet of up to five nodes")
