"""What ``preset="auto"`` tries, as data, and how far each candidate trains."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from infomotif.training.presets import PRESETS

BASE_COST = 1 / 6
"""An epoch of the base in epochs of InfoMotif, as measured on Cora; small graphs without attributes reach 0.45."""
DEEP = ("gcnii",)
"""Encoders of so many layers that an epoch of them costs half of one of InfoMotif and more; the search is lean then."""


@dataclass(frozen=True)
class Candidate:
    """A name, the settings that it changes, and what these do."""

    name: str
    settings: dict[str, Any]
    what: str


def _joint(name: str, what: str, **settings: Any) -> Candidate:
    return Candidate(name, {**PRESETS["joint"], **settings}, what)


BASE = Candidate("base", PRESETS["base"], "the encoder alone")
SHARED = (
    Candidate(
        "structure", {"structural_features": "quantiles"}, "degree, motif counts and centralities join the inputs"
    ),
    Candidate("weights", {"edge_weights": True}, "messages count as much as the edges weigh"),
    Candidate("dropout 0.2", {"dropout": 0.2}, "layers see more of their input"),
    Candidate("decay 0.0005", {"weight_decay": 5e-4}, "large weights cost"),
    Candidate("lr 0.001", {"lr": 0.001}, "smaller steps"),
)
"""Settings that base and InfoMotif share, tried on the base one after the other; what helps stays."""

CANDIDATES = (
    _joint("joint, weight 0.2", "the InfoMax loss counts a fifth", mi_weight=0.2),
    _joint("joint", "supervised and InfoMax loss in one, z adds h"),
    Candidate("paper", PRESETS["paper"], "Algorithm 1 as published"),
    _joint("joint, degree", "negatives swap a node's co-members for others of the same degree", negatives="degree"),
    _joint("joint, consistency", "motif partners pull each other's predictions together", consistency=0.5),
    _joint("joint, weight 5", "the InfoMax loss counts five times", mi_weight=5.0),
    _joint("joint, readout", "what surrounds a node joins z", readout_in_z=True),
)
"""InfoMotif as it is tried, the likeliest first: where trainings cost much only the first of them are."""


@dataclass(frozen=True)
class Effort:
    """How far trainings go, in shares of all epochs.

    Attributes:
        base: How far each setting of the base trains.
        rungs: A share of the epochs, and how many candidates of InfoMotif train as far; the base goes to the last.
        folds: Trainings of each candidate, whose scores are averaged.
    """

    base: float
    rungs: tuple[tuple[float, int], ...]
    folds: int = 1

    @property
    def most(self) -> int:
        """How many candidates of InfoMotif are tried at most."""
        return self.rungs[0][1]

    @property
    def complete(self) -> bool:
        """Whether the best are trained to their end, so that the choice need not be trained again."""
        return self.folds == 1 and self.rungs[-1][0] == 1.0

    @property
    def rest(self) -> float:
        """What is left to train of the choice after the search, in trainings."""
        return 1.0 if self.folds > 1 else 1 - self.rungs[-1][0]

    def cost(
        self,
        shared: int = len(SHARED),
        ours: int = len(CANDIDATES),
        base_cost: float = BASE_COST,
        *,
        twice: bool = False,
    ) -> float:
        """Return what the search costs, in trainings of InfoMotif without self-training.

        Args:
            shared: How many settings of the base are tried beside its first.
            ours: How many candidates of InfoMotif there are.
            base_cost: An epoch of the base in epochs of InfoMotif.
            twice: Whether self-training trains the best a second time.
        """
        last = self.rungs[-1][0]
        total, before = base_cost * ((1 + shared) * self.base + last - self.base), 0.0
        for share, count in self.rungs:
            total += min(count, ours) * (share - before)
            before = share
        if twice and self.complete:
            total += base_cost + min(1, ours)
        return self.folds * total


THOROUGH = Effort(base=1.0, rungs=((0.3, 7), (0.6, 2), (1.0, 1)))
"""For graphs whose epochs take little time."""
LEAN = Effort(base=0.5, rungs=((0.3, 4), (0.6, 2), (1.0, 1)))
"""For larger ones; after 15 epochs of 100 the joint schedule may still guess, so none is let go before 30."""
BY_FOLDS = Effort(base=0.2, rungs=((0.2, 3), (0.4, 1)), folds=3)
"""For cross-validation, where every candidate is trained three times and the choice once more."""
