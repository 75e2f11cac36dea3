"""Choice: what ``preset="auto"`` chose, why, and what it tried."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import Any

from infomotif._core.statistics import wilson_interval
from infomotif._core.validate import from_mapping
from infomotif.errors import InputError
from infomotif.search.trial import Trial
from infomotif.training.presets import plain_settings


@dataclass(frozen=True)
class Tried:
    """What became of a candidate.

    Attributes:
        name: Its name.
        what: What it does.
        motifs: Whether it is made of motifs.
        accuracy: Its validation accuracy; None if training failed.
        loss: Its validation loss.
        epochs: How many epochs it trained; 0 without a network.
        seconds: How long that took.
        finished: Whether it trained to the end; if not, others were better at that point.
    """

    name: str
    what: str
    motifs: bool
    accuracy: float | None
    loss: float | None
    epochs: int
    seconds: float
    finished: bool

    @classmethod
    def of(cls, trial: Trial) -> Tried:
        """Return what became of a trial of the search."""
        score, seconds = trial.score, round(trial.seconds, 2)
        accuracy, loss, epochs = (None, None, 0) if score is None else (score.accuracy, score.loss, score.epochs)
        about = trial.candidate
        return cls(trial.name, about.what, about.motifs, accuracy, loss, epochs, seconds, trial.done)


@dataclass(frozen=True)
class ChosenMember:
    """A part of the answer, in enough detail to train it again.

    Attributes:
        name: Name of the candidate.
        weight: Its share in the mean; 0 if it is there to explain.
        motifs: Whether it is made of motifs.
        encoder: Name of the encoder; None without a network.
        settings: All settings of the network.
        spreading: Options of labels that spread over its predictions, or alone.
        temperature: What the logarithm of its probabilities is divided by, where they spread.
        calibration: What the logits of a network that no validation node calibrates are divided by.
        epochs: How many epochs a training without validation nodes has; 0 goes by the settings.
        twice: Whether that training is followed by self-training.
    """

    name: str
    weight: float
    motifs: bool
    encoder: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    spreading: dict[str, Any] | None = None
    temperature: float = 1.0
    calibration: float = 1.0
    epochs: int = 0
    twice: bool = False


@dataclass(frozen=True)
class Choice:
    """What ``preset="auto"`` chose, and why.

    Attributes:
        name: Name of the chosen candidate, or of the mean.
        reason: Why, in a sentence.
        members: The models of the answer, and what explains it.
        main: Which of them explanations and representations come from.
        temperature: What the logarithm of the mean is divided by.
        fixed_epochs: Whether networks train all their epochs, as validation nodes are too few to choose one.
        settings: All settings of the main member.
        motifs: Patterns of the motifs in use.
        accuracy: Accuracy of the answer on the nodes that chose it; None if nothing could be tried.
        nodes: How many nodes that were.
        tried: Every candidate, in the order of the search.
        notes: What else a reader should know.
    """

    name: str
    reason: str
    members: tuple[ChosenMember, ...]
    main: int
    settings: dict[str, Any]
    motifs: tuple[str, ...]
    temperature: float = 1.0
    fixed_epochs: bool = False
    accuracy: float | None = None
    nodes: int = 0
    tried: tuple[Tried, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def uses_motifs(self) -> bool:
        """Whether a part that is made of motifs counts in the answer."""
        return any(member.motifs and member.weight > 0 for member in self.members)

    @property
    def interval(self) -> tuple[float, float] | None:
        """The 95 % interval of the accuracy, as of independent nodes."""
        return None if self.accuracy is None or not self.nodes else wilson_interval(self.accuracy, self.nodes)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        return asdict(self)

    @classmethod
    def from_dict(cls, value: Any) -> Choice:
        """Return the choice that :meth:`to_dict` wrote.

        Raises:
            InputError: If it is none.
        """
        try:
            choice = from_mapping(cls, value, "choice")
            if not 0 <= choice.main < len(choice.members):
                raise InputError(f"main must number one of {len(choice.members)} members")
            members = tuple(_checked(member) for member in choice.members)
            return replace(choice, members=members, settings=_all_settings(choice.settings))
        except (TypeError, ValueError) as error:
            raise InputError(f"not a choice of settings ({str(error)[:120]})") from None


def _checked(member: ChosenMember) -> ChosenMember:
    return member if not member.settings else replace(member, settings=_all_settings(member.settings))


def _all_settings(flat: dict[str, Any]) -> dict[str, Any]:
    return {**plain_settings(**flat).to_dict(), **flat}
