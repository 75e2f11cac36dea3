"""Explanations on Matplotlib axes: a node with its deciding instances, and motif weights by class."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif._core.display.style import (
    COLOURS,
    categories,
    headline,
    ink,
    light,
    literal,
    own_axes,
    own_figure,
    wrapped,
)
from infomotif.errors import InputError
from infomotif.graph.graph_plot import plot_graph
from infomotif.motifs.glyphs import glyph_ticks

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from infomotif.explain.node import NodeExplanation, Scene
    from infomotif.explain.overview import Overview

MAX_NODES = 40
"""How many nodes of a neighbourhood are drawn by default."""
_CLASSES = 6
_ROWS = 16


def plot_explanation(
    explanation: NodeExplanation, *, instances: int, max_nodes: int, seed: int, figure: Figure | SubFigure | None
) -> tuple[Axes, ...]:
    """Draw neighbourhood, probabilities and motif weights; see :meth:`.NodeExplanation.plot`."""
    _scene(explanation)
    bars, motifs = min(_CLASSES, len(explanation.prediction.probabilities)), min(_ROWS, len(explanation.motifs))
    drawn = own_figure(figure, "plot", (11.0, float(np.clip(2.2 + 0.25 * (bars + motifs), 4.6, 8))))
    rows = 2 if motifs else 1
    # A motif needs room for its picture, a class for its name.
    heights = [bars + 1.0, 1.2 * motifs + 1.0][:rows]
    grid = drawn.add_gridspec(rows, 2, width_ratios=[2, 1], height_ratios=heights)
    left = drawn.add_subplot(grid[:, 0])
    right = [drawn.add_subplot(grid[row, 1]) for row in range(rows)]
    for axes, draw in zip(right, (_probabilities, _weights), strict=False):
        draw(axes, explanation)
    options: dict[str, Any] = {"instances": instances, "max_nodes": max_nodes, "seed": seed}
    plot_neighbourhood(explanation, ax=left, settle=figure is None, **options)
    return (left, *right)


def plot_neighbourhood(
    explanation: NodeExplanation, *, instances: int, max_nodes: int, seed: int, ax: Axes | None, settle: bool = False
) -> Axes:
    """Draw a node's neighbours with the strongest instances shaded; see :meth:`.NodeExplanation.plot_neighbourhood`."""
    scene = _scene(explanation)
    strongest = explanation.instances[: max(0, instances)]
    prediction = explanation.prediction
    share = 100 * prediction.probabilities[prediction.label]
    title = f"{literal(explanation.node)} is predicted {literal(prediction.label)} ({share:.0f}\N{NO-BREAK SPACE}%)"
    if explanation.label is not None:
        title += (
            ", as labelled" if explanation.label == prediction.label else f" but labelled {literal(explanation.label)}"
        )
    axes = plot_graph(
        scene.graph,
        scene.graph.index_of(explanation.node),
        instances=[[member.node for member in instance.members] for instance in strongest],
        max_nodes=max_nodes,
        classes=(scene.predicted, tuple(prediction.probabilities)),
        legend_title="prediction",
        squares=None if scene.train is None else (scene.train, "training node"),
        title=title,
        seed=seed,
        ax=ax,
        settle=settle,
    )
    if strongest:
        named = ", ".join(dict.fromkeys(f"{i.motif} {i.title}".strip() for i in strongest))
        many = "strongest instance" if len(strongest) == 1 else f"{len(strongest)} strongest instances"
        note = axes.get_xlabel()
        caption = f"shaded: the {many} ({literal(named, 60)})" + (f"\n{note}" if note else "")
        axes.set_xlabel(wrapped(axes, caption, 8.5), fontsize=8.5)
    return axes


def _scene(explanation: NodeExplanation) -> Scene:
    if explanation.scene is None:
        raise InputError("this explanation holds no graph to draw; make it with model.explain() or explain_node()")
    return explanation.scene


