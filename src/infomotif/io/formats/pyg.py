"""PyG ``Data`` objects; ``HeteroData`` has a module of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from infomotif._core.extras import needed_for
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.formats.arrays import both_ways
from infomotif.typing import Array

if TYPE_CHECKING:
    from torch_geometric.data import Data, HeteroData


def from_pyg(
    data: Data | HeteroData,
    *,
    directed: bool | None = None,
    class_names: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    attribute_names: Sequence[str] | None = None,
    node_type: str | None = None,
    edge_type: str | None = None,
    target: str | None = None,
    name: str = "graph",
) -> Graph:
    """Turn a PyG ``Data`` or ``HeteroData`` into a Graph.

    A ``HeteroData`` becomes a graph with node types and edge types. Its nodes are numbered type after type, in the
    order of ``data.node_types``, and named ``type/number`` unless ``names`` are given. The edge type of ``(source,
    relation, target)`` is the relation. Each node type keeps its attributes: they are columns that only its nodes have.

    Args:
        data: With ``edge_index`` [2, E], or ``adj_t``, whose values are weights unless all are 1; optionally ``x``
            (dense or sparse), ``y`` (one class number per node, negative where unknown) and ``edge_weight`` (or
            ``edge_attr`` of one column).
        directed: Whether edges have a direction; None looks whether every edge is listed in both directions with the
                same weight.
        class_names: Name of each class.
        names: Name of each node.
        attribute_names: Name of each attribute.
        node_type: The attribute of a ``Data`` with the number of each node's type, such as ``node_type``.
        edge_type: The attribute of a ``Data`` with the number of each edge's type, such as ``edge_type``.
        target: The node type of a ``HeteroData`` whose ``y`` are the labels; by default the only one that has any.
        name: What the graph is called.

    Raises:
        InputError: If the parts do not fit together.

    Example:
        >>> import torch
        >>> from torch_geometric.data import Data
        >>> data = Data(x=torch.eye(3), edge_index=torch.tensor([[0, 1], [1, 2]]), y=torch.tensor([0, 1, -1]))
        >>> from_pyg(data)
        Graph('graph', 3 nodes, 2 directed edges, 3 attributes, 2 classes)
    """
    with needed_for("from_pyg"):
        import torch

    if hasattr(data, "edge_index_dict"):
        from infomotif.io.formats.heterodata import from_heterodata

        if node_type is not None or edge_type is not None:
            raise InputError("node_type and edge_type are for a PyG Data; a HeteroData says its types itself")
        return from_heterodata(
            data,
            directed=directed,
            target=target,
            class_names=class_names,
            names=names,
            attribute_names=attribute_names,
            name=name,
        )
    if target is not None:
        raise InputError("target is for a PyG HeteroData, whose node types may each have labels")
    edge_index, weights = _edges(data)
    n = data.num_nodes
    if n is None:
        raise InputError("the PyG data does not say how many nodes it has; set data.num_nodes")
    source, end = as_array(edge_index)
    if directed is None:
        directed = not both_ways(source, end, int(n), None if weights is None else as_array(weights).reshape(-1))
    y = getattr(data, "y", None)
    if y is not None:
        if not isinstance(y, torch.Tensor) or y.is_floating_point() or y.numel() != n:
            raise InputError(f"data.y must hold one class number per node: expected {n} whole numbers")
        # Other conventions for "unknown" (-100, -2) mean the same here.
        y = np.maximum(as_array(y).reshape(-1).astype(np.int64), -1)
    return Graph.from_edges(
        source,
        end,
        num_nodes=int(n),
        directed=directed,
        weights=None if weights is None else as_array(weights).reshape(-1),
        x=attributes_of(getattr(data, "x", None)),
        y=y,
        class_names=class_names,
        names=names,
        attribute_names=attribute_names,
        node_types=_numbers(data, node_type, int(n)),
        edge_types=_numbers(data, edge_type, len(source)),
        name=name,
    )


def _numbers(data: Any, key: str | None, count: int) -> Array | None:
    """Return the types that an attribute holds."""
    if key is None:
        return None
    values = getattr(data, key, None)
    if values is None or not hasattr(values, "numel") or values.is_floating_point() or values.numel() != count:
        raise InputError(f"data.{key} must hold one type number each: expected {count} whole numbers")
    return as_array(values).reshape(-1)


def _edges(data: Any) -> tuple[Any, Any]:
    import torch

    edge_index = getattr(data, "edge_index", None)
    if edge_index is None and getattr(data, "adj_t", None) is not None:
        adjacency = data.adj_t
        if not isinstance(adjacency, torch.Tensor):
            raise InputError("data.adj_t must be a torch sparse tensor; or give data.edge_index")
        # adj_t is transposed: its row is the target of an edge.
        entries = _coo(adjacency)
        values = entries.values()
        # A sparse tensor always has values; ones are those of an adjacency without weights.
        weighted = values.dim() == 1 and bool((values != 1).any())
        return entries.indices().flip(0), values if weighted else None
    if not isinstance(edge_index, torch.Tensor) or edge_index.dim() != 2 or edge_index.shape[0] != 2:
        shape = None if edge_index is None else tuple(getattr(edge_index, "shape", ()))
        raise InputError(f"data.edge_index must have shape [2, edges] (got {shape})")
    weights = getattr(data, "edge_weight", None)
    if weights is None:
        attr = getattr(data, "edge_attr", None)
        weights = attr if attr is not None and attr.numel() == edge_index.shape[1] else None
    return edge_index, weights


def attributes_of(x: Any) -> Any:
    """Return attributes of PyG, dense or sparse, as NumPy or SciPy has them."""
    import torch

    if x is None or not isinstance(x, torch.Tensor):
        return x
    if x.layout == torch.strided:
        return as_array(x)
    entries = _coo(x.detach().cpu())
    rows, columns = entries.indices().numpy()
    return sp.csr_array((entries.values().numpy(), (rows, columns)), shape=(int(x.shape[0]), int(x.shape[1])))


def _coo(tensor: Any) -> Any:
    return tensor.to_sparse_coo().coalesce()


def as_array(tensor: Any) -> Array:
    """Return a tensor, on any device, as a NumPy array."""
    import torch

    local = tensor.detach().cpu()
    # NumPy has no bfloat16.
    return np.asarray((local.float() if local.dtype == torch.bfloat16 else local).numpy())
