"""What a training costs, counted from sizes and not by the clock, so that the same seed chooses the same anywhere."""

from __future__ import annotations

import math

from infomotif.graph import Graph
from infomotif.training.build import hidden_width
from infomotif.training.config import Settings, input_parts

# Measured on one thread of an ordinary machine; only their proportions decide what fits into a budget.
SECONDS_PER_EPOCH = 2e-3
SECONDS_PER_INPUT = 3.6e-10
"""For each number other than 0 in the input, and each column of the first layer."""
SECONDS_PER_PRODUCT = 1.5e-10
"""For each multiplication of the later layers."""
SECONDS_PER_MESSAGE = 1.2e-9
"""For each edge and column of a layer."""
SECONDS_PER_STEP, SECONDS_PER_SCORE = 1.5e-4, 6e-9
"""For each step of APPNP, and for each edge and class in it."""
MOTIF_FACTOR = 5.0
"""How much an epoch of InfoMotif costs in epochs of its base, with few instances of a quarter of the nodes."""
ATTENTION_FACTOR = 4.0
MIN_SECONDS, SECONDS_PER_NODE, MAX_SECONDS = 3.0, 6e-3, 85.0
"""What a search may cost by default."""
_ENCODING_WIDTH = 60


def epoch_seconds(settings: Settings, graph: Graph) -> float:
    """Return about how many seconds of one thread an epoch takes."""
    width, edges = hidden_width(settings, graph), len(graph.undirected.indices)
    attributes, encodings = input_parts(settings.inputs.features) if settings.inputs.features != "auto" else (True, ())
    entries = 0.0
    if attributes:
        entries += graph.num_nodes if graph.x is None else float(getattr(graph.x, "nnz", graph.x.size))
    if encodings:
        entries += _ENCODING_WIDTH * graph.num_nodes
    encoder = settings.encoder
    seconds = SECONDS_PER_EPOCH + SECONDS_PER_INPUT * entries * width
    seconds += SECONDS_PER_PRODUCT * (encoder.layers - 1) * graph.num_nodes * width * width
    if encoder.name == "appnp":
        steps = int(getattr(encoder, "steps", 10))
        seconds += steps * (SECONDS_PER_STEP + SECONDS_PER_SCORE * edges * graph.num_classes)
    elif encoder.name != "mlp":
        seconds += SECONDS_PER_MESSAGE * encoder.layers * edges * width
    if encoder.name == "gat":
        seconds *= ATTENTION_FACTOR
    if settings.regularize:
        options = settings.regularizer
        seconds *= 1 + (MOTIF_FACTOR - 1) * options.mi_share / 0.25 * math.sqrt(options.q / 5)
    return seconds


def usual_seconds(graph: Graph) -> float:
    """Return what a search may cost by default: seconds that grow with the graph.

    Example:
        >>> from infomotif import load_dataset
        >>> round(usual_seconds(load_dataset("karate")), 1)
        3.2
    """
    return min(MAX_SECONDS, MIN_SECONDS + SECONDS_PER_NODE * graph.num_nodes)
