"""motif2vec: motif aware node representation learning (Dareddy, Das and Yang, 2019)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from infomotif._core.validate import Config, config, setting
from infomotif.graph import Graph
from infomotif.graph.csr import CSR
from infomotif.motifs import MotifIndex
from infomotif.typing import Array
from infomotif_bench.methods.base import PROXIMITY, Options
from infomotif_bench.methods.embeddings.node2vec import Node2VecSettings
from infomotif_bench.methods.embeddings.walks import WalkMethod, biased_walks, shuffled_starts

WEIGHTS = ("counts", "log", "binary")
"""The weight of an edge of a motif graph: the number of instances that its ends share, log(1 + that), or 1."""


@config
class Motif2VecSettings(Node2VecSettings):
    """The settings of walks over motif graphs."""

    weights: str = setting(default="counts", choices=WEIGHTS, help="The weights of the edges of motif graphs.")


@dataclass(frozen=True, kw_only=True)
class Motif2Vec(WalkMethod):
    """A simplified motif2vec: skip-gram over biased walks through the graph and its motif graphs.

    Follows the paper: each motif turns the graph into a motif graph, in which two nodes are joined that share an
    instance; node2vec's biased walks run over the graph itself (so that no node is left out) and over the motif
    graphs; skip-gram reads all walks together. The weights are the counts of shared instances, as in the higher-order
    networks of Rossi et al. (2018).

    Departs: the paper's networks have several kinds of nodes and choose motifs and negatives by kind, of which there
    is one here, so skip-gram is the plain one and the motifs are the default set (M1 to M5 with directions, M6 and M7
    without). A node's ``walks`` are dealt in turn to the graphs in which it has neighbours, so that the corpus is
    as large as node2vec's and not T + 1 times that; with fewer ``walks`` than graphs the last of them go unwalked.
    """

    options: ClassVar[type[Config]] = Motif2VecSettings
    group: str = PROXIMITY

    def walk(self, graph: Graph, settings: Options, generator: np.random.Generator) -> Array:
        """Deal the rounds of every node to the graphs, and walk in each graph."""
        graphs = [graph.undirected, *motif_graphs(graph, settings["weights"])]
        starts = shuffled_starts(graph.num_nodes, settings["walks"], generator)
        rounds = np.repeat(np.arange(settings["walks"]), graph.num_nodes)
        chosen = dealt(np.stack([np.diff(rows.indptr) > 0 for rows in graphs]), rounds, starts)
        walks = np.empty((len(starts), settings["length"]), np.int32)
        for number, rows in enumerate(graphs):
            mine = np.flatnonzero(chosen == number)
            p, q, length = settings["p"], settings["q"], settings["length"]
            walks[mine] = biased_walks(rows, starts[mine], length, p=p, q=q, generator=generator)
        return walks


def motif_graphs(graph: Graph, weights: str) -> list[CSR]:
    """Return one graph per motif that has instances; its edges join nodes that share some.

    Example:
        >>> star = Graph.from_edges([0, 0, 0], [1, 2, 3], num_nodes=4, directed=False)
        >>> [rows.weights.tolist() for rows in motif_graphs(star, "counts")]
        [[2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 2.0, 1.0, 1.0, 2.0, 1.0, 1.0]]
    """
    index, graphs = MotifIndex(graph), []
    for motif, total in zip(index.motifs, index.totals.tolist(), strict=True):
        if total:
            shared = index.adjacency(motif)
            counts = shared.data.astype(np.float64)
            scaled = {"counts": counts, "log": np.log1p(counts), "binary": None}[weights]
            graphs.append(CSR(shared.indptr, shared.indices, scaled))
    return graphs


def dealt(joined: Array, rounds: Array, starts: Array) -> Array:
    """Return the graph of each walk: round r of a node takes graph r, modulo those in which it has neighbours.

    Args:
        joined: Whether a node has neighbours in a graph, [graphs, n]; a node without any takes the first graph.
        rounds: The round of each walk.
        starts: The node of each walk.

    Example:
        >>> joined = np.array([[True, True], [False, False], [True, False]])
        >>> dealt(joined, np.array([0, 0, 1, 1, 2, 2]), np.array([0, 1, 0, 1, 0, 1])).tolist()
        [0, 0, 2, 0, 0, 0]
    """
    order = np.argsort(~joined, axis=0, kind="stable")
    choices = np.maximum(joined.sum(axis=0), 1)
    return np.asarray(order[rounds % choices[starts], starts])


MOTIF2VEC = Motif2Vec(
    name="motif2vec",
    title="Motif2Vec (simplified)",
    search={"weights": WEIGHTS, "p": (1.0, 4.0), "q": (1.0, 0.25)},
)
"""motif2vec and logistic regression on its embeddings."""
