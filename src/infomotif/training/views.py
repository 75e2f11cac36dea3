"""Views: the graph as a training sees it, whole in every step or as the neighbourhood of a batch."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
import torch
from torch import Tensor

from infomotif.graph import Graph
from infomotif.motifs import Instances, MotifIndex
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.encoders.encoding import Unsmoothed, encode_plain, encode_with_corruption
from infomotif.nn.network import MotifNetwork, Output
from infomotif.nn.propagation.adjacency import Adjacency, MessageWeights
from infomotif.nn.propagation.blocks import Blocks, NeighbourSampler, neighbourhood
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.nn.regularizer import Drawn
from infomotif.nn.regularizer.negatives import derangement, reject_real
from infomotif.training.batches import Neighbours, RowNumbers
from infomotif.training.distributed import World
from infomotif.training.inference import RowsOf, hops_of, infer_in_blocks
from infomotif.typing import Array

BATCHES_PER_EPOCH = 32
"""Sampled batches hold this share of the nodes, within the two bounds below."""
MIN_BATCH, MAX_BATCH = 1024, 32768
ENTRY_COST = 8.0
"""What a neighbour adds to a sum, in products of one row by one column of weights."""
BUILD_COST = 2000.0
"""What finding a neighbour costs, in multiplications of a product."""


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


class Evaluation(NamedTuple):
    """What an epoch is judged by, and what the next steps take from it.

    Attributes:
        logits: Class scores of the evaluated nodes, [B, C].
        alpha: Motif weights of all nodes, [n, T], where they are needed.
    """

    logits: Tensor
    alpha: Tensor | None = None


class GraphView(Protocol):
    """A graph as a training sees it: encodes batches, and classifies nodes."""

    index: MotifIndex | None
    """The graph's motifs, where the network has a regulariser."""
    reseeds: bool
    """Whether every batch has its own random numbers, so that processes can share the batches of a step."""
    batch_size: int | None
    """Nodes per batch where the settings do not say; None takes all."""

    @property
    def neighbours(self) -> Neighbours:
        """The neighbours of each node."""
        ...

    def encode(self, labelled: Tensor | None, others: Tensor | None, generator: np.random.Generator) -> EncodedBatch:
        """Return what the losses of a batch need."""
        ...

    def infer(self) -> Output:
        """Classify all nodes without dropout."""
        ...

    def evaluate(self, nodes: Tensor, *, weights: bool) -> Evaluation:
        """Classify ``nodes`` without dropout, and return the motif weights of all nodes if ``weights`` are wanted."""
        ...


