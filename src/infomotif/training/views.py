"""Views: the graph as a training sees it, whole in every step or as a sampled neighbourhood per batch."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import torch
from torch import Tensor

from infomotif.graph import Graph
from infomotif.motifs import Instances, MotifIndex
from infomotif.nn import kernels
from infomotif.nn.encoders.encoding import Unsmoothed, encode_with_corruption
from infomotif.nn.network import MotifNetwork, Output
from infomotif.nn.propagation.adjacency import Adjacency, MessageWeights
from infomotif.nn.propagation.blocks import NeighbourSampler
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.regularizer import Drawn
from infomotif.nn.regularizer.negatives import Negatives, derangement
from infomotif.training.distributed import World
from infomotif.training.inference import RowsOf, hops_of, infer_in_blocks
from infomotif.typing import Array

BATCHES_PER_EPOCH = 32
"""Sampled batches hold this share of the nodes, within the two bounds below."""
MIN_BATCH, MAX_BATCH = 1024, 32768


@dataclass(frozen=True)
class EncodedBatch:
    """Representations of some nodes, and where a batch's nodes are among them.

    Attributes:
        h: Representations, [m, D], as the network's head takes them.
        corrupted: Those of the graph with permuted attributes, [m, D]; h itself where no negatives need them.
        labelled: Rows of the training nodes of the batch.
        others: Rows of the nodes whose InfoMax terms are summed.
        nodes: Number in the whole graph of each row; None where row and number are the same.
        labelled_instances: Motif instances of the training nodes by row, where they were drawn beforehand.
        others_drawn: Motif instances and negatives of the others by row, likewise.
    """

    h: Tensor | Unsmoothed
    corrupted: Tensor | Unsmoothed
    labelled: Tensor | None
    others: Tensor | None
    nodes: Tensor | None = None
    labelled_instances: tuple[Instances, ...] | None = None
    others_drawn: Drawn | None = None

    @property
    def states(self) -> tuple[Tensor, Tensor]:
        """``h`` and ``corrupted`` as the InfoMax loss takes them, [m, D] each."""
        if isinstance(self.h, Unsmoothed) or isinstance(self.corrupted, Unsmoothed):
            raise TypeError("a network without a regulariser has no InfoMax loss")
        return self.h, self.corrupted

    @property
    def others_observed(self) -> tuple[Instances, ...] | None:
        """The motif instances of the others, without the negatives."""
        return None if self.others_drawn is None else self.others_drawn.observed

    def rows_of(self, values: Tensor) -> Tensor:
        """Return the rows of ``values`` [n, .] that belong to ``h``."""
        return values if self.nodes is None else values[self.nodes]


class GraphView(Protocol):
    """A graph as a training sees it: encodes batches, and classifies all nodes."""

    index: MotifIndex | None
    """The graph's motifs, where the network has a regulariser."""
    reseeds: bool
    """Whether every batch has its own random numbers, so that processes can share the batches of a step."""
    batch_size: int | None
    """Nodes per batch where the settings do not say; None takes all."""

    def encode(self, labelled: Tensor | None, others: Tensor | None, generator: np.random.Generator) -> EncodedBatch:
        """Return what the losses of a batch need."""
        ...

    def infer(self) -> Output:
        """Classify all nodes without dropout."""
        ...


class FullGraphView:
    """Every pass goes over the whole graph.

    Args:
        network: The network.
        x: Its input features, [n, F].
        adjacency: Which nodes pass messages to which.
        device: Where to compute.
        index: The graph's motifs, where the network has a regulariser.
    """

    reseeds = False
    batch_size: int | None = None

    def __init__(
        self,
        network: MotifNetwork,
        x: Features,
        adjacency: Adjacency,
        device: torch.device,
        index: MotifIndex | None = None,
    ) -> None:
        self.network, self.x, self.adjacency, self.device, self.index = network, x, adjacency, device, index

    def encode(self, labelled: Tensor | None, others: Tensor | None, generator: np.random.Generator) -> EncodedBatch:
        """Encode the graph, and its corruption if the InfoMax loss needs one."""
        network = self.network
        if others is None and labelled is not None and not network.needs_all_rows:
            h = network.encode(self.x, self.adjacency, labelled)
            return EncodedBatch(h, h, torch.arange(len(labelled), device=self.device), None, labelled)
        if others is None or not _needs_corruption(network):
            h = network.encode(self.x, self.adjacency)
            return EncodedBatch(h, h, labelled, others)
        permutation = torch.from_numpy(derangement(self.adjacency.num_nodes, generator)).to(self.device)
        return EncodedBatch(
            *encode_with_corruption(network.encoder, self.x, self.adjacency, permutation), labelled, others
        )

    def infer(self) -> Output:
        """Classify all nodes without dropout."""
        return self.network.infer(self.x, self.adjacency, self.index)


