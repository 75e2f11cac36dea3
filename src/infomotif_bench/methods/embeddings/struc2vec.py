"""struc2vec: learning node representations from structural identity (Ribeiro, Saverese and Figueiredo, KDD 2017)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from infomotif._core.parallel import parallel_ranges
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.typing import Array
from infomotif_bench.methods.base import STRUCTURAL, Options
from infomotif_bench.methods.checks import check_number, check_whole
from infomotif_bench.methods.embeddings.struc2vec_layers import (
    all_pairs,
    build_layers,
    pairs_of_similar_degree,
    structural_distances,
)
from infomotif_bench.methods.embeddings.walks import WalkMethod, cumulated_weights, shuffled_starts
from infomotif_bench.methods.kernels.walks import layer_walks


@dataclass(frozen=True, kw_only=True)
class Struc2Vec(WalkMethod):
    """Skip-gram over walks between nodes whose surroundings have similar degrees, however far apart they are.

    Follows the paper: f_k(u, v) adds up the dynamic time warping distances of the ordered degree sequences of the
    rings 0 to k around u and v, with cost max / min - 1; layer k joins nodes with weight exp(-f_k), and the same node
    in neighbouring layers; a walk stays in its layer with probability 0.3; skip-gram uses hierarchical softmax. The
    three optimisations are ``compress`` (degrees with counts), ``similar_degree`` (each node is compared with
    2 log2 n nodes) and ``layers`` (None for all).

    Departs: warping is exact for sequences of up to 64 entries, which compressed ones rarely exceed, and FastDTW
    beyond; nodes of equal degree are ordered by their neighbours' degrees before the nearest are picked; degree 0, of
    which the paper says nothing, counts as 1/2.
    """

    group: str = STRUCTURAL

    def defaults(self) -> dict[str, Any]:
        """Return the settings."""
        own = {"negatives": 0, "stay": 0.3, "compress": True, "similar_degree": True, "layers": 5}
        return {**super().defaults(), **own}

    def check(self, settings: Options) -> None:
        """Refuse a probability outside 0 to 1, switches that are no booleans, and layers that are no whole number."""
        super().check(settings)
        # A walk changes layers 1 / stay times between two steps.
        check_number(settings, "stay", least=0.001, most=1)
        for key in ("compress", "similar_degree"):
            if not isinstance(settings.get(key, True), bool):
                raise InputError(f"{key} must be true or false (got {settings[key]!r})")
        if settings.get("layers") is not None:
            check_whole(settings, "layers", 0)

    def walk(self, graph: Graph, settings: Options, generator: np.random.Generator) -> Array:
        """Compare nodes, build the layers, and walk from every node in turn."""
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
