"""Nodes, edges, shaded groups and names on Matplotlib axes."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif._core.display.style import LINK, SHADE, bare, ink, literal, root_figure
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

BOTH = 3
"""The code of an edge that runs in both directions, or has none."""
_FONT = 8.0
_INSIDE = 3
_DASHES = (0, (3, 2))
_DIRECTIONS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)]


@dataclass(frozen=True)
class Network:
    """A small graph to draw.

    Attributes:
        points: Position of each node, [n, 2].
        edges: Two nodes and a code per edge, [m, 3]; code 1 runs from the first to the second.
        directed: Whether edges have arrowheads.
        names: Name of each node.
        colours: Colour of each node.
        centre: The node to emphasise, if any.
        shaded: Groups of nodes, each shaded together with the edges within it.
        squares: Nodes that are drawn as squares.
        dashed: Rows of edges that are drawn dashed.
    """

    points: Array
    edges: Array
    directed: bool
    names: Sequence[str]
    colours: Sequence[str]
    centre: int | None = None
    shaded: Sequence[Sequence[int]] = ()
    squares: Sequence[int] = field(default_factory=tuple)
    dashed: Sequence[int] = field(default_factory=tuple)

    @property
    def inside(self) -> bool:
        """Whether names are short enough to be written into the nodes."""
        return len(self.names) <= 50 and all(len(name) <= _INSIDE for name in self.names)

    @property
    def diameters(self) -> Array:
        """Size of each node in points."""
        usual = float(np.clip(95 / math.sqrt(max(1, len(self.points))), 4.5, 15))
        room = 9.0 + 3 * max((len(name) for name in self.names), default=0)
        size = np.full(len(self.points), max(usual, room) if self.inside else usual)
        if self.centre is not None:
            size[self.centre] *= 1.5
        return size


def draw_network(ax: Axes, network: Network) -> None:
    """Draw a network on empty axes: shades, edges, nodes; names come last, with :func:`write_names`."""
    bare(ax)
    # The frame stays, and the plane around the nodes grows: more room for names.
    ax.set_aspect("equal", adjustable="datalim")
    ax.margins(0.06)
    reach = np.abs(network.points).max(axis=0, initial=0.3) + 0.05
    ax.update_datalim([-reach, reach])
    for group in network.shaded:
        _shade(ax, network.points[list(group)])
    _draw_edges(ax, network)
    _draw_nodes(ax, network)


def square_marker() -> Line2D:
    """Return what stands for square nodes in a legend."""
    from matplotlib.lines import Line2D

    return Line2D(
        [], [], marker="s", linestyle="", markersize=6, markerfacecolor="none", color=LINK, markeredgewidth=1.4
    )


def dashed_line() -> Line2D:
    """Return what stands for dashed edges in a legend."""
    from matplotlib.lines import Line2D

    return Line2D([], [], linestyle=_DASHES, color=LINK, linewidth=1.4)


def _shade(ax: Axes, members: Array) -> None:
    """Fill the rounded hull of some points."""
    from matplotlib.patches import Polygon
    from scipy.spatial import ConvexHull

    angle = np.linspace(0, 2 * np.pi, 25)[:-1]
    circle = 0.09 * np.stack([np.cos(angle), np.sin(angle)], axis=1)
    cloud = (members[:, None] + circle[None]).reshape(-1, 2)
    outline = cloud[ConvexHull(cloud).vertices]
    ax.add_patch(Polygon(outline, closed=True, facecolor=SHADE, alpha=0.3, edgecolor="none", zorder=0.5))


def _draw_edges(ax: Axes, network: Network) -> None:
    from matplotlib.collections import LineCollection
    from matplotlib.colors import to_rgba

    grouped = {(u, v) for group in network.shaded for u in group for v in group}
    strong = np.array([(u, v) in grouped for u, v, _ in network.edges.tolist()], dtype=bool)
    m = max(1, len(network.edges))
    plain = (to_rgba(LINK, float(np.clip(6 / math.sqrt(m), 0.25, 0.9))), float(np.clip(12 / math.sqrt(m), 0.6, 1.2)))
    marked = (to_rgba(ink(ax), 0.85), 1.9)
    dashed = np.isin(np.arange(len(network.edges)), list(network.dashed))
    for kind, (colour, width), order in ((~strong, plain, 1.0), (strong, marked, 1.5)):
        for mask, style in ((kind & ~dashed, "-"), (kind & dashed, _DASHES)):
            if network.directed:
                _draw_arrows(ax, network, network.edges[mask], colour, width, order, style)
            elif mask.any():
                lines = network.points[network.edges[mask][:, :2]]
                cap = {"capstyle": "round"} if style == "-" else {"linestyles": [style]}
                ax.add_collection(
                    LineCollection(list(lines), colors=[colour], linewidths=width, zorder=order, **cap), autolim=False
                )


def _draw_arrows(
    ax: Axes, network: Network, edges: Array, colour: tuple[float, ...], width: float, order: float, dashes: Any
) -> None:
    from matplotlib.patches import FancyArrowPatch

    radius = network.diameters / 2 + 1
    head = float(np.clip(90 / math.sqrt(max(1, len(network.edges))), 4, 9))
    for u, v, code in edges.tolist():
        style = f"{'<|' if code == BOTH else ''}-|>,head_length={0.5 * head / 10:.3f},head_width={0.22 * head / 10:.3f}"
        ax.add_patch(
            FancyArrowPatch(
                tuple(network.points[u]),
                tuple(network.points[v]),
                arrowstyle=style,
                mutation_scale=10,
                shrinkA=radius[u],
                shrinkB=radius[v],
                color=colour,
                linewidth=width,
                linestyle=dashes,
                zorder=order,
            )
        )


def _draw_nodes(ax: Axes, network: Network) -> None:
    ground = ax.get_facecolor()
    area = network.diameters**2
    square = np.isin(np.arange(len(network.points)), list(network.squares))
    members = np.isin(np.arange(len(network.points)), [v for group in network.shaded for v in group])
    if network.centre is not None:
        members[network.centre] = True
    for mask, marker, scale in ((~square, "o", 1.0), (square, "s", 0.85)):
        for marked in (False, True):
            chosen = np.flatnonzero(mask & (members == marked))
            if len(chosen):
                ax.scatter(
                    network.points[chosen, 0],
                    network.points[chosen, 1],
                    s=(area * scale)[chosen],
                    c=[network.colours[v] for v in chosen.tolist()],
                    marker=marker,
                    edgecolors=[ink(ax) if marked else ground],
                    linewidths=1.4 if marked else 0.7,
                    zorder=3 + 0.1 * marked,
                )


def write_names(ax: Axes, network: Network, *, own: bool, everything: bool = False) -> None:
    """Write names: into the nodes if they are short, else next to them where there is room.

    Args:
        ax: The axes; legend and title must be there already.
        network: What was drawn on them.
        own: Whether the figure was made for this plot, so that its layout may be settled now.
        everything: Whether to write names that overlap others, too.
    """
    if own:
        root_figure(ax).draw_without_rendering()
    else:
        ax.apply_aspect()
    dpi = root_figure(ax).dpi
    spots = ax.transData.transform(network.points) * 72 / dpi
    marked = [v for v in (network.centre, *(v for group in network.shaded for v in group)) if v is not None]
    order = list(dict.fromkeys([*marked, *range(len(network.points))]))
    if network.inside:
        for v in order:
            _write(ax, network, v, (0.0, 0.0), "center", "center", inside=True)
        return
    corner, size = ax.transAxes.transform([[0, 0], [1, 1]]) * 72 / dpi
    room = _Room(spots, network.diameters / 2, (*corner, *size))
    for v in order:
        width, height = text_size(literal(network.names[v]), _FONT)
        place = room.place(v, width, height, force=everything or v in marked)
        if place is not None:
            horizontal = {1: "left", -1: "right", 0: "center"}[place[0]]
            vertical = {1: "bottom", -1: "top", 0: "center"}[place[1]]
            reach = network.diameters[v] / 2 + 2
            shift = reach if 0 in place else reach * 0.7
            _write(ax, network, v, (place[0] * shift, place[1] * shift), horizontal, vertical)


def _write(
    ax: Axes,
    network: Network,
    node: int,
    shift: tuple[float, float],
    horizontal: str,
    vertical: str,
    *,
    inside: bool = False,
) -> None:
    from matplotlib.patheffects import withStroke

    halo = [] if inside else [withStroke(linewidth=2.2, foreground=ax.get_facecolor())]
    ax.annotate(
        literal(network.names[node]),
        tuple(network.points[node]),
        xytext=shift,
        textcoords="offset points",
        ha=horizontal,
        va="center_baseline" if vertical == "center" and inside else vertical,
        fontsize=7.3 if inside else _FONT,
        fontweight="bold" if node == network.centre else "normal",
        color="white" if inside else ink(ax),
        path_effects=halo,
        zorder=5,
    )


def text_size(text: str, font: float) -> tuple[float, float]:
    """Return width and height of a line in points, nearly; measuring would need a renderer.

    Example:
        >>> text_size("abc", 10) < text_size("abcd", 10)
        True
    """
    wide = sum(1.0 if unicodedata.east_asian_width(c) in "WF" else 0.6 if c.islower() else 0.66 for c in text)
    return wide * font + 2, 1.25 * font


class _Room:
    """Which places next to nodes are still free; all lengths are in points."""

    def __init__(self, spots: Array, radii: Array, frame: tuple[float, ...]) -> None:
        self._frame = frame
        self._nodes = np.concatenate([spots - radii[:, None], spots + radii[:, None]], axis=1)
        self._spots, self._radii = spots, radii
        self._texts: list[tuple[float, float, float, float]] = []

    def place(self, node: int, width: float, height: float, *, force: bool) -> tuple[int, int] | None:
        """Return the first direction in which a text fits, or None; if forced, the one that covers least."""
        x, y = self._spots[node].tolist()
        reach = float(self._radii[node]) + 2
        best: tuple[float, tuple[int, int], tuple[float, float, float, float]] | None = None
        for dx, dy in _DIRECTIONS:
            shift = reach if 0 in (dx, dy) else 0.7 * reach
            left = x + dx * shift - (width / 2 if dx == 0 else width if dx < 0 else 0)
            low = y + dy * shift - (height / 2 if dy == 0 else height if dy < 0 else 0)
            box = (left, low, left + width, low + height)
            covered = self._covered(box, node)
            if covered <= 0:
                self._texts.append(box)
                return dx, dy
            if best is None or covered < best[0]:
                best = (covered, (dx, dy), box)
        if not force or best is None:
            return None
        self._texts.append(best[2])
        return best[1]

    def _covered(self, box: tuple[float, float, float, float], node: int) -> float:
        outside = max(0.0, self._frame[0] - box[0]) + max(0.0, box[2] - self._frame[2])
        others = np.delete(self._nodes, node, axis=0)
        # Covering another name is worse than covering a node.
        return outside * 5 + _overlap(box, others) + 3 * _overlap(box, np.array(self._texts).reshape(-1, 4))


def _overlap(box: tuple[float, float, float, float], others: Array) -> float:
    across = np.minimum(box[2], others[:, 2]) - np.maximum(box[0], others[:, 0])
    along = np.minimum(box[3], others[:, 3]) - np.maximum(box[1], others[:, 1])
    return float((np.maximum(0, across) * np.maximum(0, along)).sum())
