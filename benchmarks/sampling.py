"""Training on batches beside training on the whole graph: accuracy in pairs, and CPU seconds.

    python benchmarks/sampling.py                       # PubMed, 10 splits
    python benchmarks/sampling.py --splits 3 --clusters # also cluster-style batches
    python benchmarks/sampling.py --json out.json       # the same for machines

InfoMotif over GCN (joint, width 64, Q = 5, diagonal gates), 40 % of the labels train. Whole: 100 epochs of one step.
Sampled: 15 epochs of batches of 1024 nodes, 10 neighbours a hop, which takes about as long. Clusters: the same batches
made of neighbouring nodes (chunks of 64 in reverse Cuthill-McKee order), with the edges among the batch only.
Every model keeps its best validation epoch; all are judged by exact inference.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import torch

import infomotif as im
from infomotif._core.statistics import paired_difference, spread
from infomotif.nn.propagation.blocks import Blocks
from infomotif.training import random_split
from infomotif.training.batches import Batches
from infomotif.training.config import estimator_options
from infomotif.training.views import SampledView

RATIO, CHUNK = 0.4, 64
MODEL = {"hidden": 64, "q": 5, "gate": "diagonal"}
WAYS = {
    "whole": {"sampling": "none", "epochs": 100},
    "sampled": {"sampling": "neighbours", "epochs": 15, "batch_size": 1024, "fanout": 10},
    "clusters": {"sampling": "neighbours", "epochs": 15, "batch_size": 1024, "fanout": 10},
}


class Induced:
    """A batch's nodes and the edges among them, in the place of sampled neighbours."""

    def __init__(self, graph: im.Graph, hops: int) -> None:
        csr = graph.undirected
        ones = np.ones(len(csr.indices), dtype=np.float32)
        self.matrix = sp.csr_array((ones, csr.indices, csr.indptr), shape=(graph.num_nodes,) * 2)
        self.degrees, self.hops = np.diff(csr.indptr), hops

    def sample(self, targets: np.ndarray, seed: int) -> Blocks:
        inside = sp.csr_array(self.matrix[targets][:, targets])
        sizes = np.full(self.hops + 1, len(targets))
        return Blocks(targets, sizes, inside.indptr, inside.indices, self.degrees[targets])


def use_clusters(graph: im.Graph, train: np.ndarray):
    """Let trainings draw their batches cluster by cluster; return what undoes it."""
    matrix = Induced(graph, 1).matrix
    order = np.asarray(sp.csgraph.reverse_cuthill_mckee(sp.csr_matrix(matrix), symmetric_mode=True))
    rank = np.empty(len(order), dtype=np.int64)
    rank[order] = np.arange(len(order))
    by_rank = {graph.num_nodes: order.astype(np.int64), len(train): np.argsort(rank[train])}
    dealt, init = Batches._split, SampledView.__init__

    def clustered(self, count, generator):
        chunks = np.array_split(by_rank[count], max(1, count // CHUNK))
        nodes = np.concatenate([chunks[i] for i in generator.permutation(len(chunks))])
        return list(torch.from_numpy(nodes).split(self._size))

    def induced(self, *args, **options):
        init(self, *args, **options)
        self.sampler = Induced(self.graph, self.hops)

    Batches._split, SampledView.__init__ = clustered, induced

    def undo():
        Batches._split, SampledView.__init__ = dealt, init

    return undo


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataset", default="pubmed")
    parser.add_argument("--splits", type=int, default=10)
    parser.add_argument("--clusters", action="store_true", help="also cluster-style batches")
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    graph = im.load_dataset(options.dataset)
    ways = ["whole", "sampled", *(["clusters"] if options.clusters else [])]
    scores: dict[str, list[float]] = {way: [] for way in ways}
    seconds: dict[str, list[float]] = {way: [] for way in ways}
    sizes = None
    for number in range(options.splits):
        split = random_split(graph.y, RATIO, seed=number)
        sizes = (len(split.train), len(split.test))
        for way in ways:
            undo = use_clusters(graph, split.train) if way == "clusters" else lambda: None
            before = time.process_time()
            try:
                model = im.InfoMotif(
                    **estimator_options("gcn", {**MODEL, **WAYS[way]}),
                    preset="joint",
                    random_state=number,
                    threads=1,
                    progress=False,
                )
                model.fit(graph, split.train, split.val)
            finally:
                undo()
            seconds[way].append(time.process_time() - before)
            scores[way].append(model.score())
        print(f"split {number + 1}: " + ", ".join(f"{w} {100 * scores[w][-1]:.2f} %" for w in ways), flush=True)
    print(f"\n{graph.name}, {RATIO:.0%} of the labels train, test accuracy in percent")
    for way in ways:
        difference = "" if way == "whole" else str(paired_difference(scores[way], scores["whole"], sizes=sizes))
        print(f"{way:10} {spread(scores[way])!s:28} {np.mean(seconds[way]):7.1f} CPU s a training   {difference}")
    if options.json:
        options.json.write_text(json.dumps({"accuracy": scores, "cpu_seconds": seconds}, indent=1))


if __name__ == "__main__":
    main()
