"""The node views of the page: predictions, motif weights, instances, twins, attributes, neighbours and position."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np

from infomotif.explain.attributes import Contribution, instance_attributes, prediction_attributes, reads_neighbourhoods
from infomotif.explain.roles import Roles, nearest_nodes
from infomotif.explain.subject import Subject
from infomotif.explain.top_instances import ScoredInstances, TopInstance, position_name, top_of_nodes
from infomotif.graph.neighbourhoods import label_fraction
from infomotif.graph.targets import nodes_of_types, unlabelled_types
from infomotif.model.plane import plane
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.runs.report.parts import PageParts
from infomotif.training.device import compute_context
from infomotif.training.splits import Split
from infomotif.typing import Array

MAX_NODES = 20_000
"""How many nodes the page shows at most."""
_MAX_LINKS = 600_000
_LINKS_PER_NODE = 30
_INSTANCES = 5
_TWINS = 6
_TOP_CLASSES = 3
_ATTRIBUTES = 8
_SHARED_ATTRIBUTES = 4
_MAX_ATTRIBUTED = 5000
_MAX_ATTRIBUTED_BY_PASSES = 200
"""The same where each node takes a pass over the whole graph, as with APPNP."""
_MAX_EXPLAINED = 100


class NodeViews(TypedDict):
    """Columns of plain numbers with an entry per shown node; shares are in thousandths, positions in ten-thousandths.

    Columns ``name``, ``label``, ``predicted`` and ``part`` go on with the nodes that are only mentioned. ``links``
    are row pointers, neighbours and codes; ``instances`` are motif, score, members, weights and shared attributes.
    """

    total: int
    shown: int
    name: list[str]
    label: list[int]
    predicted: list[int]
    part: list[int]
    top: list[list[int]]
    base: list[list[int]] | None
    alpha: list[list[int]] | None
    counts: list[list[int]] | None
    role: list[int]
    degree: list[int]
    fraction: list[int]
    x: list[int]
    y: list[int]
    layout: str
    complete: bool
    links: list[Any]
    twins: list[list[int]]
    similarity: list[list[int]]
    words: list[list[int]]
    instances: list[list[list[Any]]]
    vocabulary: list[str]


def node_views(
    subject: Subject,
    split: Split,
    space: Array,
    roles: Roles,
    parts: PageParts,
    *,
    max_nodes: int = MAX_NODES,
    seed: int = 0,
) -> NodeViews:
    """Return what the page shows of the nodes; beyond ``max_nodes`` it shows a random sample of them.

    Args:
        subject: The model on its graph.
        split: The split that it was trained on.
        space: What :func:`infomotif.explain.motif_level` returned.
        roles: The roles of the nodes.
        parts: Keeps the map for the next page.
        max_nodes: How many nodes to show at most.
        seed: Which sample, and which layout.
    """
    graph = subject.graph
    shown = np.arange(graph.num_nodes)
    if graph.num_nodes > max_nodes:
        shown = np.sort(np.random.default_rng(seed).permutation(graph.num_nodes)[:max_nodes])
    links = _links(subject, shown)
    twins = nearest_shown(space, shown, _TWINS)
    top = list(top_of_nodes(subject, shown, _INSTANCES))
    members = np.array([u for _, instances in top for instance in instances for u in instance.members])
    mentioned = np.concatenate([links.nodes, twins[twins >= 0], members]).astype(np.int64)
    others = np.setdiff1d(mentioned, shown)
    known = np.concatenate([shown, others])
    row_of = np.full(graph.num_nodes, -1)
    row_of[known] = np.arange(len(known))
    layout = parts.value("map", lambda: _layout(subject, shown, seed), max_nodes=max_nodes, seed=seed)
    attributes = AttributeCodes()
    # Exact for the instances of many nodes it would take minutes to hours.
    carried = instance_attributes if len(shown) <= _MAX_EXPLAINED else None
    return {
        "total": graph.num_nodes,
        "shown": len(shown),
        "name": [str(name) for name in graph.names_of(known).tolist()],
        "label": _ints(np.full(graph.num_nodes, -1) if graph.y is None else graph.y, known),
        "predicted": _ints(_groups(subject), known),
        "part": _parts(graph.num_nodes, split)[known].tolist(),
        "top": _top_classes(subject.probability[shown]),
        "base": None if subject.base is None else _top_classes(subject.base[shown]),
        "alpha": None if subject.alpha is None else _thousandths(subject.alpha[shown]),
        "counts": None if subject.index is None else subject.index.counts[shown].tolist(),
        "role": _ints(roles.member, shown),
        "degree": _ints(graph.degrees, shown),
        "fraction": _thousandths(label_fraction(graph, split.train, nodes=shown)),
        "x": layout["x"],
        "y": layout["y"],
        "layout": layout["method"],
        "complete": links.complete and not len(others),
        "links": [links.pointer, row_of[links.nodes].tolist(), links.codes],
        "twins": np.where(twins >= 0, row_of[twins], -1).tolist(),
        "similarity": _similarity(space, shown, twins),
        "words": _words(subject, shown, attributes),
        "instances": [
            [
                _instance(i, row_of, attributes.codes(carried(subject, part, i, _SHARED_ATTRIBUTES) if carried else ()))
                for i in instances
            ]
            for part, instances in top
        ],
        "vocabulary": attributes.names(),
    }


def _groups(subject: Subject) -> Array:
    """Return the predicted class of each node; types without labels are groups with numbers after the classes."""
    graph, groups = subject.graph, subject.predicted.astype(np.int64)
    for number, name in enumerate(unlabelled_types(graph), start=len(subject.class_names)):
        groups[nodes_of_types(graph, [name])] = number
    return groups


def _layout(subject: Subject, shown: Array, seed: int) -> dict[str, Any]:
    points, method = plane(np.asarray(subject.output.z.cpu().numpy())[shown], seed=seed)
    x, y = np.rint(10000 * points.T).astype(int).tolist()
    return {"x": x, "y": y, "method": method}


def position_names(scored: tuple[ScoredInstances, ...]) -> list[list[str]]:
    """Return the name of each position of each motif."""
    return [[position_name(part.motif, position) for position in range(part.motif.size)] for part in scored]


def nearest_shown(space: Array, shown: Array, count: int) -> Array:
    """Return the shown nodes that are nearest to each shown node in motif-level space, [shown, count]; -1 pads."""
    nearest = nearest_nodes(space[shown], np.arange(len(shown)), count)
    return np.where(nearest >= 0, shown[nearest], -1)


def _instance(instance: TopInstance, row_of: Array, shared: list[int]) -> list[Any]:
    members = [int(row_of[u]) for u in instance.members]
    weights = [round(100 * w) for w in instance.weights]
    return [instance.motif, round(instance.score, 1), members, weights, shared]


def _words(subject: Subject, shown: Array, attributes: AttributeCodes) -> list[list[int]]:
    """Return the attributes that carry each node's prediction; none if that would take long."""
    limit = _MAX_ATTRIBUTED if reads_neighbourhoods(subject) else _MAX_ATTRIBUTED_BY_PASSES
    if not subject.feature_names or len(shown) > limit:
        return []
    with compute_context(1, len(shown), subject.h.device):
        return [attributes.codes(each) for each in prediction_attributes(subject, shown.tolist(), _ATTRIBUTES)]


