"""Finding: one observation about the data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One observation about the data.

    Attributes:
        topic: Its subject, in a word or two.
        level: ``fine``, ``note`` (good to know) or ``warning`` (look at it before training).
        text: The observation, in plain words.
        figures: The numbers behind it, by name.
        options: Options of ``infomotif train`` to set because of it.
    """

    topic: str
    level: str
    text: str
    figures: dict[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] = ()
