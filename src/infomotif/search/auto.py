"""``preset="auto"``: what predicts, one model or a mean of several, chosen by labels that did not train."""

from __future__ import annotations

import math
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import torch

from infomotif._core.progress import progress as progress_bar
from infomotif.motifs import MotifIndex
from infomotif.search.candidates import CHEAP, MOTIF, NETWORK
from infomotif.search.choice import Choice, ChosenMember, Tried
from infomotif.search.ensemble import Selection, select
from infomotif.search.halving import race
from infomotif.search.options import Budget, Search
from infomotif.search.portfolio import Entry, Portfolio
from infomotif.search.realise import Outcome, Realisation
from infomotif.search.trial import Trial
from infomotif.search.work import epoch_seconds
from infomotif.training.build import hidden_width, needs_sampling
from infomotif.training.calibration import fitted_temperature
from infomotif.training.config import Settings
from infomotif.training.loop import TrainingError
from infomotif.training.presets import make_settings
from infomotif.training.records import EpochRecord
from infomotif.training.session import Session
from infomotif.training.splits import Split
from infomotif.typing import Array

MIN_INSTANCES = 100
"""A motif with fewer instances in the whole graph cannot be learned from."""
MIN_VALIDATION = 2
"""With fewer validation nodes per class the labelled nodes are cross-validated instead."""
MIN_LABELS = 3
"""With fewer labelled nodes per class, training and validation together, they cannot be cross-validated."""
MIN_EPOCH_VALIDATION = 100
"""With fewer validation nodes the epoch is not chosen by them: the best of many epochs would be so by chance."""
FOLDS = 3
FEW_LABELS = 0.05
"""If no more than this share of the nodes trains, a second training uses labels of the first (``self_training``)."""


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
class Request:
    """What a search is asked for.

    Attributes:
        given: Settings that the user fixed, by their flat names.
        search: How far to go.
        fixed_encoder: Whether the user named the encoder, so that no other is tried.
        keep_motifs: Whether rare motifs stay, as those that the user named do.
        progress: Whether to show a bar; None shows it on a terminal.
    """

    given: Mapping[str, Any]
    search: Search
    fixed_encoder: bool = False
    keep_motifs: bool = False
    progress: bool | None = None


def choose(session: Session, split: Split, request: Request) -> tuple[Session, Choice, Outcome | None]:
    """Choose by the split's validation nodes, or by cross-validation where these are few.

    Returns:
        The session with the motifs that are used, the choice, and what it predicts with; None if nothing could be
        tried, so that the choice is still to be trained.

    Raises:
        TrainingError: If every training failed.
    """
    index = session.index
    if index is None:
        raise TypeError("preset auto needs the motifs to be counted")
    given = dict(request.given)
    notes: tuple[str, ...] = ()
    settings = make_settings("auto", session.encoder, **{"calibrate": len(split.val) > 0, **given})
    # Negatives of other motifs need all motifs that there are.
    if not request.keep_motifs and "other-motif" not in settings.regularizer.negatives.split("+"):
        index, notes = frequent_motifs(index)
        session = replace(session, index=index)
    requested = bool(given.get("regularize", False)) or given.get("instances") == "graph"
    possible = bool(index.totals.any()) or requested
    if not possible:
        notes = (*notes, "the graph has no instance of any of these motifs, so InfoMotif is left out")
    why = obstacle(session, settings, split)
    if why is not None:
        choice = _unsearched(session, settings, why, notes)
        warnings.warn(f"preset auto takes '{choice.name}': {why}", stacklevel=4)
        return session, choice, None
    few = _few_labels(session, split) and "self_training" not in given
    if few:
        trained = f"few labels: {len(split.train):,} of {session.graph.num_nodes:,} nodes train"
        notes = (
            *notes,
            f"{trained}, so networks train twice, the second time also with labels they are most certain of",
        )
    portfolio = Portfolio(
        session.graph,
        session.encoder,
        request.fixed_encoder,
        given,
        few,
        with_motifs=request.search.with_motifs,
        regularizes=possible,
        labels=len(split.train),
    )
    return session, *_Search(session, split, request, portfolio, notes).run()


