"""RunFolder: a folder of plain files that a run fills; every file appears whole or not at all."""

from __future__ import annotations

import contextlib
import hashlib
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from infomotif._core.checksums import KEY, append_line, describe_files, is_sealed, read_lines, sealed_json, to_lines
from infomotif._core.files import sync_file, write_text
from infomotif._core.locks import exclusive_lock
from infomotif._core.reading.documents import read_json
from infomotif._core.validate import from_mapping
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.model.prediction_sets import PredictionSets
from infomotif.runs.opened import BASE_FOLDER, CONFIG, KEPT, METRICS, PREDICTIONS, RESULT, config_text, read_config
from infomotif.runs.plan import BASE
from infomotif.runs.predictions import write_predictions
from infomotif.runs.result import RunResult, TrainingOutcome
from infomotif.search.choice import Choice
from infomotif.training.distributed import launch, restarted
from infomotif.training.splits import Split


class RunFolder:
    """``config.yaml`` holds the plan, ``metrics.jsonl`` one line per epoch, ``result.json`` the outcome.

    ``predictions.csv``, ``model.json`` and ``model.safetensors`` are of InfoMotif on the first split; ``base/`` holds
    the same two model files of the base GNN on that split. ``report.html`` is the page of the run, and
    ``parts.json`` what the next page need not compute again. ``state/`` exists while the run is unfinished.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.state = path / "state"

    @property
    def finished(self) -> bool:
        """Whether the run is complete."""
        return (self.path / RESULT).exists()

    @property
    def interrupted(self) -> bool:
        """Whether torchrun started this run, lost a process, and started it again."""
        mark = self.state / "launch"
        return restarted() and mark.exists() and mark.read_text(encoding="utf-8") == launch()

    def check(self, plan: dict[str, Any], *, resume: bool) -> str | None:
        """Check that the folder can take a run, or holds the same plan, to go on with.

        Returns:
            The fingerprint of the graph that the run in the folder began with; None if it did not begin.

        Raises:
            InputError: If the folder holds something else.
        """
        config = self.path / CONFIG
        if config.exists():
            if not (resume or self.interrupted):
                raise InputError(f"{self.path}: holds a run already; add --resume to go on, or name another --out")
            held = read_config(self.path)
            fingerprint = held.pop("fingerprint", None)
            if held != plan:
                names = ", ".join(sorted(key for key in {*held, *plan} if held.get(key) != plan.get(key)))
                raise InputError(f"{config}: began with other options ({names}); leave them out, or name another --out")
            return str(fingerprint)
        if self.path.exists() and (not self.path.is_dir() or any(not _unfinished(p) for p in self.path.iterdir())):
            raise InputError(f"{self.path}: exists and is not a run; name another --out")
        return None

    def start(self, plan: dict[str, Any], resume: bool, fingerprint: str) -> None:
        """Prepare the folder, or check that it holds the same plan for the same data, to go on with.

        Raises:
            InputError: As :meth:`check`, and if the data are not those that the run began with.
        """
        config = self.path / CONFIG
        began_with = self.check(plan, resume=resume)
        if began_with is None:
            write_text(config, config_text(plan | {"fingerprint": fingerprint}))
        elif began_with != fingerprint:
            raise InputError(f"{config}: began with other data than is there now; restore it, or name another --out")
        self.state.mkdir(exist_ok=True)
        if launch():
            write_text(self.state / "launch", launch())

    @contextlib.contextmanager
    def locked(self) -> Iterator[None]:
        """Keep other processes from training into the folder while the block runs; remove what a kill left behind."""
        self.state.mkdir(exist_ok=True)
        refusal = f"{self.path}: another process trains into it; wait for it, or name another --out"
        with exclusive_lock(self.state / "lock", refusal):
            for path in filter(_unfinished, list(self.path.rglob("*.part"))):
                path.unlink()
            yield
        if self.finished:
            # Windows removes no file that is open, as the lock was until now.
            shutil.rmtree(self.state, ignore_errors=True)

    def outcomes(self) -> list[TrainingOutcome]:
        """Return the outcome of every training that is complete, each once.

        A training whose files or metrics are not those that it wrote is not complete, and is repeated.

        Raises:
            InputError: If a line holds something else; the message names it.
        """
        path = self.state / "done.jsonl"
        kept: dict[tuple[int, str], TrainingOutcome] = {}
        for number, record in read_lines(path):
            files, metrics = record.pop("files", {}), record.pop("metrics", None)
            outcome = from_mapping(TrainingOutcome, record, f"{path}, line {number}")
            whole = isinstance(files, dict) and describe_files(self.path, set(KEPT) & set(files)) == files
            if whole and metrics in (None, self._metrics_checksum(outcome)):
                kept.setdefault((outcome.split, outcome.model), outcome)
        return list(kept.values())

    def add_outcome(self, outcome: TrainingOutcome) -> None:
        """Keep the outcome of one training, with the checksums of what it wrote."""
        base = outcome.model == BASE
        names = [name for name in KEPT[1:] if name != METRICS and name.startswith(BASE_FOLDER) == base]
        about = {
            "files": describe_files(self.path, names if outcome.split == 0 else ()),
            "metrics": self._metrics_checksum(outcome),
        }
        append_line(self.state / "done.jsonl", outcome.to_dict() | about, durable=True)

    def _metrics_checksum(self, outcome: TrainingOutcome) -> str:
        """Return the checksum of the lines of one training in ``metrics.jsonl``."""
        lines = [record for _, record in read_lines(self.path / METRICS)]
        training = (outcome.split, outcome.model)
        own = [record for record in lines if (record.get("split"), record.get("model")) == training]
        return hashlib.sha256(to_lines(own).encode()).hexdigest()

    def choice(self, split: int) -> Choice | None:
        """Return what ``preset="auto"`` chose on a split, if it did.

        Raises:
            InputError: If the file that says so is broken.
        """
        path = self._choice_file(split)
        if not path.exists():
            return None
        remedy = "remove it to search again"
        text, value = read_json(path, missing=f"{path}: no such file; {remedy}", remedy=remedy)
        try:
            if isinstance(value, dict) and KEY in value and not is_sealed(text, value.pop(KEY)):
                raise ValueError("it does not match its own checksum")
            return Choice.from_dict(value)
        except ValueError as error:
            raise InputError(f"{path}: cannot be read ({error}); {remedy}") from None

    def keep_choice(self, split: int, choice: Choice) -> None:
        """Keep a split's choice, so that a run that goes on does not search again."""
        write_text(self._choice_file(split), sealed_json(choice.to_dict()))

    def _choice_file(self, split: int) -> Path:
        return self.state / f"choice-{split}.json"

    def drop_metrics_except(self, outcomes: list[TrainingOutcome]) -> None:
        """Drop the metrics of trainings that are not complete; they are written again when training goes on."""
        complete = [(outcome.split, outcome.model) for outcome in outcomes]
        lines = [record for _, record in read_lines(self.path / METRICS)]
        kept = [record for record in lines if (record.get("split"), record.get("model")) in complete]
        write_text(self.path / METRICS, to_lines(kept))

    def add_metrics(self, split: int, model: str, record: Mapping[str, Any]) -> None:
        """Append the line of one epoch."""
        append_line(self.path / METRICS, {"split": split, "model": model, **record})

    def keep_model(self, graph: Graph, model: InfoMotif, split: Split, coverage: float) -> None:
        """Write InfoMotif's model files and ``predictions.csv``, with sets of this coverage where nodes validated."""
        model.save(self.path)
        sets = PredictionSets.from_scores(model.calibration_, coverage) if len(split.val) else None
        write_predictions(self.path / PREDICTIONS, graph, model, labels=graph.y, split=split, sets=sets)

    def keep_base(self, model: InfoMotif) -> None:
        """Write the base GNN's model files into a folder of their own."""
        model.save(self.path / BASE_FOLDER)

    def finish(self, result: RunResult) -> None:
        """Write ``result.json``, with the other files' checksums, and remove what only an unfinished run needs."""
        sync_file(self.path / METRICS)
        files = describe_files(self.path, KEPT)
        write_text(self.path / RESULT, sealed_json(result.to_dict() | {"files": files}))
        shutil.rmtree(self.state, ignore_errors=True)


def _unfinished(path: Path) -> bool:
    """Whether a kill left this file half-written; :func:`infomotif._core.files.whole_file` names them so."""
    return path.name.startswith(".") and path.suffix == ".part"
