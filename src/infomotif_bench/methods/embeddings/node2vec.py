"""node2vec: scalable feature learning for networks (Grover and Leskovec, KDD 2016)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infomotif.graph import Graph
from infomotif.typing import Array
from infomotif_bench.methods.base import PROXIMITY, Options
from infomotif_bench.methods.checks import check_number
from infomotif_bench.methods.embeddings.walks import WalkMethod, biased_walks, shuffled_starts


@dataclass(frozen=True, kw_only=True)
class Node2Vec(WalkMethod):
    """Skip-gram over second-order random walks that lean towards returning (p) or towards leaving (q).

    Follows the paper: 10 walks of 80 nodes from every node, window 10, 128 dimensions, one pass of skip-gram with
    negative sampling, p and q searched on validation nodes. Departs in drawing steps by rejection instead of from
    alias tables a pair of nodes (the distribution is the same, memory is not), in ignoring directions and weights, as
    all methods here do, and in trying four values besides p = q = 1 instead of a grid of 25.
    """

    group: str = PROXIMITY

    def defaults(self) -> dict[str, Any]:
        """Return the settings."""
        return {**super().defaults(), "p": 1.0, "q": 1.0}

    def check(self, settings: Options) -> None:
        """Refuse p and q that are too small or too large."""
        super().check(settings)
        for key in ("p", "q"):
            check_number(settings, key, least=1e-6, most=1e6)

    def walk(self, graph: Graph, settings: Options, generator: np.random.Generator) -> Array:
        """Walk from every node in turn, each round in another order."""
        starts = shuffled_starts(graph.num_nodes, settings["walks"], generator)
        p, q = settings["p"], settings["q"]
        return biased_walks(graph.undirected, starts, settings["length"], p=p, q=q, generator=generator)


NODE2VEC = Node2Vec(
    name="node2vec",
    title="Node2Vec",
    search={"p": (1.0, 0.25, 4.0), "q": (1.0, 0.25, 4.0)},
)
"""node2vec and logistic regression on its embeddings."""
