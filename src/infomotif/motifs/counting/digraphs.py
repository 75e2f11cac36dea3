"""Exact orbit counts of directed 4-node motifs, without listing their instances.

The six pairs of four nodes have codes: 0 (not joined), 1, 2 or 3. A copy of a pattern needs only its joined pairs, with
exactly their codes, so degrees, triangles and paths of two steps by code count the copies of sparse patterns. Every set
of four nodes that contains a copy induces the pattern or a pattern with more pairs joined. So copies are sums of
induced counts, and induced counts are sums of copies with signs: minus where an odd number of pairs is added.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations, permutations, product
from typing import NamedTuple

import numpy as np
import scipy.sparse as sp

from infomotif._core.parallel import parallel_ranges
from infomotif.motifs.counting.accumulate import accumulate
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.motifs.kernels import digraphs as kernels
from infomotif.motifs.pattern import Codes, Motif, flip
from infomotif.typing import Array

PAIRS = tuple(combinations(range(4), 2))
_BLOCK = 4096


class Rooted(NamedTuple):
    """Classes of patterns of four nodes, the first of which is the root.

    A pattern has a number whose six digits, base 4, are the codes of the pairs (0, 1), (0, 2), ..., (2, 3).

    Attributes:
        number: Class of each of the 4096 patterns, -1 if it is not connected.
        example: A pattern of each class.
        copies: Entry [i, j] is the number of copies of class i in class j, roots in the same place; a sparse matrix.
    """

    number: Array
    example: Array
    copies: sp.csr_array


class Sums(NamedTuple):
    """What to count: columns of sums of copies, and how they make up the wanted counts.

    Attributes:
        column: Column of each of the 4096 rooted patterns, -1 if no wanted count needs it.
        factor: Factor of each column in each wanted count [columns, wanted].
    """

    column: Array
    factor: sp.csr_array


def digraph_orbits(view: DyadGraph, motifs: Sequence[Motif]) -> dict[Motif, tuple[Array, Array | None]]:
    """Count the instances of directed 4-node motifs at each node in each orbit, and what samplers of cycles propose.

    Time grows with the number of triangles, 4-cliques and paths of two steps between nodes of no higher degree, not
    with that of the instances. Memory is about 60 bytes per edge and 16 bytes per node and position of a motif.

    Args:
        view: The graph with directions.
        motifs: Directed motifs of four nodes.

    Returns:
        For each motif, counts [n, orbits], and of cycles also the number of those with or without a chord between the
        neighbours of each node [n].
    """
    wanted = [_rooted_number(motif.codes, orbit[0]) for motif in motifs for orbit in motif.orbits]
    chorded = [_chorded(motif.codes) if _is_cycle(motif.codes) else [] for motif in motifs]
    sums = _needed((*wanted, *(number for numbers in chorded for number in numbers)))
    counted = _count_copies(view, sums)
    result = np.empty((view.num_nodes, sums.factor.shape[1]), np.int64)
    rank, factor = view.forward.rank, sp.csr_array(sums.factor.T)
    for start in range(0, view.num_nodes, _BLOCK):
        block = counted[rank[start : start + _BLOCK]]
        result[start : start + _BLOCK] = (factor @ block.T).T
    orbits = np.split(result, np.cumsum([*(len(motif.orbits) for motif in motifs), *map(len, chorded)])[:-1], axis=1)
    return {
        motif: (own, own.sum(axis=1) + more.sum(axis=1) if numbers else None)
        for motif, own, more, numbers in zip(motifs, orbits, orbits[len(motifs) :], chorded, strict=False)
    }


def _is_cycle(codes: Codes) -> bool:
    return all(sum(map(bool, row)) == 2 for row in codes)


def _chorded(codes: Codes) -> list[int]:
    """Return the rooted classes of a 4-cycle whose root's neighbours are joined as well."""
    found = set()
    for root in range(4):
        a, b = (q for q in range(4) if codes[root][q])
        for code in (1, 2, 3):
            more = [list(row) for row in codes]
            more[a][b], more[b][a] = code, flip(code)
            found.add(_rooted_number(tuple(map(tuple, more)), root))
    return sorted(found)


def config_number(codes: Codes, order: Sequence[int] = range(4)) -> int:
    """Return the number of a pattern of four nodes whose positions are taken in this order.

    Example:
        >>> config_number(((0, 1, 0, 0), (2, 0, 1, 0), (0, 2, 0, 1), (0, 0, 2, 0)))
        1041
    """
    number = 0
    for i, j in PAIRS:
        number = 4 * number + codes[order[i]][order[j]]
    return number


