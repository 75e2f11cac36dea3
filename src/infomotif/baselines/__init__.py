"""Baselines: the methods that the bench compares, one file a method, one registry, one interface."""

from infomotif.baselines.embedding import EmbeddingMethod
from infomotif.baselines.method import Method, Outcome, Prediction
from infomotif.baselines.network import TrainedNetwork
from infomotif.baselines.registry import METHODS, PLANNED, get_method

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
