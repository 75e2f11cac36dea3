"""Plots that compare networks: distances, correlations of orbits, and profiles."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif._core.display.style import (
    COLOURS,
    headline,
    ink,
    legend,
    light,
    literal,
    own_axes,
    own_figure,
    root_figure,
)
from infomotif.errors import InputError
from infomotif.motifs.compare.correlation import ORBITS
from infomotif.motifs.glyphs import glyph_ticks
from infomotif.motifs.motif_plot import against, motif_axes_size, signed, signed_bars
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from infomotif.motifs.compare.networks import NetworkComparison
    from infomotif.motifs.compare.profile import Profile

_PROFILES = 4.0
"""Height of the profiles in an overview, in inches."""
_MARKERS = "osD^vP*X"
_ROOM = 0.35
"""Part of the room between two motifs that the networks' marks spread over, to each side."""


def plot_profile(profile: Profile, *, ax: Axes | None) -> Axes:
    """Draw one profile, as :meth:`.Profile.plot` describes it."""
    axes = own_axes(ax, "plot", motif_axes_size(len(profile.motifs)))
    values = np.nan_to_num(profile.values)
    below, above = _reach(profile)
    limit = max(0.1, 1.25 * float(np.abs(np.concatenate([values - below, values + above])).max(initial=0)))
    signed_bars(axes, values, profile.z, limit)
    axes.errorbar(
        np.arange(len(values)),
        values,
        [below, above],
        fmt="none",
        ecolor=ink(axes),
        elinewidth=1,
        capsize=2.5,
        zorder=3,
    )
    for place, value in enumerate(profile.values.tolist()):
        up = values[place] >= 0
        axes.annotate(
            signed(value, 2),
            (place, values[place] + above[place] if up else values[place] - below[place]),
            xytext=(0, 3 if up else -3),
            textcoords="offset points",
            ha="center",
            va="bottom" if up else "top",
            fontsize=8,
        )
    axes.set_ylabel(_label(profile))
    headline(axes, f"Significance profile against {against(profile.samples, profile.null)}")
    glyph_ticks(axes, profile.motifs, [motif.name for motif in profile.motifs])
    return axes


def plot_profiles(profiles: Mapping[str, Profile], *, ax: Axes | None = None) -> Axes:
    """Draw the significance profiles of several networks over each other, with error bars.

    Args:
        profiles: The profiles by the name of the network, all of the same motifs.
        ax: Matplotlib axes to draw on; by default those of a new figure.

    Returns:
        The axes.

    Raises:
        InputError: If there is none, or they are of different motifs or kinds.

    Example:
        >>> from infomotif import load_dataset
        >>> from infomotif.motifs import significance
        >>> from matplotlib.figure import Figure
        >>> profile = significance(load_dataset("karate"), "graphlets4", samples=20).profile()
        >>> axes = plot_profiles({"karate": profile}, ax=Figure().subplots())
        >>> [text.get_text() for text in axes.get_legend().get_texts()]
        ['karate']
    """
    if not profiles:
        raise InputError("profiles must hold at least one profile")
    first, *others = profiles.values()
    if any(other.motifs != first.motifs or other.kind != first.kind for other in others):
        raise InputError("profiles to draw must be of the same motifs and the same kind")
    axes = own_axes(ax, "plot", motif_axes_size(len(first.motifs) + 2))
    axes.axhline(0, color=ink(axes), linewidth=0.8, zorder=1)
    entries: list[tuple[str, Any]] = []
    shifts = np.linspace(-_ROOM, _ROOM, len(profiles)) / 2 if others else [0.0]
    for number, ((name, profile), shift) in enumerate(zip(profiles.items(), shifts, strict=True)):
        colour, marker = COLOURS[number % len(COLOURS)], _MARKERS[number % len(_MARKERS)]
        places = np.arange(len(profile.motifs)) + shift
        bars = axes.errorbar(
            places,
            profile.values,
            _reach(profile),
            color=colour,
            marker=marker,
            markersize=5,
            linewidth=1.2,
            elinewidth=1,
            capsize=2.5,
            zorder=2,
        )
        entries.append((literal(name), bars))
    axes.set_xlim(-0.6, len(first.motifs) - 0.4)
    axes.set_ylabel(_label(first))
    headline(axes, f"Significance profiles against {against(first.samples, first.null)}")
    light(axes)
    axes.spines["bottom"].set_visible(False)
    glyph_ticks(axes, first.motifs, [motif.name for motif in first.motifs])
    legend(axes, entries)
    return axes


