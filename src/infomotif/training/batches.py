"""The data that training may see, the batches of an epoch, and the rows of a batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from infomotif.motifs import Instances
from infomotif.nn import kernels
from infomotif.nn.regularizer import Drawn
from infomotif.nn.regularizer.negatives import Negatives
from infomotif.training.config import Settings
from infomotif.typing import Array

NEAR_NODES = 16
"""Nodes of a group in batches of near nodes: most of what larger groups save, and many groups in each batch."""


class Neighbours(NamedTuple):
    """The neighbours of each node in compressed rows."""

    indptr: Array
    indices: Array


@dataclass(frozen=True)
class TrainingData:
    """The data that training may see: labels of nodes that neither train nor validate are -1.

    Attributes:
        y: Known classes, -1 elsewhere, [n].
        train: Training nodes, [L].
        val: Validation nodes, possibly none.
        targets: Nodes that labels are about and the InfoMax loss covers; None for all.
    """

    y: Tensor
    train: Tensor
    val: Tensor
    targets: Tensor | None = None


@dataclass(frozen=True)
class Batch:
    """A part of a step.

    Attributes:
        labelled: Positions among the training nodes, for the supervised loss.
        others: Nodes of the InfoMax loss.
    """

    labelled: Tensor | None = None
    others: Tensor | None = None

    @property
    def size(self) -> int:
        """The number of nodes, by which batches of one step are weighted."""
        return sum(len(part) for part in (self.labelled, self.others) if part is not None)


class Batches:
    """Splits nodes into batches.

    Args:
        data: What training may see.
        settings: ``batch_size``, ``batch_order`` and ``mi_share``.
        default: Nodes per batch if the settings do not say; None takes all at once.
        neighbours: The neighbours of each node, for batches of near nodes.
    """

    def __init__(
        self, data: TrainingData, settings: Settings, default: int | None, neighbours: Neighbours | None = None
    ) -> None:
        self._data, self._neighbours = data, neighbours
        self._share = settings.regularizer.mi_share
        # A preset's size is meant for whole graphs; a sampled batch of so few nodes would share no neighbours.
        given = None if default and "batch_size" in settings.assumed else settings.training.batch_size
        self._size = given or default
        self._near = settings.training.batch_order == "near" and neighbours is not None

    def supervised(self, generator: np.random.Generator, *, with_all: bool = False) -> list[Batch]:
        """Return batches of the training nodes, each with all nodes if predictions of co-members are compared."""
        others = torch.arange(len(self._data.y), device=self._data.y.device) if with_all else None
        return [Batch(part, others) for part in self._labelled(generator)]

    def infomax(self, generator: np.random.Generator) -> list[Batch]:
        """Return batches of all nodes, or of a random share of them."""
        return [Batch(others=part) for part in self._others(generator)]

    def joint(self, generator: np.random.Generator) -> list[Batch]:
        """Return batches of both; the shorter list is repeated, so that every label and node is seen."""
        labelled, others = self._labelled(generator), self._others(generator)
        count = max(len(labelled), len(others))
        return [Batch(labelled[i % len(labelled)], others[i % len(others)]) for i in range(count)]

    def _labelled(self, generator: np.random.Generator) -> list[Tensor]:
        return self._split(len(self._data.train), generator)

    def _others(self, generator: np.random.Generator) -> list[Tensor]:
        targets = self._data.targets
        if targets is not None:
            return [targets[part] for part in self._numbered(len(targets), None, generator)]
        return self._numbered(len(self._data.y), self._neighbours, generator)

    def _numbered(self, n: int, neighbours: Neighbours | None, generator: np.random.Generator) -> list[Tensor]:
        if self._share == 1:
            if self._near and neighbours is not None and self._size and self._size < n:
                order = torch.from_numpy(near_order(neighbours, generator)).to(self._data.y.device)
                return list(order.split(self._size))
            return self._split(n, generator)
        drawn = np.sort(generator.permutation(n)[: max(1, round(self._share * n))])
        chosen = torch.from_numpy(drawn).to(self._data.y.device)
        return [chosen[part] for part in self._split(len(chosen), generator)]

    def _split(self, count: int, generator: np.random.Generator) -> list[Tensor]:
        device = self._data.y.device
        if not self._size or self._size >= count:
            return [torch.arange(count, device=device)]
        return list(torch.from_numpy(generator.permutation(count)).to(device).split(self._size))


def near_order(neighbours: Neighbours, generator: np.random.Generator) -> Array:
    """Return all nodes in a random order of small groups, each of a random node and nodes around it.

    Batches of groups reach fewer nodes in all than batches of nodes drawn one by one, and cost less.

    Example:
        >>> from infomotif import Graph
        >>> ring = Graph.from_edges(np.arange(64), (np.arange(64) + 1) % 64, num_nodes=64, directed=False)
        >>> order = near_order(Neighbours(*ring.undirected[:2]), np.random.default_rng(0))
        >>> sorted(order.tolist()) == list(range(64))
        True
    """
    n = len(neighbours.indptr) - 1
    order, starts = np.empty(n, dtype=np.int64), np.empty(n + 1, dtype=np.int64)
    roots = generator.permutation(n)
    count = kernels.near_groups(neighbours.indptr, neighbours.indices, roots, NEAR_NODES, order, starts)
    return np.concatenate([order[starts[i] : starts[i + 1]] for i in generator.permutation(count)])


class RowNumbers:
    """Numbers the nodes of a batch as rows, in the order of their first occurrence.

    Args:
        row_of: Scratch buffer [n]; -1 for nodes not in the batch. :meth:`nodes` resets it.
    """

    def __init__(self, row_of: Array) -> None:
        self._row_of, self._parts, self._count = row_of, list[Array](), 0

    def rows(self, nodes: Tensor) -> Tensor:
        """Return the rows of ``nodes``."""
        return torch.from_numpy(self._numbered(nodes.cpu().numpy()))

    def instances(self, drawn: Sequence[Instances]) -> tuple[Instances, ...]:
        """Return instances with rows for members."""
        return tuple(Instances(d.indptr, self._numbered(d.members.ravel()).reshape(d.members.shape)) for d in drawn)

    def drawn(self, drawn: Drawn) -> Drawn:
        """Return instances and negatives with rows for members; negatives that are the instances stay so."""
        observed = self.instances(drawn.observed)
        negatives = []
        for t, (others, corrupted) in enumerate(drawn.negatives):
            same = others is drawn.observed[t]
            negatives.append(Negatives(observed[t] if same else self.instances([others])[0], corrupted))
        return Drawn(observed, tuple(negatives))

    def nodes(self) -> Array:
        """Return the nodes in the order of their rows, and reset the scratch buffer."""
        nodes = np.concatenate(self._parts)
        self._row_of[nodes] = -1
        return nodes

    def _numbered(self, nodes: Array) -> Array:
        rows = nodes.astype(np.int64)
        new_nodes = np.empty(len(rows), dtype=np.int64)
        count = kernels.number_new(rows, self._row_of, self._count, new_nodes)
        self._parts.append(new_nodes[:count])
        self._count += count
        return rows
