"""Which motifs matter where: for each class, for the graph, and for the roles found in it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np

from infomotif.explain.roles import Roles, find_roles, motif_level
from infomotif.explain.subject import Subject
from infomotif.typing import Array


@dataclass(frozen=True)
class ClassMotifs:
    """Motif weights of the nodes predicted to be of one class: mean and standard deviation of alpha, [T]."""

    name: str
    size: int
    weights: tuple[float, ...]
    deviation: tuple[float, ...]


@dataclass(frozen=True)
class Overview:
    """The graph as a whole.

    Attributes:
        motifs: Name of each motif, [T].
        weights: Mean alpha over all nodes, [T].
        dominant: Share of nodes for which each motif has the largest weight, [T].
        classes: Motif weights by predicted class.
        roles: Roles found in motif-level space.
    """

    motifs: tuple[str, ...]
    weights: tuple[float, ...]
    dominant: tuple[float, ...]
    classes: tuple[ClassMotifs, ...]
    roles: Roles

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON; each node's role is left to :attr:`roles`."""
        value = asdict(self)
        value["roles"] = [asdict(role) for role in self.roles.roles]
        return value


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
    names = tuple(motif.name for motif in subject.index.motifs)
    return Overview(names, tuple(alpha.mean(axis=0).tolist()), tuple(dominant.tolist()), tuple(classes), grouped)
