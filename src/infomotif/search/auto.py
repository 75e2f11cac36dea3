"""``preset="auto"``: settings, and whether motifs help at all, chosen by labels that did not train."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from infomotif._core.progress import progress as progress_bar
from infomotif.motifs import MotifIndex
from infomotif.nn.encoders import Custom
from infomotif.search.candidates import BASE_COST, BY_FOLDS, DEEP, LEAN, SHARED, THOROUGH, Candidate
from infomotif.search.choice import Choice, Tried, reason
from infomotif.search.halving import Score, Search, Trial
from infomotif.training.build import hidden_width, needs_sampling, takes_weights
from infomotif.training.config import Settings
from infomotif.training.presets import make_settings
from infomotif.training.records import EpochRecord
from infomotif.training.session import PreparedTraining, Session
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

    training: PreparedTraining

    def advance(self, until: int) -> Score:
        """Train on and return the best validation so far."""
        state = self.training.loop.advance(until)
        return Score(state.best_accuracy, state.best_loss, state.epoch)


@dataclass(frozen=True)
class CrossValidated:
    """Trainings on all folds, scored by the epoch that is best on their average."""

    trainings: tuple[PreparedTraining, ...]

    def advance(self, until: int) -> Score:
        """Train all on and return their mean score."""
        histories = [training.loop.advance(until).history for training in self.trainings]
        # Epochs that only some folds reached are left out, and so are those of a warm-up, without labels.
        common = [each for each in zip(*histories, strict=False) if each[0].loss is not None]
        means = [_mean_validation(each) for each in common]
        accuracy, loss = max(means, key=lambda mean: (mean[0], -mean[1]))
        return Score(accuracy, loss, min(map(len, histories)))


def _mean_validation(records: Sequence[EpochRecord]) -> tuple[float, float]:
    """Return the mean validation accuracy and loss of one epoch over the folds."""
    accuracies = [record.val_accuracy for record in records if record.val_accuracy is not None]
    losses = [record.val_loss for record in records if record.val_loss is not None]
    return float(np.mean(accuracies)), float(np.mean(losses))


def obstacle(session: Session, settings: Settings, split: Split) -> str | None:
    """Return why nothing can be tried, or None."""
    width, classes = hidden_width(settings, session.graph), session.graph.num_classes
    if needs_sampling(settings, session.graph, width, session.world):
        return "candidates are tried on the whole graph in one process, and this graph is trained on samples of it"
    if _validates(session, split) or session.graph.y is None:
        return None
    labelled = np.concatenate([split.train, split.val])
    if len(labelled) < LEAST_LABELS * classes:
        return f"{len(labelled)} labelled nodes are too few to choose by (fewer than {LEAST_LABELS} a class)"
    if (np.bincount(session.graph.y[labelled]) >= LEAST_LABELS).sum() < 2:
        return f"only one class has {LEAST_LABELS} labelled nodes, so nothing can be told apart"
    return None


def choose(
    session: Session,
    given: Mapping[str, Any],
    split: Split,
    *,
    notes: tuple[str, ...] = (),
    progress: bool | None = None,
) -> tuple[Choice, PreparedTraining | None]:
    """Choose settings by the split's validation nodes, or by cross-validation where these are few.

    Args:
        session: What all trainings share; nothing may be in the way (:func:`obstacle`).
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
    few_labels = FEW_LABELS * session.graph.num_nodes + session.graph.num_classes / 2
    if "self_training" not in given and len(split.train) <= few_labels:
        given = {**given, "self_training": OWN_LABELS}
        few = f"few labels: {len(split.train):,} of {session.graph.num_nodes:,} nodes train"
        notes = (*notes, f"{few}, so it is trained twice, the second time with the labels it is surest of")
    pool = np.union1d(split.train, split.val)
    folds = []
    if session.graph.y is not None and not _validates(session, split):
        folds = make_folds(session.graph.y, pool, BY_FOLDS.folds, session.seed)
    size = session.graph.num_nodes * hidden_width(make_settings("auto", session.encoder, **given), session.graph)
    small = size <= SMALL and session.encoder.name not in DEEP
    shared = [candidate for candidate in SHARED if _possible(session, given, candidate)]
    effort = BY_FOLDS if folds else THOROUGH if small else LEAN
    nodes = len(pool) if folds else len(split.val)
    search = Search(given, effort, shared=shared, nodes=nodes, encoder=session.encoder)
    with progress_bar("choosing by validation", search.epochs, enabled=progress) as advance:

        def begin(settings: Settings) -> Trial:
            def tell(record: EpochRecord) -> None:
                advance(1 if settings.regularize else BASE_COST, "InfoMotif" if settings.regularize else "base")

            trainings = [session.training(settings, part, on_epoch=tell) for part in folds or [split]]
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
        motifs=motif_patterns(session),
        tried=tuple(Tried.of(entry) for entry in found.tried),
        notes=notes,
    )
    return choice, best.trial.training if isinstance(best.trial, Validated) else None


def unsearched(session: Session, settings: Settings, why: str, notes: tuple[str, ...]) -> Choice:
    """Return the choice where nothing could be tried: the preset ``joint``, or ``paper`` where it has no room."""
    name = "base" if not settings.regularize else "joint" if settings.training.schedule == "joint" else "paper"
    reason = f"nothing was tried: {why}"
    return Choice(name, reason, not settings.regularize, settings.to_dict(), motif_patterns(session), (), notes)


def motif_patterns(session: Session) -> tuple[str, ...]:
    """Return the patterns of the session's motifs."""
    return () if session.index is None else tuple(motif.pattern for motif in session.index.motifs)


def _possible(session: Session, given: Mapping[str, Any], candidate: Candidate) -> bool:
    """Whether a candidate of the base makes sense for the graph and the encoder."""
    if "edge_weights" in candidate.settings:
        weights = session.graph.csr.weights
        if weights is None or not len(weights) or weights.min() < 0 or (weights == 1).all():
            return False
        if isinstance(session.encoder, Custom):
            return takes_weights(session.encoder.module)
        with torch.device("meta"):
            return takes_weights(make_settings("auto", session.encoder, **given).encoder.build(1, 8))
    # A custom module expects inputs of a certain width.
    return not isinstance(session.encoder, Custom) or "structural_features" not in candidate.settings


def _validates(session: Session, split: Split) -> bool:
    return len(split.val) >= LEAST_VALIDATION * session.graph.num_classes
