"""Baselines: the methods that the bench compares, one file a method, one registry, one interface."""

from infomotif_bench.methods.base import Method, Outcome, Prediction
from infomotif_bench.methods.embeddings.base import EmbeddingMethod
from infomotif_bench.methods.network import TrainedNetwork
from infomotif_bench.methods.registry import METHODS, PLANNED, get_method

__all__ = [
    "METHODS",
    "PLANNED",
    "EmbeddingMethod",
    "Method",
    "Outcome",
    "Prediction",
    "TrainedNetwork",
    "get_method",
]
