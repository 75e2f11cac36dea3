"""PyG ``HeteroData`` objects: node types and edge types with attributes of their own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from infomotif._core.extras import needed_for
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.io.formats.arrays import both_ways
from infomotif.io.formats.pyg import as_array, attributes_of
from infomotif.typing import Array

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch_geometric.data import HeteroData


def from_heterodata(
    data: HeteroData,
    *,
    directed: bool | None = None,
    target: str | None = None,
    class_names: Sequence[str] | None = None,
    names: Sequence[str] | None = None,
    attribute_names: Sequence[str] | None = None,
    name: str = "graph",
) -> Graph:
    """Turn a PyG ``HeteroData`` into a Graph with node types and edge types, as :func:`.from_pyg` describes it.

    Args:
        data: With ``edge_index`` [2, E] for each edge type; optionally ``x`` and ``y`` for node types and
            ``edge_weight`` for all edge types.
        directed: Whether edges have a direction; None looks whether every edge is listed in both directions with the
            same relation.
        target: The node type whose ``y`` are the labels; by default the only one that has any.
        class_names: Name of each class.
        names: Name of each node, type after type.
        attribute_names: Name of each attribute, type after type.
        name: What the graph is called.

    Raises:
        InputError: If the parts do not fit together, two types have labels, or two relations join the same nodes.

    Example:
        >>> import torch
        >>> from torch_geometric.data import HeteroData
        >>> data = HeteroData()
        >>> data["author"].x, data["paper"].x = torch.ones(2, 3), torch.ones(1, 5)
        >>> data["author", "writes", "paper"].edge_index = torch.tensor([[0, 1], [0, 0]])
        >>> from_heterodata(data)
        Graph('graph', 3 nodes, 2 directed edges, 8 attributes, no labels, 2 node types, 1 edge types)
    """
    with needed_for("from_pyg"):
        import torch  # noqa: F401

    kinds = [str(kind) for kind in data.node_types]
    if not kinds:
        raise InputError("the HeteroData has no node types; set data['name'].num_nodes or .x")
    sizes = {}
    for kind in kinds:
        if data[kind].num_nodes is None:
            raise InputError(f"the HeteroData does not say how many '{kind}' it has; set data['{kind}'].num_nodes")
        sizes[kind] = int(data[kind].num_nodes)
    first = dict(zip(kinds, np.cumsum([0, *sizes.values()])[:-1].tolist(), strict=True))
    n = sum(sizes.values())
    source, end, types, relations, weights = _edges(data, first, sizes)
    if directed is None:
        directed = not both_ways(source, end, n, weights) or not both_ways(source, end, n, types + 1.0)
    x, owners, columns = _attributes(data, kinds, sizes)
    return Graph.from_edges(
        source,
        end,
        num_nodes=n,
        directed=directed,
        weights=weights,
        x=x,
        y=_labels(data, kinds, sizes, target),
        class_names=class_names,
        names=names or [f"{kind}/{i}" for kind in kinds for i in range(sizes[kind])],
        attribute_names=attribute_names or columns,
        node_types=np.repeat(np.arange(len(kinds)), list(sizes.values())),
        node_type_names=kinds,
        edge_types=types,
        edge_type_names=relations,
        attribute_types=owners,
        name=name,
    )


def _edges(
    data: Any, first: dict[str, int], sizes: dict[str, int]
) -> tuple[Array, Array, Array, list[str], Array | None]:
    """Return source, target and type of all edges, the names of the types, and weights if all edges have some."""
    relations = list(dict.fromkeys(str(relation) for _, relation, _ in data.edge_types))
    sources, ends, types, weights = [], [], [], []
    for triple in data.edge_types:
        begin, relation, stop = map(str, triple)
        index = getattr(data[triple], "edge_index", None)
        if index is None or index.dim() != 2 or index.shape[0] != 2:
            raise InputError(f"data[{triple}].edge_index must have shape [2, edges]")
        for kind in (begin, stop):
            if kind not in first:
                raise InputError(f"data[{triple}] names the node type '{kind}', which has no nodes; add data['{kind}']")
        pair = as_array(index).astype(np.int64)
        for row, kind in zip(pair, (begin, stop), strict=True):
            if len(row) and not 0 <= row.min() <= row.max() < sizes[kind]:
                raise InputError(f"data[{triple}].edge_index must lie in 0..{sizes[kind] - 1} for '{kind}'")
        sources.append(pair[0] + first[begin])
        ends.append(pair[1] + first[stop])
        types.append(np.full(pair.shape[1], relations.index(relation)))
        weight = getattr(data[triple], "edge_weight", None)
        weights.append(None if weight is None else as_array(weight).reshape(-1))
    some = [weight for weight in weights if weight is not None]
    if some and len(some) < len(weights):
        raise InputError("edge_weight must be given for all edge types or for none")
    empty = [np.empty(0, np.int64)]
    source, end, kind_of = (np.concatenate(parts or empty) for parts in (sources, ends, types))
    return source, end, kind_of, relations, np.concatenate(some) if some else None


def _attributes(
    data: Any, kinds: list[str], sizes: dict[str, int]
) -> tuple[sp.csr_array | None, list[str] | None, list[str] | None]:
    """Return the attributes as blocks, one per node type, the type that has each, and their names."""
    blocks, owners, names = [], [], []
    for kind in kinds:
        x = getattr(data[kind], "x", None)
        given = None if x is None else attributes_of(x)
        if given is not None and (given.ndim != 2 or given.shape[0] != sizes[kind]):
            raise InputError(f"data['{kind}'].x must have one row per node: expected {sizes[kind]}, got {given.shape}")
        width = 0 if given is None else int(given.shape[1])
        blocks.append(sp.csr_array((sizes[kind], 0)) if given is None else sp.csr_array(given))
        owners += [kind] * width
        names += [f"{kind}.x{j}" for j in range(width)]
    if not owners:
        return None, None, None
    return sp.csr_array(sp.block_diag(blocks, format="csr")), owners, names


def _labels(data: Any, kinds: list[str], sizes: dict[str, int], target: str | None) -> Array | None:
    labelled = [kind for kind in kinds if getattr(data[kind], "y", None) is not None]
    if target is not None and target not in labelled:
        raise InputError(f"target '{target}' has no labels; node types with y: {', '.join(labelled) or 'none'}")
    if target is None and len(labelled) > 1:
        raise InputError(f"several node types have labels ({', '.join(labelled)}); choose one with target=")
    if not labelled:
        return None
    chosen = target or labelled[0]
    y = data[chosen].y
    if y.is_floating_point() or y.numel() != sizes[chosen]:
        raise InputError(f"data['{chosen}'].y must hold one class number per node: expected {sizes[chosen]} numbers")
    out = np.full(sum(sizes.values()), -1, np.int64)
    start = sum(size for kind, size in sizes.items() if kinds.index(kind) < kinds.index(chosen))
    out[start : start + sizes[chosen]] = np.maximum(as_array(y).reshape(-1).astype(np.int64), -1)
    return out
