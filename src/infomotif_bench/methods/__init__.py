"""The methods that the bench compares: one interface, one registry."""

from infomotif_bench.methods.base import Method, MethodOutput, Outcome
from infomotif_bench.methods.embeddings.base import EmbeddingMethod
from infomotif_bench.methods.networks import CustomNetwork, TrainedNetwork
from infomotif_bench.methods.registry import METHODS, get_method

__all__ = [
    "METHODS",
    "CustomNetwork",
    "EmbeddingMethod",
    "Method",
    "MethodOutput",
    "Outcome",
    "TrainedNetwork",
    "get_method",
]