def _probabilities(axes: Axes, explanation: NodeExplanation) -> None:
    """Draw the most probable classes as bars, and the base GNN's answer as a mark on them."""
    ordered = sorted(explanation.prediction.probabilities.items(), key=lambda item: -item[1])
    shown = ordered[:_CLASSES]
    classes = tuple(explanation.prediction.probabilities)
    drawn = categories(np.asarray([classes.index(name) for name, _ in shown]), classes)
    places = np.arange(len(shown))
    colours = drawn.colours if len(classes) <= len(COLOURS) else [COLOURS[0]] * len(shown)
    axes.barh(places, [p for _, p in shown], 0.62, color=colours, zorder=2)
    _marks(
        axes, None if explanation.base is None else [explanation.base.probabilities[n] for n, _ in shown], "base GNN"
    )
    for place, (_, p) in zip(places.tolist(), shown, strict=True):
        axes.annotate(
            f"{100 * p:.0f} %", (p, place), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8
        )
    axes.set_yticks(places, labels=[literal(name, 20) for name, _ in shown], fontsize=8.5)
    _horizontal(axes, "probability" + (f", {_CLASSES} of {len(classes)} classes" if len(classes) > _CLASSES else ""))
    axes.set_xlim(0, 1.18)
    axes.set_xticks([0, 0.5, 1])


def _weights(axes: Axes, explanation: NodeExplanation) -> None:
    """Draw the weight of each motif, and the mean over the graph as a mark."""
    motifs = explanation.motifs[:_ROWS]
    weights = [m.weight for m in motifs]
    axes.barh(range(len(motifs)), weights, 0.62, color=COLOURS[0], zorder=2)
    means = [m.mean for m in motifs]
    _marks(axes, means, "mean over the graph")
    scene = _scene(explanation)
    longest = max(*weights, *means, 0.1)
    for place, weight in enumerate(weights):
        end = max(weight, means[place])
        axes.annotate(f"{weight:.2f}", (end, place), xytext=(5, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_ylim(len(motifs) - 0.4, -0.6)
    glyph_ticks(axes, scene.motifs[:_ROWS], [m.motif for m in motifs], along="y")
    left_out = len(explanation.motifs) - len(motifs)
    _horizontal(axes, "motif weight" + (f", {left_out} more motifs not drawn" if left_out else ""))
    axes.set_xlim(0, 1.2 * longest)


def _marks(axes: Axes, values: list[float] | None, text: str) -> None:
    """Mark a value on each bar to compare it with."""
    if values is None:
        return
    marks = axes.scatter(values, range(len(values)), marker="|", s=150, c=[ink(axes)], linewidths=1.6, zorder=3)
    axes.legend([marks], [text], loc="lower right", bbox_to_anchor=(1, 1), fontsize=8, frameon=False, borderaxespad=0)


def _horizontal(axes: Axes, label: str) -> None:
    light(axes)
    axes.grid(visible=False)
    if not axes.yaxis_inverted():
        axes.invert_yaxis()
    axes.tick_params(axis="y", length=0)
    axes.tick_params(axis="x", labelsize=8)
    axes.set_xlabel(label, fontsize=9)


def plot_overview(overview: Overview, *, ax: Axes | None) -> Axes:
    """Draw mean motif weights by predicted class; see :meth:`.Overview.plot`."""
    if not overview.motifs:
        raise InputError("a base GNN has no motif weights to draw; train with motifs, such as preset='joint'")
    largest = sorted(overview.classes, key=lambda c: -c.size)[:_ROWS]
    kept = [c for c in overview.classes if c in largest]
    values = np.array([overview.weights, *(c.weights for c in kept)])
    names = ["all nodes", *(f"{literal(c.name, 22)} ({c.size:,})" for c in kept)]
    height, width = 1.6 + 0.38 * len(names), 2.6 + 0.75 * len(overview.motifs)
    axes = own_axes(ax, "plot", (float(np.clip(width, 4.8, 12)), height))
    axes.imshow(values, cmap="Blues", vmin=0, vmax=max(1.25 * float(values.max()), 1e-9), aspect="auto")
    for i, j in np.ndindex(*values.shape):
        dark = values[i, j] > 0.75 * values.max()
        axes.text(j, i, f"{values[i, j]:.2f}", ha="center", va="center", fontsize=8, color="white" if dark else "black")
    axes.set_yticks(range(len(names)), labels=names, fontsize=8.5)
    axes.tick_params(axis="y", length=0)
    axes.axhline(0.5, color=axes.get_facecolor(), linewidth=3)
    for spine in axes.spines.values():
        spine.set_visible(False)
    headline(axes, "Motif weights by predicted class")
    left_out = len(overview.classes) - len(kept)
    if left_out:
        axes.set_xlabel(f"{left_out} smaller classes are not drawn", fontsize=8)
    pictures = overview.drawings or (None,) * len(overview.motifs)
    glyph_ticks(axes, pictures, overview.motifs)
    return axes
