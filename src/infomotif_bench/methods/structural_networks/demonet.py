"""DEMO-Net: degree-specific graph neural networks (Wu, He and Xu, KDD 2019)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor, nn

from infomotif._core.validate import Config, config, setting
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.blocks import Blocks
from infomotif.nn.propagation.convolutions import Convolution, Features
from infomotif.nn.propagation.dropout import dropout
from infomotif.nn.propagation.sparse import Pattern, SparseMatrix
from infomotif.typing import Array
from infomotif_bench.methods.base import MAX_COUNT, Options
from infomotif_bench.methods.networks import CustomNetwork

VARIANTS = ("weight", "hash")
MAX_WEIGHTS = 100_000_000
MAX_FILLED = 0.2
"""Share of entries above which means over neighbours are multiplied as dense matrices."""


class DegreeConvolution(Convolution):
    """[W_0 x_v || (W_shared + V_d) mean(x_u, u next to v)] + b, with weights V_d for every degree d.

    A degree that the layer was not built for takes the weights of the next lower one.

    Args:
        in_dim: Width of x.
        out_dim: Width of the result, half of it for the node itself.
        degrees: The degrees, ascending.
    """

    def __init__(self, in_dim: int, out_dim: int, degrees: Array) -> None:
        super().__init__(in_dim, out_dim, projected=out_dim - out_dim // 2)
        self.degrees = degrees

    def shared_weights(self) -> Tensor:
        """Return W_shared, [in, out / 2]."""
        raise NotImplementedError

    def special_weights(self, numbers: Sequence[int]) -> Sequence[Tensor]:
        """Return V_d of the degrees with these numbers, [in, out / 2] each."""
        raise NotImplementedError

    def special_product(self, means: sp.csr_array, numbers: Array) -> Tensor:
        """Multiply each row of ``means`` with V_d of the degree that has the row's number, [rows, out / 2]."""
        raise NotImplementedError

    def project(self, x: Features) -> Tensor:
        """Return x as it is: weights depend on the degree of the receiving node."""
        return x.to_dense() if isinstance(x, SparseMatrix) else x

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Multiply the mean of each node's neighbours with the weights of its degree."""
        degree_numbers = self._numbers(adjacency)
        order = np.argsort(degree_numbers, kind="stable")
        numbers, sizes = np.unique(degree_numbers, return_counts=True)
        means = adjacency.mean @ projected
        pieces = means.index_select(0, _index(order, means)).split(sizes.tolist())
        weights = self.special_weights(numbers.tolist())
        special = [piece @ matrix for matrix, piece in zip(weights, pieces, strict=True)]
        gathered = torch.cat(special).index_select(0, _index(np.argsort(order), means))
        itself = self.product(adjacency.target_rows(projected))
        return torch.cat([itself, means @ self.shared_weights() + gathered], dim=1) + self.bias

    def spread_sparse(self, x: SparseMatrix, adjacency: Adjacency) -> Tensor:
        """Return the result of :meth:`spread` with a dense x, using only sparse products."""
        special = self.special_product(adjacency.mean.to_scipy() @ x.to_scipy(), self._numbers(adjacency))
        itself, shared = self.product(x), adjacency.mean @ (x @ self.shared_weights())
        return torch.cat([adjacency.target_rows(itself), shared + special], dim=1) + self.bias

    def _numbers(self, adjacency: Adjacency) -> Array:
        """Return the number of each row's degree."""
        degrees = np.diff(adjacency.neighbours.indptr)
        if adjacency.degrees is not None:
            # Neighbours are a sample; the weights depend on how many there are in the graph.
            degrees = adjacency.degrees[adjacency.start : adjacency.start + adjacency.num_nodes]
        return (np.searchsorted(self.degrees, degrees, side="right") - 1).clip(min=0)


