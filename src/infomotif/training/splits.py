"""Splits of labelled nodes into training, validation and test; a node is in at most one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
import scipy.sparse as sp

from infomotif.errors import InputError
from infomotif.graph.select import node_numbers
from infomotif.typing import Array

if TYPE_CHECKING:
    from infomotif.graph import Graph


MAX_STARTS = 50
"""Random starts that :func:`region_split` tries."""


@dataclass(frozen=True)
class Split:
    """Training, validation and test nodes, each as ascending node numbers."""

    train: Array
    val: Array
    test: Array

    def fingerprint(self) -> str:
        """Return a short hash of the three sets."""
        parts = [np.ascontiguousarray(part.astype("<i8")).tobytes() for part in (self.train, self.val, self.test)]
        return hashlib.sha256(b"|".join(parts)).hexdigest()[:16]


def random_split(
    y: Array, ratio: float, *, val: float | Literal["train"] = 0.2, seed: int = 0, stratify: bool = False
) -> Split:
    """Split labelled nodes at random: ``ratio`` of them train, ``val`` validate, the rest test.

    Args:
        y: Class of each node, -1 where unknown, [n].
        ratio: Share that trains, above 0.
        val: Share that validates; ``train`` for as many nodes as train.
        seed: Number of the split.
        stratify: Whether every class is split by the same shares.

    Example:
        >>> split = random_split(np.zeros(10, dtype=int), 0.2)
        >>> len(split.train), len(split.val), len(split.test)
        (2, 2, 6)
    """
    if not 0 < ratio <= 1:
        raise InputError(f"ratio must be above 0 and at most 1 (got {ratio})")
    share = ratio if val == "train" else val
    if not 0 <= share < 1:
        raise InputError(f"val must be at least 0 and below 1 (got {share})")
    if ratio + share > 1 + 1e-9:
        raise InputError(f"ratio and val must leave something: {ratio} + {share} must not exceed 1")
    generator = np.random.default_rng(seed)
    labelled = _labelled(y)
    groups = [labelled[y[labelled] == c] for c in np.unique(y[labelled])] if stratify else [labelled]
    parts: list[list[Array]] = [[], [], []]
    for group in groups:
        order = generator.permutation(group)
        first = max(1, round(ratio * len(group)))
        second = min(len(group), first + (first if val == "train" else round(share * len(group))))
        for part, piece in zip(parts, (order[:first], order[first:second], order[second:]), strict=True):
            part.append(piece)
    return Split(*(np.sort(np.concatenate(part)) for part in parts))


def per_class_split(
    y: Array,
    per_class: int,
    *,
    val: int | float | Literal["train"] = 0.2,
    seed: int = 0,
    spare: float | None = None,
) -> Split:
    """Split with ``per_class`` training nodes of each class.

    Args:
        y: Class of each node, -1 where unknown, [n].
        per_class: How many nodes of each class train.
        val: Share of all labelled nodes that validates, or their number; ``train`` for as many as train.
        seed: Number of the split.
        spare: Share of each class that should be left for testing: a class too small for that, and for its part of the
            validation nodes, trains with fewer nodes, but at least one. By default it is refused.

    Example:
        >>> split = per_class_split(np.array([0, 0, 0, 1, 1, 1]), 1, val=2)
        >>> len(split.train), len(split.val), len(split.test)
        (2, 2, 2)
        >>> len(per_class_split(np.repeat([0, 1], 15), 12, spare=1 / 3).train)
        14
    """
    generator = np.random.default_rng(seed)
    labelled = _labelled(y)
    chosen = []
    for c in np.unique(y[labelled]):
        members = labelled[y[labelled] == c]
        wanted = per_class if spare is None else min(per_class, _max_training(len(members), len(labelled), val, spare))
        if per_class < 1 or wanted > len(members):
            raise InputError(f"per_class must be from 1 to {len(members)}, the size of class {c} (got {per_class})")
        chosen.append(generator.permutation(members)[:wanted])
    train = np.sort(np.concatenate(chosen))
    rest = generator.permutation(np.setdiff1d(labelled, train))
    count = len(train) if val == "train" else val if isinstance(val, int) else round(val * len(labelled))
    if not 0 <= count <= len(rest):
        raise InputError(f"val must leave a test set: at most {len(rest)} nodes (got {val})")
    return Split(train, np.sort(rest[:count]), np.sort(rest[count:]))


def _max_training(members: int, labelled: int, val: float | Literal["train"], spare: float) -> int:
    """Return how many nodes of a class may train, so that its validation nodes and ``spare`` of it remain."""
    usable = members * (1 - spare)
    if val == "train":
        return max(1, int(usable / 2 + 1e-9))
    share = val / labelled if isinstance(val, int) else val
    return max(1, int(usable - members * share + 1e-9))


def region_split(graph: Graph, ratio: float, *, region: float = 0.2, least: int = 10, seed: int = 0) -> Split:
    """Split with all labels inside one region: the nodes that a breadth-first search reaches first.

    Training nodes, and as many validation nodes, are drawn at random in the region; the labelled nodes outside test.
    Of 50 random starts the first is taken whose region has ``least`` nodes of every class, or else the one that comes
    closest to it.

    Args:
        graph: A graph with labels; directions are ignored.
        ratio: Share of all labelled nodes that trains; the region must hold twice as many.
        region: Share of the labelled nodes that the region holds.
        least: How many nodes of each class the region should have.
        seed: Number of the split.

    Raises:
        InputError: If a share is out of range, or no start reaches enough labelled nodes.

    Example:
        >>> from infomotif.graph import Graph
        >>> path = Graph.from_edges(range(9), range(1, 10), num_nodes=10, directed=False, y=[0, 1] * 5)
        >>> split = region_split(path, 0.2, region=0.4)
        >>> sorted([*split.train.tolist(), *split.val.tolist()]), split.test.tolist()
        ([2, 3, 4, 5], [0, 1, 6, 7, 8, 9])
    """
    if graph.y is None:
        raise InputError("the graph has no labels to split; give a label column")
    if not 0 < region < 1 or not 0 < 2 * ratio <= region + 1e-9:
        raise InputError(f"region must be below 1 and hold the share that trains twice (got {region} and {ratio})")
    labelled = _labelled(graph.y)
    generator = np.random.default_rng(seed)
    size = max(2, round(region * len(labelled)))
    train = min(max(1, round(ratio * len(labelled))), size // 2)
    _, classes = np.unique(graph.y[labelled], return_inverse=True)
    links = graph.undirected
    matrix = sp.csr_array((np.ones(len(links.indices)), links.indices, links.indptr), shape=(graph.num_nodes,) * 2)
    best, inside = -1, labelled[:0]
    for start in generator.permutation(labelled)[:MAX_STARTS]:
        reached = sp.csgraph.breadth_first_order(matrix, int(start), return_predecessors=False)
        first = reached[graph.y[reached] >= 0][:size].astype(np.int64)
        counts = np.bincount(classes[np.searchsorted(labelled, first)], minlength=int(classes.max()) + 1)
        score = int(np.minimum(counts, least).sum())
        if score > best and len(first) >= 2 * train:
            best, inside = score, first
        if best == least * len(counts):
            break
    if best < 0:
        raise InputError(f"no region of the graph holds {2 * train} labelled nodes; take its largest component")
    drawn = generator.permutation(inside)
    outside = np.setdiff1d(labelled, inside)
    return Split(np.sort(drawn[:train]), np.sort(drawn[train : 2 * train]), outside)


def fixed_split(y: Array, train: Any, val: Any = None, test: Any = None) -> Split:
    """Split by masks or node numbers; without ``test``, the other labelled nodes test.

    Raises:
        InputError: If the sets overlap, or a training or validation node has no label.
    """
    n = len(y)
    first = np.sort(node_numbers(train, n, "train"))
    second = np.sort(node_numbers(val, n, "val")) if val is not None else np.empty(0, dtype=np.int64)
    taken = np.union1d(first, second)
    labelled = np.flatnonzero(y >= 0)
    third = np.sort(node_numbers(test, n, "test")) if test is not None else np.setdiff1d(labelled, taken)
    for name, part in (("train", first), ("val", second)):
        if len(part) and (y[part] < 0).any():
            raise InputError(f"{name} names {int((y[part] < 0).sum())} nodes without a label; leave them out")
    if len(first) == 0:
        raise InputError("train is empty; give at least one labelled node")
    if len(taken) < len(first) + len(second) or np.intersect1d(taken, third).size:
        raise InputError("train, val and test must not share nodes")
    return Split(first, second, third)


def _labelled(y: Array | Sequence[int]) -> Array:
    labelled = np.flatnonzero(np.asarray(y) >= 0)
    if len(labelled) == 0:
        raise InputError("the graph has no labels to split; give a label column")
    return labelled