class SampledView:
    """Every batch has its nodes, the members of their sampled motif instances, and sampled neighbours of all these.

    Attributes are corrupted by permuting the nodes of the batch.

    Args:
        network: The network.
        graph: The graph; it may be mapped from a store, only what batches need is read.
        rows_of: Returns the input features of nodes, [B, F].
        fanout: At most this many neighbours of a node are sampled in each hop.
        layers: Number of hops of an encoder from outside this package.
        device: Where to compute.
        world: Processes that train together.
        weighted: Whether messages are weighted by their edges.
        index: The graph's motifs, where the network has a regulariser.
    """

    reseeds = True

    def __init__(
        self,
        network: MotifNetwork,
        graph: Graph,
        rows_of: RowsOf,
        *,
        fanout: int,
        layers: int | None = None,
        device: torch.device,
        world: World,
        weighted: bool = False,
        index: MotifIndex | None = None,
    ) -> None:
        self.network, self.graph, self.rows_of, self.index = network, graph, rows_of, index
        self.weights = MessageWeights.of(graph) if weighted else None
        self.hops = hops_of(network.encoder, layers)
        self.device, self.world = device, world
        # Large batches share neighbours, small ones take more steps.
        self.batch_size: int | None = min(max(graph.num_nodes // BATCHES_PER_EPOCH, MIN_BATCH), MAX_BATCH)
        self.sampler = NeighbourSampler(graph, [fanout] * self.hops, weights=self.weights)
        self._row_of = np.full(graph.num_nodes, -1, dtype=np.int32)

    def encode(self, labelled: Tensor | None, others: Tensor | None, generator: np.random.Generator) -> EncodedBatch:
        """Sample the instances and the neighbourhood of a batch and encode it."""
        regularizer, encoder = self.network.regularizer, self.network.encoder
        labelled_drawn: tuple[Instances, ...] | None = None
        others_drawn: Drawn | None = None
        if regularizer is not None and self.index is not None:
            if labelled is not None and regularizer.readout_in_z:
                labelled_drawn = regularizer.sample(self.index, labelled.cpu().numpy(), generator)
            if others is not None:
                others_drawn = regularizer.draw(self.index, others.cpu().numpy(), generator)
        numbering = _Numbering(self._row_of)
        labelled_rows, others_rows = (None if part is None else numbering.rows(part) for part in (labelled, others))
        labelled_drawn = None if labelled_drawn is None else numbering.instances(labelled_drawn)
        others_drawn = None if others_drawn is None else numbering.drawn(others_drawn)
        targets = numbering.nodes()
        seed = int(generator.integers(2**63))
        blocks = self.sampler.sample(targets, seed).to(self.device)
        x = self.rows_of(blocks.nodes)
        h: Tensor | Unsmoothed
        corrupted: Tensor | Unsmoothed
        if others is not None and _needs_corruption(self.network):
            permutation = torch.from_numpy(derangement(len(blocks.nodes), generator)).to(self.device)
            h, corrupted = encode_with_corruption(encoder, x, blocks, permutation)
        else:
            h = corrupted = self.network.encode(x, blocks)
        return EncodedBatch(
            h,
            corrupted,
            None if labelled_rows is None else labelled_rows.to(self.device),
            None if others_rows is None else others_rows.to(self.device),
            torch.from_numpy(targets).to(self.device),
            labelled_drawn,
            others_drawn,
        )

    def infer(self) -> Output:
        """Classify all nodes exactly, with all neighbours, without dropout."""
        return infer_in_blocks(
            self.network, self.graph, self.rows_of, hops=self.hops, device=self.device, world=self.world,
            weights=self.weights, index=self.index,
        )  # fmt: skip


class _Numbering:
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


def _needs_corruption(network: MotifNetwork) -> bool:
    return network.regularizer is None or network.regularizer.negatives.corrupted
