"""Everything the page shows, as plain values."""

from __future__ import annotations

import math
from typing import Any, TypedDict

import numpy as np

from infomotif.errors import InputError
from infomotif.explain.faithfulness import faithfulness
from infomotif.explain.overview import explain_graph
from infomotif.explain.roles import motif_level
from infomotif.explain.subject import Subject
from infomotif.explain.top_instances import score_instances
from infomotif.graph import Graph
from infomotif.graph.targets import target_types, unlabelled_types
from infomotif.motifs import MotifIndex, significance
from infomotif.runs.opened import OpenRun
from infomotif.runs.plan import BASE, OURS
from infomotif.runs.report.node_views import MAX_NODES, NodeViews, node_views, position_names
from infomotif.runs.report.parts import PageParts
from infomotif.runs.report.quality import (
    Calibration,
    ClassAccuracy,
    QuartileTable,
    by_class,
    by_quartile,
    calibration,
    confusion,
)
from infomotif.runs.result import EpochMetrics, RunResult

FAITHFUL_NODES = 40
"""On how many nodes faithfulness is measured at most."""
CURVE_SPLITS = 10
"""Of how many splits the page draws curves at most."""
_FAITHFUL_STEPS = (1, 2, 3, 5)


class GraphFacts(TypedDict):
    """What the head of the page says of the graph; ``split`` counts training, validation and test nodes.

    Each of ``node_types`` has a name, how many nodes it has, and how many attributes belong to it alone.
    """

    name: str
    title: str
    nodes: int
    edges: int
    directed: bool
    attributes: int
    node_types: list[tuple[str, int, int]]
    labelled_types: list[str]
    unlabelled_types: list[str]
    fingerprint: str
    notes: dict[str, Any]
    split: list[int]


class TrainingCurve(TypedDict):
    """The epochs of one training; None where an epoch did not measure it."""

    split: int
    model: str
    loss: list[float | None]
    mi_loss: list[float | None]
    val_accuracy: list[float | None]


class Quality(TypedDict, total=False):
    """How good the first split's models are, by model; ``fixed`` and ``broken`` compare InfoMotif with the base."""

    part: str
    nodes: int
    accuracy: dict[str, float]
    confusion: dict[str, list[list[int]]]
    calibration: dict[str, Calibration]
    classes: list[ClassAccuracy]
    quartiles: list[QuartileTable]
    fixed: int
    broken: int


class MotifRow(TypedDict):
    """A motif, how often it occurs, and how often it would by chance; None where chance gives no number."""

    name: str
    title: str
    pattern: str
    directed: bool
    codes: list[list[int]]
    svg: str
    total: int
    coverage: float
    mean: float | None
    std: float | None
    z: float | None
    samples: int


class PageContent(TypedDict):
    """What the script of the page reads."""

    graph: GraphFacts
    run: dict[str, Any]
    classes: list[str]
    hops: int
    curves: list[TrainingCurve]
    quality: Quality | None
    motifs: list[MotifRow]
    positions: list[list[str]]
    weights: dict[str, Any]
    roles: list[dict[str, Any]]
    faithfulness: dict[str, Any] | None
    nodes: NodeViews


def report_content(
    run: OpenRun,
    result: RunResult,
    *,
    index: MotifIndex | None = None,
    max_nodes: int = MAX_NODES,
    seed: int = 0,
) -> PageContent:
    """Return what the page shows of a run; the numbers follow from the run's files and ``seed`` alone.

    Args:
        run: The run.
        result: Its result.
        index: The graph's motifs if they were counted before.
        max_nodes: How many nodes to show at most.
        seed: Randomness of samples and layouts.

    Raises:
        InputError: If a file of the run is damaged.
    """
    _check_split(run, result)
    curves = _curves(run.metrics())
    subject = run.subject(index)
    scored = score_instances(subject)
    space = motif_level(subject, scored)
    overview = explain_graph(subject, space=space, seed=seed)
    weights = overview.to_dict()
    parts = PageParts(run)
    content: PageContent = {
        "graph": _graph(run),
        "run": {key: value for key, value in result.to_dict().items() if key not in ("format", "version", "graph")},
        "classes": list(subject.class_names),
        "hops": subject.hops,
        "curves": curves,
        "quality": _quality(run, subject),
        "motifs": _motifs(subject, parts, seed),
        "positions": position_names(scored),
        "weights": weights | {"roles": None},
        "roles": weights["roles"],
        "faithfulness": parts.value("faithfulness", lambda: _faithfulness(run, subject, seed), seed=seed),
        "nodes": node_views(subject, run.split, space, overview.roles, parts, max_nodes=max_nodes, seed=seed),
    }
    parts.keep()
    return content


def _check_split(run: OpenRun, result: RunResult) -> None:
    """Refuse predictions that do not hold the split that was trained on."""
    sizes = (len(run.split.train), len(run.split.val), len(run.split.test))
    if sizes != result.trainings[0].nodes:
        raise InputError(
            f"{run.folder / 'predictions.csv'}: holds {list(sizes)} training, validation and test nodes, but the run "
            f"had {list(result.trainings[0].nodes)}; restore it or train again"
        )


