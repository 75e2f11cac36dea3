"""Which motifs matter where: for each class, for the graph, and for the roles found in it."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif.explain.roles import Roles, find_roles, motif_level
from infomotif.explain.subject import Subject
from infomotif.motifs import Motif
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes


@dataclass(frozen=True)
class ClassMotifs:
    """Motif weights of the nodes predicted to be of one class: mean and standard deviation of alpha, [T]."""

    name: str
    size: int
    weights: tuple[float, ...]
    deviation: tuple[float, ...]


@dataclass(frozen=True, repr=False)
class Overview:
    """The graph as a whole.

    Attributes:
        motifs: Name of each motif, [T].
        weights: Mean alpha over all nodes, [T].
        dominant: Share of nodes for which each motif has the largest weight, [T].
        classes: Motif weights by predicted class.
        roles: Roles found in motif-level space.
        drawings: The motifs themselves, for :meth:`plot`; files do not keep them.

    Example:
        >>> import infomotif as im
        >>> from matplotlib.figure import Figure
        >>> model = im.InfoMotif(preset="joint", training=im.Training(epochs=5))
        >>> model = model.fit(im.load_dataset("karate"), train=[0, 33])
        >>> overview = explain_graph(model.subject())
        >>> overview.plot(ax=Figure().subplots()).get_title(), overview.to_frame(kind="arrow").column_names
        ('Motif weights by predicted class', ['class', 'nodes', 'M6', 'M7'])
    """

    motifs: tuple[str, ...]
    weights: tuple[float, ...]
    dominant: tuple[float, ...]
    classes: tuple[ClassMotifs, ...]
    roles: Roles
    drawings: tuple[Motif, ...] = field(default=(), compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON; each node's role is left to :attr:`roles`."""
        value = asdict(replace(self, drawings=()))
        del value["drawings"]
        value["roles"] = [asdict(role) for role in self.roles.roles]
        return value

    def to_frame(self, *, kind: str | None = None) -> Any:
        """Return the mean motif weights as a data frame: one row per predicted class, one column per motif.

        Args:
            kind: ``pandas``, ``polars`` or ``arrow`` (a ``pyarrow.Table``); by default the first that is installed.
        """
        from infomotif._core.display.frames import to_frame

        weights = np.array([c.weights for c in self.classes]).reshape(len(self.classes), len(self.motifs))
        sizes = np.array([c.size for c in self.classes], dtype=np.int64)
        named = [("class", [c.name for c in self.classes]), ("nodes", sizes)]
        columns = [(motif, np.ascontiguousarray(weights[:, t])) for t, motif in enumerate(self.motifs)]
        return to_frame([*named, *columns], kind)

    def plot(self, *, ax: Axes | None = None) -> Axes:
        """Draw the mean motif weights of each predicted class as a heat map.

        Args:
            ax: Matplotlib axes to draw on; by default those of a new figure.

        Returns:
            The axes.

        Raises:
            InputError: If the model is a base GNN, which has no motif weights, or Matplotlib is not installed.
        """
        from infomotif.explain.explanation_plot import plot_overview

        return plot_overview(self, ax=ax)

    def __repr__(self) -> str:
        """Name the motifs with the largest weights, in one line."""
        from infomotif.explain.explanation_text import overview_text

        return overview_text(self)

    def _repr_html_(self) -> str:
        """Show motif weights by class in a notebook."""
        from infomotif.explain.explanation_text import overview_html

        return overview_html(self)


def explain_graph(subject: Subject, *, roles: int | None = None, space: Array | None = None, seed: int = 0) -> Overview:
    """Return which motifs matter for the graph, for each predicted class, and for each role.

    Args:
        subject: The model on its graph.
        roles: How many roles to find; None chooses from 2 to 8.
        space: What :func:`motif_level` returned, if it was called already.
        seed: Randomness of the grouping.
    """
    grouped = find_roles(subject, motif_level(subject) if space is None else space, roles, seed=seed)
    alpha = subject.alpha
    if alpha is None or subject.index is None:
        return Overview((), (), (), (), grouped)
    classes = []
    for number, name in enumerate(subject.class_names):
        weights = alpha[subject.predicted == number]
        if len(weights):
            mean, spread = tuple(weights.mean(axis=0).tolist()), tuple(weights.std(axis=0).tolist())
            classes.append(ClassMotifs(name, len(weights), mean, spread))
    dominant = np.bincount(alpha.argmax(axis=1), minlength=alpha.shape[1]) / len(alpha)
    motifs = subject.index.motifs
    names, weights = tuple(motif.name for motif in motifs), tuple(alpha.mean(axis=0).tolist())
    return Overview(names, weights, tuple(dominant.tolist()), tuple(classes), grouped, motifs)
