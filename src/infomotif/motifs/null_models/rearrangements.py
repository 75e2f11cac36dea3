"""Tables of the arrangements of edges among few nodes that leave every node its degrees."""

from __future__ import annotations

from functools import cache
from itertools import combinations, product
from typing import NamedTuple

import numpy as np

from infomotif.motifs.pattern import flip
from infomotif.typing import Array


class FiveNodes(NamedTuple):
    """The arrangements of edges among five nodes [4 ** 10].

    Attributes:
        first: Where the group of each arrangement begins among the members.
        sizes: How many members the group has.
        members: The arrangements by group, ascending.
        covers: How many sets of three edges of an arrangement touch all five nodes.
    """

    first: Array
    sizes: Array
    members: Array
    covers: Array


@cache
def rearrangements() -> tuple[Array, Array, Array]:
    """Group the arrangements of edges among three nodes, then among four, by the degrees of these nodes.

    An arrangement is a number whose digits to base 4 are the codes of the pairs in ascending order.

    Returns:
        For each arrangement, where its group begins and how many members it has; and the members, ascending.
    """
    first: list[int] = []
    count: list[int] = []
    members: list[int] = []
    for k in (3, 4):
        pairs = list(combinations(range(k), 2))
        groups: dict[tuple[int, ...], list[int]] = {}
        keys = []
        for number, codes in enumerate(product(range(4), repeat=len(pairs))):
            degrees = [0] * (3 * k)
            for (i, j), code in zip(pairs, codes, strict=True):
                if code:
                    degrees[3 * i + code - 1] += 1
                    degrees[3 * j + flip(code) - 1] += 1
            keys.append(tuple(degrees))
            groups.setdefault(keys[-1], []).append(number)
        begin = {}
        for key, group in groups.items():
            begin[key] = len(members)
            members += group
        first += [begin[key] for key in keys]
        count += [len(groups[key]) for key in keys]
    return np.array(first, np.int64), np.array(count, np.int64), np.array(members, np.int64)


@cache
def rearrangements_of_five() -> FiveNodes:
    """Group the arrangements of edges among five nodes, numbered as by :func:`rearrangements`, by degrees."""
    pairs = list(combinations(range(5), 2))
    numbers = np.arange(4 ** len(pairs), dtype=np.int64)
    key = np.zeros(len(numbers), np.int64)
    skeleton = np.zeros(len(numbers), np.int64)
    for p, (i, j) in enumerate(pairs):
        code = numbers >> 2 * (len(pairs) - 1 - p) & 3
        # Every node has three degrees below five: 15 digits to base 5.
        weight = [0, *(5 ** (3 * i + c - 1) + 5 ** (3 * j + flip(c) - 1) for c in (1, 2, 3))]
        key += np.array(weight)[code]
        skeleton |= (code > 0).astype(np.int64) << p
    _, group, size = np.unique(key, return_inverse=True, return_counts=True)
    begin = np.concatenate([[0], np.cumsum(size)[:-1]])
    covers = np.zeros(1 << len(pairs), np.int32)
    for chosen in combinations(range(len(pairs)), 3):
        if len({node for p in chosen for node in pairs[p]}) == 5:
            mask = sum(1 << p for p in chosen)
            covers += np.arange(len(covers)) & mask == mask
    return FiveNodes(
        begin[group].astype(np.int32),
        size[group].astype(np.int32),
        np.argsort(group, kind="stable").astype(np.int32),
        covers[skeleton],
    )


def no_rearrangements_of_five() -> FiveNodes:
    """Return empty tables, which switch moves among five nodes off."""
    return FiveNodes(*(np.empty(0, np.int32) for _ in FiveNodes._fields))
