"""Runs: the base GNN and InfoMotif trained on the same splits, resumable, into a run folder."""

from __future__ import annotations

import shutil
import time
import warnings
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from infomotif._core.progress import progress as progress_bar
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif.model.estimator import InfoMotif
from infomotif.motifs import MotifIndex
from infomotif.runs.folder import RunFolder
from infomotif.runs.opened import read_result
from infomotif.runs.plan import BASE, OURS, RunPlan
from infomotif.runs.report import write_report
from infomotif.runs.result import RunResult, TrainingOutcome
from infomotif.runs.summary import summarise
from infomotif.training.device import compute_context, pick_device
from infomotif.training.distributed import current_world
from infomotif.training.loop import TrainingError
from infomotif.training.presets import preset_motifs
from infomotif.training.splits import Split


def train_run(
    plan: RunPlan,
    graph: Graph,
    folder: Path,
    *,
    train: Any = None,
    resume: bool = False,
    progress: bool | None = None,
    on_start: Callable[[], None] | None = None,
    on_done: Callable[[TrainingOutcome], None] | None = None,
) -> RunResult:
    """Train base and InfoMotif on every split of a plan and return the result.

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
    existed = folder.exists()
    # Other processes look at the folder from here on.
    with current_world().in_unison():
        # Everything that can be refused is refused before the folder exists.
        splits = plan.all_splits(graph, train)
        for kind in plan.kinds:
            for number in (0, plan.splits - 1):
                plan.model(kind, number).check(graph, splits[number])
        run.start(asdict(plan), resume, graph.fingerprint())
    if on_start is not None:
        on_start()
    try:
        if not run.finished:
            with run.locked():
                # Another process may have finished the run just before this one locked it.
                if not run.finished:
                    return _train_all(plan, graph, run, splits, progress, on_done)
    except TrainingError:
        # The same settings would fail again, so a folder without a single InfoMotif is not worth keeping.
        if not existed and all(outcome.model == BASE for outcome in run.outcomes()):
            shutil.rmtree(folder, ignore_errors=True)
        raise
    shutil.rmtree(run.state, ignore_errors=True)
    return read_result(folder)


def follow_run(plan: RunPlan, graph: Graph, folder: Path, *, train: Any = None) -> None:
    """Take part in another process's :func:`train_run`: the same trainings, without writing or showing anything.

    Args:
        plan: What is trained.
        graph: The graph.
        folder: The run folder, which all processes see.
        train: Fixed training nodes, as for :func:`train_run`.
    """
    run, world = RunFolder(folder), current_world()
    with world.in_unison():
        splits = plan.all_splits(graph, train)
    choices = [run.choice(number) for number in range(plan.splits)]
    remaining = [] if run.finished else _remaining(plan, run.outcomes())
    index = _count_motifs(plan, graph, progress=False) if remaining else None
    for number, kind in remaining:
        model, split = plan.model(kind, number, progress=False), splits[number]
        checkpoint = _checkpoint(run, number, kind)
        try:
            model.fit(graph, split.train, split.val, index=index, checkpoint=checkpoint, choice=choices[number])
        except TrainingError:
            # All diverge in the same epoch; the first process says so and tidies up.
            raise world.abort_error() from None


def _count_motifs(plan: RunPlan, graph: Graph, *, progress: bool | None) -> MotifIndex | None:
    """Count the motifs once for all trainings and the page; None if nothing uses them."""
    if not plan.needs_motifs:
        return None
    with (
        compute_context(plan.threads, graph.num_nodes, pick_device(plan.device)),
        progress_bar(f"mining motifs of {graph.name}", enabled=progress),
    ):
        return MotifIndex(graph, preset_motifs(plan.preset, plan.motifs, directed=graph.directed))


def _remaining(plan: RunPlan, outcomes: list[TrainingOutcome]) -> list[tuple[int, str]]:
    """Return the trainings of a run that are not complete yet, in order, as number of the split and kind."""
    complete = {(outcome.split, outcome.model) for outcome in outcomes}
    trainings = [(number, kind) for number in range(plan.splits) for kind in plan.kinds]
    return [training for training in trainings if training not in complete]


def _checkpoint(run: RunFolder, number: int, kind: str) -> Path:
    return run.state / f"{kind}-{number}.safetensors"


def _train_all(
    plan: RunPlan,
    graph: Graph,
    run: RunFolder,
    splits: list[Split],
    progress: bool | None,
    on_done: Callable[[TrainingOutcome], None] | None,
) -> RunResult:
    outcomes = run.outcomes()
    for outcome in outcomes if plan.preset == "auto" else ():
        if outcome.model == OURS and run.choice(outcome.split) is None:
            raise InputError(f"{run.path}: was begun by another version, or lost its choices; name another --out")
    index = _count_motifs(plan, graph, progress=progress)
    for number, kind in _remaining(plan, outcomes):
        run.drop_metrics_except(outcomes)
        model = plan.model(kind, number, progress=progress)
        outcome = _train_one(model, graph, index, run, number, kind, splits[number], plan.coverage)
        outcomes.append(outcome)
        if on_done is not None:
            on_done(outcome)
    result = summarise(plan, graph, outcomes, [run.choice(number) for number in range(plan.splits)])
    _write_page(run.path, graph, index, result, progress)
    run.finish(result)
    return result


def _write_page(folder: Path, graph: Graph, index: MotifIndex | None, result: RunResult, progress: bool | None) -> None:
    """Write the page of the run; a page that cannot be made does not fail the trainings."""
    try:
        with progress_bar("writing the page", enabled=progress):
            write_report(folder, graph, result, index=index)
    except Exception as error:
        warnings.warn(f"report.html could not be made ({error}); 'infomotif report' tries again", stacklevel=2)


def _train_one(
    model: InfoMotif,
    graph: Graph,
    index: MotifIndex | None,
    run: RunFolder,
    number: int,
    kind: str,
    split: Split,
    coverage: float,
) -> TrainingOutcome:
    checkpoint = _checkpoint(run, number, kind)
    cpu = time.process_time()
    model.fit(
        graph,
        split.train,
        split.val,
        index=index,
        checkpoint=checkpoint,
        on_epoch=lambda record: run.add_metrics(number, kind, record),
        choice=run.choice(number),
    )
    if model.choice_ is not None:
        run.keep_choice(number, model.choice_)
    outcome = TrainingOutcome(
        split=number,
        model=kind,
        test_accuracy=_test_accuracy(model),
        val_accuracy=_val_accuracy(model),
        best_epoch=model.best_epoch_,
        nodes=(len(split.train), len(split.val), len(split.test)),
        seconds=round(model.fit_seconds_, 2),
        cpu_seconds=round(time.process_time() - cpu, 2),
    )
    if number == 0 and kind == OURS:
        run.keep_model(graph, model, split, coverage)
    elif number == 0:
        run.keep_base(model)
    run.add_outcome(outcome)
    checkpoint.unlink(missing_ok=True)
    return outcome


def _test_accuracy(model: InfoMotif) -> float | None:
    """Return the accuracy on the test nodes, before validation nodes trained too; None if there are none."""
    test, y = model.split_.test, model.graph_.y
    if y is None or not len(test):
        return None
    return float((model.measured_.argmax(axis=1)[test] == y[test]).mean())


def _val_accuracy(model: InfoMotif) -> float | None:
    """Return the accuracy on the nodes that chose the model or its epoch; None if there are none."""
    if model.choice_ is not None and model.choice_.accuracy is not None:
        return model.choice_.accuracy
    # Epochs of a warm-up learn from no label, so they do not count.
    return max((r["val_accuracy"] for r in model.history_ if "val_accuracy" in r and "loss" in r), default=None)
