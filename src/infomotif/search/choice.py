"""Choice: the settings that ``preset="auto"`` chose, why, and what it tried."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

from infomotif._core.validate import from_mapping
from infomotif.errors import InputError
from infomotif.search.halving import Contender, SearchResult
from infomotif.training.presets import plain_settings


@dataclass(frozen=True)
class Tried:
    """What became of a candidate.

    Attributes:
        name: Its name.
        what: What it does.
        regularized: Whether it is InfoMotif; False for the base.
        accuracy: Its validation accuracy; None if training failed.
        loss: Its validation loss.
        epochs: How many epochs it trained.
        seconds: How long that took.
    """

    name: str
    what: str
    regularized: bool
    accuracy: float | None
    loss: float | None
    epochs: int
    seconds: float

    @classmethod
    def of(cls, contender: Contender) -> Tried:
        """Return what became of a contender of the search."""
        name, what, score, seconds = contender.name, contender.what, contender.score, round(contender.seconds, 2)
        accuracy, loss, epochs = (None, None, 0) if score is None else (score.accuracy, score.loss, score.epochs)
        return cls(name, what, contender.settings.regularize, accuracy, loss, epochs, seconds)


@dataclass(frozen=True)
class Choice:
    """What ``preset="auto"`` chose, and why.

    Attributes:
        name: Name of the chosen candidate.
        reason: Why, in a sentence.
        base_better: Whether the base was chosen: InfoMotif validates no better, or not by enough.
        settings: All settings of the choice; the base that it is compared with shares them.
        motifs: Patterns of the motifs in use.
        tried: Every candidate, in the order of the search.
        notes: What else a reader should know.
    """

    name: str
    reason: str
    base_better: bool
    settings: dict[str, Any]
    motifs: tuple[str, ...]
    tried: tuple[Tried, ...] = ()
    notes: tuple[str, ...] = ()

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
            checked = plain_settings(**choice.settings).to_dict()
            return replace(choice, settings={**checked, **choice.settings})
        except (TypeError, ValueError) as error:
            raise InputError(f"not a choice of settings ({str(error)[:120]})") from None


def reason(result: SearchResult, on: str) -> str:
    """Return why the best was chosen; ``on`` says what was measured."""
    best, base, ours = result.best, result.base, result.ours
    other = ours if best is base else base
    if other is None:
        return f"only the base was tried; '{best.name}' has the best accuracy {on}: {_percent(best)}"
    lead = f"'{best.name}' has the best accuracy {on}" if best is not base else f"the base is more accurate {on}"
    if other.score is None or best.score is None:
        return f"{lead}: {_percent(best)}; training '{other.name}' failed"
    if result.required:
        lead = f"InfoMotif was requested, so the base cannot be chosen; '{best.name}' is the best of the others {on}"
        return f"{lead}: {_percent(best)} where '{other.name}' has {_percent(other)}"
    error = f"one standard error, {100 * result.margin:.1f} points"
    if best is base and other.score.accuracy > best.score.accuracy:
        ahead = f"'{other.name}' is not ahead of the base by more than {error}, {on}"
        return f"{ahead}: {_percent(other)} against {_percent(best)}; the simpler one is taken"
    if best.score.accuracy == other.score.accuracy:
        lead = f"'{best.name}' and '{other.name}' are equally accurate {on}"
        return f"{lead} ({_percent(best)}); the simpler one is taken"
    more = f", more than {error}" if best is not base else ""
    return f"{lead}: {_percent(best)} against {_percent(other)} of '{other.name}'{more}"


def _percent(contender: Contender) -> str:
    return "none" if contender.score is None else f"{100 * contender.score.accuracy:.1f} %"
