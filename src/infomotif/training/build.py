"""Builds the parts of a model from settings."""

from __future__ import annotations

import inspect
from collections.abc import Sequence

import numpy as np
import torch
from torch import nn

from infomotif._core.system import available_memory
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.motifs import Motif, MotifIndex
from infomotif.nn.encoders import encode
from infomotif.nn.encoders.base import Encoder
from infomotif.nn.encoders.custom import takes_types
from infomotif.nn.network import MotifNetwork
from infomotif.nn.propagation.adjacency import Adjacency, MessageWeights, check_message_weights
from infomotif.nn.propagation.blocks import Blocks, NeighbourSampler
from infomotif.nn.propagation.convolutions import Features
from infomotif.nn.propagation.sparse import SparseMatrix
from infomotif.nn.regularizer import MotifRegularizer
from infomotif.nn.regularizer.prediction import co_members
from infomotif.training.config import Settings
from infomotif.training.device import on_device
from infomotif.training.distributed import World
from infomotif.training.features import FeatureMap
from infomotif.training.inference import RowsOf, hops_of
from infomotif.training.views import FullGraphView, GraphView, NeighbourhoodView, SampledView

_MATRICES = 60
"""How many [n, D] matrices a training step over the whole graph holds at its peak (measured on PubMed)."""
_MEMORY_SHARE = 0.4


def hidden_width(settings: Settings, graph: Graph) -> int:
    """Return the width D: as set, else the paper's, 256 with attributes and 64 without."""
    return settings.encoder.hidden or (64 if graph.x is None else 256)


def custom_hops(settings: Settings) -> int | None:
    """Return how many hops a custom module reaches, if the user gave it."""
    hops: int | None = settings.encoder.given.get("layers")
    return hops


def make_encoder(settings: Settings, features: FeatureMap, width: int) -> Encoder:
    """Build an encoder of this package for these input features and relations."""
    options = settings.encoder
    relations: dict[str, int] = {"relations": len(features.relations)} if options.relational else {}
    return options.build(features.width, width, **relations)


def make_adjacency(settings: Settings, graph: Graph, features: FeatureMap) -> Adjacency:
    """Return which nodes of a graph pass messages to which, with weights and relations where the settings want them."""
    return Adjacency.from_graph(graph, **settings.inputs.messages, relations=features.relations_of(graph))


def message_weights(settings: Settings, graph: Graph, features: FeatureMap) -> MessageWeights | None:
    """Return weights and relations of a graph's messages; None if all count alike and are of one kind."""
    return MessageWeights.of(graph, **settings.inputs.messages, relations=features.relations_of(graph))


def check_negatives(settings: Settings, motifs: Sequence[Motif]) -> None:
    """Reject ``other-motif`` negatives if a motif has no other motif of the same size, where they would be ``swap``.

    Raises:
        InputError: If so; the message names the motif.
    """
    if not settings.regularize or "other-motif" not in settings.regularizer.negatives.split("+"):
        return
    sizes = [motif.size for motif in motifs]
    for motif in motifs:
        if sizes.count(motif.size) == 1:
            raise InputError(
                f"negatives 'other-motif' need another motif with as many nodes as {motif.name}; add motifs, or choose "
                "other negatives"
            )


def make_regularizer(width: int, motifs: MotifIndex | Sequence[str], settings: Settings) -> MotifRegularizer:
    """Build the regulariser that the settings describe."""
    if isinstance(motifs, MotifIndex):
        check_negatives(settings, motifs.motifs)
    return MotifRegularizer(
        width,
        motifs,
        q=settings.regularizer.q,
        attention=settings.regularizer.attention,
        gate=settings.regularizer.gate,
        negatives=settings.regularizer.negatives,
        instances=settings.regularizer.instances,
        residual=settings.regularizer.residual,
        readout_in_z=settings.regularizer.readout_in_z,
        instance_encoder=settings.regularizer.instance_encoder,
        readout=settings.regularizer.readout,
    )


def make_pairs(
    settings: Settings, graph: Graph, index: MotifIndex | None, device: torch.device, world: World
) -> SparseMatrix | None:
    """Return the pairs of nodes whose predictions are compared; None without ``prediction_mi``.

    Raises:
        InputError: If the graph is trained on samples of it.
    """
    options = settings.regularizer
    if not options.prediction_mi:
        return None
    _require_whole("prediction_mi", settings, graph, world)
    return co_members(graph, options.prediction_over, index).to(device)


def check_pretraining(settings: Settings, graph: Graph, world: World) -> None:
    """Reject ``pretrain=views`` for a network with the motif regulariser, and a frozen encoder on samples of a graph.

    Raises:
        InputError: In both cases; the message says what to do.
    """
    training = settings.training
    if training.pretrain == "views" and settings.regularize:
        raise InputError("pretrain=views is for a base GNN; set regularize=no (preset base), or pretrain=infomax")
    for name, given in (("pretrain=views", training.pretrain == "views"), ("probe", training.probe)):
        if given:
            _require_whole(name, settings, graph, world)


def _require_whole(name: str, settings: Settings, graph: Graph, world: World) -> None:
    if needs_sampling(settings, graph, hidden_width(settings, graph), world):
        raise InputError(
            f"{name} needs all nodes at once, and this graph is trained on samples of it; leave it out, or set "
            "sampling=none"
        )


