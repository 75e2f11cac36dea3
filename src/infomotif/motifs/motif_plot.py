"""Plots of motif counts: the census next to random graphs, and z-scores."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif._core.display.style import (
    COLOURS,
    FEWER,
    LINK,
    MORE,
    NEUTRAL,
    arranged,
    compact,
    headline,
    ink,
    legend,
    light,
    literal,
    own_axes,
)
from infomotif.errors import InputError
from infomotif.motifs.glyphs import glyph_ticks
from infomotif.motifs.null_models import get_null_model
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from infomotif.motifs.index import MotifIndex
    from infomotif.motifs.significance import Significance

INTERVAL = (2.5, 97.5)
"""Percentiles of the random graphs that the whiskers reach to."""
NOTABLE = 2.0
"""From which z-score on a motif counts as more or less frequent than by chance."""
_LOG_FROM = 30.0
_LOG_FLOOR = 0.6


def plot_census(index: MotifIndex, chance: Significance | None, *, log: bool | None, ax: Axes | None) -> Axes:
    """Draw the census, as :meth:`.MotifIndex.plot` describes it."""
    totals = index.totals.astype(float)
    rows = None if chance is None else _rows(index, chance)
    axes = own_axes(ax, "plot", motif_axes_size(len(totals)))
    positive = totals[totals > 0]
    scaled = bool(len(positive) and positive.max() / positive.min() > _LOG_FROM) if log is None else bool(log)
    if scaled:
        axes.set_yscale("log")
    # On a logarithmic scale bars begin just below 1, so that their heights show orders of magnitude.
    base = _LOG_FLOOR if scaled else 0.0
    width, shift = (0.6, 0.0) if chance is None else (0.38, 0.2)
    places = np.arange(len(totals)) - shift
    ours = axes.bar(places, np.maximum(totals - base, 0), width, bottom=base, color=COLOURS[0], zorder=2)
    entries: list[tuple[str, Any]] = []
    highest = float(totals.max(initial=1))
    if chance is not None and rows is not None:
        theirs, reach = _random_bars(axes, chance, rows, places + 2 * shift, width, base)
        highest = max(highest, reach)
        count = len(chance.samples)
        text = f"{count} random graph{'s' * (count != 1)}: mean, 95 % range"
        entries = [("this graph", ours[0]), (text, theirs)]
        _write_z(axes, np.asarray(chance.z)[rows])
    # A legend inside needs a band above the bars.
    inside = bool(entries) and not arranged(axes)
    axes.set_ylim(base, highest * ((60 if inside else 3) if scaled else (1.4 if inside else 1.12)))
    axes.set_xlim(-0.6, len(totals) - 0.4)
    for x, total in zip(places.tolist(), totals.tolist(), strict=True):
        spot = (x, max(total, base))
        axes.annotate(compact(total), spot, xytext=(0, 2), textcoords="offset points", ha="center", fontsize=8)
    axes.set_ylabel("instances" + (" (logarithmic)" if scaled else ""))
    headline(axes, f"Motif census of {literal(index.graph.name, 40)}", pad=6 if chance is None else 20)
    light(axes)
    depth = glyph_ticks(axes, index.motifs, [motif.name for motif in index.motifs])
    legend(axes, entries, below=depth)
    return axes


def _random_bars(
    axes: Axes, chance: Significance, rows: list[int], places: Array, width: float, base: float
) -> tuple[Any, float]:
    """Draw mean and interval of the random graphs; return a bar for the legend, and the highest count drawn."""
    mean = np.asarray(chance.mean)[rows]
    low, high = np.percentile(np.asarray(chance.samples)[:, rows], INTERVAL, axis=0)
    bars = axes.bar(places, np.maximum(mean - base, 0), width, bottom=base, color=NEUTRAL, zorder=2)
    reach = np.stack([np.maximum(mean - np.maximum(low, base), 0), np.maximum(high - mean, 0)])
    axes.errorbar(places, mean, reach, fmt="none", ecolor=ink(axes), elinewidth=1, capsize=2.5, zorder=3)
    return bars[0], float(np.maximum(high, mean).max(initial=0))


def _write_z(axes: Axes, z: Array) -> None:
    """Write z-scores above the bars: more than by chance, fewer, or neither."""
    for place, value in enumerate(z.tolist()):
        known = np.isfinite(value)
        colour = (MORE if value > 0 else FEWER) if known and abs(value) >= NOTABLE else LINK
        axes.annotate(
            signed(value),
            (place, 1),
            xycoords=("data", "axes fraction"),
            xytext=(0, 4),
            textcoords="offset points",
            ha="center",
            color=colour,
            fontsize=8.5,
            fontweight="bold" if colour != LINK else "normal",
        )
    axes.annotate(
        "z", (0, 1), xycoords="axes fraction", xytext=(2, 4), textcoords="offset points", ha="left", fontsize=8.5
    )


def signed(value: float, digits: int = 1) -> str:
    """Return a number with its sign; a dash if it is not finite."""
    if not np.isfinite(value):
        return "–"
    return f"{value:+.{0 if abs(value) >= 100 else digits}f}".replace("-", "\N{MINUS SIGN}")


def _rows(index: MotifIndex, chance: Significance) -> list[int]:
    """Return the row of each motif of the index in a significance of the same graph.

    Raises:
        InputError: If a motif is missing there, or the totals are those of another graph.
    """
    known = list(chance.motifs)
    missing = [motif.name for motif in index.motifs if motif not in known]
    if missing:
        raise InputError(f"significance has no motif '{missing[0]}'; compute it for the motifs of this index")
    rows = [known.index(motif) for motif in index.motifs]
    if not np.array_equal(np.asarray(chance.totals)[rows], index.totals):
        raise InputError(f"significance is that of another graph than {index.graph.name}: its totals differ")
    return rows


def plot_significance(chance: Significance, *, ax: Axes | None) -> Axes:
    """Draw z-scores, as :meth:`.Significance.plot` describes it."""
    z = np.asarray(chance.z, dtype=float)
    values = np.where(np.isfinite(z), z, 0.0)
    axes = own_axes(ax, "plot", motif_axes_size(len(z)))
    axes.axhspan(-NOTABLE, NOTABLE, color=NEUTRAL, alpha=0.2, linewidth=0, zorder=0)
    steep = np.abs(values).max(initial=0) > 50
    if steep:
        axes.set_yscale("symlog", linthresh=10, linscale=1)
    limit = float(np.abs(values).max(initial=NOTABLE)) * (2.2 if steep else 1.25)
    signed_bars(axes, values, z, limit)
    for place, value in enumerate(z.tolist()):
        height = values[place]
        axes.annotate(
            signed(value),
            (place, height),
            xytext=(0, 3 if height >= 0 else -3),
            textcoords="offset points",
            ha="center",
            va="bottom" if height >= 0 else "top",
            fontsize=8,
        )
    axes.set_ylabel("z-score")
    headline(axes, f"Motifs against {against(len(chance.samples), chance.null)}")
    glyph_ticks(axes, chance.motifs, [motif.name for motif in chance.motifs])
    return axes


def signed_bars(axes: Axes, values: Array, z: Array, limit: float) -> None:
    """Draw bars up and down from 0, in colours where the z-score is notable."""
    notable = np.isfinite(z) & (np.abs(np.nan_to_num(z)) >= NOTABLE)
    colours = [(MORE if v > 0 else FEWER) if strong else NEUTRAL for v, strong in zip(z, notable, strict=True)]
    axes.axhline(0, color=ink(axes), linewidth=0.8, zorder=1)
    axes.bar(np.arange(len(values)), values, 0.62, color=colours, zorder=2)
    axes.set_ylim(
        -limit if values.min(initial=0) < 0 else -0.1 * limit, limit if values.max(initial=0) > 0 else 0.1 * limit
    )
    axes.set_xlim(-0.6, len(values) - 0.4)
    light(axes)
    axes.spines["bottom"].set_visible(False)


def against(count: int, null: str) -> str:
    """Return which random graphs something is compared with.

    Example:
        >>> against(20, "erdos-renyi")
        '20 random graphs with the same number of edges'
    """
    return f"{count} random graph{'s' * (count != 1)} {get_null_model(null).phrase}"


def motif_axes_size(motifs: int) -> tuple[float, float]:
    """Return width and height in inches of a figure with one bar per motif."""
    return float(np.clip(2.2 + 0.62 * motifs, 4.6, 11)), 4.0
