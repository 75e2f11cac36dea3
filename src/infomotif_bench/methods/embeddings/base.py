"""EmbeddingMethod: representations learned without labels, evaluated by logistic regression."""

from __future__ import annotations

import json
from abc import abstractmethod
from dataclasses import dataclass

import numpy as np

from infomotif.graph import Graph
from infomotif.training import TrainingError
from infomotif.training.splits import Split
from infomotif.typing import Array
from infomotif_bench.methods.base import Method, MethodOutput, Options
from infomotif_bench.methods.embeddings.cache import ArrayCache
from infomotif_bench.methods.embeddings.logistic import predict_by_logistic

_embeddings = ArrayCache(size=4)


@dataclass(frozen=True, kw_only=True)
class EmbeddingMethod(Method):
    """A method that embeds the nodes of a graph without its labels.

    The embedding of a seed serves every number of labels: it is computed once and kept for the next runs of the
    process.

    Attributes:
        random: Whether the seed matters; otherwise one embedding serves every seed too.
    """

    labels: bool = False
    random: bool = True

    @abstractmethod
    def embed(self, graph: Graph, settings: Options, seed: int) -> Array:
        """Return one row per node, [n, D].

        Args:
            graph: The graph without labels.
            settings: A value for each of :meth:`defaults`.
            seed: Decides all randomness.
        """

    def predict(self, graph: Graph, split: Split, settings: Options, seed: int) -> MethodOutput:
        """Embed, unless the embedding is in the cache, and classify."""
        bare = graph.replace(y=None, class_names=())
        key = (self.name, self.version, bare.fingerprint(), json.dumps(dict(settings), sort_keys=True))
        embedding = _embeddings.get((*key, seed if self.random else None), lambda: self.embed(bare, settings, seed))
        if not np.isfinite(embedding).all():
            raise TrainingError(f"the embedding of {self.name} is not finite; lower lr, or any setting that was raised")
        return predict_by_logistic(embedding, graph, split)
