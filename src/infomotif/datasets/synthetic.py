"""Generated graphs: attributed structural roles."""

from __future__ import annotations

from typing import Any

import numpy as np
import scipy.sparse as sp
from numpy.typing import NDArray

from infomotif.errors import InputError
from infomotif.graph import Graph

_MOTIFS = {"triangle": False, "feed-forward": True}


def make_roles(
    num_nodes: int = 2400,
    num_classes: int = 4,
    *,
    motif: str = "triangle",
    motifs_per_node: int = 2,
    noise: float = 3.0,
    class_words: int = 20,
    class_word_rate: float = 0.05,
    background_words: int = 200,
    background_rate: float = 0.02,
    regions: int = 1,
    drift: float = 0.0,
    label_fraction: float = 1.0,
    seed: int = 0,
    name: str = "roles",
) -> Graph:
    """Generate a graph of attributed structural roles.

    Nodes of one class meet in planted motifs, and each class has its own words, so attributes co-vary among the
    members of a motif. Random edges are added, along which they do not. With ``regions`` and ``drift`` the motifs stay
    within a region, and that share of each class's words differs from region to region: labels of one region then say
    little about the others (:func:`region_of`).

    Args:
        num_nodes: Number of nodes.
        num_classes: Number of classes, equally large up to rounding.
        motif: ``triangle`` (undirected) or ``feed-forward`` (directed: a to b, a to c, b to c).
        motifs_per_node: Planted motifs that each node is a member of (up to rounding).
        noise: Mean number of random edges per node.
        class_words: Words per class (and region).
        class_word_rate: Chance that a node has a given word of its class.
        background_words: Words that say nothing.
        background_rate: Chance that a node has a given background word.
        regions: Number of regions, blocks of consecutive nodes.
        drift: Share of a class's words that only one region has, 0 to 1.
        label_fraction: Share of nodes that keep their label, drawn evenly over the classes, with several regions
            all in the first; 1 keeps every label, so that predictions can be scored.
        seed: Seed of the random numbers; the same seed gives the same graph.
        name: What the graph is called.

    Raises:
        InputError: If a parameter is out of range.

    Example:
        >>> graph = make_roles(seed=0)
        >>> graph
        Graph('roles', 2400 nodes, 8375 undirected edges, 280 attributes, 4 classes)
    """
    _check(num_nodes, num_classes, motif, motifs_per_node, noise, regions, drift)
    rates = {"class_word_rate": class_word_rate, "background_rate": background_rate, "label_fraction": label_fraction}
    for key, rate in rates.items():
        if not 0 <= rate <= 1:
            raise InputError(f"{key} must lie in 0..1 (got {rate})")
    rng = np.random.default_rng(seed)
    region = np.arange(num_nodes) * regions // num_nodes
    y = _balanced_classes(region, num_classes, rng)
    source, target = _planted(region * num_classes + y, motifs_per_node, rng)
    random = rng.integers(0, num_nodes, (2, round(num_nodes * noise / 2)))
    words, background = _words(num_classes, class_words, regions, drift), background_words
    total = int(words.max(initial=-1)) + 1
    x = np.zeros((num_nodes, total + background), dtype=np.float32)
    present = rng.random((num_nodes, class_words)) < class_word_rate
    rows, slots = np.nonzero(present)
    x[rows, words[region[rows], y[rows], slots]] = 1
    x[:, total:] = rng.random((num_nodes, background)) < background_rate
    graph = Graph.from_edges(
        np.concatenate([source, random[0]]),
        np.concatenate([target, random[1]]),
        num_nodes=num_nodes,
        directed=_MOTIFS[motif],
        x=sp.csr_array(x),
        y=y,
        class_names=[f"role {c}" for c in range(num_classes)],
        attribute_names=_word_names(words) + [f"background {i}" for i in range(background)],
        name=name,
    )
    if label_fraction < 1:
        keep = label_mask(graph, label_fraction, region=None if regions == 1 else region, seed=seed)
        graph = graph.replace(y=np.where(keep, y, -1))
    # Chance repeats of random edges belong to how the graph is generated, and are not worth a note.
    return graph.replace(notes={})


