"""A Graph as the graph of another library; :meth:`.Graph.to_pyg` and :meth:`.Graph.to_networkx` are the doors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from infomotif._core.extras import needed_for
from infomotif.errors import InputError
from infomotif.graph.checks import as_float32

if TYPE_CHECKING:
    import networkx
    from torch_geometric.data import Data

    from infomotif.graph.graph import Graph


def to_pyg(graph: Graph) -> Data:
    """Return a PyG ``Data``, as :meth:`.Graph.to_pyg` describes it."""
    with needed_for("to_pyg"):
        import torch
        from torch_geometric.data import Data

    source, target = graph.edges()
    edge_index = torch.from_numpy(np.stack([source, target]).astype(np.int64))
    data = Data(edge_index=edge_index, num_nodes=graph.num_nodes)
    if graph.x is not None:
        data.x = torch.from_numpy(np.array(graph.x.toarray() if sp.issparse(graph.x) else graph.x))
    if graph.y is not None:
        data.y = torch.from_numpy(graph.y.astype(np.int64))
    if graph.csr.weights is not None:
        data.edge_weight = torch.from_numpy(np.array(graph.csr.weights))
    return data


def to_networkx(graph: Graph) -> networkx.Graph:
    """Return a NetworkX graph, as :meth:`.Graph.to_networkx` describes it.

    Raises:
        InputError: If an attribute has the name ``label`` next to the label, or two have the same name.
    """
    with needed_for("to_networkx"):
        import networkx as nx

    columns = graph.attribute_names
    if len({*columns, *(["label"] if graph.y is not None else [])}) < len(columns) + (graph.y is not None):
        raise InputError("attribute names must differ from each other and from 'label'; rename them with replace()")
    out: networkx.Graph = nx.DiGraph() if graph.directed else nx.Graph()
    names = graph.names.tolist()
    out.add_nodes_from(names)
    out.name = graph.name
    if graph.y is not None:
        labels = {names[v]: graph.class_names[int(c)] for v, c in enumerate(graph.y) if c >= 0}
        nx.set_node_attributes(out, labels, "label")
    if graph.x is not None:
        out.graph["node_default"] = dict.fromkeys(columns, 0.0)
        x = sp.coo_array(as_float32(graph.x))
        for v, j, value in zip(x.row.tolist(), x.col.tolist(), x.data.tolist(), strict=True):
            out.nodes[names[v]][columns[j]] = value
    source, target = graph.edges()
    once = slice(None) if graph.directed else source < target
    ends = [(names[u], names[v]) for u, v in zip(source[once].tolist(), target[once].tolist(), strict=True)]
    if graph.csr.weights is None:
        out.add_edges_from(ends)
    else:
        weights = graph.csr.weights[once].tolist()
        out.add_weighted_edges_from((u, v, w) for (u, v), w in zip(ends, weights, strict=True))
    return out
