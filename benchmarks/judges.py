"""What embeddings are worth to other judges: how much of a difference to published figures the classifier explains.

    INFOMOTIF_DATA=... python benchmarks/judges.py
    python benchmarks/judges.py --datasets brazil --methods graphwave,drne --splits 10 --json judges.json

The bench scales columns and lets validation nodes choose the strength of a logistic regression among six. Papers seldom
say what they did; here the same embeddings, made with default settings, also meet a regression with scikit-learn's own
strength, on columns as they are and on rows of length 1. Mean test accuracy in percent.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table
from sklearn.linear_model import LogisticRegression
from sklearn.preprocessing import normalize

from infomotif_bench.experiments.graphs import bench_graph, split_of
from infomotif_bench.methods import get_method
from infomotif_bench.methods.embeddings.logistic import predict_by_logistic

METHODS = "node2vec,motif2vec,struc2vec,graphwave,drne"
JUDGES = ("bench", "unscaled", "unit rows")
RATIOS = (0.2, 0.6)


def judged(dataset: str, method: str, number: int) -> dict[tuple[str, float], float]:
    """Return the test accuracy of one embedding by judge and training ratio."""
    graph, embedder = bench_graph(dataset), get_method(method)
    embedding = embedder.embed(graph.replace(y=None, class_names=()), embedder.defaults(), number)
    found = {}
    for ratio in RATIOS:
        split = split_of(dataset, ratio, number)
        truth = graph.y[split.test]

        def plain(rows: Any, split: Any = split, y: Any = graph.y) -> Any:
            return LogisticRegression(max_iter=2000).fit(rows[split.train], y[split.train]).predict(rows[split.test])

        answers = (predict_by_logistic(embedding, graph, split).labels[split.test], plain(embedding),
                   plain(normalize(embedding)))  # fmt: skip
        for judge, labels in zip(JUDGES, answers, strict=True):
            found[judge, ratio] = 100 * float((labels == truth).mean())
    return found


def main() -> None:
    """Judge every method on every graph and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", default="usa,europe,brazil")
    parser.add_argument("--methods", default=METHODS)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    table = Table(title=f"Test accuracy in %, mean of {options.splits} splits", title_justify="left")
    table.add_column("graph", no_wrap=True)
    table.add_column("embedding", no_wrap=True)
    places = [(judge, ratio) for ratio in RATIOS for judge in JUDGES]
    for judge, ratio in places:
        table.add_column(f"{judge}\n{100 * ratio:.0f} %", justify="right")
    rows = []
    todo = [(dataset, method) for dataset in options.datasets.split(",") for method in options.methods.split(",")]
    for dataset, method in track(todo, console=Console(stderr=True)):
        runs = [judged(dataset, method, number) for number in range(options.splits)]
        means = {place: float(np.mean([run[place] for run in runs])) for place in places}
        table.add_row(dataset, method, *(f"{means[place]:.1f}" for place in places))
        accuracy = {f"{judge}, {ratio:g}": value for (judge, ratio), value in means.items()}
        rows.append({"dataset": dataset, "method": method, "splits": options.splits, "accuracy": accuracy})
    Console().print(table)
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
