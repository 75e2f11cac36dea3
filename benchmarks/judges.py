"""Embeddings with other classifiers: how much of a difference to published figures the classifier explains.

    INFOMOTIF_DATA=... python benchmarks/judges.py
    python benchmarks/judges.py --datasets brazil --methods graphwave,drne --splits 10 --json judges.json

The bench scales columns and lets validation nodes choose the strength of a logistic regression among six. Papers seldom
say what they did; here the same embeddings, made with default settings, are also evaluated by a regression with
scikit-learn's default strength, on unscaled columns and on rows of length 1. Mean test accuracy in percent.
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
CLASSIFIERS = ("bench", "unscaled", "unit rows")
RATIOS = (0.2, 0.6)


def accuracies(dataset: str, method: str, number: int) -> dict[tuple[str, float], float]:
    """Return the test accuracy of one embedding by classifier and training ratio."""
    graph, embedder = bench_graph(dataset), get_method(method)
    embedding = embedder.embed(graph.replace(y=None, class_names=()), embedder.defaults(), number)
    measured = {}
    for ratio in RATIOS:
        split = split_of(dataset, ratio, number)
        truth = graph.y[split.test]

        def plain(rows: Any, split: Any = split, y: Any = graph.y) -> Any:
            return LogisticRegression(max_iter=2000).fit(rows[split.train], y[split.train]).predict(rows[split.test])

        answers = (predict_by_logistic(embedding, graph, split).labels[split.test], plain(embedding),
                   plain(normalize(embedding)))  # fmt: skip
        for classifier, labels in zip(CLASSIFIERS, answers, strict=True):
            measured[classifier, ratio] = 100 * float((labels == truth).mean())
    return measured


def main() -> None:
    """Evaluate every method on every graph and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--datasets", default="usa,europe,brazil")
    parser.add_argument("--methods", default=METHODS)
    parser.add_argument("--splits", type=int, default=3)
    parser.add_argument("--json", type=Path)
    options = parser.parse_args()
    table = Table(title=f"Test accuracy in %, mean of {options.splits} splits", title_justify="left")
    table.add_column("graph", no_wrap=True)
    table.add_column("embedding", no_wrap=True)
    columns = [(classifier, ratio) for ratio in RATIOS for classifier in CLASSIFIERS]
    for classifier, ratio in columns:
        table.add_column(f"{classifier}\n{100 * ratio:.0f} %", justify="right")
    rows = []
    todo = [(dataset, method) for dataset in options.datasets.split(",") for method in options.methods.split(",")]
    for dataset, method in track(todo, console=Console(stderr=True)):
        runs = [accuracies(dataset, method, number) for number in range(options.splits)]
        means = {column: float(np.mean([run[column] for run in runs])) for column in columns}
        table.add_row(dataset, method, *(f"{means[column]:.1f}" for column in columns))
        accuracy = {f"{classifier}, {ratio:g}": value for (classifier, ratio), value in means.items()}
        rows.append({"dataset": dataset, "method": method, "splits": options.splits, "accuracy": accuracy})
    Console().print(table)
    if options.json is not None:
        options.json.write_text(json.dumps(rows, indent=1))


if __name__ == "__main__":
    main()