class FullGraphView:
    """Every step goes over the whole graph.

    Args:
        network: The network.
        x: Its input features, [n, F].
        adjacency: Which nodes pass messages to which.
        device: Where to compute.
        index: The graph's motifs, where the network has a regulariser.
        hops: How many hops the result for a node depends on, so that no more than needed is computed; None where the
            encoder must always see the whole graph.
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
        hops: int | None = None,
    ) -> None:
        self.network, self.x, self.adjacency, self.device, self.index = network, x, adjacency, device, index
        self.hops = hops
        self._evaluated: tuple[Tensor, _Part | None] | None = None

    @property
    def neighbours(self) -> Neighbours:
        """The neighbours of each node."""
        return Neighbours(self.adjacency.neighbours.indptr, self.adjacency.neighbours.indices)

    def encode(self, labelled: Tensor | None, others: Tensor | None, generator: np.random.Generator) -> EncodedBatch:
        """Encode the graph, and its corruption if the InfoMax loss needs one."""
        network = self.network
        if others is None and labelled is not None and not network.needs_all_rows:
            h = network.encode(self.x, self.adjacency, labelled)
            return EncodedBatch(h, h, torch.arange(len(labelled), device=self.device), None, labelled)
        return self._encode_all(self._draw(labelled, others, generator), labelled, others)

    def infer(self) -> Output:
        """Classify all nodes without dropout."""
        return self.network.infer(self.x, self.adjacency, self.index)

    @torch.no_grad()
    def evaluate(self, nodes: Tensor, *, weights: bool) -> Evaluation:
        """Classify ``nodes`` from their neighbourhood; motif weights of all nodes need the whole graph."""
        network, regularizer = self.network, self.network.regularizer
        training = network.training
        network.eval()
        try:
            part = None if weights or network.needs_all_rows else self._part_of(nodes)
            if part is not None:
                return Evaluation(network.head(part.encoded(network)).logits)
            h = network.encode(self.x, self.adjacency)
            alpha = (
                regularizer.motif_weights(h) if regularizer is not None and weights and isinstance(h, Tensor) else None
            )
            return Evaluation(network.head(h, self.index, nodes).logits, alpha)
        finally:
            network.train(training)

    def _draw(self, labelled: Tensor | None, others: Tensor | None, generator: np.random.Generator) -> _BatchDraw:
        """Draw the permutation of all nodes' attributes, if there is one, and the instances of a batch."""
        permutation = None
        if others is not None and _needs_corruption(self.network):
            # Attributes of another node type would give every negative away.
            types = None if self.index is None else self.index.graph.node_types
            permutation = derangement(self.adjacency.num_nodes, generator, types)
        labelled_drawn, others_drawn = _draw_instances(self.network, self.index, labelled, others, generator)
        if others_drawn is not None and permutation is not None:
            others_drawn = _without_real(self.network, self.index, others_drawn, permutation)
        return _BatchDraw(permutation, labelled_drawn, others_drawn)

    def _encode_all(self, draw: _BatchDraw, labelled: Tensor | None, others: Tensor | None) -> EncodedBatch:
        if draw.permutation is None:
            h = self.network.encode(self.x, self.adjacency)
            return EncodedBatch(h, h, labelled, others, None, draw.labelled, draw.others)
        permutation = torch.from_numpy(draw.permutation).to(self.device)
        states = encode_with_corruption(self.network.encoder, self.x, self.adjacency, permutation)
        return EncodedBatch(*states, labelled, others, None, draw.labelled, draw.others)

    def _part_of(self, nodes: Tensor) -> _Part | None:
        """Return the part of the graph that the nodes to evaluate depend on; None if all nodes cost less."""
        # Every epoch evaluates the same nodes.
        if self._evaluated is None or self._evaluated[0] is not nodes:
            self._evaluated = nodes, self._part(nodes.cpu().numpy(), None)
        return self._evaluated[1]

    def _part(self, targets: Array, permutation: Array | None) -> _Part | None:
        """Return what the representations of ``targets`` depend on; None if the whole graph costs less."""
        if self.hops is None or whole_share(self.adjacency, targets, self.hops, self._width) >= 1:
            return None
        blocks = neighbourhood(self.adjacency, targets, self.hops).to(self.device)
        shown = [blocks.nodes] if permutation is None else [blocks.nodes, permutation[blocks.nodes]]
        wanted = np.zeros(self.adjacency.num_nodes, dtype=np.bool_)
        for nodes in shown:
            wanted[nodes] = True
        rows = np.flatnonzero(wanted)
        if 2 * len(rows) > len(wanted):
            # Gathering most rows of x costs more than multiplying all of them.
            return _Part(blocks, self.x, None, [torch.from_numpy(nodes).to(self.device) for nodes in shown])
        row_of = np.cumsum(wanted) - 1
        taken = (
            self.x.rows(rows) if isinstance(self.x, SparseMatrix) else self.x[torch.from_numpy(rows).to(self.device)]
        )
        return _Part(blocks, taken, rows, [torch.from_numpy(row_of[nodes]).to(self.device) for nodes in shown])

    @property
    def _width(self) -> int:
        return int(self.network.classifier.in_features)


class ProbeView:
    """The graph behind an encoder that does not learn any more: representations are computed once.

    Args:
        network: The network, whose classifier learns.
        view: The graph as the encoder sees it.
    """

    reseeds = False
    batch_size: int | None = None

    def __init__(self, network: MotifNetwork, view: FullGraphView) -> None:
        self.network, self.index, self.neighbours = network, view.index, view.neighbours
        training = network.training
        network.eval()
        with torch.no_grad():
            h = network.encode(view.x, view.adjacency)
        network.train(training)
        self.h = h if isinstance(h, Tensor) else h.h

    def encode(self, labelled: Tensor | None, others: Tensor | None, generator: np.random.Generator) -> EncodedBatch:
        """Return the representations as they are."""
        return EncodedBatch(self.h, self.h, labelled, others)

    def infer(self) -> Output:
        """Classify all nodes without dropout."""
        return self._head(None)

    def evaluate(self, nodes: Tensor, *, weights: bool) -> Evaluation:
        """Classify ``nodes`` without dropout."""
        output = self._head(None if weights else nodes)
        return Evaluation(output.logits[nodes], output.alpha) if weights else Evaluation(output.logits)

    @torch.no_grad()
    def _head(self, nodes: Tensor | None) -> Output:
        training = self.network.training
        self.network.eval()
        try:
            return self.network.head(self.h, self.index, nodes)
        finally:
            self.network.train(training)


