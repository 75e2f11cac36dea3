"""Motif-CNN: motif-based convolutional neural network on graphs (Sankar, Zhang and Chang, 2017)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
import torch.nn.functional as F
from torch import Tensor, nn

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.propagation.adjacency import Adjacency
from infomotif.nn.propagation.convolutions import Convolution
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif_bench.methods.base import Options
from infomotif_bench.methods.networks import CustomNetwork


def row_normalized(matrix: sp.csr_array) -> SparseMatrix:
    """Return D^-1 M: rows that sum to 1, and rows of zeros where M has none.

    Example:
        >>> row_normalized(sp.csr_array([[0, 3, 1], [3, 0, 0], [0, 0, 0]])).to_dense().tolist()
        [[0.0, 0.75, 0.25], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]]
    """
    totals = np.asarray(matrix.sum(axis=1), dtype=np.float64)
    scaled = sp.diags_array(1.0 / np.where(totals == 0, 1.0, totals)) @ matrix
    return SparseMatrix.from_scipy(sp.csr_array(scaled).astype(np.float32))


def motif_matrices(graph: Graph) -> list[SparseMatrix]:
    """Return the row-normalised motif adjacency of each motif of the default set that has an instance."""
    index = MotifIndex(graph)
    counted = zip(index.motifs, index.totals, strict=True)
    return [row_normalized(index.adjacency(motif)) for motif, total in counted if total]


def check_nodes(adjacency: Adjacency, expected: int) -> None:
    """Refuse a graph of another size than the one that an encoder was built for.

    Raises:
        InputError: If the number of nodes differs.
    """
    if adjacency.num_nodes != expected:
        raise InputError(f"this encoder was built for a graph of {expected} nodes (got {adjacency.num_nodes})")


class MotifConvolution(Convolution):
    """W_0 x_v + sum_t alpha_vt W_t (D_t^-1 A_t x)_v + b, alpha a softmax over motifs t.

    The weights alpha_vt are a softmax of LeakyReLU(a . s_vt), where s_vt is the sum with motif t alone.
    """

    def __init__(self, in_dim: int, out_dim: int, matrices: Sequence[SparseMatrix]) -> None:
        super().__init__(in_dim, out_dim, projected=(1 + len(matrices)) * out_dim)
        self.matrices = list(matrices)
        self.attention = nn.Parameter(torch.empty(out_dim, 1))
        nn.init.xavier_uniform_(self.attention)
        # Each motif has its own matrix, so each is initialised on its own.
        for block in self.product.weight.detach().split(out_dim, dim=1):
            nn.init.xavier_uniform_(block)

    def spread(self, projected: Tensor, adjacency: Adjacency) -> Tensor:
        """Average over the members of each motif's instances, then over motifs."""
        out, *parts = projected.split(len(self.bias), dim=1)
        if parts:
            check_nodes(adjacency, self.matrices[0].shape[0])
            gathered = [matrix @ part for matrix, part in zip(self.matrices, parts, strict=True)]
            scores = torch.cat([(out + part) @ self.attention for part in gathered], dim=1)
            weights = F.leaky_relu(scores, 0.2).softmax(dim=1)
            for t, part in enumerate(gathered):
                out = out + weights[:, t : t + 1] * part
        return torch.add(out, self.bias)


class MotifCNN(Encoder):
    """Layers of :class:`MotifConvolution` over the motifs of one graph."""

    whole_graph = True

    def __init__(self, in_dim: int, hidden: int, *, matrices: Sequence[SparseMatrix], **options: Any) -> None:
        self.matrices = list(matrices)
        super().__init__(in_dim, hidden, **options)

    def convolution(self, in_dim: int) -> Convolution:
        """Make one layer."""
        return MotifConvolution(in_dim, self.hidden, self.matrices)


@dataclass(frozen=True, kw_only=True)
class MotifCNNMethod(CustomNetwork):
    """Convolutions over the nodes that share motif instances, and attention over motifs.

    Follows the paper in neighbourhoods of motif instances, in one filter per motif, normalised by how
    many instances a node is in, next to a filter of the node itself, and in attention that weighs the motifs of
    each node.
    Departs in one filter per motif where the paper has one per position in it, because a motif adjacency counts shared
    instances and ignores positions; in the non-linearity, which comes after the attention; and in the motifs,
    M1 to M5 of a graph with directions and M6 and M7 of one without, those that occur.
    """

    whole: bool = True

    def build(self, graph: Graph, in_dim: int, hidden: int, extra: Options, seed: int, **options: Any) -> Encoder:
        """Return the encoder over the graph's motif adjacencies."""
        return MotifCNN(in_dim, hidden, matrices=motif_matrices(graph), **options)


MOTIF_CNN = MotifCNNMethod(name="motif-cnn", title="Motif-CNN")
"""Two layers over all motifs of the graph's set."""
