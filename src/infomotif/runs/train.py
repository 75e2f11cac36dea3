"""Runs: the base GNN and InfoMotif trained on the same splits, resumable, with their paired difference."""

from __future__ import annotations

import os
import platform
import shutil
import time
import warnings
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

import infomotif
from infomotif._core.progress import progress as progress_bar
from infomotif._core.statistics import paired_difference, spread
from infomotif._core.versions import installed
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.runs.folder import RunFolder, read_result
from infomotif.runs.report import write_report
from infomotif.search.choice import Choice
from infomotif.training.distributed import current_world
from infomotif.training.loop import TrainingError
from infomotif.training.splits import Split, fixed_split, random_split
from infomotif.typing import Record

BASE, OURS = "base", "infomotif"


@dataclass(frozen=True)
class Plan:
    """What a run trains.

    Attributes:
        source: Where the graph comes from, as a command or a reader can find it again.
        encoder: Name of the encoder.
        preset: Preset of the InfoMotif model; the base shares every other setting. With ``auto`` every split's
            own labels choose its settings, for the base too.
        settings: Changes to the preset.
        motifs: Motif set or list.
        ratio: Share of labelled nodes that train.
        val: Share that validates.
        splits: Number of splits; split s is drawn with seed ``seed + s``.
        seed: First seed.
        device: Where to compute.
        threads: Threads, or None.
    """

    source: dict[str, Any]
    encoder: str = "gcn"
    preset: str = "paper"
    settings: dict[str, Any] = field(default_factory=dict)
    motifs: Any = "auto"
    ratio: float = 0.2
    val: float = 0.2
    splits: int = 1
    seed: int = 0
    device: str = "auto"
    threads: int | None = None

    def model(self, kind: str, split: int, progress: bool | None = None) -> InfoMotif:
        """Return the unfitted model of one kind for one split."""
        preset, changes = self.preset, dict(self.settings)
        if kind == BASE:
            preset = "base"
            changes.pop("regularize", None)
        return InfoMotif(
            self.encoder,
            preset=preset,
            motifs=self.motifs,
            random_state=self.seed + split,
            device=self.device,
            threads=self.threads,
            progress=progress,
            **changes,
        )

    def resolved(self, choice: Choice | None) -> Plan:
        """Return the plan with what ``preset="auto"`` chose; the base shares all settings but the regulariser."""
        if choice is None:
            return self
        return replace(self, preset="paper", settings=choice.settings, motifs=list(choice.motifs))

    def split(self, graph: Graph, number: int, train: Any = None) -> Split:
        """Return split ``number``; with fixed ``train`` nodes only validation and test are drawn."""
        if graph.y is None:
            raise InputError(f"{graph.name} has no labels to learn from; give a label column")
        seed = self.seed + number
        if train is None:
            return random_split(graph.y, self.ratio, val=self.val, seed=seed)
        if not 0 <= self.val < 1:
            raise InputError(f"val must be at least 0 and below 1 (got {self.val})")
        fixed = fixed_split(graph.y, train)
        rest = np.random.default_rng(seed).permutation(fixed.test)
        count = round(self.val * int((graph.y >= 0).sum()))
        return Split(fixed.train, np.sort(rest[:count]), np.sort(rest[count:]))


def train_run(
    plan: Plan,
    graph: Graph,
    folder: Path,
    *,
    train: Any = None,
    resume: bool = False,
    progress: bool | None = None,
    on_start: Callable[[], None] | None = None,
    on_done: Callable[[Record], None] | None = None,
) -> Record:
    """Train base and InfoMotif on every split of ``plan`` and return what ``result.json`` says.

    Args:
        plan: What to train.
        graph: The graph.
        folder: The run folder, new or (with ``resume``) of the same plan.
        train: Fixed training nodes; by default each split draws its own.
        resume: Whether to go on with what the folder holds; the numbers are the same to the bit.
        progress: Whether to show bars; None shows them on a terminal.
        on_start: Called when everything was checked and training begins.
        on_done: Called with the outcome of every training.
    """
    run = RunFolder(folder)
    begun = folder.exists()
    # Others look at the folder from here on.
    with current_world().in_unison():
        # Everything that can be refused is refused before the folder exists.
        splits = [plan.split(graph, number, train) for number in range(plan.splits)]
        for kind in (BASE, OURS):
            for number in (0, plan.splits - 1):
                plan.model(kind, number).check(graph, splits[number])
        run.start(asdict(plan), resume, graph.fingerprint())
    if on_start is not None:
        on_start()
    if run.finished:
        shutil.rmtree(run.state, ignore_errors=True)
        return read_result(folder)
    try:
        with run.alone():
            # Another process may have ended it before this one had it alone.
            return _ended(run) or _train_all(plan, graph, run, splits, progress, on_done)
    except TrainingError:
        # The same settings would fail again, so without a single InfoMotif nothing is worth a folder.
        if not begun and all(record["model"] == BASE for record in run.done()):
            shutil.rmtree(folder, ignore_errors=True)
        raise


def _ended(run: RunFolder) -> Record | None:
    return read_result(run.path) if run.finished else None


def follow_run(plan: Plan, graph: Graph, folder: Path, *, train: Any = None) -> None:
    """Take part in another process's :func:`train_run`: the same trainings, without writing or showing anything.

    Args:
        plan: What is trained.
        graph: The graph.
        folder: The run folder, which all processes see.
        train: Fixed training nodes, as for :func:`train_run`.
    """
    run, world = RunFolder(folder), current_world()
    with world.in_unison():
        splits = [plan.split(graph, number, train) for number in range(plan.splits)]
    choices = [run.choice(number) for number in range(plan.splits)]
    left = [] if run.finished else _left(plan, run.done())
    for number, kind in left:
        model, split = plan.resolved(choices[number]).model(kind, number, progress=False), splits[number]
        try:
            model.fit(graph, split.train, split.val, checkpoint=_checkpoint(run, number, kind))
        except TrainingError:
            # All diverge in the same epoch; the first process says so and tidies up.
            raise world.abort_error() from None
        choices[number] = choices[number] or model.choice_