def _graph(run: OpenRun) -> GraphFacts:
    graph = run.graph
    label = None if graph.schema is None else graph.schema.label
    return {
        "name": graph.name,
        # Files are often called edges.csv; what was predicted says more.
        "title": graph.name if label in (None, "label") else f"{label} ({graph.name})",
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "directed": graph.directed,
        "attributes": graph.num_attributes,
        "node_types": _node_types(graph),
        "labelled_types": list(target_types(graph)),
        "unlabelled_types": list(unlabelled_types(graph)),
        "fingerprint": graph.fingerprint(),
        "notes": dict(graph.notes),
        "split": [len(run.split.train), len(run.split.val), len(run.split.test)],
    }


def _node_types(graph: Graph) -> list[tuple[str, int, int]]:
    if graph.node_types is None:
        return []
    count = len(graph.node_type_names)
    nodes = np.bincount(graph.node_types, minlength=count).tolist()
    owners = np.empty(0, np.int64) if graph.attribute_types is None else graph.attribute_types
    owned = np.bincount(owners[owners >= 0], minlength=count).tolist()
    return list(zip(graph.node_type_names, nodes, owned, strict=True))


def _curves(metrics: list[EpochMetrics]) -> list[TrainingCurve]:
    """Return the curves of the first splits."""
    curves: dict[tuple[int, str], TrainingCurve] = {}
    for epoch in metrics:
        if epoch.split >= CURVE_SPLITS:
            continue
        key = (epoch.split, epoch.model)
        if key not in curves:
            curves[key] = {"split": epoch.split, "model": epoch.model, "loss": [], "mi_loss": [], "val_accuracy": []}
        curves[key]["loss"].append(_rounded(epoch.loss))
        curves[key]["mi_loss"].append(_rounded(epoch.mi_loss))
        curves[key]["val_accuracy"].append(_rounded(epoch.val_accuracy))
    return list(curves.values())


def _quality(run: OpenRun, subject: Subject) -> Quality | None:
    """Return how good the first split's models are on its test nodes, or on validation nodes if none test."""
    y, split = run.graph.y, run.split
    nodes, part = (split.test, "test") if len(split.test) else (split.val, "validation")
    if y is None or not len(nodes):
        return None
    probability = {OURS: subject.probability} | ({} if subject.base is None else {BASE: subject.base})
    right = {name: p.argmax(axis=1) == y for name, p in probability.items()}
    classes = len(subject.class_names)
    quality: Quality = {
        "part": part,
        "nodes": len(nodes),
        "accuracy": {name: float(hits[nodes].mean()) for name, hits in right.items()},
        "confusion": {n: confusion(y[nodes], p.argmax(axis=1)[nodes], classes) for n, p in probability.items()},
        "calibration": {name: calibration(p[nodes], y[nodes]) for name, p in probability.items()},
        "classes": by_class(y, nodes, subject.class_names, right),
        "quartiles": by_quartile(run.graph, split.train, nodes, right),
    }
    if BASE in right:
        quality["fixed"] = int((right[OURS] & ~right[BASE])[nodes].sum())
        quality["broken"] = int((~right[OURS] & right[BASE])[nodes].sum())
    return quality


def _motifs(subject: Subject, parts: PageParts, seed: int) -> list[MotifRow]:
    index = subject.index
    if index is None:
        return []
    samples = 20 if subject.graph.num_edges <= 200_000 else 5

    def by_chance() -> list[list[float | None]]:
        chance = significance(subject.graph, index.motifs, samples=samples, random_state=seed, show_progress=False)
        return [[_rounded(number) for number in row] for row in zip(chance.mean, chance.std, chance.z, strict=True)]

    chance = parts.value("significance", by_chance, samples=samples, seed=seed)
    return [
        {
            "name": motif.name,
            "title": motif.title,
            "pattern": motif.pattern,
            "directed": motif.directed,
            "codes": [list(row) for row in motif.codes],
            "svg": motif.svg,
            "total": int(index.totals[t]),
            "coverage": round(float(index.coverage[t]), 4),
            "mean": chance[t][0],
            "std": chance[t][1],
            "z": chance[t][2],
            "samples": samples,
        }
        for t, motif in enumerate(index.motifs)
    ]


def _faithfulness(run: OpenRun, subject: Subject, seed: int) -> dict[str, Any] | None:
    if not subject.heads:
        return None
    pool = run.split.test if len(run.split.test) else np.arange(run.graph.num_nodes)
    # Each node costs a pass over all that reaches it, so large graphs and deep encoders are measured on fewer.
    work = max(1, run.graph.num_nodes) * max(1.0, subject.hops / 2)
    count = int(np.clip(FAITHFUL_NODES * 5000 / work, 8, FAITHFUL_NODES))
    nodes = np.sort(np.random.default_rng(seed).permutation(pool)[:count])
    try:
        return faithfulness(subject, nodes, steps=_FAITHFUL_STEPS, repeats=2, seed=seed).to_dict()
    except InputError:
        return None


def _rounded(value: Any) -> float | None:
    """Return a number with five digits, as much as a page shows; None if there is none."""
    if value is None or not math.isfinite(value):
        return None
    return float(f"{float(value):.5g}")