def obstacle(session: Session, settings: Settings, split: Split) -> str | None:
    """Return why nothing can be tried, or None."""
    width, classes = hidden_width(settings, session.graph), session.graph.num_classes
    if needs_sampling(settings, session.graph, width, session.world):
        return "candidates are tried on the whole graph in one process, and this graph is trained on samples of it"
    if len(split.val) or session.graph.y is None:
        return None
    labelled = split.train
    if len(labelled) < MIN_LABELS * classes:
        return f"{len(labelled)} labelled nodes are too few to choose by (fewer than {MIN_LABELS} per class)"
    if (np.bincount(session.graph.y[labelled]) >= MIN_LABELS).sum() < 2:
        return f"only one class has {MIN_LABELS} labelled nodes, so candidates cannot be compared"
    return None


class _Search:
    """One search: trials by stages, the selection among those that trained to the end, and the choice it makes."""

    def __init__(
        self, session: Session, split: Split, request: Request, portfolio: Portfolio, notes: tuple[str, ...]
    ) -> None:
        self.session, self.split, self.request, self.portfolio, self.notes = session, split, request, portfolio, notes
        self.pool = np.union1d(split.train, split.val)
        self.folds = _folds(session, split, self.pool)
        self.fixed = min(len(each.val) for each in self.folds or [split]) < MIN_EPOCH_VALIDATION
        self.trials: list[Trial] = []

    def run(self) -> tuple[Choice, Outcome]:
        folds = max(1, len(self.folds))
        stages, left_out = self.portfolio.within(Budget.parse(self.request.search.budget), folds)
        if left_out:
            self.notes = (*self.notes, f"left out to stay within the budget: {'; '.join(left_out)}")
        total = self.portfolio.seconds(stages, folds)
        with progress_bar("choosing by validation", total, enabled=self.request.progress) as self._advance:
            for entry in stages[CHEAP]:
                self._finish(self._trial(entry))
            networks = race([self._trial(entry) for entry in stages[NETWORK]], self._finish)
            best = next((self._entry_of(trial, stages[NETWORK]) for trial in networks), None)
            names = {entry.candidate.name for entry in stages[MOTIF]}
            motif = [e for e in self.portfolio.entries(MOTIF, best) if e.candidate.name in names]
            race([self._trial(entry) for entry in motif], self._finish, finishers=1)
        done = [trial for trial in self.trials if trial.done]
        if not any(trial.trainings for trial in done):
            raise next((trial.error for trial in self.trials if trial.error is not None), _nothing())
        selection = select([trial.validated for trial in done], done[0].truth, ensemble=self.request.search.ensemble)
        choice = self._choice(done, selection)
        trained = (
            {} if self.folds else {trial.name: trial.source.trainings[0] for trial in done if trial.source.trainings}
        )
        return choice, Realisation(self.session, choice, self.split, trained, progress=self.request.progress).run()

    def _trial(self, entry: Entry) -> Trial:
        session = replace(self.session, encoder=entry.encoder)
        seconds = 0.0 if entry.settings is None else epoch_seconds(entry.settings, session.graph)
        base = next((trial for trial in self.trials if trial.name == entry.candidate.over), None)

        def tell(record: EpochRecord) -> None:
            self._advance(seconds, entry.candidate.name)

        splits = self.folds or [self.split]
        trial = Trial(entry.candidate, entry.settings, session, splits, tell, base, fixed=self.fixed)
        self.trials.append(trial)
        return trial

    def _finish(self, trial: Trial) -> None:
        if trial.candidate.over is not None and (trial.base is None or not trial.base.done):
            # What it builds on failed, or was left out.
            self.trials.remove(trial)
            return
        trial.finish()

    @staticmethod
    def _entry_of(trial: Trial, entries: list[Entry]) -> Entry:
        return next(entry for entry in entries if entry.candidate is trial.candidate)

    def _choice(self, done: list[Trial], selection: Selection) -> Choice:
        weights = {trial.name: float(weight) for trial, weight in zip(done, selection.weights, strict=True)}
        voters = [trial for trial in done if weights[trial.name] > 0]
        ranked = sorted(done, key=lambda trial: (-weights[trial.name], trial.rank))
        # Explanations come from a member with motifs; without one, the best candidate with motifs explains.
        main = next((t for kind in (_regularized, _has_network) for t in ranked if kind(t)), None)
        if main is None:
            raise _nothing()
        members = voters if main in voters else [*voters, main]
        mean = sum(weights[trial.name] * trial.validated.astype(np.float64) for trial in voters)
        truth = voters[0].truth
        temperature = 1.0
        if len(voters) > 1:
            logits = torch.from_numpy(np.log(np.maximum(np.asarray(mean), 1e-12)))
            temperature = fitted_temperature(logits, torch.from_numpy(truth))
        accuracy = float((np.asarray(mean).argmax(axis=1) == truth).mean())
        name = voters[0].name if len(voters) == 1 else f"mean of {len(voters)}: {' + '.join(t.name for t in voters)}"
        settings = {} if main.settings is None else main.settings.to_dict()
        return Choice(
            name=name,
            reason=self._reason(done, voters, selection, accuracy, len(truth)),
            members=tuple(_chosen(trial, weights[trial.name]) for trial in members),
            main=members.index(main),
            settings=settings,
            motifs=_patterns(self.session),
            temperature=temperature,
            fixed_epochs=self.fixed,
            accuracy=accuracy,
            nodes=len(truth),
            tried=tuple(Tried.of(trial) for trial in self.trials),
            notes=self.notes,
        )

    def _reason(self, done: list[Trial], voters: list[Trial], selection: Selection, accuracy: float, nodes: int) -> str:
        on = f"on the {nodes:,} validation nodes"
        if self.folds:
            on = f"in {len(self.folds)}-fold cross-validation of {nodes} labelled nodes"
        best = min(done, key=lambda trial: trial.rank)
        top = 0.0 if best.score is None else best.score.accuracy
        if len(voters) > 1:
            lead = f"the mean of {len(voters)} models has {100 * accuracy:.1f} % {on}"
            return f"{lead} and a smaller loss than the simplest alone; the best candidate alone has {100 * top:.1f} %"
        chosen = voters[0]
        own = 0.0 if chosen.score is None else chosen.score.accuracy
        if chosen is best or math.isclose(own, top):
            return f"'{chosen.name}' has the best accuracy {on}: {100 * own:.1f} %"
        lead = f"'{chosen.name}' has {100 * own:.1f} % {on}"
        return f"{lead}; '{best.name}' has {100 * top:.1f} %, within one standard error, so the simpler one is taken"


