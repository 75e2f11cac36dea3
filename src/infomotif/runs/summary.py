"""The summary of a run: both accuracies with spread, their paired difference, and everything that produced them."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import UTC, datetime
from typing import Any

import infomotif
from infomotif._core.statistics import paired_difference, spread
from infomotif._core.versions import installed
from infomotif.graph import Graph
from infomotif.runs.plan import BASE, OURS, RunPlan
from infomotif.search.choice import Choice
from infomotif.typing import Record


def summarise(plan: RunPlan, graph: Graph, outcomes: list[Record], choices: Sequence[Choice | None] = ()) -> Record:
    """Return the result of a run.

    Args:
        plan: What was trained.
        graph: The graph.
        outcomes: The outcome of every training.
        choices: What ``preset="auto"`` chose on each split; the model that is kept is of the first.
    """
    by_kind = {
        kind: sorted((r for r in outcomes if r["model"] == kind), key=lambda r: r["split"]) for kind in (BASE, OURS)
    }
    choice = _first_choice(plan, choices)
    base_splits = sum(each.base_better for each in choices if each is not None)
    return {
        "format": "infomotif-result",
        "version": 1,
        "created": datetime.now(UTC).isoformat(timespec="seconds"),
        "graph": {
            "name": graph.name,
            "nodes": graph.num_nodes,
            "edges": graph.num_edges,
            "fingerprint": graph.fingerprint(),
            "notes": dict(graph.notes),
        },
        "plan": asdict(plan),
        "settings": plan.model(OURS, 0, choice=choice).settings().to_dict(),
        "choice": None if choice is None else choice.to_dict() | {"base_splits": base_splits},
        "outcome": _compared(by_kind),
        "trainings": by_kind[BASE] + by_kind[OURS],
        "environment": _environment(),
    }


def _compared(by_kind: dict[str, list[Record]]) -> Record:
    """Return the spread of both models' accuracies and their paired difference, as far as there are any."""
    every = [record for records in by_kind.values() for record in records]
    measure = "test_accuracy" if all(record["test_accuracy"] is not None for record in every) else "val_accuracy"
    values = {kind: [record[measure] for record in records] for kind, records in by_kind.items()}
    compared: Record = {"measure": measure}
    if any(value is None for kind in values for value in values[kind]):
        return compared
    for kind in (BASE, OURS):
        compared[kind] = asdict(spread(values[kind]))
    train, _, test = by_kind[OURS][0]["nodes"]
    sizes = (train, test) if measure == "test_accuracy" and test else None
    difference = paired_difference(values[OURS], values[BASE], sizes=sizes)
    compared["difference"] = asdict(difference) | {"verdict": difference.verdict()}
    return compared


def _first_choice(plan: RunPlan, choices: Sequence[Choice | None]) -> Choice | None:
    """Return the first split's choice, with a note on what the others chose."""
    choice = choices[0] if choices else None
    if choice is None or plan.splits == 1:
        return choice
    known = [each for each in choices if each is not None]
    counts = Counter(each.name for each in known)
    listed = ", ".join(f"'{name}' in {count}" for name, count in counts.most_common())
    note = f"this is the first split's choice; every split chose by its own labels: {listed} of {len(known)}"
    return replace(choice, notes=(*choice.notes, note))


def _environment() -> dict[str, Any]:
    return {
        "infomotif": infomotif.__version__,
        "python": platform.python_version(),
        "machine": platform.machine(),
        "cores": os.cpu_count(),
        **installed(),
    }
