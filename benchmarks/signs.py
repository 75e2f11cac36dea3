"""A probe, not a method: do signed motifs at both ends of an edge tell its sign beyond signed degrees?

    python benchmarks/signs.py [--splits 5] [--datasets bitcoin-alpha,bitcoin-otc]

A fifth of the edges is hidden. Features of both ends come from the graph of the others: logarithms of signed degrees,
without and with the positions of the motif set ``signed``. Logistic regression is fitted on the edges that are left,
whose own sign is in the features of their ends, as it is not for hidden edges; both sets of features suffer alike.
Printed are the area under the ROC curve on hidden edges, mean and deviation over splits, and the paired difference
with a 95 % interval.
"""

from __future__ import annotations

import argparse

import numpy as np
from scipy import stats
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.preprocessing import StandardScaler

from infomotif import Graph, MotifIndex, load_dataset

HIDDEN = 0.2


def signed_degrees(graph: Graph) -> np.ndarray:
    """Return the logarithms of in- and out-degrees by sign [n, 4]."""
    source, target = graph.edges()
    counts = [
        np.bincount(ends[graph.edge_types == sign], minlength=graph.num_nodes)
        for ends in (source, target)
        for sign in range(2)
    ]
    return np.log1p(np.stack(counts, axis=1))


def areas(graph: Graph, seed: int) -> dict[str, float]:
    """Return the area under the ROC curve on hidden edges for each set of features."""
    source, target = graph.edges()
    negative = np.asarray(graph.edge_types) == graph.edge_type_names.index("-")
    hidden = np.random.default_rng(seed).random(len(source)) < HIDDEN
    known = Graph.from_edges(
        source[~hidden],
        target[~hidden],
        num_nodes=graph.num_nodes,
        directed=graph.directed,
        edge_types=graph.edge_types[~hidden],
        edge_type_names=graph.edge_type_names,
    )
    degrees = signed_degrees(known)
    motifs = np.log1p(MotifIndex(known, "signed").orbit_counts)
    found = {}
    for name, nodes in (("degrees", degrees), ("degrees and motifs", np.hstack([degrees, motifs]))):
        scaled = StandardScaler().fit_transform(nodes)
        edges = np.hstack([scaled[source], scaled[target]])
        model = LogisticRegression(C=0.1, max_iter=200, class_weight="balanced").fit(edges[~hidden], negative[~hidden])
        found[name] = float(roc_auc_score(negative[hidden], model.decision_function(edges[hidden])))
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--datasets", default="bitcoin-alpha,bitcoin-otc")
    options = parser.parse_args()
    for name in options.datasets.split(","):
        graph = load_dataset(name)
        runs = [areas(graph, seed) for seed in range(options.splits)]
        for features in runs[0]:
            values = np.array([run[features] for run in runs])
            print(f"{name:14} {features:20} AUC {100 * values.mean():.1f} ± {100 * values.std(ddof=1):.1f}")
        gain = np.array([run["degrees and motifs"] - run["degrees"] for run in runs])
        half = stats.t.ppf(0.975, len(gain) - 1) * gain.std(ddof=1) / np.sqrt(len(gain))
        print(f"{name:14} gain of motifs       {100 * gain.mean():+.1f} ± {100 * half:.1f} points")


if __name__ == "__main__":
    main()