def _chosen(trial: Trial, weight: float) -> ChosenMember:
    source = trial.source
    epochs, twice = trial.best_epochs
    settings = source.settings
    return ChosenMember(
        name=trial.name,
        weight=weight,
        motifs=trial.candidate.motifs,
        encoder=None if settings is None else source.session.name,
        settings={} if settings is None else settings.to_dict(),
        spreading=None if trial.candidate.spreading is None else dict(trial.candidate.spreading),
        temperature=trial.temperature,
        calibration=trial.calibration,
        epochs=epochs,
        twice=twice,
    )


def _regularized(trial: Trial) -> bool:
    return trial.settings is not None and trial.settings.regularize


def _has_network(trial: Trial) -> bool:
    return trial.settings is not None


def _nothing() -> TrainingError:
    return TrainingError("no candidate could be trained; give other settings, or another preset")


def _folds(session: Session, split: Split, pool: Array) -> list[Split]:
    """Return the folds of a cross-validation, or none where the validation nodes decide."""
    y, classes = session.graph.y, session.graph.num_classes
    if y is None or len(split.val) >= MIN_VALIDATION * classes:
        return []
    enough = len(pool) >= MIN_LABELS * classes and (np.bincount(y[pool]) >= MIN_LABELS).sum() >= 2
    return make_folds(y, pool, FOLDS, session.seed) if enough else []


def _few_labels(session: Session, split: Split) -> bool:
    # A share of every class is rounded, so that of 5 % a few more nodes may train.
    return len(split.train) <= FEW_LABELS * session.graph.num_nodes + session.graph.num_classes / 2


def _unsearched(session: Session, settings: Settings, why: str, notes: tuple[str, ...]) -> Choice:
    """Return the choice where nothing could be tried: preset ``joint``, or ``paper`` where settings rule it out."""
    name = "base" if not settings.regularize else "joint" if settings.training.schedule == "joint" else "paper"
    member = ChosenMember(name, 1.0, settings.regularize, session.name, settings.to_dict())
    return Choice(name, f"nothing was tried: {why}", (member,), 0, settings.to_dict(), _patterns(session), notes=notes)


def _patterns(session: Session) -> tuple[str, ...]:
    return () if session.index is None else tuple(motif.pattern for motif in session.index.motifs)
