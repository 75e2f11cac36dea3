"""A Graph as the graph of another library; the methods ``to_...`` of :class:`.Graph` are the doors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from infomotif._core.extras import needed_for
from infomotif.errors import InputError
from infomotif.graph.checks import as_float32

if TYPE_CHECKING:
    import igraph
    import networkx
    import torch
    from torch_geometric.data import Data, HeteroData

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
    if graph.node_types is not None:
        data.node_type = torch.from_numpy(graph.node_types.astype(np.int64))
    if graph.edge_types is not None:
        data.edge_type = torch.from_numpy(graph.edge_types.astype(np.int64))
    return data


def to_heterodata(graph: Graph) -> HeteroData:
    """Return a PyG ``HeteroData``, as :meth:`.Graph.to_heterodata` describes it.

    Raises:
        InputError: If the graph has no node types.
    """
    with needed_for("to_heterodata"):
        import torch
        from torch_geometric.data import HeteroData

    if graph.node_types is None:
        raise InputError("to_heterodata needs node types; to_pyg exports a graph without them")
    data = HeteroData()
    number = np.empty(graph.num_nodes, np.int64)
    for code, name in enumerate(graph.node_type_names):
        nodes = np.flatnonzero(graph.node_types == code)
        number[nodes] = np.arange(len(nodes))
        data[name].num_nodes = len(nodes)
        data[name].n_id = torch.from_numpy(nodes)
        if graph.x is not None:
            x = graph.x[nodes]
            if graph.attribute_types is not None:
                x = x[:, np.flatnonzero((graph.attribute_types == code) | (graph.attribute_types < 0))]
            if x.shape[1]:
                data[name].x = torch.from_numpy(np.array(x.toarray() if sp.issparse(x) else x))
        if graph.y is not None and (graph.y[nodes] >= 0).any():
            data[name].y = torch.from_numpy(graph.y[nodes].astype(np.int64))
    source, target = (ends.astype(np.int64) for ends in graph.edges())
    kinds = np.zeros(len(source), np.int64) if graph.edge_types is None else graph.edge_types.astype(np.int64)
    relations = graph.edge_type_names or ("to",)
    width = len(graph.node_type_names)
    key = (graph.node_types[source].astype(np.int64) * len(relations) + kinds) * width + graph.node_types[target]
    for each in np.unique(key).tolist():
        rows = np.flatnonzero(key == each)
        first, relation = divmod(each // width, len(relations))
        triple = (graph.node_type_names[first], relations[relation], graph.node_type_names[each % width])
        ends = np.stack([number[source[rows]], number[target[rows]]])
        data[triple].edge_index = torch.from_numpy(ends)
        if graph.csr.weights is not None:
            data[triple].edge_weight = torch.from_numpy(np.array(graph.csr.weights[rows]))
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
    if graph.node_types is not None and "type" in columns:
        raise InputError("an attribute is named 'type' as the type is; rename it with replace()")
    out: networkx.Graph = nx.DiGraph() if graph.directed else nx.Graph()
    names = graph.names.tolist()
    out.add_nodes_from(names)
    out.name = graph.name
    if graph.y is not None:
        labels = {names[v]: graph.class_names[int(c)] for v, c in enumerate(graph.y) if c >= 0}
        nx.set_node_attributes(out, labels, "label")
    if graph.node_types is not None:
        types = {names[v]: graph.node_type_names[int(t)] for v, t in enumerate(graph.node_types)}
        nx.set_node_attributes(out, types, "type")
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
    if graph.edge_types is not None:
        key, values = edge_values(graph)
        kinds = graph.edge_types[once].tolist()
        nx.set_edge_attributes(out, {pair: values[t] for pair, t in zip(ends, kinds, strict=True)}, key)
    return out


def edge_values(graph: Graph) -> tuple[str, list[Any]]:
    """Return what exports call the types of edges, and the value of each: names as ``type``, signs 1 and -1."""
    if graph.signed:
        return "sign", [1 if name == "+" else -1 for name in graph.edge_type_names]
    return "type", list(graph.edge_type_names)


def to_igraph(graph: Graph) -> igraph.Graph:
    """Return an igraph graph, as :meth:`.Graph.to_igraph` describes it.

    Raises:
        InputError: If an attribute has the name ``label`` or ``name``, or two have the same name.
    """
    with needed_for("to_igraph"):
        import igraph

    columns = graph.attribute_names
    if graph.node_types is not None and "type" in columns:
        raise InputError("an attribute is named 'type' as the type is; rename it with replace()")
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
    if graph.node_types is not None:
        out.vs["type"] = [graph.node_type_names[int(t)] for t in graph.node_types]
    if graph.edge_types is not None:
        key, values = edge_values(graph)
        out.es[key] = [values[t] for t in graph.edge_types[once].tolist()]
    return out


def to_edge_index(graph: Graph) -> torch.Tensor:
    """Return the stored edges as a tensor [2, E]."""
    with needed_for("to_edge_index"):
        import torch

    return torch.from_numpy(np.stack(graph.edges()).astype(np.int64))
