"""Presets: settings by name, with changes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from infomotif.errors import unknown_name
from infomotif.training.config import GROUPS, Settings, split_options

if TYPE_CHECKING:
    from torch import nn

    from infomotif.nn.encoders import EncoderConfig

PRESETS: dict[str, dict[str, Any]] = {
    "paper": {},
    "base": {"regularize": False},
    "joint": {"schedule": "joint", "residual": True},
    # Fallback for when no search is possible and the given settings allow it; otherwise validation chooses.
    "auto": {"schedule": "joint", "residual": True},
}


def make_settings(preset: str = "paper", encoder: str | EncoderConfig | nn.Module = "gcn", **changes: Any) -> Settings:
    """Return a preset's settings with ``changes`` by their flat names; changes that are None leave the preset's value.

    Example:
        >>> make_settings("joint", q=5).regularizer.residual
        True
    """
    from infomotif.nn.encoders import as_encoder

    if not isinstance(preset, str) or preset not in PRESETS:
        raise unknown_name("preset", str(preset), PRESETS)
    given = {name: value for name, value in changes.items() if value is not None}
    if preset == "auto" and (
        given.get("schedule") == "alternate" or "mi_lr" in given and not given.get("warmup_epochs")
    ):
        # Of the presets that are tried, only this one allows what is given.
        preset = "paper"
    flat = {**PRESETS[preset], **given}
    known = as_encoder(encoder)
    parts = split_options(known, flat)
    options = parts.pop("encoder")
    known = known.replace(**options) if options else known
    made: dict[str, Any] = {name: GROUPS[name](**part) for name, part in parts.items()}
    return Settings(known, **made)
