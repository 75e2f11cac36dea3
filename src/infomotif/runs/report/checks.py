"""Checks of a run's files: what a hand or a disk has damaged is told in one line, not drawn."""

from __future__ import annotations

import json
from typing import Any

from infomotif.errors import InputError
from infomotif.runs.opened import OpenRun
from infomotif.typing import Record

MEASURES = ("loss", "mi_loss", "val_accuracy")
_KINDS = {"created": str, "plan": dict, "settings": dict, "environment": dict, "outcome": dict, "trainings": list}
_REMEDY = "it was edited or is of another version; restore it or train again"


def checked_result(run: OpenRun, result: Record) -> Record:
    """Return what the page shows of ``result.json``, once it is whole and the split is the one that was trained on.

    Raises:
        InputError: Naming the file and what is wrong with it.
    """
    path = run.folder / "result.json"
    for key, kind in _KINDS.items():
        if not isinstance(result.get(key), kind):
            raise InputError(f"{path}: lacks '{key}', or it is damaged; {_REMEDY}")
    shown = {key: result[key] for key in _KINDS} | {"choice": result.get("choice")}
    try:
        json.dumps(shown, allow_nan=False)
    except ValueError:
        raise InputError(f"{path}: holds a number that is not finite; {_REMEDY}") from None
    first = result["trainings"][0] if result["trainings"] else None
    if not isinstance(first, dict) or not isinstance(first.get("nodes"), list):
        raise InputError(f"{path}: 'trainings' does not say how many nodes each had; {_REMEDY}")
    sizes = [len(run.split.train), len(run.split.val), len(run.split.test)]
    if sizes != first["nodes"]:
        raise InputError(
            f"{run.folder / 'predictions.csv'}: holds {sizes} training, validation and test nodes, but the run had "
            f"{first['nodes']}; restore it or train again"
        )
    return shown


def checked_metrics(run: OpenRun) -> list[Record]:
    """Return one record an epoch, split and model, each with numbers where numbers belong.

    Raises:
        InputError: Naming the file, the line and the field.
    """
    numbered = run.metrics()
    for number, record in numbered:
        wrong = _wrong_field(record)
        if wrong is not None:
            where, shown = f"{run.folder / 'metrics.jsonl'}, line {number}", json.dumps(record.get(wrong))
            raise InputError(f"{where}: '{wrong}' cannot be {shown:.40}; remove the line or train again")
    return [record for _, record in numbered]


def _wrong_field(record: Record) -> str | None:
    split = record.get("split")
    if isinstance(split, bool) or not isinstance(split, int) or split < 0:
        return "split"
    if not isinstance(record.get("model"), str):
        return "model"
    return next((name for name in MEASURES if not _is_number(record.get(name))), None)


def _is_number(value: Any) -> bool:
    return value is None or (isinstance(value, int | float) and not isinstance(value, bool))
