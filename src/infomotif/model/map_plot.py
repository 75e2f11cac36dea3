"""A map of the nodes on Matplotlib axes; :meth:`.InfoMotif.plot_map` is the door."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif._core.display.style import NEUTRAL, bare, categories, headline, legend, literal, own_axes, root_figure
from infomotif.errors import InputError, unknown_name
from infomotif.graph import Graph
from infomotif.model.plane import plane
from infomotif.motifs import MotifIndex
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from infomotif.model.estimator import InfoMotif

MAX_NODES = 20_000
"""How many nodes are drawn by default; of larger graphs a random sample."""
_SIZE = (6.8, 5.2)
_MANY = 3000


@dataclass(frozen=True)
class _Subject:
    """The model, the graph it is shown on, and the motifs if they were counted before."""

    model: InfoMotif
    graph: Graph
    given: Any
    index: MotifIndex | None

    def probability(self) -> Array:
        return self.model.predict_proba(self.given, index=self.index)


@dataclass(frozen=True)
class _Shown:
    """What colours say: a category per node, or a number."""

    title: str
    values: Array
    names: Sequence[str] | None = None
    unknown: str = "no label"
    what: str = "classes"


def plot_map(
    model: InfoMotif,
    graph: Any,
    target: Graph,
    colour: Any,
    *,
    index: MotifIndex | None,
    max_nodes: int,
    seed: int,
    ax: Axes | None,
) -> Axes:
    """Draw the map, as :meth:`.InfoMotif.plot_map` describes it; ``target`` is the graph that ``graph`` means."""
    if isinstance(max_nodes, bool) or not isinstance(max_nodes, int | np.integer) or max_nodes < 1:
        raise InputError(f"max_nodes must be a positive whole number (got {max_nodes!r})")
    subject = _Subject(model, target, graph, index)
    shown = _shown(subject, colour)
    axes = own_axes(ax, "plot_map", _SIZE)
    z, n = model.embed(graph, index=index), target.num_nodes
    nodes = np.arange(n)
    if n > max_nodes:
        nodes = np.sort(np.random.default_rng(seed).permutation(n)[:max_nodes])
        axes.set_xlabel(f"{n - max_nodes:,} more nodes are not drawn", fontsize=8)
    points, method = plane(z[nodes], seed=seed)
    bare(axes)
    _scatter(axes, points, shown, nodes)
    headline(axes, f"{literal(target.name, 30)}: {method} of the representations")
    return axes


def _scatter(axes: Axes, points: Array, shown: _Shown, nodes: Array) -> None:
    values = shown.values[nodes]
    style: dict[str, Any] = {
        "s": float(np.clip(20_000 / max(1, len(nodes)), 6, 42)),
        "linewidths": 0.4 if len(nodes) < 1000 else 0.15,
        "edgecolors": [axes.get_facecolor()],
        # Thousands of points would make slow and heavy vector files.
        "rasterized": len(nodes) > _MANY,
    }
    if shown.names is None:
        order = np.argsort(values, kind="stable")
        drawn = axes.scatter(points[order, 0], points[order, 1], c=values[order], cmap="viridis", **style)
        root_figure(axes).colorbar(drawn, ax=axes, shrink=0.7, label=shown.title)
        return
    coloured = categories(values, shown.names, unknown=shown.unknown, what=shown.what)
    grey = np.array([colour == NEUTRAL for colour in coloured.colours], dtype=bool)
    # Grey points stand back, and no category covers another as a whole.
    order = np.random.default_rng(0).permutation(len(nodes))
    order = order[np.argsort(~grey[order], kind="stable")]
    axes.scatter(points[order, 0], points[order, 1], c=[coloured.colours[i] for i in order.tolist()], **style)
    legend(axes, coloured.legend, title=shown.title)


def _shown(subject: _Subject, colour: Any) -> _Shown:
    if not isinstance(colour, str):
        return _given_values(colour, subject.graph.num_nodes)
    if colour not in COLOURINGS:
        raise unknown_name("colour", colour, COLOURINGS)
    return COLOURINGS[colour](subject)


def _given_values(colour: Any, n: int) -> _Shown:
    try:
        values = np.asarray(colour.detach().cpu() if hasattr(colour, "detach") else colour)
    except ValueError:
        values = np.empty((0, 0))
    if values.shape != (n,):
        raise InputError(f"colour must be one of {', '.join(COLOURINGS)}, or hold a value per node, {n} in all")
    if values.dtype.kind in "iuf":
        return _Shown("", values.astype(np.float64))
    names, numbers = np.unique(values.astype(np.str_), return_inverse=True)
    return _Shown("", numbers, names.tolist(), what="values")


def _classes(subject: _Subject) -> _Shown:
    if subject.graph.y is None:
        raise InputError(f"{subject.graph.name} has no labels; use colour='prediction'")
    return _Shown("class", subject.graph.y, subject.graph.class_names)


def _predictions(subject: _Subject) -> _Shown:
    return _Shown("prediction", subject.probability().argmax(axis=1), subject.model.classes_.tolist())


def _split(subject: _Subject) -> _Shown:
    split = getattr(subject.model, "split_", None)
    if split is None or subject.given is not None:
        raise InputError("colour='split' needs the graph that the model was fitted on; use colour='prediction'")
    part = np.full(subject.graph.num_nodes, -1)
    for number, nodes in enumerate((split.train, split.val, split.test)):
        part[nodes] = number
    return _Shown("split", part, ("training", "validation", "test"), unknown="none")


def _correct(subject: _Subject) -> _Shown:
    shown = _classes(subject)
    predicted = subject.model.classes_[subject.probability().argmax(axis=1)]
    # Another graph may number its classes differently, so names are compared.
    known = np.array([*subject.graph.class_names, ""])[shown.values]
    wrong = np.where(shown.values < 0, -1, np.where(known == predicted, 0, 1))
    return _Shown("prediction", wrong, ("right", "wrong"))


def _confidence(subject: _Subject) -> _Shown:
    return _Shown("probability of the predicted class", subject.probability().max(axis=1))


def _motif(subject: _Subject) -> _Shown:
    weights = subject.model.subject(subject.given, index=subject.index).alpha
    if weights is None:
        raise InputError("this is a base GNN without motif weights; use colour='prediction'")
    return _Shown("motif of the largest weight", weights.argmax(axis=1), subject.model.motif_names_, what="motifs")


COLOURINGS: dict[str, Callable[[_Subject], _Shown]] = {
    "class": _classes,
    "prediction": _predictions,
    "correct": _correct,
    "confidence": _confidence,
    "split": _split,
    "motif": _motif,
}
"""What the colours of a map may say, by name."""
