"""Exact inference over all nodes, block by block, so that memory does not grow with the number of edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
import torch
from torch import Tensor, nn

from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.nn.encoders import encode
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.network import MotifNetwork, Output
from infomotif.nn.propagation.adjacency import Adjacency, MessageWeights
from infomotif.nn.propagation.blocks import NeighbourSampler
from infomotif.nn.propagation.convolutions import Features
from infomotif.training.distributed import World
from infomotif.typing import Array

RowsOf = Callable[[Array], Features]

BLOCK = 1 << 15


@torch.no_grad()
def infer_in_blocks(
    network: MotifNetwork,
    graph: Graph,
    rows_of: RowsOf,
    *,
    hops: int,
    device: torch.device,
    world: World | None = None,
    block: int = BLOCK,
    weights: MessageWeights | None = None,
    index: MotifIndex | None = None,
) -> Output:
    """Classify all nodes with all their neighbours, as :meth:`MotifNetwork.infer` does, in blocks of nodes.

    Encoders of this package go layer by layer; a custom module gets the whole neighbourhood of each block.

    Args:
        network: The network; its training mode is restored afterwards.
        graph: The graph.
        rows_of: Returns the input features of nodes, [B, F].
        hops: How many hops the encoder looks.
        device: Where to compute.
        world: Processes that share the work.
        block: Nodes per block.
        weights: Weights of messages, all 1 by default.
        index: The graph's motifs, where ``readout_in_z`` draws instances.
    """
    training = network.training
    network.eval()
    try:
        blocks = _BlockInference(graph, rows_of, device, world or World(), block, weights)
        encoder = network.encoder
        h = blocks.by_layers(encoder) if isinstance(encoder, Encoder) else blocks.by_neighbourhoods(encoder, hops)
        return blocks.head(network, h, index)
    finally:
        network.train(training)


def hops_of(encoder: nn.Module, layers: int | None) -> int:
    """Return how many hops an encoder reaches: the sum over its message passing layers.

    Args:
        encoder: The encoder.
        layers: The number of hops of a custom module, where the user gave it.

    Raises:
        InputError: If a custom module does not show it and ``layers`` was not given.
    """
    if isinstance(encoder, Encoder):
        return encoder.hops
    if layers is not None:
        return layers
    passing = sum(_passes(module) for module in encoder.modules() if callable(getattr(module, "propagate", None)))
    if passing == 0:
        raise InputError("layers must say how many hops your encoder reaches, so that neighbours can be sampled for it")
    return passing


def _passes(layer: nn.Module) -> int:
    """Return how many hops a layer of PyG reaches: 1, or its ``K``, ``num_layers`` or largest of ``powers``."""
    hops = [getattr(layer, name, None) for name in ("K", "num_layers")]
    powers = getattr(layer, "powers", None)
    hops += powers if isinstance(powers, list | tuple) else []
    return max([1, *(number for number in hops if isinstance(number, int))])


class _BlockInference:
    """The representations of all nodes, computed in blocks."""

    def __init__(
        self,
        graph: Graph,
        rows_of: RowsOf,
        device: torch.device,
        world: World,
        block: int,
        weights: MessageWeights | None,
    ) -> None:
        self.graph, self.rows_of, self.device, self.world, self.block = graph, rows_of, device, world, block
        self.indptr, self.indices = graph.undirected.indptr, graph.undirected.indices
        self.degrees = np.diff(self.indptr)
        self.weights = weights

    def by_layers(self, encoder: Encoder) -> Tensor:
        states: list[Tensor] = []
        initial = self._filled(partial(self._initial, encoder)) if encoder.anchored else None
        for i in range(encoder.hops):
            if initial is not None:
                state = self._filled(partial(self._spread, encoder, i, states[-1] if states else initial, initial))
            else:
                before = states[-1] if states else None
                projected = self._filled(partial(self._project, encoder, i, before))
                state = self._filled(partial(self._spread, encoder, i, projected, before))
            states = [state] if encoder.jump == "last" else [*states, state]
        if encoder.jump == "last":
            return states[-1]
        return self._filled(lambda a, b: encoder.jumped([state[a:b] for state in states]))

    def by_neighbourhoods(self, encoder: nn.Module, hops: int) -> Tensor:
        # One hop more than it reaches: a module may weigh the farthest nodes by their number of neighbours.
        sampler = NeighbourSampler(self.graph, [0] * (hops + 1), weights=self.weights)

        def block_of(a: int, b: int) -> Tensor:
            blocks = sampler.sample(np.arange(a, b), seed=0).to(self.device)
            return encode(encoder, self.rows_of(blocks.nodes), blocks)

        return self._filled(block_of)

    def head(self, network: MotifNetwork, h: Tensor, index: MotifIndex | None) -> Output:
        parts: list[Output] = []
        n = self.graph.num_nodes
        for a in range(0, n, self.block):
            nodes = torch.arange(a, min(n, a + self.block))
            parts.append(network.head(h, index, nodes.to(h.device)))
        if not parts:
            return network.head(h, index)
        alpha = [part.alpha for part in parts if part.alpha is not None]
        return Output(
            torch.cat([part.logits for part in parts]),
            torch.cat([part.z for part in parts]),
            torch.cat(alpha) if alpha else None,
        )

    def _initial(self, encoder: Encoder, a: int, b: int) -> Tensor:
        return encoder.initial(encoder.project(self.rows_of(np.arange(a, b))))

    def _project(self, encoder: Encoder, i: int, before: Tensor | None, a: int, b: int) -> Tensor:
        if before is None:
            return encoder.project(self.rows_of(np.arange(a, b)))
        return encoder.layer(i).project(before[a:b])

    def _spread(self, encoder: Encoder, i: int, projected: Tensor, inner: Tensor | None, a: int, b: int) -> Tensor:
        start = int(self.indptr[a])
        relations = None if self.weights is None else self.weights.relations
        adjacency = Adjacency(
            self.indptr[a : b + 1] - start,
            self.indices[start : self.indptr[b]],
            columns=self.graph.num_nodes,
            start=a,
            degrees=self.degrees,
            weights=None if self.weights is None else self.weights.values[start : self.indptr[b]],
            totals=None if self.weights is None else self.weights.totals,
            relations=None if relations is None else relations.part(slice(start, int(self.indptr[b])), slice(None)),
        ).to(self.device)
        return encoder.spread(i, projected, adjacency, None if inner is None else inner[a:b])

    def _filled(self, compute: Callable[[int, int], Tensor]) -> Tensor:
        """Return ``compute`` of all nodes; each process computes its part of the blocks."""
        lo, hi = self.world.bounds(self.graph.num_nodes)
        whole: Tensor | None = None
        for a, b in self._pieces(lo, hi):
            part = compute(a, b)
            if whole is None:
                whole = part.new_empty(self.graph.num_nodes, part.shape[1])
            whole[a:b] = part
        if whole is None:
            whole = compute(0, 0).new_empty(self.graph.num_nodes, compute(0, 0).shape[1])
        self.world.exchange(whole)
        return whole

    def _pieces(self, lo: int, hi: int) -> Iterator[tuple[int, int]]:
        for a in range(lo, hi, self.block):
            yield a, min(hi, a + self.block)