def takes_weights(encoder: nn.Module) -> bool:
    """Whether an encoder can weight messages by their edges; the forward of a custom module takes ``edge_weight``."""
    if isinstance(encoder, Encoder):
        return encoder.takes_weights
    if not getattr(encoder, "supports_edge_weight", True):
        # PyG's models state it so; their forward takes the argument in any case.
        return False
    parameters = inspect.signature(encoder.forward).parameters.values()
    return any(p.name == "edge_weight" or p.kind is inspect.Parameter.VAR_KEYWORD for p in parameters)


def check_weights(settings: Settings, graph: Graph, encoder: nn.Module, name: str) -> None:
    """Reject ``edge_weights`` for a graph without usable weights, and any weights where the encoder cannot use them.

    Raises:
        InputError: In both cases; the message says what to do.
    """
    inputs = settings.inputs
    if inputs.edge_weights:
        check_message_weights(graph)
    if (inputs.edge_weights or inputs.closure) and not takes_weights(encoder):
        setting = "edge_weights" if inputs.edge_weights else "closure"
        raise InputError(
            f"{setting} does not work with the encoder {name}, whose messages take no weights; leave it "
            "out, or take gcn, gat, jknet, gin, appnp, gcnii, sage with mean, or a module with edge_weight"
        )


def needs_sampling(settings: Settings, graph: Graph, width: int, world: World, *, memory: int | None = None) -> bool:
    """Whether training samples neighbours: if the settings say so, else if the whole graph does not fit into memory.

    Args:
        settings: The settings.
        graph: The graph.
        width: The width D of representations.
        world: The processes that train together; several always sample.
        memory: Bytes that may be used; by default what the machine and its container allow.
    """
    if settings.training.sampling != "auto":
        return settings.training.sampling == "neighbours"
    if world.size > 1:
        return True
    return 4 * _MATRICES * width * graph.num_nodes > _MEMORY_SHARE * (memory or available_memory())


def rows_reader(graph: Graph, features: FeatureMap, index: MotifIndex | None, device: torch.device) -> RowsOf:
    """Return a function that reads the input features of some nodes."""
    read = features.reader(graph, index)
    return lambda nodes: read(nodes).to(device)


def output_width(
    encoder: nn.Module,
    graph: Graph,
    rows_of: RowsOf,
    settings: Settings,
    device: torch.device,
    weights: MessageWeights | None,
) -> int:
    """Return the width of a module's output, by encoding the neighbourhood of one node."""
    fanout = [settings.training.fanout] * hops_of(encoder, custom_hops(settings))
    sampler = NeighbourSampler(graph, fanout, weights=weights)
    blocks = sampler.sample(np.zeros(1, dtype=np.int64), seed=0).to(device)
    return encoded_width(encoder, rows_of(blocks.nodes), blocks)


def encoded_width(encoder: nn.Module, x: Features, adjacency: Adjacency | Blocks) -> int:
    """Return the width of what a custom module makes of these inputs.

    Raises:
        InputError: If it cannot take them, or does not return one row per node.
    """
    try:
        with torch.no_grad():
            return encode(encoder, x, adjacency).shape[1]
    except (RuntimeError, IndexError, TypeError, AttributeError, KeyError) as error:
        reason = str(error).strip().partition("\n")[0][:160]
        if adjacency.relations is not None and not takes_types(encoder):
            parts = adjacency.relations.by_type(x.to_dense() if isinstance(x, SparseMatrix) else x)
            widths = ", ".join(f"{name} {part.shape[1]}" for name, part in parts.items())
            raise InputError(
                f"the encoder {type(encoder).__name__} cannot take x_dict and edge_index_dict ({reason}); the widths "
                f"are {widths}, and its forward must return {{type: [n, d]}}"
            ) from error
        raise InputError(
            f"the encoder {type(encoder).__name__} cannot take x [n, {x.shape[1]}] and edge_index [2, E] ({reason}); "
            f"make its first layer {x.shape[1]} wide, and its forward (x, edge_index) -> [n, d]"
        ) from error


def make_view(
    settings: Settings,
    network: MotifNetwork,
    graph: Graph,
    features: FeatureMap,
    index: MotifIndex | None,
    device: torch.device,
    world: World,
) -> GraphView:
    """Return the graph as a training sees it: whole, the neighbourhoods of batches, or samples of these."""
    width = int(network.classifier.in_features)
    # Features may need the index even where the network draws no instances.
    motifs = None if network.regularizer is None else index
    if not needs_sampling(settings, graph, width, world):
        adjacency = make_adjacency(settings, graph, features)
        x, adjacency = on_device(device, features.apply(graph, index), adjacency)
        hops = _hops_of_part(network.encoder)
        in_batches = hops is not None and (settings.training.batch_size or graph.num_nodes) < graph.num_nodes
        view = NeighbourhoodView if in_batches else FullGraphView
        return view(network, x, adjacency, device, motifs, hops)
    return SampledView(
        network,
        graph,
        rows_reader(graph, features, index, device),
        fanout=settings.training.fanout,
        layers=custom_hops(settings),
        device=device,
        world=world,
        weights=message_weights(settings, graph, features),
        index=motifs,
    )


def _hops_of_part(encoder: nn.Module) -> int | None:
    """Return how many hops the result for a node depends on; None where it may depend on the whole graph.

    A custom module may do anything with the graph, and a batch norm depends on all rows.
    """
    if not isinstance(encoder, Encoder) or encoder.whole_graph:
        return None
    if any(isinstance(part, nn.BatchNorm1d) for part in encoder.modules()):
        return None
    return encoder.hops