class NeighbourhoodView(FullGraphView):
    """Every batch has its nodes, the members of their motif instances, and all neighbours of these, hop by hop.

    The losses are those of the whole graph, to rounding: no neighbour is left out, and attributes are permuted among
    all nodes. Where a batch's neighbourhood costs as much as the graph, the whole graph is encoded.
    """

    def encode(self, labelled: Tensor | None, others: Tensor | None, generator: np.random.Generator) -> EncodedBatch:
        """Encode the neighbourhood of a batch, and its corruption if the InfoMax loss needs one."""
        draw = self._draw(labelled, others, generator)
        batch = _NumberedBatch.of(self._row_of, labelled, others, draw.labelled, draw.others)
        part = self._part(batch.nodes, draw.permutation)
        if part is None:
            return self._encode_all(draw, labelled, others)
        h = part.encoded(self.network)
        return batch.encoded(h, part.corrupted(self.network, h), self.device)

    @cached_property
    def _row_of(self) -> Array:
        return np.full(self.adjacency.num_nodes, -1, dtype=np.int32)


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
        weights: How much messages count; None if all count alike.
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
        weights: MessageWeights | None = None,
        index: MotifIndex | None = None,
    ) -> None:
        self.network, self.graph, self.rows_of, self.index = network, graph, rows_of, index
        self.weights = weights
        self.hops = hops_of(network.encoder, layers)
        self.device, self.world = device, world
        # Large batches share neighbours, small ones take more steps.
        self.batch_size: int | None = min(max(graph.num_nodes // BATCHES_PER_EPOCH, MIN_BATCH), MAX_BATCH)
        self.sampler = NeighbourSampler(graph, [fanout] * self.hops, weights=self.weights)
        self._row_of = np.full(graph.num_nodes, -1, dtype=np.int32)

    @property
    def neighbours(self) -> Neighbours:
        """The neighbours of each node."""
        return Neighbours(self.graph.undirected.indptr, self.graph.undirected.indices)

    def encode(self, labelled: Tensor | None, others: Tensor | None, generator: np.random.Generator) -> EncodedBatch:
        """Sample the instances and the neighbourhood of a batch and encode it."""
        encoder = self.network.encoder
        drawn = _draw_instances(self.network, self.index, labelled, others, generator)
        batch = _NumberedBatch.of(self._row_of, labelled, others, *drawn)
        seed = int(generator.integers(2**63))
        blocks = self.sampler.sample(batch.nodes, seed).to(self.device)
        if others is None or not _needs_corruption(self.network):
            plain = encode_plain(encoder, self.rows_of, blocks)
            h = self.network.encode(self.rows_of(blocks.nodes), blocks) if plain is None else plain[0]
            return batch.encoded(h, h, self.device)
        types = self.graph.node_types
        permutation = derangement(len(blocks.nodes), generator, None if types is None else types[blocks.nodes])
        if batch.others_drawn is not None:
            shown = blocks.nodes[permutation]
            batch = replace(batch, others_drawn=_without_real(self.network, self.index, batch.others_drawn, shown))
        order = torch.from_numpy(permutation).to(self.device)
        states = encode_plain(encoder, self.rows_of, blocks, order)
        if states is None:
            states = encode_with_corruption(encoder, self.rows_of(blocks.nodes), blocks, order)
        return batch.encoded(*states, self.device)

    def infer(self) -> Output:
        """Classify all nodes exactly, with all neighbours, without dropout."""
        return infer_in_blocks(
            self.network, self.graph, self.rows_of, hops=self.hops, device=self.device, world=self.world,
            weights=self.weights, index=self.index,
        )  # fmt: skip

    def evaluate(self, nodes: Tensor, *, weights: bool) -> Evaluation:
        """Classify ``nodes`` exactly; layer by layer all nodes cost less than their neighbourhoods."""
        output = self.infer()
        return Evaluation(output.logits[nodes], output.alpha if weights else None)


class _Part:
    """The part of a graph that the representations of some targets depend on.

    Args:
        blocks: The neighbourhood of the targets.
        x: Input features of some nodes.
        rows: Which nodes these are; None for all.
        shown: Rows of ``x`` that the nodes of the neighbourhood have: their own, and in a corrupted graph others'.
    """

    def __init__(self, blocks: Blocks, x: Features, rows: Array | None, shown: list[Tensor]) -> None:
        self._blocks, self._x, self._rows, self._shown = blocks, x, rows, shown
        self._projected: Tensor | None = None

    def encoded(self, network: MotifNetwork) -> Tensor | Unsmoothed:
        """Return the representations of the targets."""
        encoder = _own_encoder(network)
        # The corruption shares the first product.
        projected = encoder.project(self._x, self._rows)
        self._projected = projected if len(self._shown) > 1 else None
        inputs = projected.index_select(0, self._shown[0])
        if network.smooths_classes:
            return Unsmoothed(encoder, encoder.initial(inputs), self._blocks)
        return encoder.propagate(inputs, self._blocks)

    def corrupted(self, network: MotifNetwork, h: Tensor | Unsmoothed) -> Tensor | Unsmoothed:
        """Return the targets' representations with permuted attributes; ``h`` if none were permuted."""
        if self._projected is None:
            return h
        return _own_encoder(network).propagate(self._projected.index_select(0, self._shown[1]), self._blocks)


def _own_encoder(network: MotifNetwork) -> Encoder:
    if not isinstance(network.encoder, Encoder):
        raise TypeError("only encoders of this package see a part of the graph")
    return network.encoder


class _BatchDraw(NamedTuple):
    """What is random about a batch, with node numbers: permuted attributes, and instances where losses need them."""

    permutation: Array | None
    labelled: tuple[Instances, ...] | None
    others: Drawn | None


@dataclass(frozen=True)
class _NumberedBatch:
    """A batch with rows for nodes.

    Attributes:
        nodes: Number in the whole graph of each row.
        labelled: Rows of the training nodes.
        others: Rows of the nodes of the InfoMax loss.
        labelled_instances: Motif instances of the training nodes.
        others_drawn: Motif instances and negatives of the others.
    """

    nodes: Array
    labelled: Tensor | None
    others: Tensor | None
    labelled_instances: tuple[Instances, ...] | None
    others_drawn: Drawn | None

    @classmethod
    def of(
        cls,
        row_of: Array,
        labelled: Tensor | None,
        others: Tensor | None,
        labelled_instances: tuple[Instances, ...] | None,
        others_drawn: Drawn | None,
    ) -> _NumberedBatch:
        """Number the nodes of a batch and of its instances; ``row_of`` is a scratch buffer."""
        numbers = RowNumbers(row_of)
        labelled_rows, others_rows = (None if part is None else numbers.rows(part) for part in (labelled, others))
        labelled_instances = None if labelled_instances is None else numbers.instances(labelled_instances)
        others_drawn = None if others_drawn is None else numbers.drawn(others_drawn)
        return cls(numbers.nodes(), labelled_rows, others_rows, labelled_instances, others_drawn)

    def encoded(self, h: Tensor | Unsmoothed, corrupted: Tensor | Unsmoothed, device: torch.device) -> EncodedBatch:
        """Return the batch with the representations of its rows."""
        labelled, others = (None if part is None else part.to(device) for part in (self.labelled, self.others))
        nodes = torch.from_numpy(self.nodes).to(device)
        return EncodedBatch(h, corrupted, labelled, others, nodes, self.labelled_instances, self.others_drawn)


def whole_share(adjacency: Adjacency, targets: Array, hops: int, width: int) -> float:
    """Estimate what encoding the neighbourhood of distinct ``targets`` costs, as a share of encoding the whole graph.

    Products with weights count one unit per row and width squared, sums over neighbours as measured beside them on the
    CPU. How many nodes a hop adds is estimated as if neighbours were drawn at random.

    Example:
        >>> path = Adjacency.from_graph(Graph.from_edges(range(999), range(1, 1000), num_nodes=1000, directed=False))
        >>> whole_share(path, np.arange(20), 2, 64) < 0.2, whole_share(path, np.arange(990), 2, 64) < 1
        (True, False)
    """
    indptr, n, entries = adjacency.neighbours.indptr, adjacency.num_nodes, len(adjacency.neighbours.indices)
    rows = float(len(targets))
    edges = float((indptr[targets + 1] - indptr[targets]).sum())
    cost = 0.0
    for _ in range(hops):
        cost += rows * width + (ENTRY_COST + BUILD_COST / width) * edges
        rows = n * -math.expm1(-(rows + edges) / max(1, n))
        edges = entries * rows / max(1, n)
    return cost / max(1.0, hops * (n * width + ENTRY_COST * entries))


def _draw_instances(
    network: MotifNetwork,
    index: MotifIndex | None,
    labelled: Tensor | None,
    others: Tensor | None,
    generator: np.random.Generator,
) -> tuple[tuple[Instances, ...] | None, Drawn | None]:
    """Draw the instances of training nodes, where z has their summaries, and those of the others with negatives."""
    regularizer = network.regularizer
    if regularizer is None or index is None:
        return None, None
    labelled_drawn = others_drawn = None
    if labelled is not None and regularizer.readout_in_z:
        labelled_drawn = regularizer.sample(index, labelled.cpu().numpy(), generator)
    if others is not None:
        others_drawn = regularizer.draw(index, others.cpu().numpy(), generator)
    return labelled_drawn, others_drawn


def _without_real(network: MotifNetwork, index: MotifIndex | None, drawn: Drawn, shown: Array) -> Drawn:
    """Replace negatives that show a real instance's attributes, if the sampler of the network wants it."""
    if index is None or network.regularizer is None or not network.regularizer.negatives.unseen:
        return drawn
    return Drawn(drawn.observed, reject_real(index, drawn.negatives, shown))


def _needs_corruption(network: MotifNetwork) -> bool:
    return network.regularizer is not None and network.regularizer.negatives.corrupted
