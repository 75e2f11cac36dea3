"""Motifs as small pictures at the ticks of a Matplotlib axis; one drawer for all plots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from infomotif._core.display.style import ink, literal, root_figure
from infomotif.motifs.drawing import CORNERS, FRAME, drawn_edges, edge_style, node_colours
from infomotif.motifs.pattern import Motif
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.offsetbox import DrawingArea

_LARGEST, _SMALLEST = 30.0, 12.0
_GAP = 5.0


def glyph(motif: Motif, size: float, colour: Any) -> DrawingArea:
    """Return a picture of a motif for an ``AnnotationBbox``.

    Args:
        motif: The motif.
        size: Width and height in points.
        colour: Colour of nodes and edges.

    Example:
        >>> from infomotif.motifs.catalog import get_motif
        >>> len(glyph(get_motif("M4"), 30, "black").get_children())
        9
    """
    from matplotlib.lines import Line2D
    from matplotlib.offsetbox import DrawingArea
    from matplotlib.patches import Circle, Polygon

    area = DrawingArea(size, size, 0, 0)
    radius, head = 0.1 * size, 0.18 * size
    corners = [np.array([x, FRAME - y]) * size / FRAME for x, y in CORNERS[motif.size]]
    for i, j, at_i, at_j in drawn_edges(motif):
        unit = (corners[j] - corners[i]) / math.dist(corners[i], corners[j])
        start, end = corners[i] + (radius + 0.6) * unit, corners[j] - (radius + 0.6) * unit
        # A line ends within its arrowhead, as its blunt end would stick out at the tip.
        a, b = start + 0.5 * head * at_i * unit, end - 0.5 * head * at_j * unit
        own_colour, dashed = edge_style(motif, i, j)
        ink = own_colour or colour
        style = {"linestyle": (0, (2, 1.5))} if dashed else {"solid_capstyle": "butt"}
        area.add_artist(Line2D([a[0], b[0]], [a[1], b[1]], color=ink, linewidth=0.045 * size, **style))
        for tip, direction in [(start, -unit)] * at_i + [(end, unit)] * at_j:
            area.add_artist(Polygon(_head(tip, direction, head), closed=True, color=ink, linewidth=0))
    for corner, fill in zip(corners, node_colours(motif, colour), strict=True):
        area.add_artist(Circle((float(corner[0]), float(corner[1])), radius, color=fill, linewidth=0))
    return area


def _head(tip: Array, direction: Array, length: float) -> Array:
    across = np.array([-direction[1], direction[0]]) * 0.45 * length
    return np.stack([tip, tip - length * direction + across, tip - length * direction - across])


def glyph_ticks(
    ax: Axes, motifs: Sequence[Motif | None], names: Sequence[str], *, along: Literal["x", "y"] = "x"
) -> float:
    """Put a tick with picture and name at 0, 1, 2, ... for each motif.

    Args:
        ax: The axes, with their limits and their place in the figure.
        motifs: The motifs; None has a name but no picture.
        names: What to write below the pictures, or to the left of them.
        along: ``x`` or ``y``.

    Returns:
        How far pictures and names reach below the axes, in points (along x).
    """
    from matplotlib.offsetbox import AnnotationBbox

    axis = ax.xaxis if along == "x" else ax.yaxis
    box = ax.get_window_extent()
    room = (box.width if along == "x" else box.height) * 72 / root_figure(ax).dpi / max(1, len(motifs))
    size = float(np.clip(0.8 * room, _SMALLEST, _LARGEST))
    font = float(np.clip(0.36 * room, 6.5, 9)) if along == "x" else 8.5
    pad = size + _GAP + 2 if any(motif is not None for motif in motifs) else _GAP
    texts = [_wrapped(name, along) for name in names]
    axis.set_ticks(range(len(motifs)), labels=texts)
    ax.tick_params(axis=along, length=0, pad=pad, labelsize=font)
    for place, motif in enumerate(motifs):
        if motif is None:
            continue
        away = -(size / 2 + _GAP)
        ax.add_artist(
            AnnotationBbox(
                glyph(motif, size, ink(ax)),
                (place, 0) if along == "x" else (0, place),
                xybox=(0, away) if along == "x" else (away, 0),
                xycoords=("data", "axes fraction") if along == "x" else ("axes fraction", "data"),
                boxcoords="offset points",
                box_alignment=(0.5, 0.5),
                frameon=False,
                pad=0,
                annotation_clip=False,
            )
        )
    return pad + 1.35 * font * max((text.count("\n") + 1 for text in texts), default=1) + 2


def _wrapped(name: str, along: str) -> str:
    """Return a name on a few short lines; edges of a pattern have a line each."""
    text = name.replace("<->", "↔").replace("->", "→")
    if along == "y":
        return literal(text, 24)
    if ", " in text:
        return "\n".join(literal(part, 10) for part in text.split(", ")[:6])
    return literal(text, 12)
