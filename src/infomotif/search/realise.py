"""A choice becomes an answer: its members train on a split, or on all labels."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np

from infomotif._core.progress import progress as progress_bar
from infomotif.nn.encoders import as_encoder
from infomotif.nn.encoders.custom import PREFIX
from infomotif.search.choice import Choice, ChosenMember
from infomotif.search.fitted import Fitted
from infomotif.search.members import Answer, Member
from infomotif.search.spreading import Spreading
from infomotif.training.calibration import apply_temperature
from infomotif.training.config import Settings
from infomotif.training.presets import plain_settings
from infomotif.training.records import EpochRecord
from infomotif.training.session import PreparedTraining, Session
from infomotif.training.splits import Split
from infomotif.typing import Array

MIN_EPOCHS = 30
"""A training that no validation node ends has at least so many epochs, unless its settings say less."""


@dataclass(frozen=True, eq=False)
class Outcome:
    """What a choice predicts with on its training graph.

    Attributes:
        answer: The members with their networks.
        probability: Class probabilities of all nodes, [n, C].
        trainings: The training of each member; None for one without a network.
    """

    answer: Answer
    probability: Array
    trainings: tuple[PreparedTraining | None, ...]

    @property
    def main(self) -> PreparedTraining:
        """The training of the member that explains."""
        training = self.trainings[self.answer.main]
        if training is None:
            raise TypeError("the main member of an answer must have a network")
        return training

    @property
    def heaviest(self) -> PreparedTraining | None:
        """The training of the network that counts most, for its history."""
        return self.trainings[heaviest(self.answer.members)]

    @property
    def explaining(self) -> dict[str, PreparedTraining]:
        """The trainings of members that do not count in the mean, by name."""
        pairs = zip(self.answer.members, self.trainings, strict=True)
        return {member.name: training for member, training in pairs if training is not None and member.weight == 0}


def heaviest(members: Sequence[Member | ChosenMember]) -> int:
    """Return which of the members with a network counts most in the mean; of equal ones the first."""
    return max(range(len(members)), key=lambda i: (_has_network(members[i]), members[i].weight, -i))


def _has_network(member: Member | ChosenMember) -> bool:
    return member.fitted is not None if isinstance(member, Member) else member.encoder is not None


@dataclass(frozen=True)
class Realisation:
    """The trainings of a choice.

    Attributes:
        session: What all trainings share.
        choice: The choice.
        split: Training and validation nodes.
        trained: Finished trainings by the member's name; they are not repeated.
        refit: Whether members that vote train on validation nodes too, for as many epochs as the choice says.
        progress: Whether to show a bar; None shows it on a terminal.
        on_epoch: Called with the epochs of the heaviest member.
        checkpoint: Where a single member keeps the state of its training.
    """

    session: Session
    choice: Choice
    split: Split
    trained: Mapping[str, PreparedTraining] = field(default_factory=dict)
    refit: bool = False
    progress: bool | None = None
    on_epoch: Callable[[EpochRecord], None] | None = None
    checkpoint: Path | None = None

    def run(self) -> Outcome:
        """Train every member that is not trained yet, and predict."""
        choice, graph = self.choice, self.session.graph
        told = heaviest(choice.members)
        members: list[Member] = []
        trainings: list[PreparedTraining | None] = []
        parts: list[Array] = []
        title = "training on all labels" if self.refit else "training the choice"
        with progress_bar(title, self._epochs(), enabled=self.progress) as advance:
            for number, chosen in enumerate(choice.members):

                def tell(record: EpochRecord, number: int = number, name: str = chosen.name) -> None:
                    advance(1, name)
                    if number == told and self.on_epoch is not None:
                        self.on_epoch(record)

                training = self._training(chosen, tell)
                member = self._member(chosen, training)
                members.append(member)
                trainings.append(training)
                if chosen.weight > 0:
                    parts.append(member.finish(graph, graph.num_classes, _probability(training)))
        answer = Answer(tuple(members), choice.main, choice.temperature)
        return Outcome(answer, answer.mean(parts), tuple(trainings))

    def _training(self, chosen: ChosenMember, tell: Callable[[EpochRecord], None]) -> PreparedTraining | None:
        """Return the finished training of a member; None if it has no network."""
        if chosen.encoder is None:
            return None
        known = self.trained.get(chosen.name)
        if known is not None:
            for record in known.loop.state.history:
                tell(record)
            return known
        split = self._nodes(chosen)
        session = self._session(chosen)
        checkpoint = self.checkpoint if len(self.choice.members) == 1 else None
        settings = self._settings(session, chosen, split)
        training = session.training(settings, split, on_epoch=tell, checkpoint=checkpoint)
        training.loop.run()
        if not settings.training.calibrate:
            apply_temperature(training.network.classifier, chosen.calibration)
        return training

    def _member(self, chosen: ChosenMember, training: PreparedTraining | None) -> Member:
        fitted = None if training is None else Fitted.of(self._session(chosen), training)
        spreading = None
        if chosen.spreading is not None:
            spreading = Spreading.of(self.session.graph, self._nodes(chosen).train, chosen.spreading)
        return Member(chosen.name, fitted, spreading, chosen.weight, chosen.temperature)

    def _nodes(self, chosen: ChosenMember) -> Split:
        """Return what a member trains on: of a refit all labels, unless it only explains."""
        split = self.split
        if self.refit and chosen.weight > 0:
            return Split(np.union1d(split.train, split.val), split.val[:0], split.test)
        return Split(split.train, split.val[:0], split.test) if self.choice.fixed_epochs else split

    def _session(self, chosen: ChosenMember) -> Session:
        name = chosen.encoder
        known = name is None or name.startswith(PREFIX) or name == self.session.name
        return self.session if known else replace(self.session, encoder=as_encoder(str(name)))

    def _settings(self, session: Session, chosen: ChosenMember, split: Split) -> Settings:
        settings = plain_settings(session.encoder, **chosen.settings)
        if len(split.val) or not chosen.epochs:
            return settings
        training = settings.training
        changes = {
            "epochs": min(training.epochs, max(chosen.epochs, MIN_EPOCHS)),
            "self_training": training.self_training if chosen.twice else 0.0,
            "patience": None,
            "calibrate": False,
        }
        return replace(settings, training=training.replace(**changes))

    def _epochs(self) -> int:
        left = [chosen for chosen in self.choice.members if chosen.encoder is not None]
        return sum(
            self._settings(self._session(chosen), chosen, self._nodes(chosen)).training.total_epochs for chosen in left
        )


def _probability(training: PreparedTraining | None) -> Array | None:
    return None if training is None else np.asarray(training.view.infer().logits.softmax(dim=1).cpu().numpy())