def _thousandths(values: Array) -> list[Any]:
    shares: list[Any] = np.rint(1000 * values).astype(int).tolist()
    return shares


def _ints(values: Array, nodes: Array) -> list[int]:
    return [int(value) for value in values[nodes]]


def _parts(n: int, split: Split) -> Array:
    part = np.zeros(n, dtype=np.int64)
    for number, nodes in enumerate((split.train, split.val, split.test), start=1):
        part[nodes] = number
    return part


def _top_classes(probability: Array) -> list[list[int]]:
    """Return the most probable classes of each node with thousandths: class, share, class, share, ..."""
    best = np.argsort(-probability, axis=1, kind="stable")[:, :_TOP_CLASSES]
    share = np.rint(1000 * np.take_along_axis(probability, best, axis=1)).astype(np.int64)
    pairs: list[list[int]] = np.stack([best, share], axis=2).reshape(len(probability), -1).tolist()
    return pairs


def _similarity(space: Array, shown: Array, twins: Array) -> list[list[int]]:
    values = np.einsum("nd,nkd->nk", space[shown], space[twins]) if len(shown) else np.zeros(twins.shape)
    return _thousandths(values)


@dataclass(frozen=True)
class _Links:
    """Neighbours of the shown nodes, and whether all of them are there.

    In a directed graph, codes are 1 for an edge that leaves the node, 2 for one that enters it, 3 for both.
    """

    pointer: list[int]
    nodes: Array
    codes: list[int] | None
    complete: bool


def _links(subject: Subject, shown: Array) -> _Links:
    graph = subject.graph
    view = DyadGraph(graph, directed=graph.directed)
    size = np.diff(view.indptr)[shown]
    complete = len(shown) == graph.num_nodes and int(size.sum()) <= _MAX_LINKS
    if not complete:
        size = np.minimum(size, _LINKS_PER_NODE)
    starts = view.indptr[shown].tolist()
    entries = [np.arange(start, start + s) for start, s in zip(starts, size.tolist(), strict=True)]
    chosen = np.concatenate([np.empty(0, dtype=np.int64), *entries]).astype(np.int64)
    codes = [int(code) for code in view.codes[chosen]] if graph.directed else None
    pointer = [0, *(int(end) for end in np.cumsum(size))]
    return _Links(pointer, view.indices[chosen].astype(np.int64), codes, complete)


class AttributeCodes:
    """Attributes as numbers, with a vocabulary that holds only the names in use."""

    def __init__(self) -> None:
        self._number: dict[str, int] = {}

    def codes(self, attributes: Iterable[Contribution]) -> list[int]:
        """Return the number of each attribute; -1 - number stands for one that speaks against."""
        return [self._signed(each.name, each.value) for each in attributes]

    def names(self) -> list[str]:
        """Return the vocabulary: the name of each number."""
        return list(self._number)

    def _signed(self, name: str, value: float) -> int:
        number = self._number.setdefault(name, len(self._number))
        return number if value >= 0 else -1 - number
