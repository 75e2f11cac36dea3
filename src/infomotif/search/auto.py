"""``preset="auto"``: settings, and whether motifs help at all, chosen by labels that did not train."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from infomotif._core.progress import progress as progress_bar
from infomotif.motifs import MotifIndex
from infomotif.nn.encoders import make_encoder
from infomotif.search.candidates import BASE_COST, BY_FOLDS, DEEP, LEAN, SHARED, THOROUGH, Candidate
from infomotif.search.choice import Choice, Tried, reason
from infomotif.search.halving import Score, Search, Trial
from infomotif.training.build import encoder_options, hidden_width, needs_sampling, takes_weights
from infomotif.training.config import Settings, make_settings
from infomotif.training.loop import Record
from infomotif.training.session import Job, Training
from infomotif.training.splits import Split
from infomotif.typing import Array

LEAST_INSTANCES = 100
"""A motif with fewer instances in the whole graph cannot be learned from."""
LEAST_VALIDATION = 5
"""With fewer validation nodes a class the labelled nodes are cross-validated instead."""
SMALL = 300_000
"""Up to so many numbers in a layer's output, the search is thorough."""
LEAST_LABELS = 3
"""With fewer labelled nodes a class, training and validation together, nothing can be told apart."""

FEW_LABELS = 0.05
"""With no more nodes that train, as a share of all, trainings teach themselves (``self_training``)."""
OWN_LABELS = 0.2
"""The share of the other nodes that they then label."""


def frequent_motifs(index: MotifIndex) -> tuple[MotifIndex, tuple[str, ...]]:
    """Return the index without rare motifs, and a note if some were dropped; the most frequent one always stays.

    Example:
        >>> from infomotif import load_dataset
        >>> index, notes = frequent_motifs(MotifIndex(load_dataset("karate")))
        >>> [motif.name for motif in index.motifs], notes
        (['M6'], ('M7 was dropped: 45 instances are too few to learn from (fewer than 100)',))
    """
    kept = [t for t, total in enumerate(index.totals) if total >= LEAST_INSTANCES] or [int(index.totals.argmax())]
    if len(kept) == len(index.motifs):
        return index, ()
    notes = tuple(
        f"{motif.name} was dropped: {total:,} instances are too few to learn from (fewer than {LEAST_INSTANCES})"
        for t, (motif, total) in enumerate(zip(index.motifs, index.totals, strict=True))
        if t not in kept
    )
    return index.select(index.motifs[t] for t in kept), notes


def make_folds(y: Array, nodes: Array, count: int, seed: int = 0) -> list[Split]:
    """Return ``count`` splits of labelled nodes, each node validating once; classes are dealt out evenly.

    Example:
        >>> [fold.val.tolist() for fold in make_folds(np.array([0, 0, 1, 1]), np.arange(4), 2)]
        [[0, 2], [1, 3]]
    """
    generator = np.random.default_rng(seed)
    order = np.concatenate([generator.permutation(nodes[y[nodes] == c]) for c in np.unique(y[nodes])])
    parts = [np.sort(order[k::count]) for k in range(count)]
    none = np.empty(0, dtype=np.int64)
    return [Split(np.setdiff1d(nodes, part), part, none) for part in parts]


@dataclass(frozen=True)
class Validated:
    """A training that is scored by its best epoch on the split's validation nodes."""

    training: Training

    def advance(self, until: int) -> Score:
        """Train on and return the best validation so far."""
        progress = self.training.curriculum.advance(until)
        return Score(progress.best_accuracy, progress.best_loss, progress.epoch)


@dataclass(frozen=True)
class CrossValidated:
    """Trainings on all folds, scored by the epoch that is best on their average."""

    trainings: tuple[Training, ...]

    def advance(self, until: int) -> Score:
        """Train all on and return their mean score."""
        histories = [training.curriculum.advance(until).history for training in self.trainings]
        # Epochs in which only some folds still train are no common ones; in a warm-up nothing learned from labels.
        common = [each for each in zip(*histories, strict=False) if "loss" in each[0]]
        means = [[float(np.mean([r[key] for r in each])) for key in ("val_accuracy", "val_loss")] for each in common]
        accuracy, loss = max(means, key=lambda mean: (mean[0], -mean[1]))
        return Score(accuracy, loss, min(map(len, histories)))


def obstacle(job: Job, settings: Settings, split: Split) -> str | None:
    """Return why nothing can be tried, or None."""
    width, classes = hidden_width(settings, job.graph), job.graph.num_classes
    if needs_sampling(settings, job.graph, width, job.world):
        return "candidates are tried on the whole graph in one process, and this graph is trained on samples of it"
    if _validates(job, split) or job.graph.y is None:
        return None
    labelled = np.concatenate([split.train, split.val])
    if len(labelled) < LEAST_LABELS * classes:
        return f"{len(labelled)} labelled nodes are too few to choose by (fewer than {LEAST_LABELS} a class)"
    if (np.bincount(job.graph.y[labelled]) >= LEAST_LABELS).sum() < 2:
        return f"only one class has {LEAST_LABELS} labelled nodes, so nothing can be told apart"
    return None