def _left(plan: Plan, done: list[Record]) -> list[tuple[int, str]]:
    """Return the trainings of a run that are not done yet, in order."""
    complete = {(record["split"], record["model"]) for record in done}
    # The training that chooses the settings comes before the one that shares them.
    kinds = (OURS, BASE) if plan.preset == "auto" else (BASE, OURS)
    wanted = [(number, kind) for number in range(plan.splits) for kind in kinds]
    return [training for training in wanted if training not in complete]


def _checkpoint(run: RunFolder, number: int, kind: str) -> Path:
    return run.state / f"{kind}-{number}.safetensors"


def _train_all(
    plan: Plan,
    graph: Graph,
    run: RunFolder,
    splits: list[Split],
    progress: bool | None,
    on_done: Callable[[Record], None] | None,
) -> Record:
    done = run.done()
    for record in done if plan.preset == "auto" else ():
        if record["model"] == OURS and run.choice(record["split"]) is None:
            raise InputError(f"{run.path}: was begun by another version, or lost its choices; name another --out")
    for number, kind in _left(plan, done):
        run.keep_metrics_of(done)
        model = plan.resolved(run.choice(number)).model(kind, number, progress)
        record = _train_one(model, graph, run, number, kind, splits[number])
        done.append(record)
        if on_done is not None:
            on_done(record)
    result = summarise(plan, graph, done, [run.choice(number) for number in range(plan.splits)])
    _write_page(run.path, graph, result, progress)
    run.finish(result)
    return result


def _write_page(folder: Path, graph: Graph, result: Record, progress: bool | None) -> None:
    """Write the page of the run; what was trained counts more than a page that cannot be made."""
    try:
        with progress_bar("writing the page", enabled=progress):
            write_report(folder, graph, result)
    except Exception as error:
        warnings.warn(f"report.html could not be made ({error}); 'infomotif report' tries again", stacklevel=2)


def _train_one(model: InfoMotif, graph: Graph, run: RunFolder, number: int, kind: str, split: Split) -> Record:
    checkpoint = _checkpoint(run, number, kind)
    cpu = time.process_time()
    model.fit(
        graph,
        split.train,
        split.val,
        checkpoint=checkpoint,
        on_epoch=lambda record: run.add_metrics({"split": number, "model": kind, **record}),
    )
    if model.choice_ is not None:
        run.keep_choice(number, model.choice_)
    record: Record = {
        "split": number,
        "model": kind,
        "test_accuracy": model.score() if len(split.test) else None,
        "val_accuracy": max(
            (r["val_accuracy"] for r in model.history_ if "val_accuracy" in r and "loss" in r), default=None
        ),
        "best_epoch": model.best_epoch_,
        "nodes": [len(split.train), len(split.val), len(split.test)],
        "seconds": round(_seconds(model), 2),
        "cpu_seconds": round(time.process_time() - cpu, 2),
    }
    if number == 0 and kind == OURS:
        run.keep_model(graph, model, split)
    elif number == 0:
        run.keep_base(model)
    run.add_done(record)
    checkpoint.unlink(missing_ok=True)
    return record


def _seconds(model: InfoMotif) -> float:
    """Return how long the training took, without the search that chose its settings."""
    if model.choice_ is None or not model.choice_.tried:
        return model.fit_seconds_
    return float(sum(record["seconds"] for record in model.history_))


def summarise(plan: Plan, graph: Graph, done: list[Record], choices: Sequence[Choice | None] = ()) -> Record:
    """Return the whole outcome: both accuracies with spread, their paired difference, and all that produced it.

    Args:
        plan: What was trained.
        graph: The graph.
        done: The outcome of every training.
        choices: What ``preset="auto"`` chose in every split; the first one's is that of the model that is kept.
    """
    by_kind = {kind: sorted((r for r in done if r["model"] == kind), key=lambda r: r["split"]) for kind in (BASE, OURS)}
    measure = "test_accuracy" if all(r["test_accuracy"] is not None for r in done) else "val_accuracy"
    values = {kind: [r[measure] for r in records] for kind, records in by_kind.items()}
    outcome: Record = {"measure": measure}
    if all(v is not None for kind in values for v in values[kind]):
        for kind in (BASE, OURS):
            outcome[kind] = asdict(spread(values[kind]))
        train, _, test = by_kind[OURS][0]["nodes"]
        sizes = (train, test) if measure == "test_accuracy" and test else None
        difference = paired_difference(values[OURS], values[BASE], sizes=sizes)
        outcome["difference"] = asdict(difference) | {"verdict": difference.verdict()}
    known = [choice for choice in choices if choice is not None]
    choice = choices[0] if choices else None
    if choice is not None and plan.splits > 1:
        counts = Counter(each.name for each in known)
        listed = ", ".join(f"'{name}' in {count}" for name, count in counts.most_common())
        note = f"this is the first split's choice; every split chose by its own labels: {listed} of {len(known)}"
        choice = replace(choice, notes=(*choice.notes, note))
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
        "settings": plan.resolved(choice).model(OURS, 0).settings().to_dict(),
        "choice": None if choice is None else choice.to_dict() | {"base_splits": sum(c.base_better for c in known)},
        "outcome": outcome,
        "trainings": by_kind[BASE] + by_kind[OURS],
        "environment": {
            "infomotif": infomotif.__version__,
            "python": platform.python_version(),
            "machine": platform.machine(),
            "cores": os.cpu_count(),
            **installed(),
        },
    }
