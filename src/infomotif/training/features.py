"""Input features of a graph: scaled attributes, motif encodings, or one-hot rows if there are neither."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import scipy.sparse as sp
import torch

from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.motifs.encodings import check_parts, encoding_columns, quantile_bounds, quantile_names, quantile_of
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.relations import Relations, Triple
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.training.config import INDEXED, NORMALIZATIONS, OLD_STRUCTURE, input_parts
from infomotif.typing import Array, Attributes

_DENSE_SHARE = 0.25
_ROUNDING = 1e-9
"""Values that differ by less than this share of their size count as equal."""


class Reader(Protocol):
    """Returns the input features of some nodes, by default of all."""

    def __call__(self, nodes: Array | None = None) -> Features:
        """Return the features, [B, width]."""
        ...


@dataclass(frozen=True)
class FeatureMap:
    """How a graph becomes the encoder's input; fitted on one graph, applied to others with the same attributes.

    Attributes:
        width: Number of input features.
        one_hot: Whether each node has its own indicator (a graph without attributes).
        normalize: How attributes are scaled.
        structural: The parts of motif encodings, joined by ``+``; ``none`` without any.
        columns: Name of each column of theirs, quantiles aside.
        mean: Mean of each on the fitted graph.
        deviation: Standard deviation of each.
        bounds: Lower bounds of the quantiles of each except the first, if ``structural`` has ``quantiles``.
        shift: Subtracted from each attribute, if ``normalize`` scales columns and one needs it.
        scale: Divides each attribute then.
        nodes: Name of each node of the fitted graph, if nodes have indicators and names.
        attributes: Whether attributes are among the features, if a graph has some.
        types: Name of each node type, each of which has an indicator after all other features.
        owners: The node type of each attribute, -1 for all, where scaling must leave nodes of other types at 0.
        relations: The relations that messages are sorted by, if the encoder keeps them apart.
    """

    width: int
    one_hot: bool
    normalize: str
    structural: str = "none"
    columns: tuple[str, ...] = ()
    mean: tuple[float, ...] = ()
    deviation: tuple[float, ...] = ()
    bounds: tuple[tuple[float, ...], ...] = ()
    shift: tuple[float, ...] = ()
    scale: tuple[float, ...] = ()
    nodes: tuple[str, ...] = ()
    attributes: bool = True
    types: tuple[str, ...] = ()
    owners: tuple[int, ...] = ()
    relations: tuple[Triple, ...] = ()

    @classmethod
    def fit(
        cls,
        graph: Graph,
        index: MotifIndex | None,
        *,
        normalize: str,
        inputs: str = "attributes",
        relational: bool = False,
    ) -> FeatureMap:
        """Learn the scaling from ``graph``.

        A graph with node types has an indicator of its type among the features of each node, which a linear layer
        turns into a vector per type: that is what nodes of a type without attributes start from.

        Args:
            graph: The graph.
            index: Its motifs, where features are made of them.
            normalize: How attributes are scaled.
            inputs: Parts of the features, as :class:`.Inputs` describes them.
            relational: Whether the encoder keeps the messages of different relations apart.

        Raises:
            InputError: If ``normalize`` or a part of ``inputs`` is unknown.
        """
        if normalize not in NORMALIZATIONS:
            raise unknown_name("normalize", str(normalize), NORMALIZATIONS)
        if inputs == "auto":
            inputs = "orbits" if graph.x is None else "attributes"
        attributes, parts = input_parts(inputs)
        one_hot = graph.x is None and not parts
        x = graph.x if attributes else None
        width = graph.num_nodes if one_hot else 0 if x is None else x.shape[1]
        shift, scale = _column_scales(x, graph) if normalize == "auto" and x is not None else ((), ())
        typed: dict[str, Any] = {
            "types": () if one_hot else graph.node_type_names,
            "owners": () if not any(shift) or graph.attribute_types is None else tuple(graph.attribute_types.tolist()),
            "relations": Relations.of(graph).triples if relational else (),
        }
        width += len(typed["types"])
        if not parts:
            nodes = () if not one_hot or graph.numbered else tuple(graph.names.tolist())
            return cls(width, one_hot, normalize, shift=shift, scale=scale, nodes=nodes, **typed)
        names, values = encoding_columns(graph, parts, index)
        bounds = tuple(quantile_bounds(column) for column in values.T) if "quantiles" in parts else ()
        return cls(
            width + _structural_width(names, bounds),
            one_hot,
            normalize,
            "+".join(parts),
            names,
            tuple(values.mean(axis=0).tolist()),
            tuple(_deviation(values).tolist()),
            bounds,
            shift,
            scale,
            attributes=attributes,
            **typed,
        )

    @classmethod
    def from_dict(cls, value: Mapping[str, Any]) -> FeatureMap:
        """Return the map of a model file.

        Raises:
            InputError: If the value is not such a map.
        """
        value = {"attributes": True, "types": [], "owners": [], "relations": [], **value}
        kinds = {"width": int, "one_hot": bool, "normalize": str, "structural": str, "attributes": bool}
        pairs = (("mean", "deviation"), ("shift", "scale"))
        listed = ("columns", "bounds", "nodes", "types", "owners", "relations")
        kinds |= {key: list for key in (*listed, *(key for pair in pairs for key in pair))}
        if value.keys() != kinds.keys() or not all(type(value[key]) is kind for key, kind in kinds.items()):
            raise InputError(f"features must hold {', '.join(kinds)} of the right kinds")
        if value["normalize"] not in NORMALIZATIONS:
            raise unknown_name("normalize", value["normalize"], NORMALIZATIONS)
        if value["structural"] in OLD_STRUCTURE:
            value["structural"] = OLD_STRUCTURE[value["structural"]].partition("+")[2] or "none"
        parts = () if value["structural"] == "none" else check_parts(value["structural"])
        for centre, spread in pairs:
            if not _finite([*value[centre], *value[spread]]):
                raise InputError(f"{centre} and {spread} of features must hold finite numbers")
            if len(value[centre]) != len(value[spread]) or 0 in value[spread]:
                raise InputError(f"features must have one {spread} above 0 for each {centre}")
        columns, bounds = value["columns"], value["bounds"]
        if not all(isinstance(name, str) for name in columns) or len(columns) != len(value["mean"]):
            raise InputError("features must have one name for each mean")
        if (len(columns) > 0) != (len(parts) > 0):
            raise InputError(f"features must have columns exactly if structural is not none (got {len(columns)})")
        if len(bounds) != (len(columns) if "quantiles" in parts else 0):
            raise InputError("features must have bounds for each column exactly if structural has quantiles")
        if not parts and not value["attributes"]:
            raise InputError("features must have attributes where structural is none")
        if not all(isinstance(each, list) and _finite(each) and sorted(set(each)) == each for each in bounds):
            raise InputError("bounds of features must hold rising finite numbers")
        nodes = value["nodes"]
        if not all(isinstance(name, str) for name in nodes) or len(set(nodes)) < len(nodes):
            raise InputError("nodes of features must hold different names")
        if nodes and not (value["one_hot"] and len(nodes) == value["width"]):
            raise InputError("features must name as many nodes as they are wide, and only without attributes")
        types, owners, relations = value["types"], value["owners"], value["relations"]
        if not all(isinstance(name, str) for name in types) or len(set(types)) < len(types):
            raise InputError("types of features must hold different names")
        if not all(_is_triple(each) for each in relations):
            raise InputError("relations of features must hold three names each")
        if value["scale"] and len(value["scale"]) != value["width"] - _structural_width(columns, bounds) - len(types):
            raise InputError("features must have one scale for each attribute")
        if not all(type(owner) is int and -1 <= owner < len(types) for owner in owners):
            raise InputError("owners of features must be numbers of types")
        if owners and len(owners) != len(value["shift"]):
            raise InputError("features must have one owner for each scaled attribute")
        plain: dict[str, Any] = {key: tuple(v) if isinstance(v, list) else v for key, v in value.items()}
        nested = {"bounds": tuple(map(tuple, bounds)), "relations": tuple(map(tuple, relations))}
        return cls(**plain | nested)

    def apply(self, graph: Graph, index: MotifIndex | None) -> Features:
        """Return the features of all nodes; see :meth:`reader`."""
        return self.reader(graph, index)()

    def reader(self, graph: Graph, index: MotifIndex | None) -> Reader:
        """Return a function that reads the features of some nodes or of all, [B, width], sparse if mostly zero.

        Structural features are computed here, once.

        Raises:
            InputError: If the graph has other attributes than the fitted one.
        """
        expected = 0 if self.one_hot else self.num_attributes
        if self.attributes and graph.num_attributes != expected:
            trained = f"on {expected} attributes" if expected else "without attributes"
            raise InputError(f"the model was trained {trained} (the graph has {graph.num_attributes})")
        if self.one_hot:
            columns = self._indicator_columns(graph)

            def indicate(nodes: Array | None = None) -> Features:
                return SparseMatrix.from_scipy(_indicators(self.width, columns if nodes is None else columns[nodes]))

            return indicate
        structure, types = self._structure(graph, index), self._types_of(graph)

        def read(nodes: Array | None = None) -> Features:
            x = graph.x if self.attributes else None
            x = x if x is None or nodes is None else x[nodes]
            codes = types if types is None or nodes is None else types[nodes]
            blocks = [] if x is None else [self._scaled(x, codes)]
            if structure is not None:
                blocks.append(structure.rows(nodes))
            if codes is not None:
                indicators = _indicators(len(self.types), codes)
                blocks.append(indicators if any(map(sp.issparse, blocks)) else indicators.toarray())
            if any(sp.issparse(block) for block in blocks):
                return SparseMatrix.from_scipy(sp.csr_array(sp.hstack(blocks)))
            dense = blocks[0] if len(blocks) == 1 else np.hstack(blocks)
            if nodes is None and dense.size and np.count_nonzero(dense) < _DENSE_SHARE * dense.size:
                return SparseMatrix.from_scipy(sp.csr_array(dense))
            # The arrays of a graph are frozen, and torch wants writable ones.
            whole = np.ascontiguousarray(dense, dtype=np.float32)
            return torch.from_numpy(whole if whole.flags.writeable else whole.copy())

        return read

    def names(self, attribute_names: Sequence[str]) -> tuple[str, ...]:
        """Return the name of each feature; none where nodes have indicators."""
        if self.one_hot:
            return ()
        own = attribute_names if self.attributes else ()
        types = (f"type {name}" for name in self.types)
        return (*own, *self.columns, *quantile_names(self.columns, self.bounds), *types)

    @property
    def num_attributes(self) -> int:
        """Number of attributes among the features."""
        return self.width - _structural_width(self.columns, self.bounds) - len(self.types)

    def relations_of(self, graph: Graph) -> Relations | None:
        """Return the relations of a graph's messages, numbered as in the fitted graph; None if all are alike.

        Raises:
            InputError: If the graph has a relation that the fitted one did not have.
        """
        if not self.relations:
            return None
        self._types_of(graph)
        own = np.full(self.width, -1)
        if graph.attribute_types is not None and self.attributes:
            own[: self.num_attributes] = graph.attribute_types
        if self.types:
            # A module that is called by types does not need their indicators.
            own[self.width - len(self.types) :] = -2
        codes = range(max(1, len(graph.node_type_names)))
        columns = tuple(np.flatnonzero((own == -1) | (own == code)) for code in codes)
        return Relations.of(graph, self.relations)._replace(columns=columns)

    @property
    def indexed(self) -> bool:
        """Whether features are made of the motifs that the model uses."""
        return any(part in INDEXED for part in self.structural.split("+"))

    def _indicator_columns(self, graph: Graph) -> Array:
        """Return the column of each node's indicator: its number in the fitted graph, by name.

        Raises:
            InputError: If the nodes are not those of the fitted graph.
        """
        remedy = "train with inputs=orbits to predict on other graphs"
        if graph.num_nodes != self.width:
            raise InputError(
                f"a model without attributes knows only the {self.width} nodes that it was trained on "
                f"(got {graph.num_nodes}); {remedy}"
            )
        if graph.numbered and not self.nodes:
            return np.arange(self.width)
        known = {name: i for i, name in enumerate(self.nodes or map(str, range(self.width)))}
        unknown = next((name for name in graph.names.tolist() if name not in known), None)
        if unknown is not None:
            raise InputError(
                f"a model without attributes knows only the nodes that it was trained on (not '{unknown}'); {remedy}"
            )
        return np.array([known[name] for name in graph.names.tolist()], dtype=np.int64)

    def _structure(self, graph: Graph, index: MotifIndex | None) -> _Structure | None:
        """Return the structural features of all nodes, scaled as on the fitted graph."""
        if self.structural == "none":
            return None
        names, values = encoding_columns(graph, self.structural.split("+"), index)
        if len(names) != len(self.columns):
            raise InputError(
                f"the model was trained on {len(self.columns)} structural features (the graph gives {len(names)}); "
                f"give it a graph with{'out' if graph.directed else ''} directions, as the training graph was"
            )
        scaled = ((values - np.array(self.mean)) / np.array(self.deviation)).astype(np.float32)
        tenths = [quantile_of(column, bounds) for column, bounds in zip(values.T, self.bounds, strict=False)]
        return _Structure(scaled, np.stack(tenths, axis=1) if tenths else None, [len(each) + 1 for each in self.bounds])

    def _types_of(self, graph: Graph) -> Array | None:
        """Return the number of each node's type among those of the fitted graph; None without types.

        Raises:
            InputError: If the graph has other types.
        """
        if not self.types:
            return None
        if graph.node_types is None:
            raise InputError(
                f"the model was trained on nodes of the types {', '.join(self.types)} (the graph has none)"
            )
        unknown = next((name for name in graph.node_type_names if name not in self.types), None)
        if unknown is not None:
            raise InputError(f"the model was trained on nodes of the types {', '.join(self.types)} (not '{unknown}')")
        return np.array([self.types.index(name) for name in graph.node_type_names])[graph.node_types]

    def _scaled(self, x: Attributes, types: Array | None = None) -> Any:
        if self.normalize in ("row", "l2"):
            return _scaled_rows(x, 1 if self.normalize == "row" else 2)
        if not self.scale:
            return x
        shift, scale = np.array(self.shift, dtype=np.float32), np.array(self.scale, dtype=np.float32)
        if not isinstance(x, np.ndarray) and shift.any():
            # The fitted graph had dense attributes, so zeros are shifted too.
            x = x.toarray()
        if isinstance(x, np.ndarray):
            scaled = x - shift
            scaled /= scale
            if self.owners and types is not None:
                owners = np.array(self.owners)
                scaled[(owners >= 0) & (owners != types[:, None])] = 0
            return scaled
        return sp.csr_array(x @ sp.diags_array(1 / scale)).astype(np.float32)


@dataclass(frozen=True)
class _Structure:
    """Structural features of all nodes: scaled columns, and the quantile of each, which becomes one-hot when read."""

    scaled: Array
    quantiles: Array | None
    sizes: list[int]

    def rows(self, nodes: Array | None) -> Array:
        """Return the features of some nodes, or of all."""
        chosen = slice(None) if nodes is None else nodes
        if self.quantiles is None:
            return np.asarray(self.scaled[chosen])
        tenths = self.quantiles[chosen].T
        one_hot = [np.eye(size, dtype=np.float32)[column] for size, column in zip(self.sizes, tenths, strict=True)]
        return np.hstack([self.scaled[chosen], *one_hot])


def _deviation(columns: Array) -> Array:
    """Return the standard deviation of each column; 1 for a constant column, whose deviation would be rounding."""
    spread = columns.std(axis=0)
    return np.where(spread > _ROUNDING * np.maximum(1, abs(columns.mean(axis=0))), spread, 1.0)


def _structural_width(columns: Sequence[str], bounds: Sequence[Sequence[float]]) -> int:
    return len(columns) + sum(len(each) + 1 for each in bounds)


def _finite(numbers: Sequence[Any]) -> bool:
    return all(isinstance(number, float) and math.isfinite(number) for number in numbers)


def _indicators(count: int, nodes: Array) -> sp.csr_array:
    """Return one-hot rows of ``nodes``, [B, count]."""
    ones, pointers = np.ones(len(nodes), dtype=np.float32), np.arange(len(nodes) + 1)
    return sp.csr_array((ones, nodes, pointers), shape=(len(nodes), count))


def _is_triple(value: Any) -> bool:
    return isinstance(value, list) and len(value) == 3 and all(isinstance(name, str) for name in value)


def _column_scales(x: Attributes, graph: Graph) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return shift and scale of each attribute: columns with values beyond -1 to 1 are standardised, others are kept.

    Sparse columns are only divided, by their largest absolute value, so that zeros stay zeros. Both are empty if no
    column needs scaling. An attribute of one node type is measured on the nodes of that type.
    """
    largest = np.asarray(abs(x).max(axis=0).todense() if sp.issparse(x) else abs(x).max(axis=0, initial=0)).ravel()
    wide = largest > 1
    if not wide.any():
        return (), ()
    shift, scale = np.zeros(x.shape[1]), np.where(wide, largest, 1).astype(np.float64)
    if isinstance(x, np.ndarray):
        columns = x[:, wide].astype(np.float64)
        shift[wide], scale[wide] = columns.mean(axis=0), _deviation(columns)
        if graph.attribute_types is not None and graph.node_types is not None:
            for code in np.unique(graph.attribute_types[graph.attribute_types >= 0]).tolist():
                mine = np.flatnonzero(wide & (graph.attribute_types == code))
                columns = x[np.ix_(graph.node_types == code, mine)].astype(np.float64)
                shift[mine], scale[mine] = columns.mean(axis=0), _deviation(columns)
    return tuple(shift.tolist()), tuple(scale.tolist())


def _scaled_rows(x: Attributes, power: int) -> Any:
    if isinstance(x, np.ndarray):
        size = np.linalg.norm(x, ord=power, axis=1, keepdims=True)
        return x / np.where(size == 0, 1, size)
    size = np.asarray((abs(x) ** power).sum(axis=1)).ravel() ** (1 / power)
    return sp.csr_array(sp.diags_array(1 / np.where(size == 0, 1, size)) @ x).astype(np.float32)
