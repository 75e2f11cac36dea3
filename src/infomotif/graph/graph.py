"""Graph: an immutable CSR graph with attributes, labels, types and names; all other rooms take it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import scipy.sparse as sp
from numpy.typing import ArrayLike

from infomotif.errors import InputError
from infomotif.graph.checks import check_attributes, check_finite, check_labels, check_lengths, check_names
from infomotif.graph.colours import (
    SIGNS,
    Colours,
    PairTypes,
    check_attribute_types,
    check_types,
    pair_types,
    refuse_two_types,
    undirected_types,
)
from infomotif.graph.csr import CSR, compress, endpoints, first_conflict
from infomotif.graph.fingerprint import graph_fingerprint
from infomotif.graph.select import node_numbers
from infomotif.typing import Array, Attributes

if TYPE_CHECKING:
    import igraph
    import networkx
    import torch
    from matplotlib.axes import Axes
    from rich.table import Table
    from torch_geometric.data import Data, HeteroData

    from infomotif.graph.schema import Schema

__all__ = ["CSR", "Array", "Attributes", "Graph", "Stored"]

_MAX_NAMES_IN_MEMORY = 1_000_000


class Stored(NamedTuple):
    """What a graph store keeps in addition to the graph, so that nothing is computed again.

    Attributes:
        reopen: Opens the folder in another process.
        folder: The store.
        fingerprint: The graph's fingerprint.
        reverse: In-neighbours of a directed graph.
        undirected: Neighbours of a directed graph.
    """

    reopen: Callable[[str], Graph]
    folder: str
    fingerprint: str
    reverse: CSR | None = None
    undirected: CSR | None = None


class Graph:
    """An attributed graph that never changes.

    Edges run from source to target. An undirected graph stores each edge in both rows. Self loops and
    repeated edges are dropped on entry (:meth:`from_edges`) and counted in :attr:`notes`.

    Args:
        indptr: Row pointers, [n + 1].
        indices: Ascending targets of each row, [m].
        directed: Whether an edge has a direction.
        weights: Edge weights in the order of ``indices``, or None.
        x: Attributes [n, F], dense (float32 or float16) or sparse (float32), or None.
        y: Class of each node [n], -1 where it is unknown, or None.
        class_names: Name of each class.
        names: Name of each node; None means "0", "1", ...
        attribute_names: Name of each attribute; None means "x0", "x1", ...
        node_types: The type of each node [n] with the names of the types, or None.
        edge_types: The type of each edge in the order of ``indices``, with the names of the types, or None.
        attribute_types: The node type that has each attribute [F], -1 for all types; or None.
        name: What the graph is called.
        notes: What was dropped or changed on the way in, counted.
        schema: Which columns of a file became which attributes, if it came from one.
        stored: What the store knows, if the arrays are those of a store.

    The arrays are taken over and made read-only; :meth:`from_edges` copies them instead.

    Example:
        >>> graph = Graph.from_edges([0, 1, 1], [1, 2, 1], num_nodes=3, directed=True)
        >>> graph
        Graph('graph', 3 nodes, 2 directed edges, no attributes, no labels)
        >>> dict(graph.notes)
        {'self_loops': 1}
    """

    def __init__(
        self,
        indptr: Array,
        indices: Array,
        *,
        directed: bool,
        weights: Array | None = None,
        x: Attributes | None = None,
        y: Array | None = None,
        class_names: Sequence[str] = (),
        names: Array | None = None,
        attribute_names: Sequence[str] | None = None,
        node_types: Colours | None = None,
        edge_types: Colours | None = None,
        attribute_types: Array | None = None,
        name: str = "graph",
        notes: Mapping[str, int] | None = None,
        schema: Schema | None = None,
        stored: Stored | None = None,
    ) -> None:
        """Take over the arrays; most callers want :meth:`from_edges`."""
        n = len(indptr) - 1
        if n < 0 or int(indptr[0]) != 0 or int(indptr[-1]) != len(indices):
            raise InputError("indptr must start at 0 and end at len(indices)")
        check_lengths(
            n,
            len(indices),
            x=x,
            y=y,
            names=names,
            weights=weights,
            attribute_names=attribute_names,
            node_types=None if node_types is None else node_types.codes,
            edge_types=None if edge_types is None else edge_types.codes,
            attribute_types=attribute_types,
        )
        self.directed = directed
        self.name = name
        self.csr = CSR(_frozen(indptr), _frozen(indices), None if weights is None else _frozen(weights))
        self.schema = schema
        self._x = _frozen_attributes(x)
        self.y = None if y is None else _frozen(y)
        self.class_names = tuple(class_names)
        self._names = None if names is None else _frozen(names)
        self._attribute_names = None if attribute_names is None else tuple(attribute_names)
        self._node_types = _frozen_colours(node_types)
        self._edge_types = _frozen_colours(edge_types)
        self.attribute_types = None if attribute_types is None else _frozen(attribute_types)
        self.notes: Mapping[str, int] = MappingProxyType({k: int(v) for k, v in (notes or {}).items() if v})
        self._stored = stored
        if stored is not None:
            known = {"_fingerprint": stored.fingerprint, "reverse": stored.reverse, "undirected": stored.undirected}
            vars(self).update({key: value for key, value in known.items() if value is not None})
        self._sealed = True

    def __setattr__(self, key: str, value: object) -> None:
        """Refuse changes: a graph never changes."""
        if getattr(self, "_sealed", False):
            raise AttributeError(f"a Graph cannot be changed (tried to set '{key}'); build another one")
        super().__setattr__(key, value)

    def __delattr__(self, key: str) -> None:
        """Refuse changes: a graph never changes."""
        raise AttributeError(f"a Graph cannot be changed (tried to delete '{key}'); build another one")

    def __copy__(self) -> Graph:
        """Return the graph itself, as it never changes."""
        return self

    def __deepcopy__(self, memo: dict[int, Any]) -> Graph:
        """Return the graph itself, as it never changes."""
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        """Let processes send graphs to each other; a stored graph is sent as the path of its folder."""
        if self._stored is not None:
            return self._stored.reopen, (self._stored.folder,)
        fields = {**self._fields(), "names": self._names, "notes": dict(self.notes)}
        return _rebuild, (self.csr.indptr, self.csr.indices, self.directed, self.csr.weights, fields)

    @classmethod
    def from_edges(
        cls,
        source: ArrayLike,
        target: ArrayLike,
        *,
        num_nodes: int,
        directed: bool,
        weights: ArrayLike | None = None,
        x: ArrayLike | sp.sparray | sp.spmatrix | None = None,
        y: ArrayLike | None = None,
        class_names: Sequence[str] | None = None,
        names: Sequence[str] | Array | None = None,
        attribute_names: Sequence[str] | None = None,
        node_types: Sequence[Any] | Array | None = None,
        node_type_names: Sequence[str] | None = None,
        edge_types: Sequence[Any] | Array | None = None,
        edge_type_names: Sequence[str] | None = None,
        attribute_types: Sequence[Any] | Array | None = None,
        name: str = "graph",
        notes: Mapping[str, int] | None = None,
        schema: Schema | None = None,
    ) -> Graph:
        """Build a graph from edge endpoints; every reader ends here, so every check is here.

        Args:
            source: Start of each edge, node numbers [m].
            target: End of each edge, node numbers [m].
            num_nodes: Number of nodes n.
            directed: Whether an edge has a direction; if not, either order names the same edge.
            weights: Weight of each edge; of repeated edges the first counts.
            x: Attributes [n, F], finite numbers, dense or scipy sparse.
            y: Class numbers [n], -1 where unknown.
            class_names: Name of each class; class numbers as text by default.
            names: Unique name of each node.
            attribute_names: Name of each attribute.
            node_types: Type of each node [n]: its name, or its number from 0 on.
            node_type_names: Name of each node type; by default those that occur, in order.
            edge_types: Type of each edge [m], as for nodes; ``"+"`` and ``"-"`` make a signed graph.
            edge_type_names: Name of each edge type; by default those that occur, in order.
            attribute_types: The node type that has each attribute [F], None or -1 for all types; nodes of other types
                must have 0 there.
            name: What the graph is called.
            notes: Counts of what the reader itself dropped or changed.
            schema: Which columns of a file became which attributes.

        Raises:
            InputError: If an endpoint, a label or a shape is out of range, a value is not finite, a type is missing, or
                two edges of different types join the same pair: from one node to another, or if the graph is not
                directed between two nodes.
        """
        src, dst = endpoints(source, target, num_nodes)
        counts = dict(notes or {})
        w = None if weights is None else check_finite(np.array(weights, dtype=np.float32), "edge weights")
        if w is not None and len(w) != len(src):
            raise InputError(f"weights must have one entry per edge: expected {len(src)}, got {len(w)}")
        nodes = check_types(node_types, node_type_names, num_nodes, "node")
        edges = check_types(edge_types, edge_type_names, len(src), "edge")
        loops = src == dst
        if loops.any():
            counts["self_loops"] = counts.get("self_loops", 0) + int(loops.sum())
            src, dst = src[~loops], dst[~loops]
            w = None if w is None else w[~loops]
            edges = None if edges is None else edges._replace(codes=edges.codes[~loops])
        given = len(src)
        if edges is None:
            csr, distinct, listed = compress(src, dst, w, num_nodes, directed)
        else:
            at = first_conflict(src, dst, edges.codes, num_nodes, directed)
            if at is not None:
                ends = [str(v if names is None else names[v]) for v in (int(src[at[1]]), int(dst[at[1]]))]
                kinds = [edges.names[int(edges.codes[e])] for e in at]
                raise refuse_two_types(ends[0], ends[1], kinds[0], kinds[1], directed=directed)
            # Numbers of edges are carried along in place of weights, to look up weights and types.
            csr, distinct, listed = compress(src, dst, np.arange(given), num_nodes, directed)
            kept = np.empty(0, np.int64) if csr.weights is None else csr.weights
            edges = edges._replace(codes=edges.codes[kept])
            csr = csr._replace(weights=None if w is None else w[kept])
        counts["repeated_edges"] = counts.get("repeated_edges", 0) + given - listed
        counts["both_directions"] = counts.get("both_directions", 0) + listed - distinct
        labels, classes = check_labels(y, class_names, num_nodes)
        attributes = check_attributes(x)
        check_lengths(num_nodes, given, x=attributes)
        return cls(
            csr.indptr,
            csr.indices,
            directed=directed,
            weights=csr.weights,
            x=attributes,
            y=labels,
            class_names=classes,
            names=check_names(names),
            attribute_names=attribute_names,
            node_types=nodes,
            edge_types=edges,
            attribute_types=check_attribute_types(attribute_types, attributes, nodes),
            name=name,
            notes=counts,
            schema=schema,
        )

    @property
    def x(self) -> Attributes | None:
        """Attributes [n, F], read-only, CSR or dense, float32 (in a store also float16); None without attributes."""
        if self._x is None or isinstance(self._x, np.ndarray):
            return self._x
        # Inserting into a sparse matrix swaps its arrays, so each caller gets a new matrix around ours.
        return sp.csr_array((self._x.data, self._x.indices, self._x.indptr), shape=self._x.shape)

    @property
    def num_nodes(self) -> int:
        """Number of nodes n."""
        return len(self.csr.indptr) - 1

    @property
    def num_edges(self) -> int:
        """Number of edges; an undirected edge counts once."""
        return len(self.csr.indices) if self.directed else len(self.csr.indices) // 2

    @property
    def num_attributes(self) -> int:
        """Number of attributes F (0 without attributes)."""
        return 0 if self._x is None else int(self._x.shape[1])

    @property
    def num_classes(self) -> int:
        """Number of classes C."""
        return len(self.class_names)

    @property
    def node_types(self) -> Array | None:
        """Number of each node's type [n], uint8; None without node types."""
        return None if self._node_types is None else self._node_types.codes

    @property
    def node_type_names(self) -> tuple[str, ...]:
        """Name of each node type."""
        return () if self._node_types is None else self._node_types.names

    @property
    def edge_types(self) -> Array | None:
        """Number of each stored edge's type, uint8, in the order of ``csr.indices``; None without edge types."""
        return None if self._edge_types is None else self._edge_types.codes

    @property
    def edge_type_names(self) -> tuple[str, ...]:
        """Name of each edge type."""
        return () if self._edge_types is None else self._edge_types.names

    @property
    def coloured(self) -> bool:
        """Whether nodes or edges have types."""
        return self._node_types is not None or self._edge_types is not None

    @property
    def signed(self) -> bool:
        """Whether the edges have signs: the edge types ``+`` and ``-``, and no others."""
        return bool(self.edge_type_names) and set(self.edge_type_names) <= set(SIGNS)

    @property
    def names(self) -> Array:
        """Name of each node [n], text."""
        return self._names if self._names is not None else np.arange(self.num_nodes).astype(np.str_)

    @property
    def numbered(self) -> bool:
        """Whether the nodes have no names other than their numbers."""
        return self._names is None

    def names_of(self, nodes: ArrayLike) -> Array:
        """Return the names of some nodes, without creating those of the others.

        Example:
            >>> Graph.from_edges([0], [1], num_nodes=10**6, directed=True).names_of([7, 8]).tolist()
            ['7', '8']
        """
        numbers = np.asarray(nodes)
        return numbers.astype(np.str_) if self._names is None else np.asarray(self._names[numbers])

    @property
    def attribute_names(self) -> tuple[str, ...]:
        """Name of each attribute."""
        return self._attribute_names or tuple(f"x{i}" for i in range(self.num_attributes))

    @cached_property
    def undirected(self) -> CSR:
        """The same edges without direction: symmetric CSR, each neighbour once, no weights."""
        if not self.directed:
            return CSR(self.csr.indptr, self.csr.indices)
        back, shape = self.reverse, (self.num_nodes, self.num_nodes)
        ones = np.ones(len(back.indices), dtype=np.int8)
        both = self._pattern() + sp.csr_array((ones, back.indices, back.indptr), shape=shape)
        both.sort_indices()
        index = self.csr.indices.dtype
        return CSR(_frozen(both.indptr.astype(index, copy=False)), _frozen(both.indices.astype(index, copy=False)))

    @cached_property
    def pair_types(self) -> PairTypes | None:
        """Types of the edges to and from each neighbour, in the order of ``undirected.indices``; None without types."""
        if self._edge_types is None:
            return None
        both = pair_types(self.csr, self.undirected, self._edge_types.codes, directed=self.directed)
        return PairTypes(_frozen(both.out), _frozen(both.back))

    @cached_property
    def undirected_edge_types(self) -> Colours | None:
        """Types of the edges of :attr:`undirected`, in the order of its indices; None without edge types.

        Two directed edges of the same type between two nodes are one edge of that type. If their types differ, the
        pair has a joint type of its own, such as ``+&-``, as neither of the two would be true.

        Example:
            >>> graph = Graph.from_edges([0, 1, 1], [1, 0, 2], num_nodes=3, directed=True, edge_types=["+", "-", "+"])
            >>> types = graph.undirected_edge_types
            >>> [types.names[code] for code in types.codes]
            ['+&-', '+&-', '+', '+']
        """
        pairs = self.pair_types
        return None if pairs is None else _frozen_colours(undirected_types(pairs, self.edge_type_names))

    @cached_property
    def reverse(self) -> CSR:
        """In-neighbours: CSR of the transposed graph, ascending, without weights."""
        if not self.directed:
            return CSR(self.csr.indptr, self.csr.indices)
        back = self._pattern().T.tocsr()
        back.sort_indices()
        index = self.csr.indices.dtype
        return CSR(_frozen(back.indptr.astype(index, copy=False)), _frozen(back.indices.astype(index, copy=False)))

    @cached_property
    def degrees(self) -> Array:
        """Number of neighbours of each node, directions ignored [n]."""
        return _frozen(np.diff(self.undirected.indptr))

    def edges(self) -> tuple[Array, Array]:
        """Source and target of each stored edge; an undirected edge is listed in both directions."""
        rows = np.repeat(np.arange(self.num_nodes, dtype=self.csr.indices.dtype), np.diff(self.csr.indptr))
        return rows, self.csr.indices

    def index_of(self, node: str) -> int:
        """Return the number of the node with this name.

        Raises:
            InputError: If no node has this name.
        """
        position = self._position(str(node))
        if position is None:
            raise InputError(f"no node is named '{node}' in {self.name} ({self.num_nodes} nodes)")
        return position

    def subgraph(self, nodes: ArrayLike) -> Graph:
        """Return the graph induced by ``nodes``: numbers or names in the wanted order, or a mask.

        Raises:
            InputError: If they do not name nodes of the graph, each once.
        """
        keep = node_numbers(nodes, self.num_nodes, index_of=self.index_of)
        matrix = self._pattern(with_weights=True)[keep][:, keep]
        matrix.sort_indices()
        index = self.csr.indices.dtype
        edge_types = self._edge_types
        if edge_types is not None:
            # One more than the type, so that no entry is zero.
            marked = sp.csr_array((edge_types.codes + np.int16(1), *self.csr[1::-1]), shape=2 * (self.num_nodes,))
            part = marked[keep][:, keep]
            part.sort_indices()
            edge_types = edge_types._replace(codes=(part.data - 1).astype(np.uint8))
        return Graph(
            matrix.indptr.astype(index),
            matrix.indices.astype(index),
            directed=self.directed,
            weights=None if self.csr.weights is None else matrix.data.astype(np.float32),
            x=None if self.x is None else self.x[keep],
            y=None if self.y is None else self.y[keep],
            class_names=self.class_names,
            names=self.names_of(keep),
            attribute_names=self._attribute_names,
            node_types=None
            if self._node_types is None
            else self._node_types._replace(codes=self._node_types.codes[keep]),
            edge_types=edge_types,
            attribute_types=self.attribute_types,
            name=self.name,
            notes=self.notes,
            schema=self.schema,
        )

    def largest_component(self) -> Graph:
        """Return the largest (weakly) connected component; of equals, the one with the first node."""
        if self.num_nodes == 0:
            return self
        from scipy.sparse.csgraph import connected_components

        _, component = connected_components(self._pattern(), directed=self.directed, connection="weak")
        sizes = np.bincount(component)
        if len(sizes) <= 1:
            return self
        keep = np.flatnonzero(component == int(sizes.argmax()))
        notes = dict(self.notes)
        notes["nodes_outside_component"] = notes.get("nodes_outside_component", 0) + self.num_nodes - len(keep)
        part = self.subgraph(keep)
        return part.replace(notes=notes)

    def replace(self, **changes: Any) -> Graph:
        """Return a copy with other attributes, labels, names of either, types, ``name``, ``notes`` or ``schema``.

        A new ``x`` drops the schema, the attribute names and the attribute types unless new ones are given. Node types
        can be replaced or dropped (``node_types=None``), edge types only dropped, as they belong to the edges.

        Raises:
            InputError: If a keyword is not one of these.
        """
        allowed = {"x", "y", "class_names", "attribute_names", "name", "notes", "schema"}
        allowed |= {"node_types", "node_type_names", "edge_types", "attribute_types"}
        if not set(changes) <= allowed:
            raise InputError(f"replace() takes {', '.join(sorted(allowed))} (got {', '.join(sorted(changes))})")
        if "x" in changes:
            changes["x"] = check_attributes(changes["x"])
            changes.setdefault("attribute_names", None)
            changes.setdefault("schema", None)
            changes.setdefault("attribute_types", None)
        if "node_types" in changes or "node_type_names" in changes:
            names = changes.pop("node_type_names", None)
            given = changes.get("node_types", self.node_types)
            changes["node_types"] = check_types(given, names, self.num_nodes, "node")
            if changes["node_types"] is None:
                changes.setdefault("attribute_types", None)
        if changes.get("edge_types") is not None:
            raise InputError("replace() can only drop edge types (edge_types=None); give others to from_edges")
        if changes.get("attribute_types") is not None:
            x, nodes = changes.get("x", self._x), changes.get("node_types", self._node_types)
            changes["attribute_types"] = check_attribute_types(changes["attribute_types"], x, nodes)
        if "y" in changes or "class_names" in changes:
            changes["y"], changes["class_names"] = check_labels(
                changes.get("y", self.y), changes.get("class_names", self.class_names or None), self.num_nodes
            )
        fields = {**self._fields(), **changes}
        other = Graph(
            self.csr.indptr,
            self.csr.indices,
            directed=self.directed,
            weights=self.csr.weights,
            names=self._names,
            **fields,
        )
        kept = ("reverse", "undirected", "degrees", *(() if other._edge_types is None else ("pair_types",)))
        vars(other).update({key: vars(self)[key] for key in kept if key in vars(self)})
        return other

    def _fields(self) -> dict[str, Any]:
        return {
            "x": self._x,
            "y": self.y,
            "class_names": self.class_names,
            "attribute_names": self._attribute_names,
            "node_types": self._node_types,
            "edge_types": self._edge_types,
            "attribute_types": self.attribute_types,
            "name": self.name,
            "notes": self.notes,
            "schema": self.schema,
        }

    @cached_property
    def _fingerprint(self) -> str:
        types = {"node_types": self._node_types, "edge_types": self._edge_types}
        return graph_fingerprint(self.directed, self.csr, self._x, self.y, self.class_names, types)

    def fingerprint(self) -> str:
        """Return a sha256 over structure, attributes, labels and types; every result records it."""
        return self._fingerprint

    @classmethod
    def from_scipy(cls, matrix: Any, **options: Any) -> Graph:
        """Build a graph from a SciPy sparse adjacency matrix; see :func:`infomotif.io.from_scipy`."""
        return _read("from_scipy", matrix, **options)

    @classmethod
    def from_igraph(cls, graph: Any, **options: Any) -> Graph:
        """Build a graph from an igraph graph; see :func:`infomotif.io.from_igraph`."""
        return _read("from_igraph", graph, **options)

    @classmethod
    def from_dataframe(cls, edges: Any, nodes: Any = None, **options: Any) -> Graph:
        """Build a graph from data frames of edges and nodes; see :func:`infomotif.io.from_dataframe`."""
        return _read("from_dataframe", edges, nodes, **options)

    @classmethod
    def from_edge_index(cls, edge_index: Any, **options: Any) -> Graph:
        """Build a graph from an edge index [2, E]; see :func:`infomotif.io.from_edge_index`."""
        return _read("from_edge_index", edge_index, **options)

    def to_scipy(self) -> sp.csr_array:
        """Return the adjacency matrix [n, n]: weights, or without weights whole numbers 1; symmetric if undirected.

        Example:
            >>> Graph.from_edges([0], [1], num_nodes=2, directed=True).to_scipy().toarray().tolist()
            [[0, 1], [0, 0]]
        """
        weights = self.csr.weights
        data = np.ones(len(self.csr.indices), np.int64) if weights is None else weights.copy()
        parts = (data, self.csr.indices.copy(), self.csr.indptr.copy())
        return sp.csr_array(parts, shape=(self.num_nodes, self.num_nodes))

    def to_igraph(self) -> igraph.Graph:
        """Return an igraph graph: vertices with ``name``, ``label``, ``type`` and attributes, edges with ``weight``.

        Edges also have ``type``, or ``sign`` as 1 and -1.

        Raises:
            InputError: If an attribute has the name ``label`` or ``name``, or two have the same name.
        """
        from infomotif.graph.exporters import to_igraph

        return to_igraph(self)

    def to_edge_index(self) -> torch.Tensor:
        """Return the edges as a PyG edge index, a tensor [2, E]; an undirected edge is listed in both directions."""
        from infomotif.graph.exporters import to_edge_index

        return to_edge_index(self)

    def to_pyg(self) -> Data:
        """Return a PyG ``Data``: x (dense), edge_index [2, E], y with -1 for unknown, edge_weight if any.

        Types are numbers in ``node_type`` and ``edge_type``; :meth:`to_heterodata` keeps types apart.
        """
        from infomotif.graph.exporters import to_pyg

        return to_pyg(self)

    def to_heterodata(self) -> HeteroData:
        """Return a PyG ``HeteroData``: a store per node type and per (source type, edge type, target type).

        A node type has ``x`` with the attributes of its own (``attribute_types``) and those of all types, ``y`` if a
        node of it has a label, and ``n_id``, the number of each node in this graph. Without edge types the relation is
        ``to``.

        Raises:
            InputError: If the graph has no node types.
        """
        from infomotif.graph.exporters import to_heterodata

        return to_heterodata(self)

    def to_networkx(self) -> networkx.Graph:
        """Return a NetworkX graph: nodes by name with ``label``, ``type`` and attributes, edges with ``weight``.

        Edges also have ``type``, or ``sign`` as 1 and -1. Only attributes that are not zero are set;
        ``graph["node_default"]`` says so in the way of NetworkX.

        Raises:
            InputError: If an attribute has the name ``label`` next to the label, or two have the same name.
        """
        from infomotif.graph.exporters import to_networkx

        return to_networkx(self)

    def plot(
        self,
        node: str | int | None = None,
        *,
        instances: Any = (),
        hops: int = 1,
        max_nodes: int | None = None,
        labels: bool | None = None,
        seed: int = 0,
        ax: Axes | None = None,
    ) -> Axes:
        """Draw the neighbourhood of a node, or the whole of a small graph, coloured by class.

        To shade an instance of a motif, :meth:`.MotifIndex.plot_instance` finds one and calls this.

        Args:
            node: Name or number of the node in the middle; None draws the whole graph.
            instances: Nodes to shade as one group, such as an instance of a motif, or a list of such groups.
            hops: How far from ``node`` to look.
            max_nodes: How many nodes to draw; by default 60 around a node, where the nearest are drawn and of equally
                near ones a random choice, and 400 of a whole graph.
            labels: Whether to write the names of the nodes; by default up to 60 nodes, where there is room.
            seed: Which layout, and which nodes if there are too many.
            ax: Matplotlib axes to draw on; by default those of a new figure.

        Returns:
            The axes.

        Raises:
            InputError: If the whole graph is too large, a node is unknown, or Matplotlib is not installed.

        Example:
            >>> from matplotlib.figure import Figure
            >>> graph = Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3], num_nodes=4, directed=False, name="paw")
            >>> graph.plot(0, instances=[0, 1, 2], ax=Figure().subplots()).get_title()
            'Neighbours of 0 in paw'
        """
        from infomotif.graph.graph_plot import plot_graph

        options: dict[str, Any] = {"hops": hops, "max_nodes": max_nodes, "labels": labels, "seed": seed, "ax": ax}
        return plot_graph(self, node, instances=instances, **options)

    def __repr__(self) -> str:
        """Say what the graph holds, in one line."""
        kind = "directed" if self.directed else "undirected"
        attributes = f"{self.num_attributes} attributes" if self.num_attributes else "no attributes"
        labels = f"{self.num_classes} classes" if self.num_classes else "no labels"
        kinds = ((len(self.node_type_names), "node types"), (len(self.edge_type_names), "edge types"))
        types = "".join(f", {count} {what}" for count, what in kinds if count)
        counts = f"{self.num_nodes} nodes, {self.num_edges} {kind} edges, {attributes}, {labels}{types}"
        return f"Graph('{self.name}', {counts})"

    def _repr_html_(self) -> str:
        """Show the graph in a notebook."""
        from infomotif.graph.summary_table import summary_html

        return summary_html(self)

    def __rich__(self) -> Table:
        """Show the graph as a table that a person understands."""
        from infomotif.graph.summary_table import summary_table

        return summary_table(self)

    def _pattern(self, with_weights: bool = False) -> sp.csr_array:
        data = self.csr.weights if with_weights and self.csr.weights is not None else None
        if data is None:
            data = np.ones(len(self.csr.indices), dtype=np.int8)
        shape = (self.num_nodes, self.num_nodes)
        return sp.csr_array((data, self.csr.indices, self.csr.indptr), shape=shape)

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {str(name): v for v, name in enumerate(self.names.tolist())}

    def _position(self, node: str) -> int | None:
        if self._names is None:
            number = int(node) if node.isascii() and node.isdecimal() and len(node) < 20 else -1
            return number if str(number) == node and 0 <= number < self.num_nodes else None
        if len(self._names) <= _MAX_NAMES_IN_MEMORY:
            return self._positions.get(node)
        # A dictionary of so many names would take more memory than the graph.
        matches = [int(v) for v in np.flatnonzero(self._names == node) if str(self._names[v]) == node]
        return matches[0] if matches else None


def _read(reader: str, *data: Any, **options: Any) -> Graph:
    # Readers are in a room above this one, so they are opened by name, when they are called.
    graph: Graph = getattr(import_module("infomotif.io"), reader)(*data, **options)
    return graph


def _rebuild(indptr: Array, indices: Array, directed: bool, weights: Array | None, fields: dict[str, Any]) -> Graph:
    return Graph(indptr, indices, directed=directed, weights=weights, **fields)


def _frozen(values: Array) -> Array:
    # Only a view of a read-only array cannot be made writable again.
    owner = values.copy() if values.base is not None and values.flags.writeable else values
    owner.flags.writeable = False
    # A memory-mapped array becomes a plain one over the same pages.
    return owner.view(np.ndarray)


def _frozen_colours(colours: Colours | None) -> Colours | None:
    return None if colours is None else Colours(_frozen(colours.codes), tuple(colours.names))


def _frozen_attributes(x: Attributes | None) -> Attributes | None:
    if x is None or isinstance(x, np.ndarray):
        return None if x is None else _frozen(x)
    parts = (_frozen(x.data), _frozen(x.indices), _frozen(x.indptr))
    return sp.csr_array(parts, shape=x.shape)
