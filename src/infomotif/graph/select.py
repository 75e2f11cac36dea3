"""The one parser of "which nodes": names, numbers or a mask become node numbers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from infomotif.errors import InputError
from infomotif.typing import Array

IndexOf = Callable[[str], int]
"""Gives the number of the node with a name, such as ``graph.index_of``."""


def node_numbers(
    nodes: Any, num_nodes: int, name: str = "nodes", *, repeats: bool = False, index_of: IndexOf | None = None
) -> Array:
    """Return node numbers, 64 bits, in the given order; those of a mask ascend.

    Args:
        nodes: A mask [n] or node numbers [k], as an array, a tensor or a sequence.
        num_nodes: Number of nodes n.
        name: The parameter that ``nodes`` was given as, for messages.
        repeats: Whether a node may occur twice.
        index_of: If given, nodes may also be named, and this gives their numbers.

    Raises:
        InputError: If they do not name nodes of the graph.

    Example:
        >>> node_numbers([3, 1], 4).tolist(), node_numbers([False, True, True], 3).tolist()
        ([3, 1], [1, 2])
        >>> node_numbers([4], 4, "train")
        Traceback (most recent call last):
        infomotif.errors.InputError: train must lie in 0..3 (got 4)
    """
    if hasattr(nodes, "detach"):
        nodes = nodes.detach().cpu().numpy()
    try:
        numbers = np.asarray(nodes)
    except ValueError:
        raise InputError(f"{name} must be a mask or node numbers (got lists of different lengths)") from None
    if numbers.dtype == np.bool_:
        if numbers.shape != (num_nodes,):
            raise InputError(f"{name} mask must have {num_nodes} entries (got shape {numbers.shape})")
        return np.flatnonzero(numbers)
    if numbers.size == 0:
        return np.empty(0, dtype=np.int64)
    if index_of is not None and numbers.dtype.kind in "OU" and numbers.ndim == 1:
        numbers = np.array([node_number(node, num_nodes, name, index_of=index_of) for node in numbers.tolist()])
    if numbers.dtype.kind not in "iu" or numbers.ndim != 1:
        raise InputError(f"{name} must be a mask or node numbers (got {numbers.dtype} of shape {numbers.shape})")
    low, high = int(numbers.min()), int(numbers.max())
    if low < 0 or high >= num_nodes:
        allowed = f"lie in 0..{num_nodes - 1}" if num_nodes else "be empty in a graph without nodes"
        raise InputError(f"{name} must {allowed} (got {low if low < 0 else high})")
    if not repeats and len(np.unique(numbers)) != len(numbers):
        raise InputError(f"{name} names a node twice; leave out repeated nodes")
    return numbers.astype(np.int64, copy=False)


def node_number(node: Any, num_nodes: int, name: str = "node", *, index_of: IndexOf | None = None) -> int:
    """Return the number of one node, given by its number or, with ``index_of``, by its name.

    Raises:
        InputError: If there is no such node.

    Example:
        >>> node_number(2, 3), node_number("b", 3, index_of=["a", "b", "c"].index)
        (2, 1)
    """
    if isinstance(node, str) and index_of is not None:
        return index_of(node)
    allowed, hint = ("a number", "") if index_of is None else ("a name or a number", "; names are given as text")
    if isinstance(node, bool) or not isinstance(node, int | np.integer):
        raise InputError(f"{name} must be {allowed} (got {type(node).__name__})")
    if not 0 <= node < num_nodes:
        raise InputError(f"{name} must lie in 0..{num_nodes - 1} (got {node}){hint}")
    return int(node)
