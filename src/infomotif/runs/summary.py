"""The summary of a run: both accuracies with spread, their paired difference, and everything that produced them."""

from __future__ import annotations

import os
import platform
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import infomotif
from infomotif._core.statistics import paired_difference, spread
from infomotif._core.versions import installed
from infomotif.graph import Graph
from infomotif.runs.plan import BASE, OURS, RunPlan
from infomotif.runs.result import Comparison, RunResult, TrainedGraph, TrainingOutcome
from infomotif.search.choice import Choice


def summarise(
    plan: RunPlan, graph: Graph, outcomes: Sequence[TrainingOutcome], choices: Sequence[Choice | None] = ()
) -> RunResult:
    """Return the result of a run.

    Args:
        plan: What was trained.
        graph: The graph.
        outcomes: The outcome of every training.
        choices: What ``preset="auto"`` chose on each split; the model that is kept is of the first.
    """
    base, ours = (
        sorted((o for o in outcomes if o.model == kind), key=lambda outcome: outcome.split) for kind in (BASE, OURS)
    )
    choice = _first_choice(plan, choices)
    return RunResult(
        created=datetime.now(UTC).isoformat(timespec="seconds"),
        graph=TrainedGraph(graph.name, graph.num_nodes, graph.num_edges, graph.fingerprint(), dict(graph.notes)),
        plan=plan,
        settings=plan.model(OURS, 0).settings().to_dict() if choice is None else choice.settings,
        outcome=_compared(base, ours),
        trainings=(*base, *ours),
        environment=_environment(),
        choice=choice,
        motif_splits=sum(each.uses_motifs for each in choices if each is not None),
    )


def _compared(base: list[TrainingOutcome], ours: list[TrainingOutcome]) -> Comparison:
    tested = [outcome.test_accuracy for outcome in (*base, *ours)]
    validated = [outcome.val_accuracy for outcome in (*base, *ours)]
    measure, values = ("val_accuracy", validated) if None in tested else ("test_accuracy", tested)
    known = [value for value in values if value is not None]
    if len(known) < len(values):
        return Comparison(measure)
    of_base, of_ours = known[: len(base)], known[len(base) :]
    train, val, test = ours[0].nodes
    sizes = (train, test) if measure == "test_accuracy" and test else None
    nodes = val if sizes is None else test
    if not of_base:
        return Comparison(measure, None, spread(of_ours, nodes=nodes))
    return Comparison(
        measure,
        spread(of_base, nodes=nodes),
        spread(of_ours, nodes=nodes),
        paired_difference(of_ours, of_base, sizes=sizes),
    )


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
