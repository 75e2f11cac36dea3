"""Lookup tables of the triad census, computed from the catalog: class, orbit and member order of code triples."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from itertools import permutations, product
from typing import NamedTuple

import numpy as np

from infomotif.motifs.catalog import SETS, catalog
from infomotif.motifs.pattern import Motif, flip
from infomotif.typing import Array

OPEN = tuple(name for name in SETS["triads"] if not catalog()[name].closed)
CLOSED = tuple(name for name in SETS["triads"] if catalog()[name].closed)
ORBITS = 15


class TriadTables(NamedTuple):
    """Lookup tables of the kernels; the codes 1 (out), 2 (in), 3 (both) are counted from 0 here.

    A triangle (u, v, w) has the configuration 9 * code(u, v) + 3 * code(u, w) + code(v, w). An open triad has a
    centre, and its two ends have codes as seen from the centre.
    """

    closed_class: Array
    closed_orbit: Array
    closed_order: Array
    open_class: Array
    centre_orbit: Array
    end_orbit: Array
    open_order: Array
    correction: Array


@cache
def triad_tables() -> TriadTables:
    """Return the tables. Open and closed triads have 15 orbits each; open counts follow linearly from closed ones.

    Example:
        >>> tables = triad_tables()
        >>> CLOSED[tables.closed_class[0]]
        '030T'
    """
    closed = _closed_tables()
    opened = _open_tables()
    correction = _correction(closed[1], opened[1], opened[2])
    return TriadTables(*closed, *opened, correction)


def open_codes(motif: Motif) -> tuple[int, int, int, int, int]:
    """Return (code a, code b, position of the centre, of the end with code a, of the end with code b), a <= b."""
    centre = next(i for i in range(3) if sum(map(bool, motif.codes[i])) == 2)
    ends = sorted((i for i in range(3) if i != centre), key=lambda i: (motif.codes[centre][i], i))
    first, second = ends
    return motif.codes[centre][first], motif.codes[centre][second], centre, first, second


def first_orbit(name: str) -> int:
    """Return the number of the first orbit of an open or closed triad among the 15 of its kind."""
    kind = CLOSED if name in CLOSED else OPEN
    return sum(len(catalog()[other].orbits) for other in kind[: kind.index(name)])


def triad_of(motif: Motif) -> str:
    """Return the MAN name of a 3-node motif; undirected edges count as mutual."""
    return next(n for n in SETS["triads"] if catalog()[n].key[1] == motif.key[1])


def closed_column(motifs: Sequence[Motif]) -> Array:
    """Return the number of the closed motif that each of the 27 configurations is, -1 if it is none of them."""
    wanted = [CLOSED.index(triad_of(motif)) for motif in motifs]
    number = np.full(len(CLOSED), -1, np.int64)
    number[wanted] = np.arange(len(wanted))
    return number[triad_tables().closed_class]


def open_column(motifs: Sequence[Motif]) -> Array:
    """Return the number of the open motif that each pair of codes is [3, 3], -1 if it is none of them."""
    wanted = [OPEN.index(triad_of(motif)) for motif in motifs]
    number = np.full(len(OPEN), -1, np.int64)
    number[wanted] = np.arange(len(wanted))
    return number[triad_tables().open_class]


def _orbit_of(motif: Motif, position: int) -> int:
    return next(i for i, orbit in enumerate(motif.orbits) if position in orbit)


def _closed_tables() -> tuple[Array, Array, Array]:
    classes, orbits, orders = np.empty(27, np.int64), np.empty((27, 3), np.int64), np.empty((27, 3), np.int64)
    for row, (uv, uw, vw) in enumerate(product((1, 2, 3), repeat=3)):
        codes = ((0, uv, uw), (flip(uv), 0, vw), (flip(uw), flip(vw), 0))
        triangle = Motif("", codes, True)
        number, motif = next((i, catalog()[n]) for i, n in enumerate(CLOSED) if catalog()[n] == triangle)
        order = next(
            p for p in permutations(range(3)) if tuple(tuple(codes[i][j] for j in p) for i in p) == motif.codes
        )
        classes[row], orders[row] = number, order
        base = first_orbit(CLOSED[number])
        for position, member in enumerate(order):
            orbits[row, member] = base + _orbit_of(motif, position)
    return classes, orbits, orders


def _open_tables() -> tuple[Array, Array, Array, Array]:
    classes, centres, ends = (np.empty((3, 3), np.int64) for _ in range(3))
    orders = np.empty((3, 3, 3), np.int64)
    for number, name in enumerate(OPEN):
        motif = catalog()[name]
        a, b, centre, first, second = open_codes(motif)
        base = first_orbit(name)
        for s, r, p, o in ((a, b, first, second), (b, a, second, first)):
            if a == b and p == second:
                continue
            classes[s - 1, r - 1] = number
            centres[s - 1, r - 1] = base + _orbit_of(motif, centre)
            ends[s - 1, r - 1] = base + _orbit_of(motif, p)
            orders[s - 1, r - 1] = centre, p, o
    return classes, centres, ends, orders


def _correction(closed_orbit: Array, centre_orbit: Array, end_orbit: Array) -> Array:
    """Return the table whose entry [o, p] counts the wedges with a node in orbit o per triangle with it in orbit p."""
    table = np.zeros((ORBITS, ORBITS), np.int64)
    done: set[int] = set()
    for row, (a, b, c) in enumerate(product((1, 2, 3), repeat=3)):
        p = int(closed_orbit[row, 0])
        if p in done:
            continue
        done.add(p)
        table[centre_orbit[a - 1, b - 1], p] += 1
        table[end_orbit[flip(a) - 1, c - 1], p] += 1
        table[end_orbit[flip(b) - 1, flip(c) - 1], p] += 1
    return table
