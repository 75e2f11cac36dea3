"""OpenRun: a run folder that was read back, and what its ``config.yaml`` and ``result.json`` say."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from infomotif._core.jsonl import read_lines
from infomotif._core.yaml import read_yaml
from infomotif.errors import InputError
from infomotif.explain.subject import Subject
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.model.loading import load
from infomotif.runs.predictions import read_split
from infomotif.training.splits import Split
from infomotif.typing import Record

BASE_FOLDER = "base"
"""Where a run folder keeps the base GNN."""


@dataclass(frozen=True)
class OpenRun:
    """A run that was read back.

    Attributes:
        folder: The run folder.
        graph: The graph that it was trained on.
        model: InfoMotif of the first split.
        base: The base GNN of the first split, or None in a folder without it.
        split: The first split.
    """

    folder: Path
    graph: Graph
    model: InfoMotif
    base: InfoMotif | None
    split: Split

    def subject(self) -> Subject:
        """Return the first split's model for :mod:`infomotif.explain`; InfoMotif is compared with the base GNN."""
        base = self.base if self.model.settings_.regularize else None
        return self.model.subject(self.graph, train=self.split.train, base=base)

    def metrics(self) -> list[tuple[int, Record]]:
        """Return one record per epoch, split and model, each with its line number."""
        lines = read_lines(self.folder / "metrics.jsonl")
        return [(number, record) for number, record in lines if {"split", "model"} <= record.keys()]


def open_run(folder: Path, graph: Graph, model: InfoMotif | None = None) -> OpenRun:
    """Read the models and the split of a run.

    Args:
        folder: The run folder.
        graph: The graph that it was trained on.
        model: The run's model, if it is loaded already.

    Raises:
        InputError: If a file is missing or broken, or the graph is another one.
    """
    model = load(folder) if model is None else model
    if graph.fingerprint() != model.graph_info_.get("fingerprint"):
        raise InputError(f"{folder}: was trained on other data than {graph.name} holds now; train again")
    base = load(folder / BASE_FOLDER) if (folder / BASE_FOLDER / "model.json").exists() else None
    return OpenRun(folder, graph, model, base, read_split(folder / "predictions.csv", graph))


def read_config(folder: Path) -> dict[str, Any]:
    """Return what ``config.yaml`` of a run says: its plan, and the fingerprint of its graph."""
    return read_yaml(folder / "config.yaml", missing=f"'{folder}' is not a run folder")


def read_result(folder: Path) -> Record:
    """Return what ``result.json`` of a run says."""
    path = folder / "result.json"
    try:
        value = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{path}: no such file; is the run finished?") from None
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: cannot be read ({type(error).__name__})") from None
    if not isinstance(value, dict) or value.get("format") != "infomotif-result":
        raise InputError(f"{path}: not a result of this package")
    lacking = [key for key in ("created", "graph", "plan", "outcome", "trainings", "environment") if key not in value]
    if lacking:
        raise InputError(f"{path}: lacks '{lacking[0]}'; it was edited or is of another version; train again")
    plan, choice = value["plan"], value.get("choice")
    if isinstance(plan, dict) and isinstance(choice, dict):
        # Results of before every split chose for itself do not say it.
        choice.setdefault("base_splits", plan.get("splits") if choice.get("base_better") else 0)
    return value
