"""Splits of labelled nodes into training, validation and test; a node is in at most one."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from infomotif.errors import InputError

Array = NDArray[Any]


@dataclass(frozen=True)
class Split:
    """Node numbers, ascending: what trains, what validates, what tests."""

    train: Array
    val: Array
    test: Array

    def fingerprint(self) -> str:
        """Return a short hash of the three sets."""
        parts = [np.ascontiguousarray(part.astype("<i8")).tobytes() for part in (self.train, self.val, self.test)]
        return hashlib.sha256(b"|".join(parts)).hexdigest()[:16]


def random_split(y: Array, ratio: float, *, val: float = 0.2, seed: int = 0, stratify: bool = False) -> Split:
    """Split labelled nodes at random: ``ratio`` of them train, ``val`` validate, the rest test.

    Args:
        y: Class of each node, -1 where unknown, [n].
        ratio: Share that trains, above 0.
        val: Share that validates.
        seed: Which split.
        stratify: Whether every class is split by the same shares.

    Example:
        >>> split = random_split(np.zeros(10, dtype=int), 0.2)
        >>> len(split.train), len(split.val), len(split.test)
        (2, 2, 6)
    """
    if not 0 < ratio <= 1:
        raise InputError(f"ratio must be above 0 and at most 1 (got {ratio})")
    if not 0 <= val < 1 or ratio + val > 1 + 1e-9:
        raise InputError(f"ratio and val must leave something: {ratio} + {val} must not exceed 1")
    generator = np.random.default_rng(seed)
    labelled = _labelled(y)
    groups = [labelled[y[labelled] == c] for c in np.unique(y[labelled])] if stratify else [labelled]
    parts: list[list[Array]] = [[], [], []]
    for group in groups:
        order = generator.permutation(group)
        first = max(1, round(ratio * len(group)))
        second = min(len(group), first + round(val * len(group)))
        for part, piece in zip(parts, (order[:first], order[first:second], order[second:]), strict=True):
            part.append(piece)
    return Split(*(np.sort(np.concatenate(part)) for part in parts))


def per_class_split(y: Array, per_class: int, *, val: int | float = 0.2, seed: int = 0) -> Split:
    """Split with ``per_class`` training nodes of each class; ``val`` is a share of all or a number of nodes.

    Example:
        >>> split = per_class_split(np.array([0, 0, 0, 1, 1, 1]), 1, val=2)
        >>> len(split.train), len(split.val), len(split.test)
        (2, 2, 2)
    """
    generator = np.random.default_rng(seed)
    labelled = _labelled(y)
    chosen = []
    for c in np.unique(y[labelled]):
        members = labelled[y[labelled] == c]
        if per_class < 1 or per_class > len(members):
            raise InputError(f"per_class must be from 1 to {len(members)}, the size of class {c} (got {per_class})")
        chosen.append(generator.permutation(members)[:per_class])
    train = np.sort(np.concatenate(chosen))
    rest = generator.permutation(np.setdiff1d(labelled, train))
    count = val if isinstance(val, int) else round(val * len(labelled))
    if not 0 <= count <= len(rest):
        raise InputError(f"val must leave a test set: at most {len(rest)} nodes (got {val})")
    return Split(train, np.sort(rest[:count]), np.sort(rest[count:]))


def fixed_split(y: Array, train: Any, val: Any = None, test: Any = None) -> Split:
    """Take masks or node numbers as they are; without ``test`` the other labelled nodes test.

    Raises:
        InputError: If the sets overlap, or a training or validation node has no label.
    """
    n = len(y)
    first = node_numbers(train, n, "train")
    second = node_numbers(val, n, "val") if val is not None else np.empty(0, dtype=np.int64)
    taken = np.union1d(first, second)
    third = node_numbers(test, n, "test") if test is not None else np.setdiff1d(np.flatnonzero(y >= 0), taken)
    for name, part in (("train", first), ("val", second)):
        if len(part) and (y[part] < 0).any():
            raise InputError(f"{name} names {int((y[part] < 0).sum())} nodes without a label; leave them out")
    if len(first) == 0:
        raise InputError("train is empty; give at least one labelled node")
    if len(taken) < len(first) + len(second) or np.intersect1d(taken, third).size:
        raise InputError("train, val and test must not share nodes")
    return Split(first, second, third)


def node_numbers(nodes: Any, n: int, name: str) -> Array:
    """Return ascending node numbers from a mask, an index array or tensor, or a sequence."""
    if hasattr(nodes, "detach"):
        nodes = nodes.detach().cpu().numpy()
    numbers = np.asarray(nodes)
    if numbers.dtype == np.bool_:
        if numbers.shape != (n,):
            raise InputError(f"{name} mask must have {n} entries (got shape {numbers.shape})")
        return np.flatnonzero(numbers)
    if numbers.size == 0:
        return np.empty(0, dtype=np.int64)
    if numbers.dtype.kind not in "iu" or numbers.ndim != 1:
        raise InputError(f"{name} must be a mask or node numbers (got {numbers.dtype} of shape {numbers.shape})")
    unique = np.unique(numbers).astype(np.int64)
    if unique[0] < 0 or unique[-1] >= n:
        raise InputError(f"{name} must lie in 0..{n - 1} (got {unique[0] if unique[0] < 0 else unique[-1]})")
    if len(unique) != len(numbers):
        raise InputError(f"{name} names a node twice")
    return unique


def _labelled(y: Array | Sequence[int]) -> Array:
    labelled = np.flatnonzero(np.asarray(y) >= 0)
    if len(labelled) == 0:
        raise InputError("the graph has no labels to split; give a label column")
    return labelled