def region_of(graph: Graph, *, num_nodes: int, regions: int) -> NDArray[np.int64]:
    """Return the region of each node of a graph from :func:`make_roles`, also after nodes were left out."""
    return graph.names.astype(np.int64) * regions // num_nodes


def label_mask(
    graph: Graph, fraction: float, *, region: NDArray[np.int64] | None = None, seed: int = 0
) -> NDArray[np.bool_]:
    """Choose a share of all nodes to carry labels, equally many per class, only from region 0 if regions are given."""
    rng = np.random.default_rng(seed)
    y = np.full(graph.num_nodes, -1) if graph.y is None else graph.y
    each = max(1, round(fraction * graph.num_nodes / max(1, graph.num_classes)))
    mask = np.zeros(graph.num_nodes, dtype=np.bool_)
    for c in range(graph.num_classes):
        members = np.flatnonzero((y == c) & (True if region is None else region == 0))
        mask[rng.permutation(members)[:each]] = True
    return mask


def _check(
    num_nodes: int, num_classes: int, motif: str, motifs_per_node: int, noise: float, regions: int, drift: float
) -> None:
    if motif not in _MOTIFS:
        raise InputError(f"motif must be one of {', '.join(_MOTIFS)} (got '{motif}')")
    if num_classes < 2:
        raise InputError(f"num_classes must be at least 2 (got {num_classes})")
    if regions < 1:
        raise InputError(f"regions must be at least 1 (got {regions})")
    if num_nodes < 3 * num_classes * regions:
        least = 3 * num_classes * regions
        raise InputError(f"num_nodes must be at least {least}, three per class and region (got {num_nodes})")
    if motifs_per_node < 0 or noise < 0:
        raise InputError(f"motifs_per_node and noise must not be negative (got {motifs_per_node}, {noise})")
    if not 0 <= drift <= 1:
        raise InputError(f"drift must lie in 0..1 (got {drift})")


def _balanced_classes(region: NDArray[Any], num_classes: int, rng: np.random.Generator) -> NDArray[np.int64]:
    y = np.empty(len(region), dtype=np.int64)
    for r in np.unique(region):
        members = np.flatnonzero(region == r)
        y[rng.permutation(members)] = np.arange(len(members)) % num_classes
    return y


def _planted(group: NDArray[Any], motifs_per_node: int, rng: np.random.Generator) -> tuple[NDArray[Any], NDArray[Any]]:
    triples = [np.empty((0, 3), dtype=np.int64)]
    for _ in range(motifs_per_node):
        for g in np.unique(group):
            members = rng.permutation(np.flatnonzero(group == g))
            triples.append(members[: len(members) // 3 * 3].reshape(-1, 3))
    a, b, c = np.concatenate(triples).T
    return np.concatenate([a, a, b]), np.concatenate([b, c, c])


def _words(num_classes: int, class_words: int, regions: int, drift: float) -> NDArray[np.int64]:
    """Column of each class word, [region, class, slot]: the last ``drift`` share of words differs between regions."""
    regional = round(class_words * drift) if regions > 1 else 0
    common = class_words - regional
    words = np.empty((regions, num_classes, class_words), dtype=np.int64)
    words[:, :, :common] = np.arange(num_classes * common).reshape(num_classes, common)
    count = regions * num_classes * regional
    words[:, :, common:] = num_classes * common + np.arange(count).reshape(regions, num_classes, regional)
    return words


def _word_names(words: NDArray[np.int64]) -> list[str]:
    regions, num_classes, slots = words.shape
    names: dict[int, str] = {}
    for r in range(regions):
        for c in range(num_classes):
            for i in range(slots):
                word = f"role {c} word {i}"
                column = int(words[r, c, i])
                names[column] = word if regions == 1 or (words[:, c, i] == column).all() else f"region {r} {word}"
    return [names[i] for i in range(len(names))]
