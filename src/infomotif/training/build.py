"""Building a model's parts from settings."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import torch
from torch import nn

from infomotif.graph import Graph
from infomotif.motifs import MotifIndex
from infomotif.nn.adjacency import Adjacency
from infomotif.nn.blocks import NeighbourSampler
from infomotif.nn.encoders import encode
from infomotif.nn.network import MotifNetwork
from infomotif.nn.regularizer import MotifRegularizer
from infomotif.training.distributed import World
from infomotif.training.features import FeatureMap
from infomotif.training.inference import RowsOf, hops_of
from infomotif.training.machine import on_device
from infomotif.training.settings import Settings
from infomotif.training.sources import SampledNeighbours, Source, WholeGraph

_MATRICES = 60
"""How many [n, D] matrices a training step over the whole graph holds at its peak (measured on PubMed)."""
_MEMORY_SHARE = 0.4


def hidden_width(settings: Settings, graph: Graph) -> int:
    """Return the width D: as set, else the paper's, 256 with attributes and 64 without."""
    return settings.hidden or (64 if graph.x is None else 256)


def encoder_options(name: str, settings: Settings) -> dict[str, Any]:
    """Return the settings that concern the encoder ``name``, as its constructor takes them."""
    options: dict[str, Any] = {"dropout": settings.dropout, "norm": settings.norm}
    options["residual"] = settings.encoder_residual
    if settings.layers is not None:
        options["layers"] = settings.layers
    if settings.activation != "default":
        options["activation"] = settings.activation
    if settings.jump != "default":
        options["jump"] = settings.jump
    if name == "gat":
        options["heads"] = settings.heads
    if name == "sage":
        options["aggregator"] = settings.aggregator
    if name == "appnp":
        options["steps"] = settings.steps
    if name in ("appnp", "gcnii"):
        options["teleport"] = settings.teleport
    return options


def make_regularizer(width: int, motifs: MotifIndex | int, settings: Settings) -> MotifRegularizer:
    """Build the regulariser that the settings describe."""
    return MotifRegularizer(
        width,
        motifs,
        q=settings.q,
        attention=settings.attention,
        gate=settings.gate,
        negatives=settings.negatives,
        instances=settings.instances,
        residual=settings.residual,
        readout_in_z=settings.readout_in_z,
    )


def needs_sampling(settings: Settings, graph: Graph, width: int, world: World) -> bool:
    """Whether training samples neighbours: if the settings say so, else if the whole graph does not fit into memory."""
    if settings.sampling != "auto":
        return settings.sampling == "neighbours"
    return world.size > 1 or 4 * _MATRICES * width * graph.num_nodes > _MEMORY_SHARE * _physical_memory()


def rows_reader(graph: Graph, features: FeatureMap, index: MotifIndex | None, device: torch.device) -> RowsOf:
    """Return what reads the input features of some nodes."""
    read = features.reader(graph, index)
    return lambda nodes: read(nodes).to(device)


def output_width(encoder: nn.Module, graph: Graph, rows_of: RowsOf, settings: Settings, device: torch.device) -> int:
    """Return the width of what a module returns, by letting it encode the neighbourhood of one node."""
    sampler = NeighbourSampler(graph, [settings.fanout] * hops_of(encoder, settings.layers))
    blocks = sampler.sample(np.zeros(1, dtype=np.int64), seed=0).to(device)
    with torch.no_grad():
        return encode(encoder, rows_of(blocks.nodes), blocks).shape[1]


def make_source(
    settings: Settings,
    network: MotifNetwork,
    graph: Graph,
    features: FeatureMap,
    index: MotifIndex | None,
    device: torch.device,
    world: World,
) -> Source:
    """Return where a training gets its representations from."""
    width = int(network.classifier.in_features)
    if not needs_sampling(settings, graph, width, world):
        x, adjacency = on_device(device, features.apply(graph, index), Adjacency.from_graph(graph))
        return WholeGraph(network, x, adjacency, device)
    return SampledNeighbours(
        network,
        graph,
        rows_reader(graph, features, index, device),
        fanout=settings.fanout,
        layers=settings.layers,
        device=device,
        world=world,
    )


def _physical_memory() -> int:
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
