"""Everything the page shows, as plain values."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from infomotif.errors import InputError
from infomotif.explain.faithfulness import faithfulness
from infomotif.explain.instances import score_instances
from infomotif.explain.overview import explain_graph
from infomotif.explain.subject import Subject
from infomotif.explain.twins import motif_level
from infomotif.motifs import significance
from infomotif.runs.opened import OpenRun
from infomotif.runs.report.checks import MEASURES, checked_metrics, checked_result
from infomotif.runs.report.nodes import node_data, role_names
from infomotif.runs.report.quality import by_class, by_quartile, calibration, confusion
from infomotif.typing import Record

_FAITHFUL_NODES = 40
_FAITHFUL_STEPS = (1, 2, 3, 5)
_CURVE_SPLITS = 10


def report_content(run: OpenRun, result: Record, *, seed: int = 0) -> dict[str, Any]:
    """Return what the page shows of a run; the numbers follow from the run's files and ``seed`` alone.

    Raises:
        InputError: If a file of the run is damaged.
    """
    shown, curves = checked_result(run, result), _curves(checked_metrics(run))
    subject = run.subject()
    scored = score_instances(subject)
    space = motif_level(subject, scored)
    overview = explain_graph(subject, space=space, seed=seed)
    return {
        "graph": _graph(run),
        "run": shown,
        "classes": list(subject.class_names),
        "hops": subject.hops,
        "curves": curves,
        "quality": _quality(run, subject),
        "motifs": _motifs(subject, seed),
        "roles_of": role_names(scored),
        "weights": overview.to_dict() | {"roles": None},
        "roles": overview.to_dict()["roles"],
        "faithfulness": _faithfulness(run, subject, seed),
        "nodes": node_data(subject, run.split, scored, space, overview.roles, seed),
    }


def _graph(run: OpenRun) -> dict[str, Any]:
    graph = run.graph
    return {
        "name": graph.name,
        "nodes": graph.num_nodes,
        "edges": graph.num_edges,
        "directed": graph.directed,
        "attributes": graph.num_attributes,
        "fingerprint": graph.fingerprint(),
        "notes": dict(graph.notes),
        "split": [len(run.split.train), len(run.split.val), len(run.split.test)],
    }


def _curves(metrics: list[Record]) -> list[dict[str, Any]]:
    """Return the columns of each training's epochs, for the first splits."""
    found: dict[tuple[int, str], dict[str, Any]] = {}
    for record in metrics:
        key = (record["split"], record["model"])
        if key[0] >= _CURVE_SPLITS:
            continue
        curve = found.setdefault(key, {"split": key[0], "model": key[1], **{name: [] for name in MEASURES}})
        for name in MEASURES:
            curve[name].append(_number(record.get(name)))
    return list(found.values())


def _quality(run: OpenRun, subject: Subject) -> dict[str, Any] | None:
    """Return how good the first split's models are on its test nodes, or on validation nodes if none test."""
    y, split = run.graph.y, run.split
    nodes, part = (split.test, "test") if len(split.test) else (split.val, "validation")
    if y is None or not len(nodes):
        return None
    probability = {"infomotif": subject.probability} | ({} if subject.base is None else {"base": subject.base})
    right = {name: p.argmax(axis=1) == y for name, p in probability.items()}
    classes = len(subject.class_names)
    found: dict[str, Any] = {
        "part": part,
        "nodes": len(nodes),
        "accuracy": {name: float(hits[nodes].mean()) for name, hits in right.items()},
        "confusion": {n: confusion(y[nodes], p.argmax(axis=1)[nodes], classes) for n, p in probability.items()},
        "calibration": {name: calibration(p[nodes], y[nodes]) for name, p in probability.items()},
        "classes": by_class(y, nodes, subject.class_names, right),
        "quartiles": by_quartile(run.graph, split.train, nodes, right),
    }
    if "base" in right:
        found["fixed"] = int((right["infomotif"] & ~right["base"])[nodes].sum())
        found["broken"] = int((~right["infomotif"] & right["base"])[nodes].sum())
    return found


def _motifs(subject: Subject, seed: int) -> list[dict[str, Any]]:
    index = subject.index
    if index is None:
        return []
    samples = 20 if subject.graph.num_edges <= 200_000 else 5
    chance = significance(subject.graph, index.motifs, samples=samples, random_state=seed, show_progress=False)
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
            "mean": _number(chance.mean[t]),
            "std": _number(chance.std[t]),
            "z": _number(chance.z[t]),
            "samples": samples,
        }
        for t, motif in enumerate(index.motifs)
    ]


def _faithfulness(run: OpenRun, subject: Subject, seed: int) -> dict[str, Any] | None:
    if not subject.heads:
        return None
    pool = run.split.test if len(run.split.test) else np.arange(run.graph.num_nodes)
    # Each node costs a pass over all that reaches it, so large graphs are measured on fewer.
    count = int(np.clip(_FAITHFUL_NODES * 5000 / max(1, run.graph.num_nodes), 8, _FAITHFUL_NODES))
    nodes = np.sort(np.random.default_rng(seed).permutation(pool)[:count])
    try:
        return faithfulness(subject, nodes, steps=_FAITHFUL_STEPS, repeats=2, seed=seed).to_dict()
    except InputError:
        return None


def _number(value: Any) -> float | None:
    if value is None or not math.isfinite(value):
        return None
    return float(f"{float(value):.5g}")
