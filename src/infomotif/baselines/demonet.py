"""DEMO-Net: degree-specific graph neural networks (Wu, He and Xu, KDD 2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from infomotif.baselines.checks import check_whole
from infomotif.baselines.method import Options
from infomotif.baselines.own_encoder import OwnEncoder
from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph
from infomotif.nn.adjacency import Adjacency
from infomotif.nn.convolutions import Convolution, Features
from infomotif.nn.encoder import Encoder
from infomotif.nn.sparse import SparseMatrix

Array = NDArray[Any]

VARIANTS = ("weight", "hash")
_MOST_WEIGHTS = 100_000_000


class DegreeConvolution(Convolution):
    """[W_0 x_v || (W_shared + V_d) mean(x_u, u next to v)] + b, with weights V_d for every degree d.

    A degree that the layer was not made for takes the weights of the next lower one.

    Args:
        in_dim: Width of x.
        out_dim: Width of the result, half of it the node's own.
        degrees: The degrees, ascending.
    """

    def __init__(self, in_dim: int, out_dim: int, degrees: Array) -> None:
        super().__init__(in_dim, out_dim, projected=out_dim - out_dim // 2)
        self.degrees = degrees

    def shared_weights(self) -> Tensor:
        """Return W_shared, [in, out / 2]."""
        raise NotImplementedError

    def special_weights(self, number: int) -> Tensor:
        """Return V_d of the degree with this number, [in, out / 2]."""
        raise NotImplementedError

    def project(self, x: Features) -> Tensor:
        """Return x as it is: weights depend on the degree of the node that listens."""
        return x.to_dense() if isinstance(x, SparseMatrix) else x

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Multiply the mean of each node's neighbours with the weights of its degree."""
        degrees = np.diff(adjacency.neighbours.indptr)
        if adjacency.degrees is not None:
            # Neighbours are a sample; the weights go by how many there are.
            degrees = adjacency.degrees[adjacency.start : adjacency.start + adjacency.num_nodes]
        found = (np.searchsorted(self.degrees, degrees, side="right") - 1).clip(min=0)
        order = np.argsort(found, kind="stable")
        numbers, sizes = np.unique(found, return_counts=True)
        means = adjacency.mean @ projected
        pieces = means.index_select(0, _index(order, means)).split(sizes.tolist())
        special = [piece @ self.special_weights(int(d)) for d, piece in zip(numbers, pieces, strict=True)]
        gathered = torch.cat(special).index_select(0, _index(np.argsort(order), means))
        own = self.product(adjacency.own(projected))
        return torch.cat([own, means @ self.shared_weights() + gathered], dim=1) + self.bias


class WeightConvolution(DegreeConvolution):
    """A matrix V_d for every degree; it starts at 0, so that a degree nobody learned from uses the shared weights."""

    def __init__(self, in_dim: int, out_dim: int, degrees: Array) -> None:
        super().__init__(in_dim, out_dim, degrees)
        self.shared = nn.Parameter(nn.init.xavier_uniform_(torch.empty(in_dim, out_dim // 2)))
        self.special = nn.ParameterList(torch.zeros(in_dim, out_dim // 2) for _ in degrees)

    def shared_weights(self) -> Tensor:
        """Return the matrix of all degrees."""
        return self.shared

    def special_weights(self, number: int) -> Tensor:
        """Return the degree's own matrix."""
        matrix: Tensor = self.special[number]
        return matrix


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

    def special_weights(self, number: int) -> Tensor:
        """Look up the rows of the degree."""
        return self._look_up(number + 1)

    def _look_up(self, key: int) -> Tensor:
        return self.table.index_select(0, self.get_buffer("rows")[key]) * self.get_buffer("signs")[key]


def _hash(seed: int, key: int, in_dim: int, rows: int) -> tuple[Tensor, Tensor]:
    """Return the row [in] and the sign [in, 1] that a degree's hash function gives each input."""
    generator = np.random.default_rng([seed, key])
    row, sign = generator.integers(0, rows, in_dim), 2 * generator.integers(0, 2, (in_dim, 1)) - 1
    return torch.from_numpy(row), torch.from_numpy(sign.astype(np.float32))


def _index(numbers: Array, like: Tensor) -> Tensor:
    return torch.from_numpy(numbers).to(like.device)


class DemoNet(Encoder):
    """Layers with weights by degree: ``degrees`` [K] ascending, ``variant``, rows of the hash table, its seed."""

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


@dataclass(frozen=True, kw_only=True)
class DemoNetMethod(OwnEncoder):
    """Graph convolutions whose weights depend on the degree of the node that listens.

    Follows the paper in its three properties: seed-oriented (the node itself has a transform of its own, concatenated
    with that of its neighbours), degree-aware (one task a degree) and order-free; and in both ways to share among
    tasks, ``weight`` (shared plus degree-specific matrices) and ``hash`` (all of them hashed into one table, so that
    parameters do not grow with the number of degrees).
    Departs in the mean over neighbours where the paper sums, which weights by degree can undo and which keeps hubs from
    swamping the optimiser; in hashed rows of weights instead of hashed inputs, which is the same product; and in half
    the width for the node and half for its neighbours, so that the result is as wide as that of other methods.
    """

    def own(self) -> dict[str, Any]:
        """Return the variant and the rows of its hash table; None takes as many as there are inputs."""
        return {"variant": "weight", "hash_rows": None}

    def check(self, settings: Options) -> None:
        """Refuse an unknown variant, a table without rows, and a width that cannot be halved."""
        super().check(settings)
        if settings.get("variant", "weight") not in VARIANTS:
            raise unknown_name("variant", settings["variant"], VARIANTS)
        if settings.get("hash_rows") is not None:
            check_whole(settings, "hash_rows", 1)
        if settings.get("hidden") == 1:
            raise InputError("hidden must be at least 2 for demonet: half for a node, half for its neighbours (got 1)")

    def build(self, graph: Graph, in_dim: int, hidden: int, own: Options, seed: int, **options: Any) -> Encoder:
        """Return the encoder for the degrees of the graph."""
        degrees = np.unique(graph.degrees)
        weights = len(degrees) * max(in_dim, hidden) * hidden // 2
        if own["variant"] == "weight" and weights > _MOST_WEIGHTS:
            raise InputError(
                f"{len(degrees)} degrees would need {weights:,} weights, more than {_MOST_WEIGHTS:,}; "
                "use variant='hash' or a smaller hidden"
            )
        return DemoNet(in_dim, hidden, degrees=degrees, seed=seed, **own, **options)


DEMONET = DemoNetMethod(name="demonet", title="DemoNet")
"""Two layers with weights by degree."""
