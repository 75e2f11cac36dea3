"""Why a node got its label: motifs, instances, attributes, twins, labels within reach, and the base GNN's answer."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from infomotif.explain.attributes import Contribution, instance_attributes, prediction_attributes
from infomotif.explain.roles import motif_level, role_twins
from infomotif.explain.subject import Subject, check_counts
from infomotif.explain.top_instances import (
    CANDIDATES,
    ScoredInstances,
    TopInstance,
    position_name,
    top_of_nodes,
)
from infomotif.graph import Graph
from infomotif.graph.neighbourhoods import hop_distances
from infomotif.graph.targets import target_types, unlabelled_types
from infomotif.motifs import Motif
from infomotif.typing import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure
    from rich.console import Group

NO_MOTIFS = "this is a base GNN: it has no motif weights and scores no instances; --preset joint trains with motifs"
_SHOWN_LABELS = 10


@dataclass(frozen=True)
class Prediction:
    """A class and the probability of every class."""

    label: str
    probabilities: dict[str, float]


@dataclass(frozen=True)
class MotifWeight:
    """A node's weight of a motif, the mean over the graph, and how many instances the node is in."""

    motif: str
    title: str
    weight: float
    mean: float
    instances: int


@dataclass(frozen=True)
class Member:
    """A member of an instance: position (``role``), weight there, label, prediction, type, whether that has classes."""

    node: str
    role: str
    weight: float
    label: str | None
    predicted: str
    type: str | None = None
    classed: bool = True

    @property
    def shown(self) -> str:
        """The label, else the prediction in brackets; of a node whose type has no labels, the type."""
        if self.type is not None and not self.classed:
            return self.type
        return f"({self.predicted})" if self.label is None else self.label


@dataclass(frozen=True)
class Instance:
    """A motif instance with its score, its members and the attributes that they share and that carry the score."""

    motif: str
    title: str
    score: float
    members: tuple[Member, ...]
    attributes: tuple[Contribution, ...]


@dataclass(frozen=True)
class TwinNode:
    """A node with the same role; hops is -1 where no path leads to it."""

    node: str
    similarity: float
    hops: int
    label: str | None
    predicted: str


@dataclass(frozen=True)
class LabelsInReach:
    """Training labels within the encoder's reach: how many of how many nodes, and the nearest of them."""

    hops: int
    nodes: int
    training: int
    fraction: float
    nearest: tuple[tuple[str, str | None, int], ...]


@dataclass(frozen=True, eq=False)
class Scene:
    """What a picture of an explanation needs besides its figures.

    Attributes:
        graph: The graph.
        predicted: The predicted class of each node, [n].
        motifs: The motifs of the weights, in their order.
        train: Training nodes, or None if they are not known.
    """

    graph: Graph
    predicted: Array
    motifs: tuple[Motif, ...]
    train: Array | None


