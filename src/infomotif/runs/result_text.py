"""The result of a run as short text, as tables for notebooks, and as a data frame."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif._core.display.frames import to_frame
from infomotif._core.display.html import Markup, bar, block, details, heading, muted, strong, table
from infomotif.runs.plan import BASE, OURS

if TYPE_CHECKING:
    from infomotif._core.statistics import Spread
    from infomotif.runs.result import RunResult

_MEASURES = {"test_accuracy": "test accuracy", "val_accuracy": "validation accuracy"}
_NAMES = {OURS: "InfoMotif", BASE: "base GNN"}
_SHOWN_SPLITS = 30


def result_text(result: RunResult) -> str:
    """Return at most four lines: what was trained, both accuracies, and their difference."""
    outcome, plan = result.outcome, result.plan
    splits = f"{plan.splits} split{'s' * (plan.splits != 1)}"
    lines = [f"RunResult({result.graph.name!r}: preset {plan.preset!r}, {splits}, {_MEASURES[outcome.measure]})"]
    if outcome.infomotif is not None:
        lines.append(f"  InfoMotif {_percent(outcome.infomotif)}")
    if outcome.base is not None:
        lines.append(f"  base GNN {_percent(outcome.base)}")
    if outcome.difference is not None:
        lines.append(f"  difference {outcome.difference}: {outcome.difference.verdict()}")
    return "\n".join(lines)


def result_html(result: RunResult) -> str:
    """Return both accuracies with spread, their difference, and each split's figures folded away."""
    outcome, plan = result.outcome, result.plan
    note = f"preset {plan.preset}, {plan.splits} split{'s' * (plan.splits != 1)}, {_MEASURES[outcome.measure]}"
    parts: list[object] = [heading(f"Run on {result.graph.name}", note)]
    known = [(_NAMES[OURS], outcome.infomotif), (_NAMES[BASE], outcome.base)]
    rows = [[name, _percent(value), bar(value.mean)] for name, value in known if value is not None]
    parts.append(table(rows) if rows else muted("No node was left to measure on."))
    if outcome.difference is not None:
        parts.append(Markup(f"<div>{strong(str(outcome.difference))} {muted(outcome.difference.verdict())}</div>"))
    if result.choice is not None:
        parts.append(Markup(f"<div>{muted(f'auto chose {result.choice.name} on the first split')}</div>"))
    splits = [
        [t.split, _NAMES.get(t.model, t.model), _share(t.test_accuracy), _share(t.val_accuracy), t.best_epoch]
        for t in result.trainings[:_SHOWN_SPLITS]
    ]
    many = len(result.trainings)
    more = muted(f"and {many - _SHOWN_SPLITS} more; see to_frame()") if many > _SHOWN_SPLITS else Markup("")
    listed = table(splits, ("split", "model", "test accuracy", "validation accuracy", "best epoch"))
    parts.append(details(f"{many} training{'s' * (many != 1)}", Markup(listed + more)))
    return block(*parts)


def result_frame(result: RunResult, kind: str | None) -> Any:
    """Return one row per training; see :meth:`.RunResult.to_frame`."""
    trainings = result.trainings

    def accuracies(name: str) -> Any:
        values = [getattr(t, name) for t in trainings]
        return np.array([np.nan if value is None else value for value in values], dtype=np.float64)

    sizes = np.array([t.nodes for t in trainings], dtype=np.int64).reshape(-1, 3)
    columns: list[tuple[str, Any]] = [
        ("split", np.array([t.split for t in trainings], dtype=np.int64)),
        ("model", [t.model for t in trainings]),
        ("test_accuracy", accuracies("test_accuracy")),
        ("val_accuracy", accuracies("val_accuracy")),
        ("best_epoch", np.array([t.best_epoch for t in trainings], dtype=np.int64)),
        *((name, np.ascontiguousarray(sizes[:, j])) for j, name in enumerate(("train", "val", "test"))),
        ("seconds", np.array([t.seconds for t in trainings], dtype=np.float64)),
        ("cpu_seconds", np.array([t.cpu_seconds for t in trainings], dtype=np.float64)),
    ]
    return to_frame(columns, kind)


def _percent(value: Spread) -> str:
    if value.deviation is not None:
        return str(value).replace(" (", " % (")
    interval = f" (95 % interval {value.interval_text})" if value.interval else ""
    return f"{100 * value.mean:.1f} %{interval}"


def _share(value: float | None) -> str:
    return "–" if value is None else f"{100 * value:.1f} %"
