"""node2vec: scalable feature learning for networks (Grover and Leskovec, KDD 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from infomotif._core.validate import Config, config, setting
from infomotif.graph import Graph
from infomotif.typing import Array
from infomotif_bench.methods.base import PROXIMITY, Options
from infomotif_bench.methods.embeddings.walks import WalkMethod, WalkSettings, biased_walks, shuffled_starts


@config
class Node2VecSettings(WalkSettings):
    """The settings of walks with node2vec's bias."""

    p: float = setting(default=1.0, at_least=1e-6, at_most=1e6, help="A step back weighs 1 / p.")
    q: float = setting(default=1.0, at_least=1e-6, at_most=1e6, help="A step away from the previous node weighs 1 / q.")


@dataclass(frozen=True, kw_only=True)
class Node2Vec(WalkMethod):
    """Skip-gram over second-order random walks with a bias towards returning (p) or towards leaving (q).

    Follows the paper: 10 walks of 80 nodes from every node, window 10, 128 dimensions, one pass of skip-gram with
    negative sampling, p and q searched on validation nodes. Departs in drawing steps by rejection instead of
    from one alias table per pair of nodes (the distribution is the same, memory is not), in ignoring directions and
    weights, as all methods here do, and in trying four values besides p = q = 1 instead of a grid of 25.
    """

    options: ClassVar[type[Config]] = Node2VecSettings
    group: str = PROXIMITY

    def walk(self, graph: Graph, settings: Options, generator: np.random.Generator) -> Array:
        """Walk from every node, each round in a new order."""
        starts = shuffled_starts(graph.num_nodes, settings["walks"], generator)
        p, q = settings["p"], settings["q"]
        return biased_walks(graph.undirected, starts, settings["length"], p=p, q=q, generator=generator)


NODE2VEC = Node2Vec(
    name="node2vec",
    title="Node2Vec",
    search={"p": (1.0, 0.25, 4.0), "q": (1.0, 0.25, 4.0)},
)
"""node2vec and logistic regression on its embeddings."""
