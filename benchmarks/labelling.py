"""What to label next, and sets with a stated coverage: both measured against chance.

    INFOMOTIF_DATA=... python benchmarks/labelling.py
    python benchmarks/labelling.py --graphs usa --seeds 3 --json curves.json
    python benchmarks/labelling.py --only sets

Half of the nodes test, and no one sees their labels. Of the other half 30 random nodes validate throughout, 3 per class
on average are labelled at random, and then 20 more in each of five rounds: at random, by the largest uncertainty
(margin of the two most likely classes), or as ``InfoMotif.suggest`` says. The choice of the method was made on Citeseer
and Europe, not on the graphs that are measured by default. Sets are calibrated on validation nodes of random splits
(20 % train, 20 % validate) and checked on test nodes.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from rich.table import Table

import infomotif as im
from infomotif._core.statistics import paired_difference
from infomotif.training import random_split

ROUNDS, BATCH, VALIDATE, PER_CLASS = 5, 20, 30, 3
WAYS = ("random", "uncertain", "suggest")
COVERAGES = (0.8, 0.9, 0.95)


def model_of(graph: im.Graph, seed: int) -> im.InfoMotif:
    """Return a cheap model: APPNP with attributes, a GCN on centralities without."""
    encoder: Any = im.APPNP(hidden=32) if graph.x is not None else im.GCN(hidden=32)
    inputs = im.Inputs() if graph.x is not None else im.Inputs(features="centralities+quantiles")
    training = im.Training(epochs=60)
    return im.InfoMotif(
        encoder, preset="base", inputs=inputs, training=training, random_state=seed, threads=1, progress=False
    )


def chosen(way: str, model: im.InfoMotif, pool: np.ndarray, labelled: np.ndarray, rng: np.random.Generator) -> Any:
    """Return the next nodes to label."""
    if way == "random":
        return rng.choice(pool, BATCH, replace=False)
    if way == "uncertain":
        top = np.sort(model.predict_proba()[pool], axis=1)
        return pool[np.argsort(top[:, -1] - top[:, -2], kind="stable")[:BATCH]]
    suggestions = im.explain.suggest_nodes(
        model.graph_, model.predict_proba(), BATCH, labelled=labelled, embedding=model.embed(), candidates=pool
    )
    return np.array([suggestion.node for suggestion in suggestions])


def curves(graph: im.Graph, seed: int) -> dict[str, list[float]]:
    """Return the test accuracy after each round, by way of choosing."""
    order = np.random.default_rng(seed).permutation(graph.num_nodes)
    half = graph.num_nodes // 2
    val, test = np.sort(order[:VALIDATE]), np.sort(order[half:])
    start = order[VALIDATE : VALIDATE + PER_CLASS * graph.num_classes]
    first = model_of(graph, seed).fit(graph, np.sort(start), val)
    out = {}
    for way in WAYS:
        rng, train, model = np.random.default_rng(1000 + seed), start, first
        accuracy = [model.score(test)]
        for _ in range(ROUNDS):
            pool = np.setdiff1d(order[VALIDATE:half], train)
            train = np.concatenate([train, chosen(way, model, pool, np.concatenate([train, val]), rng)])
            model = model_of(graph, seed).fit(graph, np.sort(train), val)
            accuracy.append(model.score(test))
        out[way] = accuracy
    return out


def sets(graph: im.Graph, seed: int) -> dict[float, tuple[float, float]]:
    """Return how many test nodes have their label in their set, and how large sets are, by coverage."""
    split = random_split(graph.y, 0.2, val=0.2, seed=seed)
    model = model_of(graph, seed).fit(graph, split.train, split.val)
    measured = {}
    for coverage in COVERAGES:
        inside = model.predict_sets(coverage=coverage)[split.test]
        held = inside[np.arange(len(split.test)), graph.y[split.test]]
        measured[coverage] = float(held.mean()), float(inside.sum(axis=1).mean())
    return measured


def show_curves(console: Console, name: str, graph: im.Graph, found: list[dict[str, list[float]]]) -> None:
    """Print mean accuracies by number of labels, and what suggestions gain over random choice."""
    labels = [PER_CLASS * graph.num_classes + BATCH * k for k in range(ROUNDS + 1)]
    table = Table(title=f"{name}: test accuracy, % by labels ({len(found)} seeds)", title_justify="left")
    table.add_column("choice")
    for count in labels:
        table.add_column(str(count), justify="right")
    means = {way: np.mean([one[way] for one in found], axis=0) for way in WAYS}
    for way in WAYS:
        table.add_row(way, *(f"{100 * value:.1f}" for value in means[way]))
    table.add_section()
    for way in WAYS[1:]:
        gains = [
            paired_difference(*([one[w][k] for one in found] for w in (way, "random"))) for k in range(len(labels))
        ]
        table.add_row(f"{way} - random", *(str(gain).removesuffix(" points") for gain in gains))
    console.print(table)
    area = paired_difference(*([float(np.mean(one[w][1:])) for one in found] for w in ("suggest", "random")))
    console.print(f"suggest against random, mean of all rounds: {area} ({area.verdict()})")


def show_sets(console: Console, name: str, found: list[dict[float, tuple[float, float]]]) -> None:
    """Print promised and measured coverage."""
    table = Table(title=f"{name}: sets ({len(found)} splits)", title_justify="left")
    for head in ("promised, %", "held, %", "lowest and highest split", "classes per set"):
        table.add_column(head, justify="right")
    for coverage in COVERAGES:
        held = [100 * one[coverage][0] for one in found]
        size = np.mean([one[coverage][1] for one in found])
        table.add_row(f"{100 * coverage:g}", f"{np.mean(held):.1f}", f"{min(held):.1f} {max(held):.1f}", f"{size:.2f}")
    console.print(table)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--graphs", default="cora,usa")
    parser.add_argument("--seeds", type=int, default=10)
    parser.add_argument("--only", choices=("curves", "sets"))
    parser.add_argument("--json", type=Path, metavar="FILE")
    arguments = parser.parse_args()
    console, kept = Console(width=110), {}
    for name in arguments.graphs.split(","):
        graph = im.load_dataset(name)
        if arguments.only != "sets":
            found = []
            for seed in range(arguments.seeds):
                found.append(curves(graph, seed))
                console.print(f"{name}, seed {seed}: {found[-1]}", style="dim")
            kept[name] = found
            show_curves(console, name, graph, found)
        if arguments.only != "curves":
            show_sets(console, name, [sets(graph, seed) for seed in range(arguments.seeds)])
    if arguments.json is not None:
        arguments.json.write_text(json.dumps(kept, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
