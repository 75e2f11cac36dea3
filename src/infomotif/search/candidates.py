"""The candidates of ``preset="auto"``, as data, and how far each of them trains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from infomotif.training.presets import PRESETS

BASE_COST = 1 / 6
"""Cost of an epoch of the base in epochs of InfoMotif, measured on Cora; 0.45 on small graphs without attributes."""
DEEP = ("gcnii",)
"""Deep encoders, whose epochs cost at least half as much as those of InfoMotif, so that their search is lean."""


@dataclass(frozen=True)
class Candidate:
    """A name, the settings that it changes, and what these do, in a few words."""

    name: str
    settings: dict[str, Any]
    what: str


def _joint(name: str, what: str, **settings: Any) -> Candidate:
    return Candidate(name, {**PRESETS["joint"], **settings}, what)


BASE = Candidate("base", PRESETS["base"], "the encoder alone")
SHARED = (
    Candidate(
        "structure",
        {"inputs": "attributes+centralities+quantiles"},
        "degree, motif counts and centralities become inputs",
    ),
    Candidate("weights", {"edge_weights": True}, "messages are weighted by the edges"),
    Candidate("dropout 0.2", {"dropout": 0.2}, "layers drop less of their input"),
    Candidate("decay 0.0005", {"weight_decay": 5e-4}, "large weights are penalised"),
    Candidate("lr 0.001", {"lr": 0.001}, "steps are smaller"),
)
"""Settings that base and InfoMotif share, tried on the base one after the other; those that help stay."""

CANDIDATES = (
    _joint("joint, weight 0.2", "the InfoMax loss is weighted by 0.2", mi_weight=0.2),
    _joint("joint", "supervised and InfoMax loss are minimised together, and z adds h"),
    Candidate("paper", {}, "Algorithm 1 as published, in one batch of all nodes"),
    _joint("joint, degree", "negatives replace a node's co-members by others of the same degree", negatives="degree"),
    _joint("joint, consistency", "predictions of nodes in the same instance are pulled together", consistency=0.5),
    _joint("joint, weight 5", "the InfoMax loss is weighted by 5", mi_weight=5.0),
    _joint("joint, readout", "the summary of a node's instances joins z", readout_in_z=True),
)
"""Candidates of InfoMotif, the most promising first: where trainings are expensive, only the first are tried."""


@dataclass(frozen=True)
class Effort:
    """How far candidates train, in shares of all epochs.

    Attributes:
        base: How far each setting of the base trains.
        rungs: Shares of the epochs, and how many candidates of InfoMotif train that far; the base trains to the last.
        folds: Trainings of each candidate, whose scores are averaged.
    """

    base: float
    rungs: tuple[tuple[float, int], ...]
    folds: int = 1

    @property
    def max_candidates(self) -> int:
        """How many candidates of InfoMotif are tried at most."""
        return self.rungs[0][1]

    @property
    def complete(self) -> bool:
        """Whether the best candidates train to the end, so that the choice need not be trained again."""
        return self.folds == 1 and self.rungs[-1][0] == 1.0

    @property
    def remaining(self) -> float:
        """What the choice still has to train after the search, in trainings."""
        return 1.0 if self.folds > 1 else 1 - self.rungs[-1][0]

    def cost(
        self,
        shared: int = len(SHARED),
        ours: int = len(CANDIDATES),
        base_cost: float = BASE_COST,
        *,
        self_training: bool = False,
    ) -> float:
        """Return what the search costs, in trainings of InfoMotif without self-training.

        Args:
            shared: How many settings of the base are tried besides its first.
            ours: How many candidates of InfoMotif there are.
            base_cost: Cost of an epoch of the base in epochs of InfoMotif.
            self_training: Whether the best candidates are trained a second time, with their own labels.
        """
        last = self.rungs[-1][0]
        total, before = base_cost * ((1 + shared) * self.base + last - self.base), 0.0
        for share, count in self.rungs:
            total += min(count, ours) * (share - before)
            before = share
        if self_training and self.complete:
            total += base_cost + min(1, ours)
        return self.folds * total


THOROUGH = Effort(base=1.0, rungs=((0.3, 7), (0.6, 2), (1.0, 1)))
"""For small graphs, whose epochs are short."""
LEAN = Effort(base=0.5, rungs=((0.3, 4), (0.6, 2), (1.0, 1)))
"""For larger graphs; after 15 of 100 epochs the joint schedule may still guess, so all train for 30."""
BY_FOLDS = Effort(base=0.2, rungs=((0.2, 3), (0.4, 1)), folds=3)
"""For cross-validation, where every candidate trains three times and the choice once more."""
