"""Finding: one thing that was seen in the data."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Finding:
    """One thing that was seen.

    Attributes:
        topic: What it is about, in a word or two.
        level: ``fine``, ``note`` (good to know) or ``warning`` (look at it before training).
        text: What was found, in plain words.
        figures: The numbers behind it.
        options: Options of ``infomotif train`` to set because of it.
    """

    topic: str
    level: str
    text: str
    figures: dict[str, Any] = field(default_factory=dict)
    options: tuple[str, ...] = ()
