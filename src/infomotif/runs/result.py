"""RunResult: what came out of a run, the outcome of each training, and what an epoch measured."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from infomotif._core.statistics import Difference, Spread
from infomotif._core.validate import from_mapping, setting
from infomotif.errors import InputError
from infomotif.runs.plan import RunPlan
from infomotif.search.choice import Choice

FORMAT, VERSION = "infomotif-result", 2


@dataclass(frozen=True)
class EpochMetrics:
    """An epoch of one training, as a line of ``metrics.jsonl`` holds it; None where the epoch did not measure it."""

    split: int = setting(at_least=0, help="Number of the split.")
    model: str = setting(help="Which model was trained.")
    epoch: int = 0
    loss: float | None = None
    mi_loss: float | None = None
    val_accuracy: float | None = None
    val_loss: float | None = None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any], where: str) -> EpochMetrics:
        """Read a line; numbers that are not finite count as not measured.

        Raises:
            InputError: If a value has the wrong type.
        """
        lost = {key: None for key, value in values.items() if isinstance(value, float) and not math.isfinite(value)}
        return from_mapping(cls, {**values, **lost}, where, ignore=values)


@dataclass(frozen=True)
class TrainingOutcome:
    """What became of one training.

    Attributes:
        split: Number of the split.
        model: :data:`infomotif.runs.BASE` or :data:`infomotif.runs.OURS`.
        test_accuracy: Accuracy on the test nodes, if there are any.
        val_accuracy: Best accuracy on the validation nodes, if there are any.
        best_epoch: The epoch that was kept.
        nodes: How many nodes trained, validated and tested.
        seconds: Duration, without the search that chose the settings.
        cpu_seconds: CPU time, with the search.
    """

    split: int
    model: str
    test_accuracy: float | None
    val_accuracy: float | None
    best_epoch: int
    nodes: tuple[int, int, int]
    seconds: float
    cpu_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return asdict(self) | {"nodes": list(self.nodes)}


@dataclass(frozen=True)
class Comparison:
    """The models' accuracies over the splits, and their paired difference; None where nothing could be measured.

    Attributes:
        measure: ``test_accuracy``, or ``val_accuracy`` where nothing tests.
        base: The base GNN's accuracy.
        infomotif: InfoMotif's accuracy.
        difference: InfoMotif's accuracy less the base's.
    """

    measure: str
    base: Spread | None = None
    infomotif: Spread | None = None
    difference: Difference | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON, with the verdict in words."""
        values = {key: value for key, value in asdict(self).items() if value is not None}
        if self.difference is not None:
            values["difference"]["verdict"] = self.difference.verdict()
        return values


@dataclass(frozen=True)
class TrainedGraph:
    """Name, size and fingerprint of the graph that a run was trained on, and what its reader noted."""

    name: str
    nodes: int
    edges: int
    fingerprint: str
    notes: dict[str, Any]


@dataclass(frozen=True, repr=False)
class RunResult:
    """The result of a run, as ``result.json`` holds it.

    Attributes:
        created: When the run ended.
        graph: The graph.
        plan: What was trained.
        settings: All settings of the model that is kept, InfoMotif on the first split.
        outcome: The models compared.
        trainings: The outcome of every training, those of the base first.
        environment: Versions and machine.
        choice: What ``preset="auto"`` chose on the first split, with a note on the others.
        motif_splits: On how many splits a part that is made of motifs counts in what it chose.
    """

    created: str
    graph: TrainedGraph
    plan: RunPlan
    settings: dict[str, Any]
    outcome: Comparison
    trainings: tuple[TrainingOutcome, ...]
    environment: dict[str, Any]
    choice: Choice | None = None
    motif_splits: int = 0

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        choice = None if self.choice is None else self.choice.to_dict() | {"motif_splits": self.motif_splits}
        return {
            "format": FORMAT,
            "version": VERSION,
            "created": self.created,
            "graph": asdict(self.graph),
            "plan": asdict(self.plan),
            "settings": self.settings,
            "choice": choice,
            "outcome": self.outcome.to_dict(),
            "trainings": [training.to_dict() for training in self.trainings],
            "environment": self.environment,
        }

    def to_frame(self, *, kind: str | None = None) -> Any:
        """Return the trainings as a data frame: one row per split and model.

        Args:
            kind: ``pandas``, ``polars`` or ``arrow`` (a ``pyarrow.Table``); by default the first that is installed.

        Raises:
            InputError: If ``kind`` is unknown or not installed.

        Example:
            >>> import tempfile
            >>> from pathlib import Path
            >>> import infomotif as im
            >>> from infomotif.runs import RunPlan, train_run
            >>> plan = RunPlan(source={"dataset": "karate"}, settings={"epochs": 2}, ratio=0.3)
            >>> with tempfile.TemporaryDirectory() as folder:
            ...     result = train_run(plan, im.load_dataset("karate"), Path(folder) / "run")
            >>> result.to_frame(kind="arrow")["model"].to_pylist()
            ['base', 'infomotif']
        """
        from infomotif.runs.result_text import result_frame

        return result_frame(self, kind)

    def __repr__(self) -> str:
        """Say what was trained and how accurate it is, in a few short lines."""
        from infomotif.runs.result_text import result_text

        return result_text(self)

    def _repr_html_(self) -> str:
        """Show the comparison and the accuracy of each split in a notebook."""
        from infomotif.runs.result_text import result_html

        return result_html(self)

    @classmethod
    def from_dict(cls, values: Any, where: str) -> RunResult:
        """Return the result that :meth:`to_dict` wrote.

        Raises:
            InputError: If a key is missing or unknown, or a value has the wrong type.
        """
        if not isinstance(values, dict) or values.get("format") != FORMAT:
            raise InputError(f"{where}: not a result of this package")
        values = {key: value for key, value in values.items() if key not in ("format", "version")}
        choice, outcome = values.get("choice"), values.get("outcome")
        if isinstance(choice, dict):
            values["motif_splits"] = choice.get("motif_splits", 0)
            values["choice"] = {key: value for key, value in choice.items() if key != "motif_splits"}
        if isinstance(outcome, dict) and isinstance(outcome.get("difference"), dict):
            difference = {key: value for key, value in outcome["difference"].items() if key != "verdict"}
            values["outcome"] = outcome | {"difference": difference}
        result = from_mapping(cls, values, where)
        if not result.trainings or any(len(training.nodes) != 3 for training in result.trainings):
            raise InputError(f"{where}: trainings must say how many nodes trained, validated and tested")
        return result