def plot_distances(comparison: NetworkComparison, *, ax: Axes | None) -> Axes:
    """Draw distances, as :meth:`.NetworkComparison.plot` describes it."""
    side = float(np.clip(2.6 + 0.55 * len(comparison.names), 3.6, 11))
    axes = own_axes(ax, "plot", (side + 0.8, side))
    names = [literal(name, 20) for name in comparison.names]
    highest = max(float(comparison.distances.max(initial=0)), 1e-9)
    _heat_map(axes, comparison.distances, names, ("viridis_r", 0.0, highest), "graphlet correlation distance")
    headline(axes, "How far the networks are apart (GCD-11)")
    return axes


def plot_overview(comparison: NetworkComparison, *, figure: Figure | SubFigure | None) -> Figure | SubFigure:
    """Draw distances and profiles, as :meth:`.NetworkComparison.plot_overview` describes it."""
    width, height = overview_size(comparison)
    whole = own_figure(figure, "plot", (width, height))
    if not comparison.profiles:
        comparison.plot(ax=whole.subplots())
        return whole
    parts: Any = whole.subfigures(2, 1, height_ratios=[height - _PROFILES, _PROFILES])
    # A square map in a wide figure would drift to its colour bar, so it gets a square part of it.
    square = min(0.95, (height - _PROFILES + 1.2) / width)
    corner = parts[0].subfigures(1, 2, width_ratios=[square, 1 - square])[0]
    comparison.plot(ax=corner.subplots())
    comparison.plot_profiles(ax=parts[1].subplots())
    return whole


def overview_size(comparison: NetworkComparison) -> tuple[float, float]:
    """Return width and height in inches of a figure with distances and profiles."""
    width, height = 6.4, float(np.clip(2.0 + 0.5 * len(comparison.names), 3.2, 9))
    if not comparison.profiles:
        return width, height
    return max(width, motif_axes_size(len(comparison.profiles[0].motifs) + 2)[0]), height + _PROFILES


def plot_correlations(matrix: Array, *, name: str = "", ax: Axes | None = None) -> Axes:
    """Draw a graphlet correlation matrix.

    Args:
        matrix: What :func:`.graphlet_correlation_matrix` returned [11, 11].
        name: Name of the network.
        ax: Matplotlib axes to draw on; by default those of a new figure.

    Returns:
        The axes; rows and columns are numbered as ORCA's orbits.

    Raises:
        InputError: If it is no such matrix.

    Example:
        >>> from infomotif import load_dataset
        >>> from infomotif.motifs import graphlet_correlation_matrix
        >>> from matplotlib.figure import Figure
        >>> matrix = graphlet_correlation_matrix(load_dataset("karate"))
        >>> plot_correlations(matrix, name="karate", ax=Figure().subplots()).get_title()
        'Graphlet correlations of karate'
    """
    values = np.asarray(matrix, dtype=float)
    if values.shape != (len(ORBITS), len(ORBITS)):
        raise InputError(f"matrix must be a graphlet correlation matrix [11, 11] (got shape {values.shape})")
    axes = own_axes(ax, "plot", (6.4, 5.4))
    _heat_map(axes, values, [str(orbit) for orbit in ORBITS], ("RdBu_r", -1.0, 1.0), "rank correlation")
    axes.set_xlabel("orbit")
    axes.set_ylabel("orbit")
    headline(axes, f"Graphlet correlations{' of ' + literal(name, 40) if name else ''}")
    return axes


def _heat_map(axes: Axes, values: Array, names: list[str], colours: tuple[str, float, float], label: str) -> None:
    """Draw a square matrix with a figure in each cell, dark on light and light on dark."""
    palette, low, high = colours
    image = axes.imshow(values, cmap=palette, vmin=low, vmax=high)
    short = all(len(name) <= 3 for name in names)
    axes.set_xticks(range(len(names)), names, rotation=0 if short else 45, ha="center" if short else "right")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0)
    for spine in axes.spines.values():
        spine.set_visible(False)
    if len(names) <= 20:
        size = float(np.clip(90 / len(names), 6, 9))
        for (row, column), value in np.ndenumerate(values):
            red, green, blue, _ = image.cmap(image.norm(value))
            dark = 0.299 * red + 0.587 * green + 0.114 * blue < 0.5
            text = f"{value:.2f}".replace("-", "\N{MINUS SIGN}")
            axes.text(column, row, text, ha="center", va="center", fontsize=size, color="white" if dark else "black")
    root_figure(axes).colorbar(image, ax=axes, label=label, shrink=0.85)


def _reach(profile: Profile) -> tuple[Array, Array]:
    """Return how far error bars reach below and above the values; 0 where there is none."""
    return (
        np.maximum(np.nan_to_num(profile.values - profile.low), 0),
        np.maximum(np.nan_to_num(profile.high - profile.values), 0),
    )


def _label(profile: Profile) -> str:
    return "normalised z-score" if profile.kind == "z" else "normalised ratio"
