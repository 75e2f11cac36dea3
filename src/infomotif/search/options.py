"""Search: how far ``preset="auto"`` goes, as the estimator and the command take it."""

from __future__ import annotations

import re
from typing import NamedTuple

from infomotif._core.validate import Config, config, setting
from infomotif.errors import InputError

_BUDGET = re.compile(r"(\d+(?:\.\d+)?)\s*(s|seconds?|trainings?)?")


class Budget(NamedTuple):
    """What a search may cost: counted seconds, a number of candidates, or neither: then it goes by the graph."""

    seconds: float | None
    trainings: int | None

    @classmethod
    def parse(cls, text: str) -> Budget:
        """Return the budget that a text states.

        Example:
            >>> Budget.parse("30"), Budget.parse("8 trainings")
            (Budget(seconds=30.0, trainings=None), Budget(seconds=None, trainings=8))
        """
        if text == "auto":
            return cls(None, None)
        match = _BUDGET.fullmatch(text.strip())
        if match is None or float(match[1]) <= 0:
            raise InputError(f"budget must be seconds such as 30, or a number such as '8 trainings' (got '{text}')")
        if (match[2] or "s").startswith("t"):
            if not match[1].isdigit():
                raise InputError(f"budget must be a whole number of trainings (got '{text}')")
            return cls(None, int(match[1]))
        return cls(float(match[1]), None)


def _check_budget(text: str) -> None:
    Budget.parse(text)


@config
class Search(Config):
    """How ``preset="auto"`` searches; other presets do not look at it.

    Example:
        >>> Search(budget="30", ensemble=False)
        Search(budget='30', ensemble=False)
    """

    budget: str = setting(
        default="auto",
        check=_check_budget,
        help="What the search may cost: seconds of one thread such as 30, counted in work so that the same seed "
        "chooses the same on every machine, or a number such as '8 trainings'.",
    )
    ensemble: bool = setting(default=True, help="Whether the answer may be a mean of several models.")
    refit: bool = setting(
        default=True,
        help="Whether the last training uses the labels of validation nodes too; accuracies are measured before it.",
    )
    with_motifs: bool = setting(default=True, help="Whether candidates that are made of motifs are tried.")
