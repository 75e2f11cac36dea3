"""Adjacency: who passes messages to whom, with the normalisations that encoders need."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
import scipy.sparse as sp
import torch
from numpy.typing import NDArray
from torch import Tensor

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.nn import kernels
from infomotif.nn.sparse import Pattern, SparseMatrix, run

Array = NDArray[Any]


class Adjacency:
    """The neighbours that each node listens to, in compressed rows, without self loops.

    The nodes that listen may be a part of those listened to: rows of a sampled neighbourhood, or a range of nodes.

    Args:
        indptr: Row pointers, [rows + 1].
        indices: Neighbours of each row, [E].
        columns: Number of nodes that are listened to; as many as rows by default.
        start: Row v is column ``start + v``.
        degrees: Number of neighbours in the whole graph of each column, if the rows may hold a sample of them.

    Example:
        >>> adjacency = Adjacency.from_edge_index(torch.tensor([[0, 1], [1, 0]]), 2)
        >>> adjacency.gcn.to_dense()
        tensor([[0.5000, 0.5000],
                [0.5000, 0.5000]])
    """

    def __init__(
        self,
        indptr: Array,
        indices: Array,
        *,
        columns: int | None = None,
        start: int = 0,
        degrees: Array | None = None,
    ) -> None:
        self.neighbours = Pattern(indptr, indices, len(indptr) - 1 if columns is None else columns)
        self.start, self.degrees = start, degrees

    @classmethod
    def from_graph(cls, graph: Graph) -> Adjacency:
        """Take the graph without directions, as message passing does."""
        return cls(graph.undirected.indptr, graph.undirected.indices)

    @classmethod
    def from_edge_index(cls, edge_index: Tensor, num_nodes: int) -> Adjacency:
        """Take a PyG ``edge_index`` [2, E], source to target; self loops and repeats are left out."""
        if edge_index.dim() != 2 or edge_index.shape[0] != 2:
            raise InputError(f"edge_index must have shape [2, E] (got {list(edge_index.shape)})")
        source, target = edge_index.detach().cpu().numpy()
        keep = source != target
        ones = np.ones(int(keep.sum()), dtype=np.float32)
        matrix = sp.csr_array((ones, (target[keep], source[keep])), shape=(num_nodes, num_nodes))
        matrix.sum_duplicates()
        return cls(matrix.indptr, matrix.indices)

    @property
    def num_nodes(self) -> int:
        """Number of nodes that listen."""
        return self.neighbours.num_rows

    def layer(self, number: int, layers: int) -> Adjacency:
        """Return who listens to whom in layer ``number``: the same in all."""
        return self

    def own(self, x: Tensor) -> Tensor:
        """Return the rows of ``x`` [columns, ...] that belong to the listening nodes."""
        if len(x) == self.num_nodes:
            return x
        return x[self.start : self.start + self.num_nodes]

    @cached_property
    def with_loops(self) -> Pattern:
        """The neighbours and the node itself."""
        rows = self.neighbours
        indptr = np.empty_like(rows.indptr)
        indices = np.empty(len(rows.indices) + self.num_nodes, dtype=rows.indices.dtype)
        kernels.add_loops(rows.indptr, rows.indices, self.start, indptr, indices)
        return Pattern(indptr, indices, rows.num_cols)

    @cached_property
    def gcn(self) -> SparseMatrix:
        """D^-1/2 (A + I) D^-1/2, the normalisation of GCN; of a sample, its unbiased estimate."""
        pattern = self.with_loops
        lengths = np.diff(pattern.indptr)
        if self.degrees is None:
            inverse = 1.0 / np.sqrt(lengths.astype(np.float64))
            rows = np.repeat(inverse, lengths)
            return SparseMatrix(pattern, torch.from_numpy((rows * inverse[pattern.indices]).astype(np.float32)))
        values = np.empty(len(pattern.indices), dtype=np.float32)
        run(kernels.gcn_weights, pattern.indptr, pattern.indptr, pattern.indices, self.start, self.degrees, values)
        return SparseMatrix(pattern, torch.from_numpy(values))

    @cached_property
    def mean(self) -> SparseMatrix:
        """D^-1 A: the mean over neighbours, 0 without any."""
        degrees = np.diff(self.neighbours.indptr)
        values = np.repeat(1.0 / np.maximum(degrees, 1), degrees).astype(np.float32)
        return SparseMatrix(self.neighbours, torch.from_numpy(values))

    @cached_property
    def total(self) -> SparseMatrix:
        """A: the sum over neighbours; of a sample, its unbiased estimate."""
        if self.degrees is None:
            return SparseMatrix(self.neighbours, torch.ones(len(self.neighbours.indices)))
        values = np.repeat(self._scale, np.diff(self.neighbours.indptr)).astype(np.float32)
        return SparseMatrix(self.neighbours, torch.from_numpy(values))

    @cached_property
    def edge_index(self) -> Tensor:
        """The edges in PyG's form, [2, E], source to target."""
        rows, cols = self.neighbours.rows_and_columns(torch.device("cpu"))
        return torch.stack([cols, rows])

    def to(self, device: torch.device) -> Adjacency:
        """Return an adjacency whose values live on ``device``; ``self`` on the CPU."""
        if device.type == "cpu":
            return self
        pattern = self.neighbours
        moved = Adjacency(
            pattern.indptr, pattern.indices, columns=pattern.num_cols, start=self.start, degrees=self.degrees
        )
        for name in ("gcn", "mean", "total", "edge_index"):
            moved.__dict__[name] = getattr(self, name).to(device)
        return moved

    @property
    def _scale(self) -> Array:
        """How many neighbours each sampled one stands for, [rows]."""
        sampled = np.diff(self.neighbours.indptr)
        if self.degrees is None:
            return np.ones(len(sampled))
        return self.degrees[self.start : self.start + self.num_nodes] / np.maximum(sampled, 1)
