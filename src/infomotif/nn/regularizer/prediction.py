"""Mutual information one level up: between the predicted classes of nodes that share an edge or a motif instance."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp
import torch
from torch import Tensor

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.graph.targets import target_nodes, target_types
from infomotif.motifs import MotifIndex
from infomotif.nn.propagation.sparse import SparseMatrix

PAIRS = ("edges", "motifs")
"""Which pairs of nodes are co-members: the ends of edges, or any two nodes of a motif instance."""
_SMALLEST = 1e-12


def co_members(graph: Graph, over: str = "edges", index: MotifIndex | None = None) -> SparseMatrix:
    """Return the distribution over pairs of co-members, S [n, n]: symmetric, sum 1.

    S is D^-1/2 W D^-1/2, scaled, where W holds the edges, or how many instances of the motifs every two nodes share.

    Args:
        graph: The graph; directions are ignored, and so are pairs with a node of a type that has no labels.
        over: One of :data:`PAIRS`.
        index: The graph's motifs, for ``motifs``.

    Raises:
        InputError: If there is no pair.

    Example:
        >>> path = Graph.from_edges([0, 1], [1, 2], num_nodes=3, directed=False)
        >>> co_members(path).to_dense().tolist()
        [[0.0, 0.25, 0.0], [0.25, 0.0, 0.25], [0.0, 0.25, 0.0]]
    """
    n = graph.num_nodes
    if over == "motifs":
        if index is None:
            raise TypeError("pairs of motif instances need the motifs to be counted")
        shared = sum((index.adjacency(motif) for motif in index.motifs), start=sp.csr_array((n, n), dtype=np.int64))
        weights = sp.csr_array(shared).astype(np.float64)
    else:
        indptr, indices = graph.undirected[:2]
        weights = sp.csr_array((np.ones(len(indices)), indices, indptr), shape=(n, n))
    targets, between = target_nodes(graph), ""
    if targets is not None:
        # Other node types have no classes to compare.
        kept = sp.diags_array(np.isin(np.arange(n), targets).astype(np.float64))
        weights = sp.csr_array(kept @ weights @ kept)
        weights.eliminate_zeros()
        between = f" between nodes of the type {' or '.join(target_types(graph))}"
    if weights.nnz == 0:
        what = "edge" if over == "edges" else "instance of these motifs"
        remedy = "set prediction_over=motifs" if between and over == "edges" else "leave it out"
        raise InputError(f"prediction_mi needs pairs of nodes ({graph.name} has no {what}{between}); {remedy}")
    inverse = sp.diags_array(1 / np.sqrt(np.maximum(weights.sum(axis=1), 1)))
    scaled = sp.csr_array(inverse @ weights @ inverse)
    return SparseMatrix.from_scipy((scaled / scaled.sum()).astype(np.float32))


def prediction_information(logits: Tensor, pairs: SparseMatrix) -> Tensor:
    """Return the mutual information, in nats, of the predicted classes of two co-members.

    With predictions p [n, C] and pairs S, their joint distribution is J = p^T S p, symmetrised.

    Args:
        logits: Class scores of all nodes, [n, C].
        pairs: The distribution over pairs of co-members, [n, n].

    Example:
        >>> path = Graph.from_edges([0, 2], [1, 3], num_nodes=4, directed=False)
        >>> sure = 50 * torch.eye(2).repeat_interleave(2, 0)
        >>> f"{prediction_information(sure, co_members(path)):.3f}"
        '0.693'
    """
    p = torch.softmax(logits, dim=1)
    joint = p.t() @ (pairs @ p)
    joint = ((joint + joint.t()) / 2).clamp(min=_SMALLEST)
    marginal = joint.sum(dim=1)
    return (joint * (joint.log() - marginal.log()[:, None] - marginal.log()[None, :])).sum()
