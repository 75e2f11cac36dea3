"""Zachary's karate club, embedded: 34 members, 78 friendships, two factions."""

from __future__ import annotations

import numpy as np

from infomotif.graph import Graph

_FRIENDS = {
    0: (1, 2, 3, 4, 5, 6, 7, 8, 10, 11, 12, 13, 17, 19, 21, 31),
    1: (2, 3, 7, 13, 17, 19, 21, 30),
    2: (3, 7, 8, 9, 13, 27, 28, 32),
    3: (7, 12, 13),
    4: (6, 10),
    5: (6, 10, 16),
    6: (16,),
    8: (30, 32, 33),
    9: (33,),
    13: (33,),
    14: (32, 33),
    15: (32, 33),
    18: (32, 33),
    19: (33,),
    20: (32, 33),
    22: (32, 33),
    23: (25, 27, 29, 32, 33),
    24: (25, 27, 31),
    25: (31,),
    26: (29, 33),
    27: (33,),
    28: (31, 33),
    29: (32, 33),
    30: (32, 33),
    31: (32, 33),
    32: (33,),
}
"""Friends of each member that have a higher number."""
_OFFICER = (9, 14, 15, 18, 20, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33)
"""Members who followed the officer; the others followed Mr. Hi."""


def load_karate() -> Graph:
    """Return Zachary's karate club: 34 members, undirected, the two factions as classes, no attributes.

    Example:
        >>> load_karate()
        Graph('karate', 34 nodes, 78 undirected edges, no attributes, 2 classes)
    """
    source, target = zip(*((u, v) for u, friends in _FRIENDS.items() for v in friends), strict=True)
    y = np.zeros(34, dtype=np.int64)
    y[list(_OFFICER)] = 1
    factions = ["Mr. Hi", "Officer"]
    return Graph.from_edges(source, target, num_nodes=34, directed=False, y=y, class_names=factions, name="karate")
