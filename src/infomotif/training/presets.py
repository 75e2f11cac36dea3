"""Presets: settings by name, with changes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from infomotif.errors import unknown_name
from infomotif.training.config import GROUPS, Settings, set_options, split_options

if TYPE_CHECKING:
    from torch import nn

    from infomotif.nn.encoders import EncoderConfig

PRESETS: dict[str, dict[str, Any]] = {
    "paper": {"batch_size": 256, "negatives": "unseen"},
    # As far as the authors' code differs from their paper: docs/concepts/fidelity.md.
    "authors": {
        "schedule": "joint",
        "mi_weight": 7 / 3,
        "warmup_epochs": 20,
        "epochs": 30,
        "batch_size": 512,
        "readout": "batch",
        "normalize": "row",
    },
    "base": {"regularize": False},
    "joint": {"schedule": "joint", "residual": True},
    # Fewer instances of fewer nodes per epoch; every epoch still takes an InfoMax step.
    "fast": {"schedule": "joint", "residual": True, "mi_share": 0.25, "q": 5},
    # Fallback for when no search is possible and the given settings allow it; otherwise validation chooses.
    "auto": {"schedule": "joint", "residual": True},
}

MOTIFS: Mapping[str, tuple[str, ...]] = {"authors": ("M1", "M2", "M3", "M4", "M5", "111D", "111U")}
"""The motifs that ``auto`` stands for on directed graphs, for presets that do not take the paper's."""


def preset_motifs(preset: str, motifs: Any, *, directed: bool) -> Any:
    """Return the motifs that a ``motifs`` argument stands for: ``auto`` may depend on the preset.

    Example:
        >>> preset_motifs("authors", "auto", directed=True)[-2:]
        ('111D', '111U')
        >>> preset_motifs("paper", "auto", directed=True), preset_motifs("authors", "M7", directed=True)
        ('auto', 'M7')
    """
    chosen = MOTIFS.get(preset) if directed and isinstance(motifs, str) and motifs == "auto" else None
    return motifs if chosen is None else chosen


def make_settings(preset: str = "paper", encoder: str | EncoderConfig | nn.Module = "gcn", **changes: Any) -> Settings:
    """Return a preset's settings with ``changes`` by their flat names.

    A change that is None leaves the preset's value, unless none is a value of the option.

    Example:
        >>> make_settings("joint", q=5).regularizer.residual
        True
        >>> make_settings("paper").training.batch_size, make_settings("paper", batch_size=None).training.batch_size
        (256, None)
    """
    if not isinstance(preset, str) or preset not in PRESETS:
        raise unknown_name("preset", str(preset), PRESETS)
    given, of_preset = set_options(changes), PRESETS[preset]
    if preset == "auto" and (
        given.get("schedule") == "alternate" or given.get("mi_lr") is not None and not given.get("warmup_epochs")
    ):
        # Of what is tried, only Algorithm 1 allows what is given.
        of_preset = {}
    return _settings(encoder, {**of_preset, **given}, frozenset(of_preset.keys() - given.keys()))


def plain_settings(encoder: str | EncoderConfig | nn.Module = "gcn", **flat: Any) -> Settings:
    """Return settings by their flat names without any preset: every other option has its default.

    Example:
        >>> plain_settings(lr=0.001).training.batch_size is None
        True
    """
    return _settings(encoder, set_options(flat))


def _settings(
    encoder: str | EncoderConfig | nn.Module, flat: Mapping[str, Any], assumed: frozenset[str] = frozenset()
) -> Settings:
    from infomotif.nn.encoders import as_encoder

    known = as_encoder(encoder)
    parts = split_options(known, flat)
    options = parts.pop("encoder")
    known = known.replace(**options) if options else known
    made: dict[str, Any] = {name: GROUPS[name](**part) for name, part in parts.items()}
    return Settings(known, **made, assumed=assumed)
