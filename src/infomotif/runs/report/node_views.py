"""The node views of the page: predictions, motif weights, instances, twins, attributes, neighbours and position."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypedDict

import numpy as np
import scipy.sparse as sp
import torch

from infomotif.explain.attributes import contributions, rank_attributes, rank_shared
from infomotif.explain.roles import Roles, nearest_nodes
from infomotif.explain.subject import Subject
from infomotif.explain.top_instances import ScoredInstances, TopInstance, position_name, rank_instances, scores
from infomotif.graph.neighbourhoods import label_fraction
from infomotif.model.plane import plane
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.runs.report.parts import PageParts
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
    scored: tuple[ScoredInstances, ...],
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
        scored: Scored instances of all nodes.
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
    top = [rank_instances(subject, int(v), scored, _INSTANCES) for v in shown]
    members = np.array([u for instances in top for instance in instances for u in instance.members])
    mentioned = np.concatenate([links.nodes, twins[twins >= 0], members]).astype(np.int64)
    others = np.setdiff1d(mentioned, shown)
    known = np.concatenate([shown, others])
    row_of = np.full(graph.num_nodes, -1)
    row_of[known] = np.arange(len(known))
    layout = parts.value("map", lambda: _layout(subject, shown, seed), max_nodes=max_nodes, seed=seed)
    attributes = AttributeCodes(subject, scored, shown, known)
    return {
        "total": graph.num_nodes,
        "shown": len(shown),
        "name": [str(name) for name in graph.names_of(known).tolist()],
        "label": _ints(np.full(graph.num_nodes, -1) if graph.y is None else graph.y, known),
        "predicted": _ints(subject.predicted, known),
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
        "words": attributes.of_nodes(),
        "instances": [[_instance(i, row_of, attributes) for i in instances] for instances in top],
        "vocabulary": attributes.names(),
    }


def _layout(subject: Subject, shown: Array, seed: int) -> dict[str, Any]:
    points, method = plane(np.asarray(subject.output.z.cpu().numpy())[shown], seed=seed)
    x, y = np.rint(10000 * points.T).astype(int).tolist()
    return {"x": x, "y": y, "method": method}


def position_names(scored: tuple[ScoredInstances, ...]) -> list[list[str]]:
    """Return the name of each position of each motif."""
    return [[position_name(part.motif, position) for position in range(part.motif.size)] for part in scored]


def _entries(matrix: sp.csr_array, v: int) -> tuple[Array, Array]:
    # Slices of the arrays, as slicing the matrix would take most of the time of a large page.
    span = slice(matrix.indptr[v], matrix.indptr[v + 1])
    return matrix.indices[span], matrix.data[span]


def nearest_shown(space: Array, shown: Array, count: int) -> Array:
    """Return the shown nodes that are nearest to each shown node in motif-level space, [shown, count]; -1 pads."""
    nearest = nearest_nodes(space[shown], np.arange(len(shown)), count)
    return np.where(nearest >= 0, shown[nearest], -1)


def _instance(instance: TopInstance, row_of: Array, attributes: AttributeCodes) -> list[Any]:
    members = [int(row_of[u]) for u in instance.members]
    weights = [round(100 * w) for w in instance.weights]
    return [instance.motif, round(instance.score, 1), members, weights, attributes.shared(members)]


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
    """Attributes as numbers, with a vocabulary that holds only the names in use.

    An attribute of a node is weighed by gradient times input of all predicted logits together, and for instances of
    all their scores together: one backward pass for the whole graph. :func:`infomotif.explain.explain_node` takes one
    pass for each logit or score that it explains, and so may order attributes differently; for the instances of
    thousands of nodes that would take minutes to hours.

    Args:
        subject: The model on its graph.
        scored: Scored instances of all nodes.
        shown: The nodes that are shown.
        known: The shown nodes, then those that are only mentioned.
    """

    def __init__(self, subject: Subject, scored: tuple[ScoredInstances, ...], shown: Array, known: Array) -> None:
        self._subject = subject
        self._number: dict[int, int] = {}
        self._rows: dict[int, dict[int, float]] = {}
        self.of_logits: sp.csr_array | None = None
        self.of_scores: sp.csr_array | None = None
        if not subject.feature_names:
            return
        predicted = torch.from_numpy(subject.predicted).to(subject.h.device)
        used = [(head, part.plan) for head, part in zip(subject.heads, scored, strict=True) if len(part.score)]

        def all_logits(h: torch.Tensor) -> torch.Tensor:
            logits = subject.head(h).logits
            return logits.gather(1, predicted[:, None]).sum()

        def all_scores(h: torch.Tensor) -> torch.Tensor:
            return torch.stack([scores(head, plan, h)[0].mean() for head, plan in used]).sum()

        self.of_logits = contributions(subject, all_logits, shown)
        if used:
            self.of_scores = contributions(subject, all_scores, known)

    def of_nodes(self) -> list[list[int]]:
        """Return each shown node's strongest attributes; -1 - number stands for one that speaks against its class."""
        if self.of_logits is None:
            return []
        ranked = (rank_attributes(*_entries(self.of_logits, v), _ATTRIBUTES) for v in range(self.of_logits.shape[0]))
        return [[self._signed(j, value) for j, value, _ in row] for row in ranked]

    def shared(self, members: list[int]) -> list[int]:
        """Return the attributes that at least two of these known nodes have and that carry most of the scores."""
        if self.of_scores is None:
            return []
        ranked = rank_shared([self._row(v) for v in members], _SHARED_ATTRIBUTES)
        return [self._signed(j, value) for j, value in ranked]

    def names(self) -> list[str]:
        """Return the vocabulary: the name of each number."""
        return [self._subject.feature_names[j] for j in self._number]

    def _row(self, v: int) -> dict[int, float]:
        """Return what the attributes of a known node carry of the scores; nodes are in several instances."""
        if v not in self._rows and self.of_scores is not None:
            attributes, values = _entries(self.of_scores, v)
            used = values != 0
            self._rows[v] = dict(zip(attributes[used].tolist(), values[used].tolist(), strict=True))
        return self._rows[v]

    def _signed(self, attribute: int, value: float) -> int:
        number = self._number.setdefault(attribute, len(self._number))
        return number if value >= 0 else -1 - number