@dataclass(frozen=True, repr=False)
class NodeExplanation:
    """Everything that explains one node's prediction.

    Attributes:
        node: The node's name.
        label: Its label, if known.
        prediction: The model's prediction.
        base: The prediction of the base GNN trained alone, if there is one.
        motifs: Weight of each motif; none for a base GNN.
        instances: The instances that count most.
        attributes: Attributes within reach that carry the predicted class's logit.
        twins: Similar nodes, the nearest in motif-level space; a note says if there are none.
        distant_twins: The nearest of those that no message reaches.
        labels: Training labels within reach, if the training nodes are known.
        notes: What is missing, and why.
        scene: The graph around, for :meth:`plot`; files do not keep it.

    Example:
        >>> import infomotif as im
        >>> from matplotlib.figure import Figure
        >>> model = im.InfoMotif(preset="joint", training=im.Training(epochs=5))
        >>> model = model.fit(im.load_dataset("karate"), train=[0, 33])
        >>> explanation = model.explain(8)
        >>> len(explanation.plot(figure=Figure())), explanation.to_frame(kind="arrow").column_names[:4]
        (3, ['instance', 'motif', 'score', 'node'])
    """

    node: str
    label: str | None
    prediction: Prediction
    base: Prediction | None
    motifs: tuple[MotifWeight, ...]
    instances: tuple[Instance, ...]
    attributes: tuple[Contribution, ...]
    twins: tuple[TwinNode, ...]
    distant_twins: tuple[TwinNode, ...]
    labels: LabelsInReach | None
    notes: tuple[str, ...]
    scene: Scene | None = field(default=None, compare=False)

    def to_dict(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        values = asdict(replace(self, scene=None))
        del values["scene"]
        return values

    def to_frame(self, *, kind: str | None = None) -> Any:
        """Return the instances as a data frame: one row per member, strongest instance first.

        Args:
            kind: ``pandas``, ``polars`` or ``arrow`` (a ``pyarrow.Table``); by default the first that is installed.
        """
        from infomotif._core.display.frames import to_frame

        rows = [(i, instance, member) for i, instance in enumerate(self.instances) for member in instance.members]
        columns = {
            "instance": np.array([i for i, _, _ in rows], dtype=np.int64),
            "motif": [instance.motif for _, instance, _ in rows],
            "score": np.array([instance.score for _, instance, _ in rows], dtype=np.float64),
            "node": [member.node for _, _, member in rows],
            "position": [member.role for _, _, member in rows],
            "weight": np.array([member.weight for _, _, member in rows], dtype=np.float64),
            "label": [member.label for _, _, member in rows],
            "predicted": [member.predicted for _, _, member in rows],
        }
        if any(member.type is not None for _, _, member in rows):
            columns["type"] = [member.type for _, _, member in rows]
        return to_frame(columns.items(), kind)

    def plot(
        self,
        *,
        instances: int = 1,
        max_nodes: int = 40,
        seed: int = 0,
        figure: Figure | SubFigure | None = None,
    ) -> tuple[Axes, ...]:
        """Draw the explanation: the neighbourhood, the probabilities and the motif weights next to each other.

        Args:
            instances: How many of the strongest instances to shade.
            max_nodes: How many nodes of the neighbourhood to draw.
            seed: Which layout, and which neighbours if there are too many.
            figure: A Matplotlib figure, or a part of one, to draw in; by default a new one.

        Returns:
            The axes of the neighbourhood, of the probabilities and, unless the model is a base GNN, of the weights;
            ``axes[0].figure`` is the figure. :meth:`plot_neighbourhood` draws the neighbourhood alone, on given axes.

        Raises:
            InputError: If the explanation does not hold its graph, or Matplotlib is not installed.
        """
        from infomotif.explain.explanation_plot import plot_explanation

        return plot_explanation(self, instances=instances, max_nodes=max_nodes, seed=seed, figure=figure)

    def plot_neighbourhood(
        self, *, instances: int = 1, max_nodes: int = 40, seed: int = 0, ax: Axes | None = None
    ) -> Axes:
        """Draw the node's neighbours, coloured by prediction, with the strongest instances shaded.

        Args:
            instances: As for :meth:`plot`.
            max_nodes: As for :meth:`plot`.
            seed: As for :meth:`plot`.
            ax: Matplotlib axes to draw on; by default those of a new figure.

        Returns:
            The axes.
        """
        from infomotif.explain.explanation_plot import plot_neighbourhood

        return plot_neighbourhood(self, instances=instances, max_nodes=max_nodes, seed=seed, ax=ax)

    def __repr__(self) -> str:
        """Say what was predicted and what decided, in a few short lines."""
        from infomotif.explain.explanation_text import explanation_text

        return explanation_text(self)

    def _repr_html_(self) -> str:
        """Show the explanation in a notebook."""
        from infomotif.explain.explanation_text import explanation_html

        return explanation_html(self)

    def __rich__(self) -> Group:
        """Show the explanation in a terminal."""
        from infomotif.explain.render import render

        return render(self)


def explain_node(
    subject: Subject,
    node: str | int,
    *,
    instances: int = 5,
    twins: int = 5,
    attributes: int = 8,
    space: Any = None,
) -> NodeExplanation:
    """Explain the prediction of one node.

    Args:
        subject: The model on its graph.
        node: The node's name, or its number.
        instances: How many motif instances to show.
        twins: How many role twins to show, near and distant each.
        attributes: How many attributes to show.
        space: What :func:`motif_level` returned [n, D], if it was called already.

    Raises:
        InputError: If there is no such node, or a count is not a whole number from 0 on.
    """
    check_counts(instances=instances, twins=twins, attributes=attributes)
    v = subject.number(node)
    ((scored, top),) = top_of_nodes(subject, [v], instances)
    space = motif_level(subject) if space is None else space
    near, distant = (_twins(subject, space, v, twins, beyond) for beyond in (0, subject.hops))
    return NodeExplanation(
        node=str(subject.graph.names_of(v)),
        label=subject.label(v),
        prediction=_prediction(subject, subject.probability[v]),
        base=None if subject.base is None else _prediction(subject, subject.base[v]),
        motifs=_motif_weights(subject, v),
        instances=tuple(_instance(subject, scored, i, attributes) for i in top),
        attributes=tuple(next(prediction_attributes(subject, [v], attributes))),
        twins=near,
        distant_twins=distant,
        labels=_labels(subject, v),
        notes=(
            *_notes(subject, v, scored),
            *(_twin_notes(near, distant) if twins and _has_role(subject, scored) else ()),
        ),
        scene=Scene(
            subject.graph, subject.predicted, () if subject.index is None else subject.index.motifs, subject.train
        ),
    )


def _prediction(subject: Subject, probability: Array) -> Prediction:
    names = subject.class_names
    values = {name: float(p) for name, p in zip(names, probability, strict=True)}
    return Prediction(names[int(np.argmax(probability))], values)


def _motif_weights(subject: Subject, node: int) -> tuple[MotifWeight, ...]:
    if subject.alpha is None or subject.index is None:
        return ()
    mean = subject.alpha.mean(axis=0)
    return tuple(
        MotifWeight(m.name, m.title, float(subject.alpha[node, t]), float(mean[t]), int(subject.index.counts[node, t]))
        for t, m in enumerate(subject.index.motifs)
    )


def _instance(
    subject: Subject, scored: tuple[ScoredInstances, ...], instance: TopInstance, attributes: int
) -> Instance:
    motif = scored[instance.motif].motif
    members = tuple(
        Member(
            str(subject.graph.names_of(u)),
            position_name(motif, position),
            instance.weights[position],
            subject.label(u),
            subject.class_names[int(subject.predicted[u])],
            subject.type_of(u),
            subject.type_of(u) not in unlabelled_types(subject.graph),
        )
        for position, u in enumerate(instance.members)
    )
    carried = tuple(instance_attributes(subject, scored, instance, attributes))
    return Instance(motif.name, motif.title, instance.score, members, carried)


def _twins(subject: Subject, space: Array, node: int, count: int, beyond: int) -> tuple[TwinNode, ...]:
    return tuple(
        TwinNode(
            str(subject.graph.names_of(twin.node)),
            twin.similarity,
            twin.hops,
            subject.label(twin.node),
            subject.class_names[int(subject.predicted[twin.node])],
        )
        for twin in role_twins(subject, space, node, count=count, beyond=beyond)
    )


def _has_role(subject: Subject, scored: tuple[ScoredInstances, ...]) -> bool:
    """Whether the explained node has a point in motif-level space; in the space of a base GNN every node has."""
    return not subject.heads or any(len(part.score) for part in scored)


def _twin_notes(near: tuple[TwinNode, ...], distant: tuple[TwinNode, ...]) -> Iterator[str]:
    if not near:
        yield "role twins: none, as no other node is similar in motif-level space"
    elif not distant:
        yield "role twins beyond the reach of messages: none, as no node there is similar in motif-level space"


def _labels(subject: Subject, node: int) -> LabelsInReach | None:
    if subject.train is None:
        return None
    distance = hop_distances(subject.graph, node, subject.hops)
    distance[node] = -1
    within = int((distance > 0).sum())
    known = subject.train[distance[subject.train] > 0]
    nearest = known[np.argsort(distance[known], kind="stable")[:_SHOWN_LABELS]].tolist()
    shown = tuple((str(subject.graph.names_of(u)), subject.label(u), int(distance[u])) for u in nearest)
    return LabelsInReach(subject.hops, within, len(known), len(known) / max(1, within), shown)


def _notes(subject: Subject, node: int, scored: tuple[ScoredInstances, ...]) -> tuple[str, ...]:
    notes = [] if subject.source is None else [subject.source]
    kind, labelled = subject.type_of(node), target_types(subject.graph)
    if labelled and kind not in labelled:
        notes.append(
            f"the node is of the type {kind}, but labels are about {' and '.join(labelled)}: its class means little"
        )
    if not subject.heads:
        notes.append(NO_MOTIFS)
    elif not _has_role(subject, scored):
        notes.append("the node is in no motif instance, so it has no role and no twins")
    if subject.index is not None:
        for t, part in enumerate(scored):
            if subject.index.counts[node, t] > CANDIDATES:
                total = int(subject.index.counts[node, t])
                notes.append(f"{CANDIDATES} of the {total:,} instances of {part.motif.name} were drawn and scored")
    if not subject.feature_names:
        notes.append("the graph has no attributes, so none can carry a score")
    if subject.train is None:
        notes.append("the training nodes are not known, so labels within reach are not counted")
    if subject.base is None and subject.heads and subject.answer is None:
        notes.append("there is no base GNN to compare with")
    return tuple(notes)
