"""``preset="auto"``: settings, and whether motifs help at all, chosen by labels that did not train."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from infomotif._core.progress import progress as progress_bar
from infomotif.motifs import MotifIndex
from infomotif.nn.encoders import Custom
from infomotif.search.candidates import BASE_COST, BY_FOLDS, DEEP, LEAN, SHARED, THOROUGH, Candidate
from infomotif.search.choice import Choice, Tried, reason
from infomotif.search.halving import Score, Search
from infomotif.training.build import hidden_width, needs_sampling, takes_weights
from infomotif.training.config import Settings
from infomotif.training.presets import make_settings
from infomotif.training.records import EpochRecord
from infomotif.training.session import PreparedTraining, Session
from infomotif.training.splits import Split
from infomotif.typing import Array

MIN_INSTANCES = 100
"""A motif with fewer instances in the whole graph cannot be learned from."""
MIN_VALIDATION = 5
"""With fewer validation nodes per class the labelled nodes are cross-validated instead."""
MIN_LABELS = 3
"""With fewer labelled nodes per class, training and validation together, candidates cannot be compared."""
MAX_THOROUGH = 300_000
"""Up to this many numbers in the output of a layer the search is thorough."""

FEW_LABELS = 0.05
"""If no more than this share of the nodes trains, a second training uses labels of the first (``self_training``)."""
PSEUDO_LABELS = 0.2
"""The share of the other nodes that are then labelled."""


def frequent_motifs(index: MotifIndex) -> tuple[MotifIndex, tuple[str, ...]]:
    """Return the index without rare motifs, and a note per motif that was dropped; the most frequent always stays.

    Example:
        >>> from infomotif import load_dataset
        >>> index, notes = frequent_motifs(MotifIndex(load_dataset("karate")))
        >>> [motif.name for motif in index.motifs], notes
        (['M6'], ('M7 was dropped: 45 instances are too few to learn from (fewer than 100)',))
    """
    kept = [t for t, total in enumerate(index.totals) if total >= MIN_INSTANCES] or [int(index.totals.argmax())]
    if len(kept) == len(index.motifs):
        return index, ()
    notes = tuple(
        f"{motif.name} was dropped: {total:,} instances are too few to learn from (fewer than {MIN_INSTANCES})"
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
class FoldTrainings:
    """The trainings of a candidate, one per fold or one alone, scored by the epoch that is best on their average."""

    trainings: tuple[PreparedTraining, ...]

    def advance(self, until: int) -> Score:
        """Train all of them up to epoch ``until`` and return their mean score."""
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


def choose(
    session: Session,
    given: Mapping[str, Any],
    split: Split,
    *,
    keep_motifs: bool = False,
    progress: bool | None = None,
) -> tuple[Session, Choice, PreparedTraining | None]:
    """Choose settings by the split's validation nodes, or by cross-validation where these are few.

    Args:
        session: What all trainings share.
        given: Settings that the user fixed.
        split: Training and validation nodes.
        keep_motifs: Whether rare motifs stay, as those that the user named do.
        progress: Whether to show a bar; None shows it on a terminal.

    Returns:
        The session with the motifs that are used, the choice, and its training on the split if the search made it;
        that training has yet to be ended by ``loop.run()``.

    Raises:
        TrainingError: If every training failed.
    """
    index = session.index
    if index is None:
        raise TypeError("preset auto needs the motifs to be counted")
    given = {"calibrate": len(split.val) > 0, **given}
    notes: tuple[str, ...] = ()
    # Negatives of other motifs need all motifs that there are.
    settings = make_settings("auto", session.encoder, **given)
    if not keep_motifs and "other-motif" not in settings.regularizer.negatives.split("+"):
        index, notes = frequent_motifs(index)
        session = replace(session, index=index)
    if not index.totals.any() and given.get("instances") != "graph" and "regularize" not in given:
        given["regularize"] = False
        notes = (*notes, "the graph has no instance of any of these motifs, so InfoMotif is left out")
    settings = make_settings("auto", session.encoder, **given)
    why = obstacle(session, settings, split)
    if why is not None:
        choice = _unsearched(session, settings, why, notes)
        warnings.warn(f"preset auto takes '{choice.name}': {why}", stacklevel=4)
        return session, choice, None
    return session, *_search(session, given, split, notes, progress)


def obstacle(session: Session, settings: Settings, split: Split) -> str | None:
    """Return why nothing can be tried, or None."""
    width, classes = hidden_width(settings, session.graph), session.graph.num_classes
    if needs_sampling(settings, session.graph, width, session.world):
        return "candidates are tried on the whole graph in one process, and this graph is trained on samples of it"
    if _validates(session, split) or session.graph.y is None:
        return None
    labelled = np.concatenate([split.train, split.val])
    if len(labelled) < MIN_LABELS * classes:
        return f"{len(labelled)} labelled nodes are too few to choose by (fewer than {MIN_LABELS} per class)"
    if (np.bincount(session.graph.y[labelled]) >= MIN_LABELS).sum() < 2:
        return f"only one class has {MIN_LABELS} labelled nodes, so candidates cannot be compared"
    return None


def _search(
    session: Session, given: dict[str, Any], split: Split, notes: tuple[str, ...], progress: bool | None
) -> tuple[Choice, PreparedTraining | None]:
    graph = session.graph
    # A share of every class is rounded, so that of 5 % a few more nodes may train.
    if "self_training" not in given and len(split.train) <= FEW_LABELS * graph.num_nodes + graph.num_classes / 2:
        given = {**given, "self_training": PSEUDO_LABELS}
        few = f"few labels: {len(split.train):,} of {graph.num_nodes:,} nodes train"
        notes = (*notes, f"{few}, so it is trained twice, the second time also with the labels it is most certain of")
    pool = np.union1d(split.train, split.val)
    folds = []
    if graph.y is not None and not _validates(session, split):
        folds = make_folds(graph.y, pool, BY_FOLDS.folds, session.seed)
    size = graph.num_nodes * hidden_width(make_settings("auto", session.encoder, **given), graph)
    small = size <= MAX_THOROUGH and session.encoder.name not in DEEP
    shared = [candidate for candidate in SHARED if _possible(session, given, candidate)]
    effort = BY_FOLDS if folds else THOROUGH if small else LEAN
    nodes = len(pool) if folds else len(split.val)
    search = Search(given, effort, shared=shared, nodes=nodes, encoder=session.encoder)
    with progress_bar("choosing by validation", search.epochs, enabled=progress) as advance:

        def begin(settings: Settings) -> FoldTrainings:
            def tell(record: EpochRecord) -> None:
                advance(1 if settings.regularize else BASE_COST, "InfoMotif" if settings.regularize else "base")

            return FoldTrainings(tuple(session.training(settings, part, on_epoch=tell) for part in folds or [split]))

        result = search.run(begin)
    on = f"on the {len(split.val):,} validation nodes"
    if folds:
        on = f"in {len(folds)}-fold cross-validation of {len(pool)} labelled nodes"
    best = result.best
    if result.ours is not None and result.changes:
        changes = ", ".join(f"{name}={value}" for name, value in result.changes.items())
        notes = (*notes, f"InfoMotif was tried with the base's best settings: {changes}")
    choice = Choice(
        name=best.name,
        reason=reason(result, on),
        base_better=best is result.base,
        settings=best.settings.to_dict(),
        motifs=_patterns(session),
        tried=tuple(Tried.of(contender) for contender in result.tried),
        notes=notes,
    )
    searched = best.training
    return choice, searched.trainings[0] if isinstance(searched, FoldTrainings) and not folds else None


def _unsearched(session: Session, settings: Settings, why: str, notes: tuple[str, ...]) -> Choice:
    """Return the choice where nothing could be tried: preset ``joint``, or ``paper`` where settings rule it out."""
    name = "base" if not settings.regularize else "joint" if settings.training.schedule == "joint" else "paper"
    text = f"nothing was tried: {why}"
    return Choice(name, text, not settings.regularize, settings.to_dict(), _patterns(session), (), notes)


def _patterns(session: Session) -> tuple[str, ...]:
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
    return not isinstance(session.encoder, Custom) or "inputs" not in candidate.settings


def _validates(session: Session, split: Split) -> bool:
    return len(split.val) >= MIN_VALIDATION * session.graph.num_classes