def choose(
    job: Job, given: Mapping[str, Any], split: Split, *, notes: tuple[str, ...] = (), progress: bool | None = None
) -> tuple[Choice, Training | None]:
    """Choose settings by the split's validation nodes, or by cross-validation where these are few.

    Args:
        job: What all trainings share; nothing may be in the way (:func:`obstacle`).
        given: Settings that the user fixed.
        split: Training and validation nodes.
        notes: What the choice should say beside what it finds.
        progress: Whether to show a bar; None shows it on a terminal.

    Returns:
        The choice, and its training on the split, complete, if that was part of the search.

    Raises:
        TrainingError: If every training failed.
    """
    # A share of every class is rounded, so that of 5 % a few more nodes may train.
    few_labels = FEW_LABELS * job.graph.num_nodes + job.graph.num_classes / 2
    if "self_training" not in given and len(split.train) <= few_labels:
        given = {**given, "self_training": OWN_LABELS}
        few = f"few labels: {len(split.train):,} of {job.graph.num_nodes:,} nodes train"
        notes = (*notes, f"{few}, so it is trained twice, the second time with the labels it is surest of")
    pool = np.union1d(split.train, split.val)
    folds = []
    if job.graph.y is not None and not _validates(job, split):
        folds = make_folds(job.graph.y, pool, BY_FOLDS.folds, job.seed)
    size = job.graph.num_nodes * hidden_width(make_settings("auto", **given), job.graph)
    small = size <= SMALL and job.encoder not in DEEP
    shared = [candidate for candidate in SHARED if _possible(job, given, candidate)]
    effort = BY_FOLDS if folds else THOROUGH if small else LEAN
    search = Search(given, effort, shared=shared, nodes=len(pool) if folds else len(split.val))
    with progress_bar("choosing by validation", search.epochs, enabled=progress) as advance:

        def begin(settings: Settings) -> Trial:
            def tell(record: Record) -> None:
                advance(1 if settings.regularize else BASE_COST, "InfoMotif" if settings.regularize else "base")

            trainings = [job.training(settings, part, on_epoch=tell) for part in folds or [split]]
            return CrossValidated(tuple(trainings)) if folds else Validated(trainings[0])

        found = search.run(begin)
    on = f"on the {len(split.val):,} validation nodes"
    if folds:
        on = f"in {len(folds)}-fold cross-validation of {len(pool)} labelled nodes"
    best = found.best
    if found.ours is not None and found.changes:
        changes = ", ".join(f"{name}={value}" for name, value in found.changes.items())
        notes = (*notes, f"InfoMotif was tried with the base's best settings: {changes}")
    choice = Choice(
        name=best.name,
        reason=reason(found, on),
        base_better=best is found.base,
        settings=best.settings.to_dict(),
        motifs=motif_patterns(job),
        tried=tuple(Tried.of(entry) for entry in found.tried),
        notes=notes,
    )
    return choice, best.trial.training if isinstance(best.trial, Validated) else None


def unsearched(job: Job, settings: Settings, why: str, notes: tuple[str, ...]) -> Choice:
    """Return the choice where nothing could be tried: the preset ``joint``, or ``paper`` where it has no room."""
    name = "base" if not settings.regularize else "joint" if settings.schedule == "joint" else "paper"
    reason = f"nothing was tried: {why}"
    return Choice(name, reason, not settings.regularize, settings.to_dict(), motif_patterns(job), (), notes)


def motif_patterns(job: Job) -> tuple[str, ...]:
    """Return the patterns of the job's motifs."""
    return () if job.index is None else tuple(motif.pattern for motif in job.index.motifs)


def _possible(job: Job, given: Mapping[str, Any], candidate: Candidate) -> bool:
    """Whether a candidate of the base makes sense for the graph and the encoder."""
    if "edge_weights" in candidate.settings:
        weights = job.graph.csr.weights
        if weights is None or not len(weights) or weights.min() < 0 or (weights == 1).all():
            return False
        if not isinstance(job.encoder, str):
            return takes_weights(job.encoder)
        with torch.device("meta"):
            options = encoder_options(job.encoder, make_settings("auto", **given))
            return takes_weights(make_encoder(job.encoder, 1, 8, **options))
    # The inputs of a module of one's own are as wide as it expects.
    return isinstance(job.encoder, str) or "structural_features" not in candidate.settings


def _validates(job: Job, split: Split) -> bool:
    return len(split.val) >= LEAST_VALIDATION * job.graph.num_classes
