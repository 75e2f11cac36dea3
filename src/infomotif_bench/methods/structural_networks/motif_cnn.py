"""Motif-CNN: motif-based convolutional neural network on graphs (Sankar, Zhang and Chang, 2017)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif._core.validate import Config, config, setting
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import Motif, MotifIndex
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.convolutions import Convolution
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.typing import Array
from infomotif_bench.methods.base import Options
from infomotif_bench.methods.networks import CustomNetwork

FILTERS = ("motif", "position")


def row_normalized(matrix: sp.csr_array, totals: Array | None = None) -> SparseMatrix:
    """Return D^-1 M, where D has the sums of the rows of M, or ``totals``; rows of zeros where they are 0.

    Example:
        >>> row_normalized(sp.csr_array([[0, 3, 1], [3, 0, 0], [0, 0, 0]])).to_dense().tolist()
        [[0.0, 0.75, 0.25], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    totals = np.asarray(matrix.sum(axis=1) if totals is None else totals, dtype=np.float64)
    scaled = sp.diags_array(1.0 / np.where(totals == 0, 1.0, totals)) @ matrix
    return SparseMatrix.from_scipy(sp.csr_array(scaled).astype(np.float32))


def motif_matrices(graph: Graph, filters: str = "motif") -> list[list[SparseMatrix]]:
    """Return the matrices of each motif of the default set that has an instance.

    Args:
        graph: The graph.
        filters: ``motif`` for the row-normalised motif adjacency; ``position`` for one matrix per orbit of positions,
            whose sum is that adjacency.
    """
    index = MotifIndex(graph)
    matrices = []
    for motif, total in zip(index.motifs, index.totals, strict=True):
        if total and filters == "motif":
            matrices.append([row_normalized(index.adjacency(motif))])
        elif total:
            shared = position_adjacencies(index, motif)
            totals = np.sum([matrix.sum(axis=1) for matrix in shared], axis=0)
            matrices.append([row_normalized(matrix, totals) for matrix in shared])
    return matrices


def position_adjacencies(index: MotifIndex, motif: Motif) -> list[sp.csr_array]:
    """Return, for each orbit of a motif's positions, how many instances v shares with each u that is there, [n, n].

    Example:
        >>> index = MotifIndex(Graph.from_edges([0, 0], [1, 2], num_nodes=3, directed=False), "M6")
        >>> [matrix.toarray().tolist() for matrix in position_adjacencies(index, index.motifs[0])]
        [[[0, 0, 0], [1, 0, 0], [1, 0, 0]], [[0, 1, 1], [0, 0, 1], [0, 1, 0]]]
    """
    n = index.graph.num_nodes
    found = [sp.csr_array((n, n), dtype=np.int64) for _ in motif.orbits]
    for members in index.iter_instances(motif):
        for number, orbit in enumerate(motif.orbits):
            pairs = [(i, j) for j in orbit for i in range(motif.size) if i != j]
            rows, columns = (np.concatenate([members[:, pair[side]] for pair in pairs]) for side in (0, 1))
            ones = np.ones(len(rows), dtype=np.int64)
            found[number] = sp.csr_array(found[number] + sp.coo_array((ones, (rows, columns)), shape=(n, n)))
    return found


def check_nodes(adjacency: Adjacency, expected: int) -> None:
    """Refuse a graph of another size than the one that an encoder was built for.

    Raises:
        InputError: If the number of nodes differs.
    """
    if adjacency.num_nodes != expected:
        raise InputError(f"this encoder was built for a graph of {expected} nodes (got {adjacency.num_nodes})")


class MotifConvolution(Convolution):
    """W_0 x_v + sum_t alpha_vt sum_k W_tk (D_t^-1 A_tk x)_v + b, alpha a softmax over motifs t.

    A_tk counts the instances of motif t that v shares with each node in position k, or, with one filter per motif, in
    any position. The weights alpha_vt are a softmax of LeakyReLU(a . s_vt), where s_vt is the sum with motif t alone.

    Args:
        in_dim: Width of x.
        out_dim: Width of the result.
        matrices: D_t^-1 A_tk of each motif and position.
    """

    def __init__(self, in_dim: int, out_dim: int, matrices: Sequence[Sequence[SparseMatrix]]) -> None:
        super().__init__(in_dim, out_dim, projected=(1 + sum(map(len, matrices))) * out_dim)
        self.matrices = [list(of_motif) for of_motif in matrices]
        self.attention = nn.Parameter(torch.empty(out_dim, 1))
        nn.init.xavier_uniform_(self.attention)
        # Each filter has its own matrix, so each is initialised on its own.
        for block in self.product.weight.detach().split(out_dim, dim=1):
            nn.init.xavier_uniform_(block)

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Average over the members of each motif's instances, then over motifs."""
        out, *parts = projected.split(len(self.bias), dim=1)
        if parts:
            check_nodes(adjacency, self.matrices[0][0].shape[0])
            remaining = iter(parts)
            gathered = [self._gathered(of_motif, remaining) for of_motif in self.matrices]
            scores = torch.cat([(out + part) @ self.attention for part in gathered], dim=1)
            weights = F.leaky_relu(scores, 0.2).softmax(dim=1)
            for t, part in enumerate(gathered):
                out = out + weights[:, t : t + 1] * part
        return torch.add(out, self.bias)

    @staticmethod
    def _gathered(matrices: list[SparseMatrix], parts: Iterator[Tensor]) -> Tensor:
        """Return the sum over the positions of one motif, each with the next of the projected parts."""
        total = matrices[0] @ next(parts)
        for matrix in matrices[1:]:
            total = total + matrix @ next(parts)
        return total


class MotifCNN(Encoder):
    """Layers of :class:`MotifConvolution` over the motifs of one graph."""

    whole_graph = True

    def __init__(self, in_dim: int, hidden: int, *, matrices: Sequence[Sequence[SparseMatrix]], **options: Any) -> None:
        self.matrices = list(matrices)
        super().__init__(in_dim, hidden, **options)

    def convolution(self, in_dim: int) -> Convolution:
        """Make one layer."""
        return MotifConvolution(in_dim, self.hidden, self.matrices)


@config
class MotifCNNSettings(Config):
    """The settings that Motif-CNN has besides the trainer's."""

    filters: str = setting(default="motif", choices=FILTERS, help="One filter per motif, or one per position in it.")


@dataclass(frozen=True, kw_only=True)
class MotifCNNMethod(CustomNetwork):
    """Convolutions over the nodes that share motif instances, and attention over motifs.

    Follows the paper in neighbourhoods of motif instances, in one filter per motif and position
    (``filters="position"``; ``motif`` ignores positions), normalised by how many members the node's instances have,
    next to a filter of the node itself, and in attention that weighs the motifs of each node.
    Departs in positions: those of the neighbour in the pattern, equivalent ones together, whatever the position of the
    node itself; in the non-linearity, which comes after the attention; and in the motifs, M1 to M5 of a graph with
    directions and M6 and M7 of one without, those that occur.
    """

    options: ClassVar[type[Config]] = MotifCNNSettings
    whole: bool = True

    def build(self, graph: Graph, in_dim: int, hidden: int, extra: Options, seed: int, **options: Any) -> Encoder:
        """Return the encoder over the graph's motif adjacencies."""
        return MotifCNN(in_dim, hidden, matrices=motif_matrices(graph, extra["filters"]), **options)


MOTIF_CNN = MotifCNNMethod(name="motif-cnn", title="Motif-CNN")
"""Two layers over all motifs of the graph's set."""
