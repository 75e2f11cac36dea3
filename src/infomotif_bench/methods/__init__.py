"""The methods that the bench compares: one interface, one registry."""

from infomotif_bench.methods.base import Method, MethodOutput, Outcome
from infomotif_bench.methods.embeddings.base import EmbeddingMethod
from infomotif_bench.methods.networks import CustomNetwork, TrainedNetwork
from infomotif_bench.methods.registry import ENTRY_POINTS, METHODS, MethodWarning, get_method

__all__ = [
    "ENTRY_POINTS",
    "METHODS",
    "CustomNetwork",
    "EmbeddingMethod",
    "Method",
    "MethodOutput",
    "MethodWarning",
    "Outcome",
    "TrainedNetwork",
    "get_method",
]
