"""Graphs as arrays: SciPy sparse adjacency matrices, and edge indices as NumPy arrays or torch tensors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import scipy.sparse as sp

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.options import MAX_FLOAT32
from infomotif.typing import Array

_MAX_UNTOLD_NODES = 10_000_000
_MAX_NODES_PER_EDGE = 1000


def from_scipy(
    matrix: Any,
    *,
    directed: bool | None = None,
    x: Any = None,
    y: Any = None,
    class_names: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    attribute_names: Sequence[str] | None = None,
    name: str = "graph",
) -> Graph:
    """Turn a SciPy sparse adjacency matrix into a Graph.

    Args:
        matrix: Square, sparse, in any format; entry [i, j] is the edge from i to j. Values are weights unless all are
            1; entries that are 0 are not edges; repeated entries of a COO matrix are added up, as SciPy does.
        directed: Whether edges have a direction; None looks whether the matrix is symmetric.
        x: Attributes [n, F].
        y: Class numbers [n], -1 where unknown.
        class_names: Name of each class.
        names: Name of each node.
        attribute_names: Name of each attribute.
        name: What the graph is called.

    Raises:
        InputError: If the matrix is not sparse and square, or a value is not a finite number.

    Example:
        >>> from_scipy(sp.csr_array([[0, 1, 1], [1, 0, 0], [1, 0, 0]]))
        Graph('graph', 3 nodes, 2 undirected edges, no attributes, no labels)
    """
    if not sp.issparse(matrix):
        raise InputError(
            f"expected a SciPy sparse matrix (got {type(matrix).__name__}); wrap it: scipy.sparse.csr_array(matrix)"
        )
    # mypy knows a sparse matrix as an abstract class without a shape.
    given: Any = matrix
    if given.ndim != 2 or given.shape[0] != given.shape[1]:
        raise InputError(f"an adjacency matrix must be square (got shape {given.shape}); a row and a column per node")
    if given.dtype.kind not in "biuf":
        raise InputError(f"an adjacency matrix must hold numbers (got {given.dtype}); take its real part or its size")
    # A copy, as summing duplicates would change the caller's matrix.
    entries: Any = sp.coo_array(given.tocsr(copy=True))
    entries.sum_duplicates()
    values = entries.data.astype(np.float64)
    bad = np.flatnonzero(~(np.abs(values) <= MAX_FLOAT32))
    if len(bad):
        place = int(entries.row[bad[0]]), int(entries.col[bad[0]])
        raise InputError(f"entry {list(place)} of the matrix is {values[bad[0]]}, not a finite number; correct it")
    kept = values != 0
    source, target, values = entries.row[kept], entries.col[kept], values[kept]
    weights = None if (values == 1).all() else values
    n = int(given.shape[0])
    return Graph.from_edges(
        source,
        target,
        num_nodes=n,
        directed=not both_ways(source, target, n, weights) if directed is None else directed,
        weights=weights,
        x=x,
        y=y,
        class_names=class_names,
        names=names,
        attribute_names=attribute_names,
        name=name,
    )


def from_edge_index(
    edge_index: Any,
    *,
    num_nodes: int | None = None,
    weights: Any = None,
    directed: bool | None = None,
    x: Any = None,
    y: Any = None,
    class_names: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    attribute_names: Sequence[str] | None = None,
    name: str = "graph",
) -> Graph:
    """Turn an edge index, as PyG has it, into a Graph.

    Args:
        edge_index: Sources and targets of the edges by node number [2, E]: a NumPy array or a torch tensor.
        num_nodes: Number of nodes; by default one more than the largest number.
        weights: Weight of each edge [E], or None.
        directed: Whether edges have a direction; None looks whether every edge is listed in both directions.
        x: Attributes [n, F].
        y: Class numbers [n], -1 where unknown.
        class_names: Name of each class.
        names: Name of each node.
        attribute_names: Name of each attribute.
        name: What the graph is called.

    Raises:
        InputError: If it is not two rows of node numbers.

    Example:
        >>> from_edge_index(np.array([[0, 1, 1, 2], [1, 0, 2, 1]]))
        Graph('graph', 3 nodes, 2 undirected edges, no attributes, no labels)
    """
    ends = _as_array(edge_index)
    if ends.ndim != 2 or ends.shape[0] != 2:
        hint = "; transpose it" if ends.ndim == 2 and ends.shape[1] == 2 else ""
        raise InputError(f"edge_index must have shape [2, edges] (got {list(ends.shape)}){hint}")
    if ends.size and ends.dtype.kind not in "iu":
        raise InputError(f"edge_index must hold node numbers (got {ends.dtype}); use a type of whole numbers")
    weights = None if weights is None else _as_array(weights).reshape(-1)
    attributes: Any = x if x is None or sp.issparse(x) else _as_array(x)
    n = _count_nodes(ends) if num_nodes is None else int(num_nodes)
    source, target = ends
    if directed is None:
        directed = not both_ways(source, target, n, weights)
    return Graph.from_edges(
        source,
        target,
        num_nodes=n,
        directed=directed,
        weights=weights,
        x=attributes,
        y=None if y is None else _as_array(y),
        class_names=class_names,
        names=names,
        attribute_names=attribute_names,
        name=name,
    )


def both_ways(source: Array, target: Array, n: int, weights: Array | None) -> bool:
    """Return whether every edge is listed in both directions, with the same weight.

    Example:
        >>> both_ways(np.array([0, 1]), np.array([1, 0]), 2, None)
        True
    """
    forth, position = np.unique(source.astype(np.int64) * n + target, return_inverse=True)
    back, opposite = np.unique(target.astype(np.int64) * n + source, return_inverse=True)
    if not len(forth) or not np.array_equal(forth, back):
        return False
    if weights is None or len(weights) != len(source):
        return True
    return bool(np.allclose(np.bincount(position, weights), np.bincount(opposite, weights), rtol=1e-6, atol=0))


def _count_nodes(ends: Array) -> int:
    largest = int(ends.max(initial=-1))
    # A stray id would otherwise become a graph that does not fit into memory.
    if largest >= max(_MAX_UNTOLD_NODES, _MAX_NODES_PER_EDGE * ends.shape[1]):
        raise InputError(
            f"edge_index has {ends.shape[1]:,} edges and the node number {largest}; "
            "number the nodes from 0, or say how many there are (num_nodes=)"
        )
    return largest + 1


def _as_array(values: Any) -> Array:
    """Return a torch tensor, on any device, or anything array-like as a NumPy array."""
    if hasattr(values, "detach"):
        values = values.detach().cpu()
        values = values.float() if str(values.dtype) == "torch.bfloat16" else values
    return np.asarray(values)