def _rooted_number(codes: Codes, root: int) -> int:
    rest = [p for p in range(4) if p != root]
    return int(rooted_classes().number[config_number(codes, (root, *rest))])


@cache
def rooted_classes() -> Rooted:
    """Return the classes of rooted patterns."""
    every = np.arange(4**6)
    codes = np.zeros((4**6, 4, 4), np.int64)
    for (i, j), shift in zip(PAIRS, range(10, -1, -2), strict=True):
        codes[:, i, j] = (every >> shift) & 3
        codes[:, j, i] = np.array([flip(code) for code in range(4)])[codes[:, i, j]]
    reach = (codes > 0) | np.eye(4, dtype=np.bool_)
    connected = ((reach.astype(np.int64) @ reach) @ reach > 0).all(axis=(1, 2))
    smallest = every.copy()
    for rest in permutations((1, 2, 3)):
        order = (0, *rest)
        moved = sum(
            codes[:, order[i], order[j]] << shift for (i, j), shift in zip(PAIRS, range(10, -1, -2), strict=True)
        )
        smallest = np.minimum(smallest, moved)
    example, number = np.unique(smallest[connected], return_inverse=True)
    number_of = np.full(4**6, -1, np.int64)
    number_of[connected] = number
    part, whole = [], []
    for kept in product((0, 3), repeat=6):
        mask = int("".join(map(str, kept)), 4)
        # A joined pair is kept or left out; masks that keep an absent pair would repeat others.
        fits = np.array([all((e >> s) & 3 for s in range(0, 12, 2) if (mask >> s) & 3) for e in example.tolist()])
        inner = number_of[example & mask]
        chosen = np.flatnonzero(fits & (inner >= 0))
        part.append(inner[chosen])
        whole.append(chosen)
    inside, around, size = np.concatenate(part), np.concatenate(whole), len(example)
    ones = np.ones(len(inside), np.int64)
    copies = sp.csr_array(sp.coo_array((ones, (inside, around)), shape=(size, size)))
    return Rooted(number_of, example, copies)


@cache
def _needed(wanted: tuple[int, ...]) -> Sums:
    """Return the sums of copies from which induced counts of rooted classes follow; equal factors share a column."""
    classes = rooted_classes()
    edges = np.array([sum(bool((e >> s) & 3) for s in range(0, 12, 2)) for e in classes.example.tolist()])
    rows = classes.copies[list(wanted)].toarray()
    rows *= 1 - 2 * ((edges[None, :] - edges[list(wanted)][:, None]) % 2)
    used = np.flatnonzero(rows.any(axis=0))
    factor, column = np.unique(rows[:, used].T, axis=0, return_inverse=True)
    column_of = np.full(len(edges) + 1, -1, np.int64)
    column_of[used] = column.ravel()
    return Sums(column_of[classes.number], sp.csr_array(factor))


def _table(sums: Sums, shape: tuple[int, ...], codes: Callable[..., tuple[int, ...]]) -> Array:
    """Return a table of columns; ``codes`` gives the codes of the six pairs for each index of the table."""
    table = np.empty(shape, np.int64)
    for index in np.ndindex(*shape):
        number = 0
        for code in codes(*index):
            number = 4 * number + code
        table[index] = sums.column[number]
    return table


def _turned(code: int) -> int:
    """Return a code, counted from 0, as the other end sees it."""
    return (1, 0, 2)[code]


@cache
def _triangle_classes() -> tuple[Array, Array]:
    """Return the class of a triangle by its codes [3, 3, 3], root to both other corners, then between these.

    Also the codes of each class from its root [15, 3].
    """
    table = np.full((3, 3, 3), -1, np.int64)
    corners: list[tuple[int, int, int]] = []
    for a, b, c in product(range(3), repeat=3):
        if table[a, b, c] < 0:
            table[a, b, c] = table[b, a, _turned(c)] = len(corners)
            corners.append((a, b, c))
    return table, np.array(corners, np.int64)


