"""The graphs of experiments, datasets by name or generated Barabasi-Albert graphs, and their splits."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np

from infomotif.datasets import dataset_spec, load_dataset
from infomotif.errors import InputError
from infomotif.graph import Graph
from infomotif_bench.experiments.schemes import Scheme

if TYPE_CHECKING:
    from infomotif.training.splits import Split

_GENERATED = re.compile(r"ba-(\d{1,9})-(\d{1,9})")
_CLASSES = 4


def check_graph_name(name: str) -> None:
    """Refuse a name that is neither a dataset's nor of the form ``ba-NODES-EDGES``.

    Raises:
        InputError: The message names the nearest dataset.
    """
    sizes = _GENERATED.fullmatch(name)
    if sizes is None:
        dataset_spec(name)
    else:
        _check_sizes(int(sizes[1]), int(sizes[2]))


def is_generated(name: str) -> bool:
    """Return whether a graph of this name is generated."""
    return _GENERATED.fullmatch(name) is not None


@lru_cache(maxsize=8)
def bench_graph(name: str) -> Graph:
    """Return the graph of this name; of a dataset, the largest component.

    Example:
        >>> bench_graph("ba-100-2")
        Graph('ba-100-2', 100 nodes, 196 undirected edges, no attributes, 4 classes)
    """
    sizes = _GENERATED.fullmatch(name)
    return load_dataset(name) if sizes is None else barabasi_albert(int(sizes[1]), int(sizes[2]))


def split_of(dataset: str, labels: Scheme | float | str, number: int) -> Split:
    """Return a split of a graph, the same for every method; ``labels`` as :meth:`Scheme.parse` reads it.

    Example:
        >>> split = split_of("karate", 0.4, 0)
        >>> len(split.train), len(split.val), len(split.test)
        (14, 7, 13)
    """
    scheme = labels if isinstance(labels, Scheme) else Scheme.parse(labels)
    return scheme.split(bench_graph(dataset), number)


def barabasi_albert(num_nodes: int, attach: int, *, seed: int = 0) -> Graph:
    """Grow a graph by preferential attachment: each new node joins ``attach`` nodes, drawn by degree.

    Labels are random: the graph serves to measure time.

    Example:
        >>> barabasi_albert(50, 3).degrees.min() >= 3
        np.True_
    """
    _check_sizes(num_nodes, attach)
    generator = np.random.default_rng(seed)
    # Every edge adds both its ends to the list, so a uniform draw from it is a draw by degree.
    ends = np.empty(2 * attach * (num_nodes - attach), dtype=np.int64)
    targets, filled = np.arange(attach), 0
    for node in range(attach, num_nodes):
        ends[filled : filled + attach] = targets
        ends[filled + attach : filled + 2 * attach] = node
        filled += 2 * attach
        chosen: set[int] = set()
        while len(chosen) < attach:
            chosen.update(ends[generator.integers(0, filled, attach - len(chosen))].tolist())
        targets = np.array(sorted(chosen))
    pairs = ends.reshape(-1, 2, attach)
    return Graph.from_edges(
        pairs[:, 1].ravel(),
        pairs[:, 0].ravel(),
        num_nodes=num_nodes,
        directed=False,
        y=generator.integers(0, _CLASSES, num_nodes),
        class_names=[str(c) for c in range(_CLASSES)],
        name=f"ba-{num_nodes}-{attach}",
    )


def _check_sizes(num_nodes: int, attach: int) -> None:
    if not 1 <= attach < num_nodes:
        raise InputError(f"each node must join from 1 to {num_nodes - 1} of {num_nodes} nodes (got {attach})")
