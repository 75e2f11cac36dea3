"""A Graph as the graph of another library; the methods ``to_...`` of :class:`.Graph` are the doors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse as sp

from infomotif._core.extras import needed_for
from infomotif.errors import InputError
from infomotif.graph.checks import as_float32

if TYPE_CHECKING:
    import igraph
    import networkx
    import torch
    from torch_geometric.data import Data

    from infomotif.graph.graph import Graph


def to_pyg(graph: Graph) -> Data:
    """Return a PyG ``Data``, as :meth:`.Graph.to_pyg` describes it."""
    with needed_for("to_pyg"):
        import torch
        from torch_geometric.data import Data

    data = Data(edge_index=to_edge_index(graph), num_nodes=graph.num_nodes)
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


def to_igraph(graph: Graph) -> igraph.Graph:
    """Return an igraph graph, as :meth:`.Graph.to_igraph` describes it.

    Raises:
        InputError: If an attribute has the name ``label`` or ``name``, or two have the same name.
    """
    with needed_for("to_igraph"):
        import igraph

    columns = graph.attribute_names
    if len({*columns, "label", "name"}) < len(columns) + 2:
        raise InputError("attribute names must differ from each other, from 'label' and 'name'; rename with replace()")
    source, target = graph.edges()
    once = slice(None) if graph.directed else source < target
    ends = np.stack([source[once], target[once]], axis=1)
    out = igraph.Graph(n=graph.num_nodes, edges=ends.tolist(), directed=graph.directed)
    out["name"] = graph.name
    out.vs["name"] = graph.names.tolist()
    if graph.y is not None:
        out.vs["label"] = [graph.class_names[int(c)] if c >= 0 else None for c in graph.y]
    if graph.x is not None:
        x = sp.csc_array(as_float32(graph.x))
        for j, name in enumerate(columns):
            out.vs[name] = x[:, [j]].toarray()[:, 0].tolist()
    if graph.csr.weights is not None:
        out.es["weight"] = graph.csr.weights[once].tolist()
    return out


def to_edge_index(graph: Graph) -> torch.Tensor:
    """Return the stored edges as a tensor [2, E]."""
    with needed_for("to_edge_index"):
        import torch

    return torch.from_numpy(np.stack(graph.edges()).astype(np.int64))