def _count_copies(view: DyadGraph, sums: Sums) -> Array:
    """Sum the copies of every column at each ranked node [n, columns]."""
    n, forward, entries, index = view.num_nodes, view.forward, len(view.indices), view.indices.dtype
    ptr, up, edge = np.zeros(n + 1, np.int64), np.zeros(n, np.int64), np.empty(entries, index)
    idx, code = np.empty(entries, index), np.empty(entries, np.uint8)
    kernels.ranked_rows(view.indptr, view.indices, view.codes, forward.order, forward.rank, ptr, idx, code, up, edge)
    degree = np.ascontiguousarray(view.degrees[forward.order]).astype(np.int64)
    closing = np.zeros((entries // 2, 9), np.int32)
    kernels.count_closing(ptr, idx, code, up, edge, closing)
    classes, corners = _triangle_classes()
    reach, triangles = np.zeros((n, 9), np.int64), np.zeros((n, len(corners)), np.int64)
    rows = (ptr, idx, code, edge, degree, closing)
    parallel_ranges(kernels.node_sums, ptr, *rows, classes, reach, triangles)
    out = np.zeros((n, sums.factor.shape[0]), np.int64)
    tables = _tables(sums)
    parallel_ranges(kernels.copies_of_trees, ptr, *rows, reach, *(tables[t] for t in _TREES), out)
    edge_tables = tuple(tables[t] for t in _ON_EDGES)
    if any((table >= 0).any() for table in edge_tables):
        parallel_ranges(kernels.copies_on_edges, ptr, *rows, triangles, classes, corners, *edge_tables, out)
    if (tables["tip"] >= 0).any():
        accumulate(kernels.copies_at_tips, forward.work, out, ptr, idx, code, up, edge, closing, tables["tip"])
    if (tables["clique"] >= 0).any():
        accumulate(kernels.copies_of_cliques, forward.work, out, ptr, idx, code, up, tables["clique"])
    if (tables["cycle"] >= 0).any():
        work = np.concatenate([[0], np.cumsum(np.diff(ptr))])
        accumulate(kernels.copies_of_cycles, work, out, ptr, idx, code, up, tables["cycle"], tables["beside"])
    return out


_TREES = ("star", "leaf", "end", "middle")
_ON_EDGES = ("tailed", "corner", "tail", "chord")


def _tables(sums: Sums) -> dict[str, Array]:
    """Return the tables of the kernels; position 0 is the root, codes count from 0."""
    corners = _triangle_classes()[1].tolist()

    def inward(a: int) -> int:
        return _turned(a) + 1

    def cycle(s: int, t: int) -> tuple[int, ...]:
        # Nodes 1 and 2 are between the root and node 3.
        return s // 3 + 1, t // 3 + 1, 0, 0, s % 3 + 1, t % 3 + 1

    def beside(s: int, t: int) -> tuple[int, ...]:
        # The cycle u - root - w - other: nodes 1, 2 and 3 are u, w and the other.
        return inward(s // 3), s % 3 + 1, 0, 0, t // 3 + 1, inward(t % 3)

    def clique(config: int, member: int) -> tuple[int, ...]:
        digits = [config // 3**d % 3 + 1 for d in range(5, -1, -1)]
        codes = [[0] * 4 for _ in range(4)]
        for (i, j), digit in zip(PAIRS, digits, strict=True):
            codes[i][j], codes[j][i] = digit, flip(digit)
        order = (member, *(p for p in range(4) if p != member))
        return tuple(codes[order[i]][order[j]] for i, j in PAIRS)

    shapes: dict[str, tuple[tuple[int, ...], Callable[..., tuple[int, ...]]]] = {
        "star": ((3, 3, 3), lambda a, b, c: (a + 1, b + 1, c + 1, 0, 0, 0)),
        "leaf": ((3, 3, 3), lambda k, b, c: (k + 1, 0, 0, b + 1, c + 1, 0)),
        "end": ((3, 3, 3), lambda k, a, b: (k + 1, 0, 0, a + 1, 0, b + 1)),
        "middle": ((3, 3, 3), lambda k, a, b: (k + 1, a + 1, 0, 0, b + 1, 0)),
        "tailed": ((15, 3), lambda r, m: (corners[r][0] + 1, corners[r][1] + 1, m + 1, corners[r][2] + 1, 0, 0)),
        "corner": ((3, 3, 3, 3), lambda k, a, b, m: (k + 1, a + 1, 0, b + 1, m + 1, 0)),
        "tail": ((3, 15), lambda k, r: (k + 1, 0, 0, corners[r][0] + 1, corners[r][1] + 1, corners[r][2] + 1)),
        "chord": ((3, 9, 9), lambda k, s, t: (k + 1, s // 3 + 1, t // 3 + 1, s % 3 + 1, t % 3 + 1, 0)),
        "tip": ((3, 9, 9), lambda k, s, t: (inward(s // 3), inward(s % 3), 0, k + 1, t // 3 + 1, t % 3 + 1)),
        "cycle": ((9, 9), cycle),
        "beside": ((9, 9), beside),
        "clique": ((3**6, 4), clique),
    }
    return {name: _table(sums, shape, codes) for name, (shape, codes) in shapes.items()}
