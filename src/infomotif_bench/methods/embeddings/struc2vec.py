"""struc2vec: learning node representations from structural identity (Ribeiro, Saverese and Figueiredo, KDD 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif._core.validate import Config, config, setting
from infomotif.graph import Graph
from infomotif.typing import Array
from infomotif_bench.methods.base import MAX_COUNT, STRUCTURAL, Options
from infomotif_bench.methods.embeddings.struc2vec_layers import (
    all_pairs,
    build_layers,
    pairs_of_similar_degree,
    structural_distances,
)
from infomotif_bench.methods.embeddings.walks import (
    WalkMethod,
    WalkSettings,
    cumulated_weights,
    shuffled_starts,
)
from infomotif_bench.methods.kernels.walks import layer_walks


@config
class Struc2VecSettings(WalkSettings):
    """The settings of walks between nodes of similar surroundings."""

    negatives: int = setting(
        default=0, at_least=0, at_most=MAX_COUNT, help="Negative samples; 0 for hierarchical softmax."
    )
    # A walk changes layers 1 / stay times between two steps.
    stay: float = setting(default=0.3, at_least=0.001, at_most=1, help="Probability that a walk stays in its layer.")
    compress: bool = setting(default=True, help="Whether degree sequences are compressed to degrees and counts.")
    similar_degree: bool = setting(default=True, help="Whether nodes are compared only with nodes of similar degree.")
    layers: int | None = setting(default=5, at_least=0, at_most=MAX_COUNT, help="Number of layers; none for all.")


@dataclass(frozen=True, kw_only=True)
class Struc2Vec(WalkMethod):
    """Skip-gram over walks between nodes whose surroundings have similar degrees, however far apart they are.

    Follows the paper: f_k(u, v) adds up the dynamic time warping distances of the ordered degree sequences of the
    rings 0 to k around u and v, with cost max / min - 1; layer k joins nodes with weight exp(-f_k), and the same node
    in neighbouring layers; a walk stays in its layer with probability 0.3; skip-gram uses hierarchical softmax. The
    three optimisations are ``compress`` (degrees with counts), ``similar_degree`` (each node is compared with
    2 log2 n nodes) and ``layers`` (None for all).

    Departs: warping is exact for sequences of up to 64 entries, which compressed ones rarely exceed, and FastDTW
    beyond; nodes of equal degree are ordered by their neighbours' degrees before the nearest are picked; degree 0, on
    which the paper is silent, counts as 1/2.
    """

    options: ClassVar[type[Config]] = Struc2VecSettings
    group: str = STRUCTURAL

    def walk(self, graph: Graph, settings: Options, generator: np.random.Generator) -> Array:
        """Compare nodes, build the layers, and walk from every node."""
        n = graph.num_nodes
        similar = settings["similar_degree"]
        first, second = pairs_of_similar_degree(graph, generator) if similar else all_pairs(n)
        options = {"layers": settings["layers"], "compress": settings["compress"]}
        layers = build_layers(n, first, second, structural_distances(graph, first, second, **options))
        starts = shuffled_starts(n, settings["walks"], generator)
        walks = np.empty((len(starts), settings["length"]), np.int32)
        seed = generator.integers(0, 2**64, dtype=np.uint64)
        rows, stay = layers.rows, float(settings["stay"])
        weights = cumulated_weights(rows)
        parallel_ranges(
            layer_walks, len(starts), starts, n, rows.indptr, rows.indices, weights, layers.up, stay, seed, walks
        )
        return walks


STRUC2VEC = Struc2Vec(
    name="struc2vec",
    title="Struct2Vec",
    search={"layers": (5, 2), "negatives": (0, 5), "epochs": (1, 3), "stay": (0.3, 0.6)},
)
"""struc2vec and logistic regression on its embeddings."""
