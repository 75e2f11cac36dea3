"""Relations: what kind of message each neighbour sends, by the types of both nodes, the edge, and its direction."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.colours import pair_types
from infomotif.typing import Array

Triple = tuple[str, str, str]
"""Type of the sender, name of the relation, type of the receiver, as in PyG's ``HeteroData``."""
UNTYPED, UNNAMED, REVERSED = "node", "to", "rev_"
"""The types of nodes and edges of a graph without types, and how the name of a message against an edge starts."""


class Relations(NamedTuple):
    """The relations of the entries of an adjacency.

    A neighbour that two directed edges join with a node sends two messages. A sign is an edge type, so that positive
    and negative edges are relations apart.

    Attributes:
        kinds: Kind of each entry, [E].
        table: The one or two relations of each kind, -1 for none, [K, 2].
        triples: What each relation is, R of them.
        nodes: Number of each node's type, [columns].
        node_types: Name of each node type.
        columns: Input features that nodes of each type have, where a module wants them by type.

    Example:
        >>> graph = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=True, edge_types=["+", "-"])
        >>> [name for _, name, _ in Relations.of(graph).triples]
        ['+', '-', 'rev_+', 'rev_-']
    """

    kinds: Array
    table: Array
    triples: tuple[Triple, ...]
    nodes: Array
    node_types: tuple[str, ...]
    columns: tuple[Array, ...] = ()

    @classmethod
    def of(cls, graph: Graph, known: Sequence[Triple] | None = None) -> Relations:
        """Return the relations of ``graph.undirected``.

        Args:
            graph: The graph.
            known: The relations of a model, in their order; by default those that occur.

        Raises:
            InputError: If a relation occurs that is not known.
        """
        both = graph.undirected
        nodes = np.zeros(graph.num_nodes, np.int64) if graph.node_types is None else graph.node_types.astype(np.int64)
        names, node_types = graph.edge_type_names or (UNNAMED,), graph.node_type_names or (UNTYPED,)
        pairs = graph.pair_types
        if pairs is None:
            plain = np.zeros(len(graph.csr.indices), np.uint8)
            pairs = pair_types(graph.csr, both, plain, directed=graph.directed)
        receiver = np.repeat(nodes, np.diff(both.indptr))
        # Against an edge only if edges have directions; without them both entries of a pair say the same.
        against = pairs.out.astype(np.int64) if graph.directed else np.zeros(len(both.indices), np.int64)
        size = len(names) + 1
        key = ((nodes[both.indices] * len(node_types) + receiver) * size + pairs.back) * size + against
        keys, kinds = np.unique(key, return_inverse=True)
        found: list[tuple[Triple | None, Triple | None]] = []
        for each in keys.tolist():
            rest, out = divmod(each, size)
            rest, back = divmod(rest, size)
            sender, to = (node_types[code] for code in divmod(rest, len(node_types)))
            found.append(
                (
                    (sender, names[back - 1], to) if back else None,
                    (sender, REVERSED + names[out - 1], to) if out else None,
                )
            )
        occurring = tuple(sorted({t for pair in found for t in pair if t}))
        # A graph without edges has a relation too, so that its network has a place for edges of other graphs.
        triples = tuple(known) if known is not None else occurring or ((node_types[0], names[0], node_types[0]),)
        number: dict[Triple | None, int] = {None: -1} | {triple: r for r, triple in enumerate(triples)}
        stray = next((t for pair in found for t in pair if t not in number), None)
        if stray is not None:
            raise InputError(
                f"the graph has edges '{' '.join(stray)}' that the training graph did not have; leave them out, or "
                "train on a graph with them"
            )
        table = np.array([[number[t] for t in pair] for pair in found], dtype=np.int64).reshape(-1, 2)
        return cls(kinds.astype(np.int32), table, triples, nodes, node_types)

    @property
    def num_relations(self) -> int:
        """Number of relations R."""
        return len(self.triples)

    def part(self, entries: Array | slice, nodes: Array | slice) -> Relations:
        """Return the relations of some entries and columns."""
        return self._replace(kinds=self.kinds[entries], nodes=self.nodes[nodes])

    def messages(self, indptr: Array, indices: Array) -> tuple[Array, Array, Array, Array]:
        """Return receiver, sender, relation and entry of every message, [M] each."""
        rows = np.repeat(np.arange(len(indptr) - 1), np.diff(indptr))
        relations = self.table[self.kinds] if len(self.table) else np.empty((0, 2), np.int64)
        entry, slot = np.nonzero(relations >= 0)
        return rows[entry], indices[entry].astype(np.int64), relations[entry, slot], entry

    def by_type(self, x: Tensor) -> dict[str, Tensor]:
        """Return the input features [n, F] of each type's nodes, only those columns that belong to the type.

        A type without attributes has one column of ones.
        """
        parts: dict[str, Tensor] = {}
        for code, name in enumerate(self.node_types):
            rows = torch.from_numpy(np.flatnonzero(self.nodes == code)).to(x.device)
            columns = self.columns[code] if self.columns else np.arange(x.shape[1])
            chosen = x[rows][:, torch.from_numpy(columns).to(x.device)]
            parts[name] = chosen if len(columns) else x.new_ones(len(rows), 1)
        return parts

    def edges_by_relation(self, edge_index: Tensor, edge_type: Tensor) -> dict[Triple, Tensor]:
        """Return the edges [2, E] of each relation, with nodes numbered within their type."""
        number = np.empty(len(self.nodes), np.int64)
        for code in range(len(self.node_types)):
            rows = np.flatnonzero(self.nodes == code)
            number[rows] = np.arange(len(rows))
        numbers = torch.from_numpy(number).to(edge_index.device)
        return {triple: numbers[edge_index[:, edge_type == r]] for r, triple in enumerate(self.triples)}

    def joined(self, parts: dict[str, Tensor], count: int) -> Tensor:
        """Return the rows of all types in the order of the nodes, [n, D]; types that are missing have zeros."""
        some = next(iter(parts.values()))
        out = some.new_zeros(count, some.shape[1])
        for code, name in enumerate(self.node_types):
            if name in parts:
                rows = torch.from_numpy(np.flatnonzero(self.nodes == code)).to(out.device)
                out = out.index_copy(0, rows, parts[name].to(out.dtype))
        return out
