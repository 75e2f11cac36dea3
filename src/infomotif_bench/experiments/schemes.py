"""Scheme: how many nodes have a label, which of them validate, and where they are."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from infomotif.errors import InputError

if TYPE_CHECKING:
    from infomotif.graph import Graph
    from infomotif.training.splits import Split

MAX_SPLITS = 1000
"""Most splits of an experiment; more would add nothing."""

VALIDATION = 0.2
"""Share of labelled nodes that validate, in every experiment of the paper."""

SPARE = 1 / 3
"""Share of a class that is left for testing, however many labels per class are asked for."""

_NUMBER = r"\d+(?:\.\d+)?"
_FORM = re.compile(
    rf"(?:(?P<share>{_NUMBER}) ?%|(?P<per_class>\d{{1,9}}) (?:a|per) class)"
    rf"(?:, validation (?P<validation>train|{_NUMBER}))?(?:, region (?P<region>{_NUMBER}))?"
)


@dataclass(frozen=True)
class Scheme:
    """A way to split a graph; with a number it gives one split, the same for every method.

    Attributes:
        share: Share of labelled nodes that train, or None.
        per_class: Number of nodes of each class that train, or None.
        validation: Share of labelled nodes that validate; ``train`` for as many as train.
        region: Share of labelled nodes that the region of all training and validation nodes holds, if there is one.

    Example:
        >>> Scheme.parse("3 per class, validation train")
        Scheme(share=None, per_class=3, validation='train', region=None)
        >>> Scheme(0.2).name, Scheme(0.2).key
        ('20 %', '0.2')
        >>> Scheme(per_class=3).name, Scheme(per_class=3).key
        ('3 per class', '3 a class')
    """

    share: float | None = None
    per_class: int | None = None
    validation: float | Literal["train"] = VALIDATION
    region: float | None = None

    def __post_init__(self) -> None:
        """Refuse shares that are not possible."""
        if (self.share is None) == (self.per_class is None):
            raise InputError("labels must be either a share or a number per class")
        if self.per_class is not None and (self.per_class < 1 or self.region is not None):
            raise InputError(f"labels per class must be at least 1, and not in a region (got {self.text})")
        if self.validation != "train" and not (isinstance(self.validation, float) and 0 < self.validation < 1):
            raise InputError(f"validation must be 'train' or a share above 0 and below 1 (got {self.validation})")
        if self.share is not None:
            limit = 1 - self.validation if self.validation != "train" else 1 / 2
            if not 0 < self.share <= limit - 1e-9:
                raise InputError(f"ratio must be above 0 and below {limit:g} (got {self.share:g})")
            if self.region is not None and not (self.validation == "train" and 2 * self.share <= self.region < 1):
                raise InputError(
                    f"a region must be below 1, hold twice the share that trains, and needs 'validation: train' "
                    f"(got {self.text})"
                )

    @classmethod
    def parse(cls, value: str | float) -> Scheme:
        """Read a share such as 0.2, or text such as ``20 %`` or ``3 per class``, or as :attr:`text` writes it.

        Raises:
            InputError: If it has another form.
        """
        if isinstance(value, int | float):
            return cls(float(value))
        text = str(value).strip()
        if re.fullmatch(_NUMBER, text):
            return cls(float(text))
        parts = _FORM.fullmatch(text)
        if parts is None:
            raise InputError(f"labels must have the form 0.2, '20 %' or '3 per class' (got '{value}')")
        validation = parts["validation"] or VALIDATION
        return cls(
            None if parts["share"] is None else round(float(parts["share"]) / 100, 12),
            None if parts["per_class"] is None else int(parts["per_class"]),
            "train" if validation == "train" else float(validation),
            None if parts["region"] is None else float(parts["region"]),
        )

    @property
    def name(self) -> str:
        """How many labels there are, as tables and commands show it."""
        return f"{self.per_class} per class" if self.share is None else f"{100 * self.share:g} %"

    @property
    def text(self) -> str:
        """The whole scheme, as :meth:`parse` reads it and stores write it."""
        # Stores have always written it so; another word would make other keys.
        number = f"{self.per_class} a class" if self.share is None else self.name
        validation = "" if self.validation == VALIDATION else f", validation {_short(self.validation)}"
        return number + validation + ("" if self.region is None else f", region {self.region:g}")

    @property
    def key(self) -> str:
        """Its part of a run's key: only the share if the rest is as in the paper, so that old runs are found."""
        return f"{self.share:g}" if self._as_published else self.text

    def to_json(self) -> dict[str, Any]:
        """Return its part of a run's line in a store."""
        return {"ratio": self.share} if self._as_published else {"labels": self.text}

    @classmethod
    def from_json(cls, line: dict[str, Any]) -> Scheme:
        """Return the scheme of a run's line.

        Raises:
            InputError: If there is none, or it is damaged.
        """
        value = line["labels"] if "labels" in line else line.get("ratio")
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise InputError(f"labels or ratio must be text or a number (got {value!r:.40})")
        return cls.parse(value)

    def split(self, graph: Graph, number: int) -> Split:
        """Return a split of a graph.

        Raises:
            InputError: If the graph has no labels, or too few.

        Example:
            >>> import infomotif as im
            >>> split = Scheme(per_class=2, validation="train").split(im.load_dataset("karate"), 0)
            >>> len(split.train), len(split.val), len(split.test)
            (4, 4, 26)
        """
        from infomotif.training.splits import per_class_split, random_split, region_split

        if graph.y is None:
            raise InputError(f"{graph.name} has no labels to learn from")
        if self.per_class is not None:
            return per_class_split(graph.y, self.per_class, val=self.validation, seed=number, spare=SPARE)
        if self.region is not None:
            return region_split(graph, self.share or 0.0, region=self.region, seed=number)
        return random_split(graph.y, self.share or 0.0, val=self.validation, seed=number)

    @property
    def _as_published(self) -> bool:
        return self.share is not None and self.validation == VALIDATION and self.region is None


def _short(validation: float | str) -> str:
    return validation if isinstance(validation, str) else f"{validation:g}"