class WeightConvolution(DegreeConvolution):
    """A matrix V_d for every degree; it starts at 0, so degrees without training nodes use the shared weights."""

    def __init__(self, in_dim: int, out_dim: int, degrees: Array) -> None:
        super().__init__(in_dim, out_dim, degrees)
        self.shared = nn.Parameter(nn.init.xavier_uniform_(torch.empty(in_dim, out_dim // 2)))
        self.special = nn.Parameter(torch.zeros(len(degrees), in_dim, out_dim // 2))

    def shared_weights(self) -> Tensor:
        """Return the matrix of all degrees."""
        return self.shared

    def special_weights(self, numbers: Sequence[int]) -> Sequence[Tensor]:
        """Return the matrix of each degree."""
        matrices = self.special.unbind()
        return [matrices[number] for number in numbers]

    def special_product(self, means: sp.csr_array, numbers: Array) -> Tensor:
        """Multiply with the stacked matrices: column j moves to where the matrix of the row's degree begins."""
        in_dim = self.special.shape[1]
        begins = np.repeat(numbers * in_dim, np.diff(means.indptr))
        rows = Pattern(means.indptr, begins + means.indices, len(self.degrees) * in_dim)
        return SparseMatrix(rows, torch.from_numpy(means.data)) @ self.special.flatten(0, 1)


class HashConvolution(DegreeConvolution):
    """Row j of V_d is s_d(j) T[r_d(j)], with hashed rows r, hashed signs s and one table T; so is W_shared."""

    def __init__(self, in_dim: int, out_dim: int, degrees: Array, rows: int, seed: int) -> None:
        super().__init__(in_dim, out_dim, degrees)
        self.table = nn.Parameter(nn.init.xavier_uniform_(torch.empty(rows, out_dim // 2)))
        hashed = [_hash(seed, key, in_dim, rows) for key in (0, *(int(degree) + 1 for degree in degrees))]
        self.register_buffer("rows", torch.stack([row for row, _ in hashed]), persistent=False)
        self.register_buffer("signs", torch.stack([sign for _, sign in hashed]), persistent=False)

    def shared_weights(self) -> Tensor:
        """Look up the rows that all degrees share."""
        return self._look_up(0)

    def special_weights(self, numbers: Sequence[int]) -> Sequence[Tensor]:
        """Look up the rows of each degree."""
        return [self._look_up(number + 1) for number in numbers]

    def special_product(self, means: sp.csr_array, numbers: Array) -> Tensor:
        """Multiply with the table: column j moves to its row there, with its sign."""
        keys = np.repeat(numbers + 1, np.diff(means.indptr)), means.indices
        signs = self.get_buffer("signs").numpy()[keys]
        rows = Pattern(means.indptr, self.get_buffer("rows").numpy()[keys], len(self.table))
        return SparseMatrix(rows, torch.from_numpy(means.data * signs[:, 0])) @ self.table

    def _look_up(self, key: int) -> Tensor:
        return self.table.index_select(0, self.get_buffer("rows")[key]) * self.get_buffer("signs")[key]


def _hash(seed: int, key: int, in_dim: int, rows: int) -> tuple[Tensor, Tensor]:
    """Return the row [in] and the sign [in, 1] that a degree's hash function gives each input."""
    generator = np.random.default_rng([seed, key])
    row, sign = generator.integers(0, rows, in_dim), 2 * generator.integers(0, 2, (in_dim, 1)) - 1
    return torch.from_numpy(row), torch.from_numpy(sign.astype(np.float32))


def _stays_sparse(x: SparseMatrix, adjacency: Adjacency) -> bool:
    """Whether means over neighbours are sparse enough for the compiled sparse products on the CPU."""
    entries, rows = x.values.numel() / max(1, len(x.pattern.indptr) - 1), max(1, adjacency.num_nodes)
    around = len(adjacency.neighbours.indices) / rows
    return x.values.device.type == "cpu" and entries * around < MAX_FILLED * x.shape[1]


def _index(numbers: Array, like: Tensor) -> Tensor:
    return torch.from_numpy(numbers).to(like.device)


class DemoNet(Encoder):
    """Layers with weights by degree: ``degrees`` [K] ascending, ``variant``, rows of the hash table, its seed."""

    whole_graph = True

    def __init__(
        self,
        in_dim: int,
        hidden: int,
        *,
        degrees: Array,
        variant: str,
        hash_rows: int | None,
        seed: int,
        **options: Any,
    ) -> None:
        self.degrees, self.variant, self.hash_rows, self.seed = degrees, variant, hash_rows, seed
        super().__init__(in_dim, hidden, **options)

    def convolution(self, in_dim: int) -> Convolution:
        """Make one layer."""
        if self.variant == "weight":
            return WeightConvolution(in_dim, self.hidden, self.degrees)
        return HashConvolution(in_dim, self.hidden, self.degrees, self.hash_rows or in_dim, self.seed)

    def forward(self, x: Features, edge_index: Tensor | Adjacency | Blocks) -> Tensor:
        """Encode the nodes; attributes that stay sparse when neighbours are averaged are not made dense."""
        layer = self.layer(0)
        if not (isinstance(x, SparseMatrix) and isinstance(edge_index, Adjacency) and _stays_sparse(x, edge_index)):
            return super().forward(x, edge_index)
        if not isinstance(layer, DegreeConvolution):
            raise TypeError(f"the first layer must be a DegreeConvolution (got {type(layer).__name__})")
        dropped = SparseMatrix(x.pattern, dropout(x.values, self.dropout, self.training))
        h = layer.spread_sparse(dropped, edge_index)
        return self.after_first(h, edge_index)


@config
class DemoNetSettings(Config):
    """The settings that DEMO-Net has besides the trainer's."""

    variant: str = setting(default="weight", choices=VARIANTS, help="How degrees share weights.")
    hash_rows: int | None = setting(
        default=None,
        at_least=1,
        at_most=MAX_COUNT,
        help="Rows of the hash table; none takes as many as there are inputs.",
    )


@dataclass(frozen=True, kw_only=True)
class DemoNetMethod(CustomNetwork):
    """Graph convolutions whose weights depend on the degree of the receiving node.

    Follows the paper in its three properties: seed-oriented (the node itself has a separate transform, concatenated
    with that of its neighbours), degree-aware (one task per degree) and order-free; and in both ways to share among
    tasks, ``weight`` (shared plus degree-specific matrices) and ``hash`` (all of them hashed into one table, so that
    parameters do not grow with the number of degrees).
    Departs in the mean over neighbours where the paper sums, which weights by degree can undo and which keeps hubs from
    swamping the optimiser; in hashed rows of weights instead of hashed inputs, which is the same product; and in half
    the width for the node and half for its neighbours, so that the result is as wide as that of other methods.
    """

    options: ClassVar[type[Config]] = DemoNetSettings

    def check(self, settings: Options) -> None:
        """Refuse a width that cannot be halved, and what every network of the trainer refuses."""
        super().check(settings)
        if settings.get("hidden") == 1:
            raise InputError("hidden must be at least 2 for demonet: half for a node, half for its neighbours (got 1)")

    def build(self, graph: Graph, in_dim: int, hidden: int, extra: Options, seed: int, **options: Any) -> Encoder:
        """Return the encoder for the degrees of the graph."""
        degrees = np.unique(graph.degrees)
        weights = len(degrees) * max(in_dim, hidden) * hidden // 2
        if extra["variant"] == "weight" and weights > MAX_WEIGHTS:
            raise InputError(
                f"{len(degrees)} degrees would need {weights:,} weights, more than {MAX_WEIGHTS:,}; "
                "use variant='hash' or a smaller hidden"
            )
        return DemoNet(in_dim, hidden, degrees=degrees, seed=seed, **extra, **options)


DEMONET = DemoNetMethod(name="demonet", title="DemoNet")
"""Two layers with weights by degree."""
