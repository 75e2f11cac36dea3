"""What the page knows of each node: predictions, motif weights, instances, twins, attributes, neighbours, position."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
import torch

from infomotif.explain.attributes import contributions, rank_attributes
from infomotif.explain.instances import ScoredInstances, TopInstance, rank_instances, role_name, scores
from infomotif.explain.roles import Roles
from infomotif.explain.subject import Subject
from infomotif.explain.twins import nearest_nodes
from infomotif.graph.neighbourhoods import label_fraction
from infomotif.motifs.counting.dyads import DyadGraph
from infomotif.runs.report.plane import plane
from infomotif.training.splits import Split
from infomotif.typing import Array

MOST_SHOWN = 20_000
_MOST_LINKS = 600_000
_LINKS_A_NODE = 30
_INSTANCES = 5
_TWINS = 6
_TOP_CLASSES = 3
_WORDS = 8
_SHARED = 4


def node_data(
    subject: Subject, split: Split, scored: tuple[ScoredInstances, ...], space: Array, roles: Roles, seed: int = 0
) -> dict[str, Any]:
    """Return columns of plain numbers, one entry a shown node, then names of nodes that are only mentioned.

    Graphs above 20,000 nodes show a random sample of that many.
    """
    graph = subject.graph
    shown = np.arange(graph.num_nodes)
    if graph.num_nodes > MOST_SHOWN:
        shown = np.sort(np.random.default_rng(seed).permutation(graph.num_nodes)[:MOST_SHOWN])
    links = _links(subject, shown)
    twins = shown_nearest(space, shown, _TWINS)
    top = [rank_instances(subject, int(v), scored, _INSTANCES) for v in shown]
    mentioned = [links["nodes"], twins[twins >= 0], np.array([u for found in top for i in found for u in i.members])]
    others = np.setdiff1d(np.concatenate(mentioned).astype(np.int64), shown)
    place = np.full(graph.num_nodes, -1)
    place[shown], place[others] = np.arange(len(shown)), len(shown) + np.arange(len(others))
    known = np.concatenate([shown, others])
    points, how = plane(np.asarray(subject.output.z.cpu().numpy())[shown], seed=seed)
    words = _Words(subject, scored, shown, known)
    return {
        "total": graph.num_nodes,
        "shown": len(shown),
        "name": [str(name) for name in graph.names_of(known).tolist()],
        "label": _ints(np.full(graph.num_nodes, -1) if graph.y is None else graph.y, known),
        "predicted": _ints(subject.predicted, known),
        "part": _parts(graph.num_nodes, split)[known].tolist(),
        "top": _top_classes(subject.probability[shown]),
        "base": None if subject.base is None else _top_classes(subject.base[shown]),
        "alpha": None if subject.alpha is None else np.rint(1000 * subject.alpha[shown]).astype(int).tolist(),
        "counts": None if subject.index is None else subject.index.counts[shown].tolist(),
        "role": _ints(roles.member, shown),
        "degree": _ints(graph.degrees, shown),
        "fraction": np.rint(1000 * label_fraction(graph, split.train, nodes=shown)).astype(int).tolist(),
        "x": np.rint(10000 * points[:, 0]).astype(int).tolist(),
        "y": np.rint(10000 * points[:, 1]).astype(int).tolist(),
        "layout": how,
        "complete": links["complete"] and not len(others),
        "links": [links["pointer"], place[links["nodes"]].tolist(), links["codes"]],
        "twins": np.where(twins >= 0, place[twins], -1).tolist(),
        "similarity": _similarity(space, shown, twins),
        "words": words.of_nodes(),
        "instances": [[_instance(i, place, words) for i in found] for found in top],
        "vocabulary": words.names(),
    }


def role_names(scored: tuple[ScoredInstances, ...]) -> list[list[str]]:
    """Return what the node at each position of each motif does."""
    return [[role_name(part.motif, position) for position in range(part.motif.size)] for part in scored]


def shown_nearest(space: Array, shown: Array, count: int) -> Array:
    """Return the nearest nodes in motif-level space of each shown node, sought among the shown ones."""
    found = nearest_nodes(space[shown], np.arange(len(shown)), count)
    return np.where(found >= 0, shown[found], -1)


def _instance(instance: TopInstance, place: Array, words: _Words) -> list[Any]:
    members = [int(place[u]) for u in instance.members]
    weights = [round(100 * w) for w in instance.weights]
    return [instance.motif, round(instance.score, 1), members, weights, words.shared(members)]


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
    found: list[list[int]] = np.rint(1000 * values).astype(int).tolist()
    return found


def _links(subject: Subject, shown: Array) -> dict[str, Any]:
    """Return neighbours of the shown nodes, with codes 1 (out), 2 (in) and 3 (both) in a directed graph."""
    graph = subject.graph
    view = DyadGraph(graph, directed=graph.directed)
    size = np.diff(view.indptr)[shown]
    complete = len(shown) == graph.num_nodes and int(size.sum()) <= _MOST_LINKS
    if not complete:
        size = np.minimum(size, _LINKS_A_NODE)
    entries = [
        np.arange(view.indptr[v], view.indptr[v] + s) for v, s in zip(shown.tolist(), size.tolist(), strict=True)
    ]
    chosen = np.concatenate([np.empty(0, dtype=np.int64), *entries]).astype(np.int64)
    codes = [int(code) for code in view.codes[chosen]] if graph.directed else None
    pointer = [0, *(int(end) for end in np.cumsum(size))]
    return {"pointer": pointer, "nodes": view.indices[chosen].astype(np.int64), "codes": codes, "complete": complete}


class _Words:
    """Attributes by number, with a vocabulary that holds only the names in use.

    What an attribute of a node carries is gradient times input of all predicted logits together, and for instances of
    all their scores together: one backward pass for the whole graph. :func:`infomotif.explain.explain_node` takes the
    one logit and the one score that it explains, a pass each, and so may order attributes differently; for the
    instances of thousands of nodes that would take minutes to hours.
    """

    def __init__(self, subject: Subject, scored: tuple[ScoredInstances, ...], shown: Array, known: Array) -> None:
        self._subject = subject
        self._number: dict[int, int] = {}
        self._logits: sp.csr_array | None = None
        self._scores: sp.csr_array | None = None
        if not subject.feature_names:
            return
        predicted = torch.from_numpy(subject.predicted).to(subject.h.device)
        used = [(head, part.plan) for head, part in zip(subject.heads, scored, strict=True) if len(part.score)]

        def all_logits(h: torch.Tensor) -> torch.Tensor:
            logits: torch.Tensor = subject.head(h).logits
            return logits.gather(1, predicted[:, None]).sum()

        def all_scores(h: torch.Tensor) -> torch.Tensor:
            return torch.stack([scores(head, plan, h)[0].mean() for head, plan in used]).sum()

        self._logits = contributions(subject, all_logits, shown)
        if used:
            self._scores = contributions(subject, all_scores, known)

    def of_nodes(self) -> list[list[int]]:
        """Return each shown node's strongest attributes, negative numbers (-1 - number) for those against."""
        if self._logits is None:
            return []
        return [self._strongest(self._logits, [v], _WORDS) for v in range(self._logits.shape[0])]

    def shared(self, members: list[int]) -> list[int]:
        """Return the attributes that at least two members have and that carry most of the scores."""
        if self._scores is None:
            return []
        return self._strongest(self._scores, members, _SHARED, at_least=2)

    def names(self) -> list[str]:
        """Return the vocabulary."""
        return [self._subject.feature_names[j] for j in self._number]

    def _strongest(self, matrix: sp.csr_array, rows: list[int], count: int, at_least: int = 1) -> list[int]:
        # Slices of the arrays: scipy's own rows would take most of the time of a large page.
        spans = [slice(matrix.indptr[v], matrix.indptr[v + 1]) for v in rows]
        attributes, values = (np.concatenate([part[span] for span in spans]) for part in (matrix.indices, matrix.data))
        return [self._signed(j, value) for j, value, _ in rank_attributes(attributes, values, count, at_least)]

    def _signed(self, attribute: int, value: float) -> int:
        number = self._number.setdefault(attribute, len(self._number))
        return number if value >= 0 else -1 - number
